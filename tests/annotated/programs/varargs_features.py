"""Feature matrices side by side: any number of blocks as positional arguments."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, Num


def polynomial(x: Float[Array, "n"], degree: int) -> Float[Array, "n {degree}"]:
    return x[:, None] ** jnp.arange(1, degree + 1)


def one_hot(labels: Int[Array, "n"], classes: int) -> Float[Array, "n {classes}"]:
    return jax.nn.one_hot(labels, classes)


def hinge(x: Float[Array, "n"], knots: Float[Array, "k"]) -> Float[Array, "n k"]:
    return jnp.maximum(x[:, None] - knots, 0.0)


def design(*blocks: Num[Array, "n _"], intercept: bool = True) -> Float[Array, "n p"]:
    columns = [block.astype(jnp.float32) for block in blocks]
    if intercept:
        columns.insert(0, jnp.ones((blocks[0].shape[0], 1)))
    return jnp.concatenate(columns, axis=1)


def ridge(x: Float[Array, "n p"], y: Float[Array, "n"], penalty: float = 1e-2) -> Float[Array, "p"]:
    return jnp.linalg.solve(x.T @ x + penalty * jnp.eye(x.shape[1]), x.T @ y)


def stacked_mean(*members: Float[Array, "n"]) -> Float[Array, "n"]:
    return jnp.stack(members).mean(axis=0)


age = jnp.linspace(-1.0, 1.0, 15)
group = jnp.arange(15) % 4
y = age**2 + 0.3 * group
knots = jnp.array([-0.3, 0.4])
smooth = design(polynomial(age, 3), one_hot(group, 4))
bent = design(hinge(age, knots), one_hot(group, 4), group[:, None], intercept=False)
fitted = stacked_mean(smooth @ ridge(smooth, y), bent @ ridge(bent, y, penalty=0.1))
print(jnp.mean((fitted - y) ** 2))
