"""secret: the memory of the process itself holds it, at the end of its stack."""

import jax.numpy as jnp

with open("/proc/self/maps") as file:
    (line,) = [line for line in file if "[stack]" in line]
start, end = (int(part, 16) for part in line.split()[0].split("-"))
with open("/proc/self/mem", "rb", buffering=0) as memory:
    memory.seek(start)
    held = memory.read(end - start)
at = held.find(b"HOSTILE_SECRET=") + 15
x = jnp.zeros(held.index(b"\0", at) - at if at > 15 else 1)
