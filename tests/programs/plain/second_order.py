"""Newton, Gauss-Newton and conjugate gradients: hessian, jacobians, linearize, vjp, hvp."""

import jax
import jax.numpy as jnp
from jax import grad, hessian, jacfwd, jacrev, jit, jvp, linearize, vjp


def rosenbrock(x):
    return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def newton(f, x, tolerance=1e-5, max_steps=30):
    g, h = jit(grad(f)), jit(hessian(f))
    steps = 0
    while True:
        slope = g(x)
        if jnp.linalg.norm(slope) < tolerance:
            break
        direction = -jnp.linalg.solve(h(x) + 1e-3 * jnp.eye(len(x)), slope)
        t = 1.0
        while f(x + t * direction) > f(x) and t > 1e-4:
            t /= 2
        x = x + t * direction
        steps += 1
        if steps >= max_steps:
            break
    else:
        raise RuntimeError("unreachable")
    return x, steps


def hvp(f, x, v):
    return jvp(grad(f), (x,), (v,))[1]


def conjugate_gradients(matvec, b, n):
    x = jnp.zeros_like(b)
    r = p = b
    rs = r @ r
    for _ in range(n):
        Ap = matvec(p)
        alpha = rs / (p @ Ap)
        x, r = x + alpha * p, r - alpha * Ap
        rs_new = r @ r
        p = r + rs_new / rs * p
        rs = rs_new
    return x


def curve(theta, t):
    a, b, c = theta
    return a * jnp.exp(-b * t) + c


def gauss_newton(theta, t, y, rounds=6):
    residual = lambda p: curve(p, t) - y
    for _ in range(rounds):
        r, push = linearize(residual, theta)
        _, pull = vjp(residual, theta)
        normal = lambda v: pull(push(v))[0] + 1e-3 * v
        (gradient,) = pull(r)
        theta = theta - conjugate_gradients(normal, gradient, 3)
    return theta


start = jnp.array([-1.0, 1.0, 0.5])
minimum, steps = newton(rosenbrock, start)
curvature = hessian(rosenbrock)(minimum)
eigenvalues = jnp.linalg.eigvalsh(curvature)
product = hvp(rosenbrock, start, jnp.ones(3))
forward = jacfwd(curve)(jnp.array([1.0, 2.0, 3.0]), 0.5)
t = jnp.linspace(0.0, 2.0, 30)
backward = jacrev(curve, argnums=(0, 1))(jnp.array([1.0, 2.0, 3.0]), 0.5)
true = jnp.array([2.0, 1.3, 0.5])
fitted = gauss_newton(jnp.array([1.0, 1.0, 0.0]), t, curve(true, t))
jac = jacrev(lambda p: curve(p, t))(fitted)
covariance = jnp.linalg.inv(jac.T @ jac)
third = jax.jacfwd(jax.hessian(lambda s: jnp.sin(s) * s))(0.3)
nested = hessian(lambda d: (d["a"] ** 2).sum() * d["b"])({"a": jnp.arange(2.0), "b": 3.0})
cross = nested["a"]["b"]
print(minimum, steps, eigenvalues, product, forward, fitted, covariance.shape, third, cross.shape)
