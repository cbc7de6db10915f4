"""Ordinary JAX code, all of it correct: no checker may report anything here, and it runs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.nn import initializers
from jax.typing import ArrayLike, DTypeLike

Params = dict[str, Array]


class State(NamedTuple):
    mean: jax.Array
    step: jax.Array


@dataclass(frozen=True)
class Config:
    width: int = 8
    dtype: DTypeLike = jnp.float32
    activation: Callable[[Array], Array] = jax.nn.relu
    init: initializers.Initializer = field(default=initializers.zeros)


class Layer:
    weight: Array
    bias: jax.Array | None = None

    def __init__(self, key: Array, rows: int, columns: int, dtype: DTypeLike = jnp.bfloat16) -> None:
        self.weight = initializers.lecun_normal()(key, (rows, columns), dtype)
        self.bias = jnp.zeros(columns, dtype=dtype)
        self.scale = jnp.ones((columns,))

    def __call__(self, x: ArrayLike) -> Array:
        y = jnp.asarray(x) @ self.weight
        if self.bias is not None:
            y = y + self.bias
        self.scale = self.scale * 2
        return jax.nn.gelu(y, approximate=False) * self.scale


def norm(x: Array, *, axis: int | Sequence[int] | None = None, eps: float = 1e-6) -> Array:
    mean = x.mean(axis, keepdims=True)
    var = jnp.var(x, axis=axis, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(var + eps)


def loss(params: Params, x: Array, y: Array) -> tuple[Array, dict[str, Array]]:
    logits = jnp.dot(x, params["w"], precision="highest") + params["b"]
    labels = jax.nn.one_hot(y, logits.shape[-1], dtype=logits.dtype)
    ce = -jnp.sum(labels * jax.nn.log_softmax(logits, axis=-1), axis=-1)
    return ce.mean(), {"accuracy": jnp.mean(jnp.argmax(logits, -1) == y)}


@jax.jit
def update(params: Params, x: Array, y: Array) -> Params:
    grads, _ = jax.grad(loss, has_aux=True)(params, x, y)
    new: Params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new


@functools.partial(jax.jit, static_argnames=("n",))
def powers(x: Array, n: int) -> Array:
    total = jnp.zeros_like(x)
    for i in range(n):
        total += x**i
    total = total.at[0].set(1.0).at[1:].multiply(2)
    return jnp.where(total > 0, total, -total)


def of_results(x: Array) -> Array:
    """Methods and operators of what functions give, of which nothing is known."""
    means = [method() for method in [row.mean for row in (jnp.sin(x), x)]]
    return jnp.sin(x).sum() + jnp.exp(x)[0] @ jnp.abs(x).T - jnp.tanh(x)[:, 0].astype(x.dtype) * means[0]


def numbers(x: Array) -> list[float]:
    first = float(x[0])
    count = int(x.sum())
    flag = bool(jnp.any(x > 1))
    host = np.asarray(x)
    listed: list[float] = x.tolist()
    return [first, float(count), float(flag), float(host.max()), *listed, x.max().item(), abs(first)]


def shapes(x: Array) -> tuple[int, ...]:
    b, n = x.shape
    y = x.reshape(b * n).reshape((b, n)).transpose(1, 0).T.swapaxes(0, 1)
    z = jnp.concatenate([x, x], axis=0)
    z = jnp.stack((x, x))[0, :, None, ..., ::-1]
    first, *rest = jnp.split(x, 2, axis=1)
    u, v = jnp.meshgrid(jnp.arange(3), jnp.linspace(0, 1, 4), indexing="ij")
    pad = jnp.pad(x, ((0, 1), (1, 0)), mode="constant", constant_values=0)
    grid = jnp.mgrid[0:2, 0:3], jnp.r_[1:4], jnp.c_[x[0], x[1]], x[jnp.s_[:, 0]]
    assert y.ndim == x.ndim and len(rest) == 1 and isinstance(first, jnp.ndarray) and len(grid) == 4
    return jnp.broadcast_shapes(z.shape, u.shape[:0], v.shape[:0]) + pad.shape + np.shape(x)


def decompose(a: Array) -> Array:
    q, r = jnp.linalg.qr(a)
    u, s, vt = jnp.linalg.svd(a, full_matrices=False)
    sign, logdet = jnp.linalg.slogdet(a)
    values, vectors = jnp.linalg.eigh(a @ a.T)
    length = jnp.linalg.norm(a, ord=2, axis=1) + jnp.linalg.norm(a, "fro")
    solved = jnp.linalg.solve(a + jnp.eye(a.shape[0]), a)
    spectrum = jnp.fft.ifft2(jnp.fft.fft2(a, axes=(0, 1))).real + jnp.abs(jnp.fft.rfftfreq(1))
    total = q @ r + (u * s) @ vt + vectors * values + solved + spectrum
    return total + sign * logdet + length[:, None]


def dtypes(x: Array, dtype: DTypeLike = jnp.float32) -> bool:
    if jnp.issubdtype(x.dtype, jnp.floating) or x.dtype == jnp.int32 or x.dtype in (jnp.bool_, jnp.uint8):
        x = x.astype(dtype)
    wide = jnp.promote_types(x.dtype, jnp.float16)
    info = jnp.finfo(wide), jnp.iinfo(jnp.int8).max, jnp.finfo(jnp.bfloat16).eps
    scalars = jnp.float32(1.5) + jnp.int8(3) + jnp.array(1, dtype=jnp.uint8) + np.float32(2) + 1j
    kinds: dict[str, DTypeLike] = {"f": jnp.float32, "b": "bfloat16", "n": np.float64, "p": float, "d": wide}
    host = np.zeros(3, dtype=jnp.float32) + np.ones(3, jnp.float32.dtype)
    assert scalars.dtype == jnp.complex64 and len(info) == 3 and len(kinds) == 5 and host.shape == (3,)
    return x.dtype.itemsize == np.dtype(jnp.float32).itemsize and jnp.float32 == np.float32


def ranks(n: int) -> Params:
    x = jnp.zeros((n, 3))
    x = x.reshape(-1)
    x = x @ x
    x = jnp.expand_dims(x, 0)
    rows = [jnp.zeros((n, 3)), jnp.zeros(3)]
    x = jnp.concatenate([jnp.ravel(row) for row in rows])
    params = {"w": jnp.ones((n, 3)), "b": jnp.zeros(3), "scale": jnp.ones(())}
    params["x"] = x
    return scaled(params, 2.0)


def scaled(params: Params, factor: float) -> Params:
    return {name: value * factor for name, value in params.items()}


def scan(xs: Array) -> State:
    def step(carry: State, x: Array) -> tuple[State, Array]:
        mean = carry.mean + (x - carry.mean) / (carry.step + 1)
        return State(mean, carry.step + 1), mean

    state, _ = jax.lax.scan(step, State(jnp.zeros(()), jnp.asarray(0)), xs)
    done = jax.lax.fori_loop(0, 3, lambda i, a: a + i, state.mean)
    last: State = jax.lax.cond(done > 0, lambda s: s, lambda s: s, state)
    return last


def ufuncs(x: Array, y: Array) -> Iterator[Array]:
    yield jnp.add(x, y)
    yield jnp.maximum(x, 0.0) + jnp.minimum(1, y)
    yield jnp.add.reduce(x, axis=0)
    yield jnp.multiply.outer(x, y)
    yield jnp.logical_and(x > 0, ~(y < 0)) | (x != y)
    yield functools.reduce(jnp.maximum, [x, y])
    yield sum([x, y], jnp.zeros(()))
    yield -x // 2 % 3 + +x - abs(x)
    yield 2.0**x / (1 - y) * np.float32(2)
    yield jnp.einsum("i,i->", x, y) + jnp.tensordot(x, y, 1) + jnp.vdot(x, y)
    yield jnp.clip(x, 0, 1).round(2) + jnp.sort(x)[::-1] + jnp.cumsum(x) + x.cumprod()
    yield jnp.unique(x, size=2)
    (indices,) = jnp.nonzero(x)
    yield indices
    yield jnp.where(x > 0)[0]
    yield jnp.interp(x, jnp.arange(3.0), jnp.arange(3.0), left=0)
    yield jnp.vectorize(lambda a, b: a + b)(x, y)
    total, edges = jnp.histogram(x, bins=3, range=(0.0, 1.0))
    yield total[0] + edges[0]
    values, counts = jnp.unique(x, return_counts=True, size=3, fill_value=0)
    yield values * counts
    yield jax.nn.softmax(x, where=x > 0, axis=(0,)) + jax.nn.logsumexp(x) + jax.nn.leaky_relu(x, 0.2)


def product(x: Array, y: ArrayLike) -> Array:
    """Whatever is like an array may be multiplied with."""
    return x @ y


def totals(terms: Sequence[ArrayLike], flags: Sequence[ArrayLike]) -> tuple[Array, Array]:
    """Variables that begin with one dtype and go on with whatever is like an array."""
    total, every = jnp.zeros(3), jnp.array(True)
    for term, flag in zip(terms, flags, strict=True):
        total = total + term
        every = every & flag
    return total, every


def main() -> dict[str, Any]:
    config = Config()
    x = jnp.arange(12.0, dtype=config.dtype).reshape(3, 4) + np.ones((3, 4))
    layer = Layer(jax.random.key(0), 4, config.width)
    params = {"w": jnp.ones((4, 2)), "b": config.init(jax.random.key(1), (2,))}
    params = update(params, x, jnp.array([0, 1, 0]))
    results = [norm(layer(x), axis=-1), powers(x[0], n=3), decompose(x[:, :3]), *ufuncs(x[0], x[1])]
    batched = jax.vmap(norm)(x) + jnp.stack([row for row in x])
    return {
        "norm": results,
        "shape": shapes(x),
        "ranks": ranks(2),
        "of_results": of_results(x),
        "numbers": numbers(x[0]),
        "dtype": dtypes(x),
        "totals": totals([x[0, :3], 2, 0.5], [True, x[0, :3] > 0, np.bool_(True)]),
        "product": product(x, params["w"]),
        "scan": scan(x[0]),
        "batched": {k: v for k, v in zip("abc", batched, strict=False)},
        "activation": config.activation(x),
    }


if __name__ == "__main__":
    main()
