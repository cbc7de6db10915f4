"""What JAX itself refuses, in words that Python has for other errors as well."""

import jax
import jax.numpy as jnp
from jax import lax


def wrong_sum_of_dtypes():
    weights, counts = jnp.ones(4, jnp.float16), jnp.arange(4)
    return lax.add(weights, counts)  # error


def right_sum_of_dtypes():
    weights, counts = jnp.ones(4, jnp.float16), jnp.arange(4)
    return lax.add(weights, counts.astype(weights.dtype))


def wrong_joined_dtypes():
    head, tail = jnp.zeros((2, 3)), jnp.zeros((2, 5), jnp.bfloat16)
    return lax.concatenate([head, tail], 1)  # error


def right_joined_dtypes():
    head, tail = jnp.zeros((2, 3), jnp.bfloat16), jnp.zeros((2, 5), jnp.bfloat16)
    return lax.concatenate([head, tail], 1)


def wrong_choice_of_dtypes():
    values = jnp.linspace(-1, 1, 6)
    return lax.select(values > 0, values, jnp.zeros(6, jnp.int32))  # error


def right_choice_of_dtypes():
    values = jnp.linspace(-1, 1, 6)
    return lax.select(values > 0, values, jnp.zeros_like(values))


def wrong_written_dtype():
    def write(ring, row, at):
        return lax.dynamic_update_slice(ring, row[None], (at, 0))  # error

    return jax.jit(write)(jnp.zeros((9, 4), jnp.bfloat16), jnp.ones(4), 2)


def right_written_dtype():
    def write(ring, row, at):
        return lax.dynamic_update_slice(ring, row[None].astype(ring.dtype), (at, 0))

    return jax.jit(write)(jnp.zeros((9, 4), jnp.bfloat16), jnp.ones(4), 2)


def wrong_start_of_scan():
    def longest(best, length):
        return jnp.maximum(length, 1), length

    return lax.scan(longest, None, jnp.arange(3))  # error


def right_start_of_scan():
    def longest(best, length):
        return jnp.maximum(length, best), length

    return lax.scan(longest, jnp.int32(0), jnp.arange(3))


def wrong_parts_of_carry():
    def turn(i, state):
        position, speed = state
        return position + speed, speed, i

    return lax.fori_loop(0, 5, turn, (jnp.zeros(2), jnp.ones(2)))  # error


def right_parts_of_carry():
    def turn(i, state):
        position, speed = state
        return position + speed, speed

    return lax.fori_loop(0, 5, turn, (jnp.zeros(2), jnp.ones(2)))


def wrong_branches():
    return lax.cond(True, lambda x: (x, x), lambda x: x, jnp.ones(3))  # error


def right_branches():
    return lax.cond(True, lambda x: (x, x), lambda x: (x, 2 * x), jnp.ones(3))


def wrong_condition():
    return lax.while_loop(lambda s: (s > 0, s), lambda s: s - 1, jnp.int32(3))  # error


def right_condition():
    return lax.while_loop(lambda s: s > 0, lambda s: s - 1, jnp.int32(3))


def wrong_clamp():
    def limited(scores):
        return lax.clamp(jnp.int32(0), scores, jnp.int32(1))  # error

    return limited(jnp.linspace(-2, 2, 5))


def right_clamp():
    def limited(scores):
        return lax.clamp(jnp.float32(0), scores, jnp.float32(1))

    return limited(jnp.linspace(-2, 2, 5))


def wrong_index_dtype():
    table = jnp.ones((5, 2))
    return table[jnp.array([0.0, 2.0])]  # error


def right_index_dtype():
    table = jnp.ones((5, 2))
    return table[jnp.array([0.0, 2.0]).astype(int)]


def wrong_gradient_of_counts():
    def energy(state):
        return (state**2).sum()

    return jax.grad(energy)(jnp.arange(4))  # error


def right_gradient_of_counts():
    def energy(state):
        return (state**2).sum()

    return jax.grad(energy)(jnp.arange(4.0))


def wrong_gradient_of_parts():
    def residual(state):
        return state - 1.0

    return jax.value_and_grad(residual)(jnp.ones(3))  # error


def right_gradient_of_parts():
    def residual(state):
        return ((state - 1.0) ** 2).mean()

    return jax.value_and_grad(residual)(jnp.ones(3))


def wrong_auxiliary():
    def fit(w):
        return (w**2).sum()

    return jax.grad(fit, has_aux=True)(jnp.ones(3))  # error


def right_auxiliary():
    def fit(w):
        return (w**2).sum(), w

    return jax.grad(fit, has_aux=True)(jnp.ones(3))


def wrong_operand():
    def shifted(x, offset=None):
        return x + offset  # error

    return shifted(jnp.ones(3))


def right_operand():
    def shifted(x, offset=None):
        return x if offset is None else x + offset

    return shifted(jnp.ones(3))
