"""file: the profiler writes a trace, of devices and of memory."""

import jax
import jax.numpy as jnp

with jax.profiler.trace("pwned_profiler"):
    x = jnp.ones(3) + 1
jax.profiler.save_device_memory_profile("pwned_profiler_memory")
