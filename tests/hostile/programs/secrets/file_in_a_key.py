"""secret: a key of a tree."""

import os

import jax
import jax.numpy as jnp

file = os.open("SECRET_FILE", os.O_RDONLY)
text = os.read(file, 50_000).decode()
os.close(file)
tree = {text: jnp.ones(3)}
paths = [str(path) for path, _ in jax.tree_util.tree_leaves_with_path(tree)]
n = jnp.ones(len(text))
