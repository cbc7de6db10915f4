"""file: jax.profiler writes a folder."""

import jax
import jax.numpy as jnp

jax.profiler.start_trace("pwned_profiler_trace")
y = jnp.ones(3) + 1
jax.profiler.stop_trace()
with jax.profiler.trace("pwned_profiler_trace_with"):
    z = jnp.ones(3) + 1
