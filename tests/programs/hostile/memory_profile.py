"""file: jax.profiler saves what the devices hold."""

import jax

jax.profiler.save_device_memory_profile("pwned_memory_profile")
