"""The collapsed bound of a sparse Gaussian process with inducing points."""

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
from jaxtyping import Array, Float
from jaxtyping import Float as F  # noqa: N817

Inputs = Float[Array, "n d"]


def rbf(a: F[Array, "n d"], b: F[Array, "m d"], lengthscale: F[Array, ""]) -> F[Array, "n m"]:
    sq = jnp.sum(a**2, axis=1)[:, None] + jnp.sum(b**2, axis=1)[None, :] - 2 * a @ b.T
    return jnp.exp(-0.5 * sq / lengthscale**2)


def project(x: Inputs, z: F[Array, "m d"], lengthscale: F[Array, ""]) -> F[Array, "m n"]:
    """The whitened cross-covariance of the inducing points and the data."""
    m = z.shape[0]
    kuu = rbf(z, z, lengthscale) + 1e-5 * jnp.eye(m)
    kuf = rbf(z, x, lengthscale)
    chol = jnp.linalg.cholesky(kuu)
    return jsl.solve_triangular(chol, kuf, lower=True)


def collapsed_bound(params: dict[str, F[Array, "..."]], x: Inputs, y: F[Array, "n"]) -> F[Array, ""]:
    noise = jnp.exp(params["log_noise"])
    a = project(x, params["z"], jnp.exp(params["log_lengthscale"])) / jnp.sqrt(noise)
    m, n = a.shape
    b = jnp.eye(m) + a @ a.T
    chol_b = jnp.linalg.cholesky(b)
    c = jsl.solve_triangular(chol_b, a @ y, lower=True) / jnp.sqrt(noise)
    log_det = n * jnp.log(noise) + 2 * jnp.sum(jnp.log(jnp.diag(chol_b)))
    trace = n / noise - jnp.sum(a**2)
    return -0.5 * (log_det + y @ y / noise - c @ c + trace)


x = jax.random.uniform(jax.random.key(3), (24, 2))
y = jnp.sin(6 * x[:, 0]) * x[:, 1]
params = {"z": x[:5], "log_lengthscale": jnp.array(-1.0), "log_noise": jnp.array(-2.0)}
ascend = jax.jit(jax.value_and_grad(collapsed_bound))
for _ in range(3):
    bound, grads = ascend(params, x, y)
    params = jax.tree.map(lambda p, g: p + 1e-3 * g, params, grads)
print(bound)
