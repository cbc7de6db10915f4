"""Derivatives that a program defines: rules that do not fit the function, and cotangents that do not fit its result."""

import functools

import jax
import jax.numpy as jnp


def clipped(forward, backward):
    """A function with a rule of these two parts."""
    f = jax.custom_vjp(lambda x, limit: jnp.clip(x, -limit, limit))
    f.defvjp(forward, backward)
    return f


def wrong_shape_of_cotangent_rule():
    f = clipped(lambda x, limit: (x, limit), lambda limit, g: (g, g))
    return jax.grad(lambda x, limit: f(x, limit).sum(), argnums=1)(jnp.ones(5), 0.5)  # error


def right_shape_of_cotangent_rule():
    f = clipped(lambda x, limit: (x, limit), lambda limit, g: (g, g.sum()))
    return jax.grad(lambda x, limit: f(x, limit).sum(), argnums=1)(jnp.ones(5), 0.5)


def wrong_count_of_cotangents():
    f = clipped(lambda x, limit: (x, limit), lambda limit, g: (g,))
    return jax.grad(lambda x: f(x, 0.5).sum())(jnp.ones(5))  # error


def right_count_of_cotangents():
    f = clipped(lambda x, limit: (x, limit), lambda limit, g: (g, None))
    return jax.grad(lambda x: f(x, 0.5).sum())(jnp.ones(5))


def wrong_pair_of_forward_rule():
    f = clipped(lambda x, limit: jnp.clip(x, -limit, limit), lambda limit, g: (g, None))
    return jax.grad(lambda x: f(x, 0.5).sum())(jnp.ones(5))  # error


def right_pair_of_forward_rule():
    f = clipped(lambda x, limit: (jnp.clip(x, -limit, limit), None), lambda limit, g: (g, None))
    return jax.grad(lambda x: f(x, 0.5).sum())(jnp.ones(5))


def wrong_result_of_forward_rule():
    f = clipped(lambda x, limit: (x.sum(), None), lambda limit, g: (g, None))
    return jax.value_and_grad(lambda x: f(x, 0.5).sum())(jnp.ones(5))  # error


def right_result_of_forward_rule():
    f = clipped(lambda x, limit: (x, None), lambda limit, g: (g, None))
    return jax.value_and_grad(lambda x: f(x, 0.5).sum())(jnp.ones(5))


def wrong_container_of_cotangents():
    @jax.custom_vjp
    def rounded(weights):
        return jnp.round(weights["a"]) + weights["b"]

    rounded.defvjp(lambda weights: (rounded(weights), None), lambda _, g: ({"a": g},))
    weights = {"a": jnp.ones(4), "b": jnp.ones(4)}
    return jax.grad(lambda weights: rounded(weights).sum())(weights)  # error


def right_container_of_cotangents():
    @jax.custom_vjp
    def rounded(weights):
        return jnp.round(weights["a"]) + weights["b"]

    rounded.defvjp(lambda weights: (rounded(weights), None), lambda _, g: ({"a": g, "b": g},))
    weights = {"a": jnp.ones(4), "b": jnp.ones(4)}
    return jax.grad(lambda weights: rounded(weights).sum())(weights)


def wrong_tangent():
    @jax.custom_jvp
    def softened(x):
        return jnp.log1p(jnp.exp(x))

    @softened.defjvp
    def rule(primals, tangents):
        (x,), (t,) = primals, tangents
        return softened(x), (jax.nn.sigmoid(x) * t).sum()

    return jax.jvp(softened, (jnp.ones(3),), (jnp.ones(3),))  # error


def right_tangent():
    @jax.custom_jvp
    def softened(x):
        return jnp.log1p(jnp.exp(x))

    @softened.defjvp
    def rule(primals, tangents):
        (x,), (t,) = primals, tangents
        return softened(x), jax.nn.sigmoid(x) * t

    return jax.jvp(softened, (jnp.ones(3),), (jnp.ones(3),))


def wrong_pair_of_tangent_rule():
    @functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
    def power(x, n):
        return x**n

    @power.defjvp
    def rule(n, primals, tangents):
        return n * primals[0] ** (n - 1) * tangents[0]

    return jax.grad(lambda x: power(x, 3))(2.0) + jnp.ones(2)  # error


def right_pair_of_tangent_rule():
    @functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
    def power(x, n):
        return x**n

    @power.defjvp
    def rule(n, primals, tangents):
        return power(primals[0], n), n * primals[0] ** (n - 1) * tangents[0]

    return jax.grad(lambda x: power(x, 3))(2.0) + jnp.ones(2)


def wrong_pulled_number():
    _, pull = jax.vjp(jnp.sin, jnp.ones(3))
    return pull(1.0)  # error


def right_pulled_number():
    _, pull = jax.vjp(lambda x: jnp.sin(x).sum(), jnp.ones(3))
    return pull(1.0)


def wrong_pulled_dtype():
    def project(x):
        return jnp.ones((4, 3), jnp.bfloat16) @ x.astype(jnp.bfloat16)

    y, pull = jax.vjp(project, jnp.ones(3))
    return pull(jnp.ones(y.shape))  # error


def right_pulled_dtype():
    def project(x):
        return jnp.ones((4, 3), jnp.bfloat16) @ x.astype(jnp.bfloat16)

    y, pull = jax.vjp(project, jnp.ones(3))
    return pull(jnp.ones(y.shape, y.dtype))


def wrong_pulled_parts():
    _, pull = jax.vjp(lambda a, b: (a * b, a + b), jnp.ones(2), jnp.ones(2))
    return pull(jnp.ones(2))  # error


def right_pulled_parts():
    _, pull = jax.vjp(lambda a, b: (a * b, a + b), jnp.ones(2), jnp.ones(2))
    return pull((jnp.ones(2), jnp.ones(2)))


def wrong_pulled_in_batch():
    _, pull = jax.vjp(lambda w: jnp.ones((6, 3)) @ w, jnp.ones((3, 2)))
    return jax.vmap(pull)(jnp.eye(6))  # error


def right_pulled_in_batch():
    y, pull = jax.vjp(lambda w: jnp.ones((6, 3)) @ w, jnp.ones((3, 2)))
    return jax.vmap(pull)(jnp.ones((7, *y.shape)))


def wrong_pushed():
    return jax.jvp(jnp.sin, (jnp.ones(3),), (jnp.ones(4),))  # error


def right_pushed():
    return jax.jvp(jnp.sin, (jnp.ones(3),), (jnp.ones(3),))
