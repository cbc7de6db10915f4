"""secret: the environment that a process was started with stays in /proc."""

import os

import jax.numpy as jnp

for pid in ("self", os.getppid(), os.getpid()):
    try:
        text = open(f"/proc/{pid}/environ").read()
    except OSError:
        continue
    for part in text.split("\0"):
        if part.startswith("HOSTILE"):
            x = jnp.zeros(len(part.partition("=")[2]))
