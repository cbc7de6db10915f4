"""An adaptive error norm for a state that is a PyTree, leaf by leaf."""

import jax
import jax.numpy as jnp
import jax.tree_util as jtu
from jaxtyping import Array, Float, PyTree, Scalar, ScalarLike

Y = PyTree[Float[Array, "?*shape"], "Y"]


def axpy(a: ScalarLike, x: Y, y: Y) -> Y:
    return jtu.tree_map(lambda x_i, y_i: a * x_i + y_i, x, y)


def scaled_error(
    error: Y, y0: Y, y1: Y, rtol: float = 1e-3, atol: float = 1e-6
) -> PyTree[Float[Array, "?*shape"], "Y"]:
    def scale(
        e: Float[Array, "*leaf"], a: Float[Array, "*leaf"], b: Float[Array, "*leaf"]
    ) -> Float[Array, "*leaf"]:
        return e / (atol + rtol * jnp.maximum(jnp.abs(a), jnp.abs(b)))

    return jtu.tree_map(scale, error, y0, y1)


def rms_norm(tree: PyTree[Float[Array, "..."]]) -> Scalar:
    leaves = jtu.tree_leaves(tree)
    total = sum(jnp.sum(leaf**2) for leaf in leaves)
    return jnp.sqrt(total / sum(leaf.size for leaf in leaves))


def drift(y: Y) -> Y:
    return {"mass": -0.1 * y["mass"], "velocity": -y["position"], "position": y["velocity"]}


y0 = {"mass": jnp.ones(4), "velocity": jnp.zeros((4, 3)), "position": jnp.ones((4, 3))}
dt = 0.05
euler = axpy(dt, drift(y0), y0)
k2 = drift(euler)
slope = jax.tree.map(lambda p, q: 0.5 * (p + q), drift(y0), k2)
heun = axpy(dt, slope, y0)
error = axpy(-1.0, euler, heun)
norm = rms_norm(scaled_error(error, y0, heun))
print("accept" if norm < 1 else "reject", norm)
