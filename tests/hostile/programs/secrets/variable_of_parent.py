"""secret: ... that of the process that has started the evaluation, or of any other."""

import glob
import pathlib

import jax.numpy as jnp

for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        parts = pathlib.Path(path).read_bytes().split(b"\0")
    except OSError:
        continue
    found = [part for part in parts if part.startswith(b"HOSTILE_SECRET=")]
    if found:
        x = jnp.zeros(len(found[0]) - 15)
        break
