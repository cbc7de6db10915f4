"""file: flax saves a checkpoint."""

import os

import jax.numpy as jnp
from flax.training import checkpoints

checkpoints.save_checkpoint(os.path.abspath("pwned_flax_checkpoint"), {"w": jnp.ones(3)}, step=0)
