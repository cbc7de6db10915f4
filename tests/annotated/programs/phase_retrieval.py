"""Phase retrieval by alternating projections, of real or complex signals."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, ArrayLike, Complex, Complex64, Float, Inexact, PRNGKeyArray


def sensing_matrix(key: PRNGKeyArray, m: int, n: int) -> Complex64[Array, "{m} {n}"]:
    return jax.random.normal(key, (m, n), dtype=jnp.complex64) / jnp.sqrt(m)


def magnitudes(a: Inexact[Array, "m n"], x: Inexact[Array, "n"]) -> Float[Array, "m"]:
    return jnp.abs(a @ x)


def project_range(
    a: Complex[Array, "m n"], pinv: Complex[Array, "n m"], y: Complex[Array, "m"]
) -> Complex[Array, "m"]:
    return a @ (pinv @ y)


def project_modulus(y: Complex[Array, "m"], observed: Float[ArrayLike, "m"]) -> Complex[Array, "m"]:
    return jnp.asarray(observed) * jnp.exp(1j * jnp.angle(y))


def spectral_start(a: Complex[Array, "m n"], observed: Float[ArrayLike, "m"]) -> Complex[Array, "n"]:
    weighted = a.conj().T @ (jnp.asarray(observed)[:, None] ** 2 * a)
    _, vectors = jnp.linalg.eigh(weighted)
    return vectors[:, -1]


def retrieve(
    a: Complex[Array, "m n"], observed: Float[ArrayLike, "m"], steps: int = 30
) -> Complex[Array, "n"]:
    pinv = jnp.linalg.pinv(a)

    def body(_: Array, y: Complex[Array, "m"]) -> Complex[Array, "m"]:
        return project_modulus(project_range(a, pinv, y), observed)

    y = jax.lax.fori_loop(0, steps, body, a @ spectral_start(a, observed))
    return pinv @ y


def align(x: Inexact[Array, "n"], reference: Inexact[Array, "n"]) -> Complex[Array, "n"]:
    phase = jnp.vdot(x, reference)
    return x * phase / jnp.abs(phase)


a = sensing_matrix(jax.random.PRNGKey(0), 24, 4)
truth = jnp.array([1.0 + 1.0j, 0.5, -1.0j, 0.3 - 0.2j])
observed = np.asarray(magnitudes(a, truth))
estimate = align(retrieve(a, observed), truth)
print(jnp.abs(estimate - truth).max(), magnitudes(a, jnp.ones(4)).mean())
