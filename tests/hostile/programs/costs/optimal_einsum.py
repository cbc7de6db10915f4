"""time: the best path through forty operands."""

import jax.numpy as jnp
import opt_einsum

letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
parts = [letters[i : i + 3] for i in range(0, 40)]
arrays = [jnp.ones((2, 3, 4)) if False else jnp.ones((2, 2, 2)) for _ in parts]
x = opt_einsum.contract_path(",".join(parts) + "->", *arrays, optimize="optimal")
y = jnp.einsum(",".join(parts) + "->", *arrays, optimize="optimal")
