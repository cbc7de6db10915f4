"""Newton's method by while_loop, a table of activations by switch, saturation by cond."""

from typing import TypeVar

import jax
import jax.numpy as jnp
from jax import lax

from jaxtyping_core.typing import Array, Bool, Float32, Int32

N = TypeVar("N", bound=int)


def newton_sqrt(x: Float32[()]) -> Float32[()]:
    def unfinished(state: tuple[Float32[()], Int32[()]]) -> Bool[()]:
        guess, count = state
        return (jnp.abs(guess * guess - x) > 1e-4) & (count < 50)

    def improve(state: tuple[Float32[()], Int32[()]]) -> tuple[Float32[()], Int32[()]]:
        guess, count = state
        return 0.5 * (guess + x / guess), count + 1

    start = (jnp.ones((), jnp.float32), jnp.zeros((), jnp.int32))
    root, _ = lax.while_loop(unfinished, improve, start)
    return root


def activation(index: Int32[()], x: Float32[N]) -> Array:
    branches = [jax.nn.relu, jnp.tanh, jax.nn.sigmoid, lambda z: z]
    return lax.switch(index, branches, x)


def saturate(x: Float32[N], limit: Float32[()]) -> Float32[N]:
    def rescale(v: Float32[N]) -> Float32[N]:
        return v * (limit / jnp.linalg.norm(v))

    def keep(v: Float32[N]) -> Float32[N]:
        return v

    norm = jnp.linalg.norm(x)
    return lax.cond(norm > limit, rescale, keep, x)


def collatz(n: Int32[()]) -> Int32[()]:
    def body(state: tuple[Int32[()], Int32[()]]) -> tuple[Int32[()], Int32[()]]:
        value, steps = state
        following = jnp.where(value % 2 == 0, value // 2, 3 * value + 1)
        return following, steps + 1

    _, steps = lax.while_loop(lambda state: state[0] > 1, body, (n, jnp.zeros((), jnp.int32)))
    return steps


def running_max(x: Float32[N]) -> Float32[N]:
    def body(best: Float32[()], value: Float32[()]) -> tuple[Float32[()], Float32[()]]:
        best = jnp.maximum(best, value)
        return best, best

    _, maxima = lax.scan(body, jnp.array(-jnp.inf, jnp.float32), x)
    return maxima


values = jnp.linspace(-2.0, 2.0, 9)
root = newton_sqrt(jnp.array(2.0, jnp.float32))
outputs = jnp.stack([activation(jnp.array(i), values) for i in range(4)])
limited = saturate(values, jnp.array(1.0, jnp.float32))
lengths = jax.vmap(collatz)(jnp.arange(1, 10))
peaks = running_max(values)
table = jnp.stack([values, limited, peaks], axis=1)
print(root, outputs.shape, lengths, table[0])
