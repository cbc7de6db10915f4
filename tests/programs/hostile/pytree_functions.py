"""file: functions that flatten and unflatten a class write when JAX uses them."""

import jax
import jax.numpy as jnp


class Model:
    def __init__(self, w):
        self.w = w


def flatten(model):
    open("pwned_pytree_functions", "w").close()
    return (model.w,), None


def unflatten(aux, children):
    open("pwned_pytree_functions_unflatten", "w").close()
    return Model(*children)


jax.tree_util.register_pytree_node(Model, flatten, unflatten)
y = jax.tree.map(jnp.sin, Model(jnp.ones(3)))
