"""What libraries refuse that JAX, or the program, calls with arrays."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from flax import nnx


def wrong_labels_of_axes():
    return jnp.einsum("bi,ij->bj", jnp.ones((2, 3)), jnp.ones((4, 5)))  # error


def right_labels_of_axes():
    return jnp.einsum("bi,ij->bj", jnp.ones((2, 4)), jnp.ones((4, 5)))


def wrong_trees():
    return jax.tree.map(jnp.subtract, {"w": jnp.ones(2)}, {"w": jnp.ones(2), "b": jnp.ones(1)})  # error


def right_trees():
    return jax.tree.map(jnp.subtract, {"w": jnp.ones(2)}, {"w": jnp.ones(2)})


def wrong_updates():
    params = {"w": jnp.ones((3, 2))}
    optimizer = optax.sgd(0.1)
    state = optimizer.init(params)
    updates, state = optimizer.update({"w": jnp.ones(3)}, state)
    return optax.apply_updates(params, updates)  # error


def right_updates():
    params = {"w": jnp.ones((3, 2))}
    optimizer = optax.sgd(0.1)
    state = optimizer.init(params)
    updates, state = optimizer.update({"w": jnp.ones(2)}, state)
    return optax.apply_updates(params, updates)


def wrong_labels():
    logits, labels = jnp.ones((4, 3)), jnp.ones(4)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels)  # error


def right_labels():
    logits, labels = jnp.ones((4, 3)), jnp.ones(4, int)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels)


def wrong_loss_of_equinox():
    layer = eqx.nn.Linear(3, 2, key=jax.random.key(0))
    return eqx.filter_grad(lambda layer, x: layer(x))(layer, jnp.ones(3))  # error


def right_loss_of_equinox():
    layer = eqx.nn.Linear(3, 2, key=jax.random.key(0))
    return eqx.filter_grad(lambda layer, x: layer(x).sum())(layer, jnp.ones(3))


def wrong_loss_of_nnx():
    return nnx.grad(lambda layer: layer(jnp.ones((2, 3))))(nnx.Linear(3, 2, rngs=nnx.Rngs(0)))  # error


def right_loss_of_nnx():
    return nnx.grad(lambda layer: layer(jnp.ones((2, 3))).mean())(nnx.Linear(3, 2, rngs=nnx.Rngs(0)))


def wrong_mapped_sizes():
    return eqx.filter_vmap(lambda a, b: a + b)(jnp.ones((3, 2)), jnp.ones((4, 2)))  # error


def right_mapped_sizes():
    return eqx.filter_vmap(lambda a, b: a + b)(jnp.ones((3, 2)), jnp.ones((3, 1)))


def wrong_shape():
    def areas(boxes):
        height, width = boxes.shape  # error
        return height * width

    return areas(jnp.ones((2, 3, 4)))


def right_shape():
    def areas(boxes):
        *_, height, width = boxes.shape
        return height * width

    return areas(jnp.ones((2, 3, 4)))
