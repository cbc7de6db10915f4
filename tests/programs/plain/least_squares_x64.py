"""Linear algebra in double precision, switched on at the top; numpy data keeps its float64."""

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import cho_factor, cho_solve, solve_triangular

rng = np.random.default_rng(2)
A = rng.normal(size=(30, 4))
coefficients = np.array([1, -2, 3, 0.5])
b = A @ coefficients + 0.01 * rng.normal(size=30)
labels = rng.integers(0, 2, size=30)


def normal_equations(A, b, ridge=0.0):
    gram = A.T @ A + ridge * jnp.eye(A.shape[1])
    return cho_solve(cho_factor(gram), A.T @ b)


def by_qr(A, b):
    q, r = jnp.linalg.qr(A)
    return solve_triangular(r, q.T @ b)


def by_svd(A, b, rcond=1e-10):
    u, s, vt = jnp.linalg.svd(A, full_matrices=False)
    inverse = jnp.where(s > rcond * s[0], 1 / s, 0)
    return vt.T @ (inverse * (u.T @ b))


def power_iteration(M, steps=200):
    v = jnp.ones(M.shape[0]) / jnp.sqrt(M.shape[0])

    def body(_, v):
        w = M @ v
        return w / jnp.linalg.norm(w)

    v = jax.lax.fori_loop(0, steps, body, v)
    return v @ M @ v, v


@jax.jit
def logistic_newton(w, X, y):
    def nll(w):
        z = X @ w
        return jnp.sum(jnp.logaddexp(0, z) - y * z) + 0.5 * w @ w

    g = jax.grad(nll)(w)
    H = jax.hessian(nll)(w)
    return w - jnp.linalg.solve(H, g), nll(w)


solutions = [f(jnp.asarray(A), jnp.asarray(b)) for f in (normal_equations, by_qr, by_svd)]
reference, *_ = np.linalg.lstsq(A, b, rcond=None)
worst = max(float(jnp.abs(s - reference).max()) for s in solutions)
assert worst < 1e-9

covariance = np.cov(A.T)
value, vector = power_iteration(jnp.array(covariance))
eigenvalues, eigenvectors = jnp.linalg.eigh(covariance)
w = jnp.zeros(4)
for _ in range(5):
    w, objective = logistic_newton(w, A, labels)
single = jnp.asarray(A, dtype=jnp.float32)
mixed = single @ w
condition = jnp.linalg.cond(A)
determinant = jnp.linalg.det(covariance)
rank = jnp.linalg.matrix_rank(A)
integers = jnp.arange(4)
halves = integers / 2
product = jnp.kron(jnp.eye(2), jnp.array([[1, 2], [3, 4]]))
powers = jnp.vander(jnp.linspace(0, 1, 5), 3)
trace = jnp.trace(jax.scipy.linalg.expm(0.1 * covariance))
residual = jnp.linalg.norm(A @ solutions[0] - b)
sign, logdet = jnp.linalg.slogdet(covariance)
print(worst, value, eigenvalues, w, objective, mixed.dtype, condition, determinant, rank, halves.dtype, integers.dtype)
print(product.shape, powers.shape, trace, residual, logdet, vector.shape, eigenvectors.dtype)
