"""Transformations of functions: correct code, with the type of each result. It runs, and the values are of these types.

A checker may know less, and say Any. Lines that end in "error" are errors in every checker, and do not run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, overload

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec
from jax.typing import ArrayLike
from typing_extensions import reveal_type

from jaxtyping_core.typing import Array, Float32, bfloat16, float32

B = TypeVar("B")
D = TypeVar("D")
H = TypeVar("H")
Params = dict[str, jax.Array]


def loss(params: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    return ((x @ params["w"] - y) ** 2).mean()


def loss_and_aux(params: Params, x: jax.Array, *, train: bool = True) -> tuple[jax.Array, Params]:
    return (x @ params["w"]).sum(), {"x": x} if train else {}


def of_number(x: float, y: float = 2.0) -> float:
    return x * y


def of_anything(x: ArrayLike, y: int = 2) -> Array[float32]:
    return jnp.asarray(x, jnp.float32).sum() * y


def untyped(x, y=3):
    return x.sum() * y


def halve(x: jax.Array) -> Array[bfloat16]:
    return x.astype(jnp.bfloat16) / 2


def total(x: Array[float32]) -> Array[float32]:
    return x.sum()


def both(x: jax.Array, y: jax.Array) -> tuple[Array[float32], Array[bfloat16]]:
    return x.astype(jnp.float32), y.astype(jnp.bfloat16)


def named(x: Float32[B, D], w: Float32[D, H]) -> Float32[B, H]:
    return x @ w


def row(x: Float32[D], w: Float32[D, H]) -> Float32[H]:
    return x @ w


@overload
def overloaded(x: Array[bfloat16]) -> Array[bfloat16]: ...
@overload
def overloaded(x: ArrayLike) -> jax.Array: ...
def overloaded(x: Any) -> Any:
    return jnp.sum(x)


class Layer:
    def __init__(self, w: jax.Array) -> None:
        self.w = w
        self.compiled = jax.jit(self.step)

    def __call__(self, x: Array[float32]) -> Array[float32]:
        return (x @ self.w).sum().astype(jnp.float32)

    @partial(jax.jit, static_argnums=0)
    def plain(self, x: Array[float32], scale: float = 1.0) -> Array[bfloat16]:
        return (x * scale).astype(jnp.bfloat16)

    @partial(jax.jit, static_argnames=("self", "n"))
    def by_name(self, x: Array[float32], *, n: int) -> Array[float32]:
        return x * n

    @jax.jit(static_argnames=("self",))
    def factory(self, x: Array[float32], n: int = 1) -> Array[float32]:
        return x * n

    @classmethod
    @partial(jax.jit, static_argnums=0)
    def of_class(cls, x: Array[float32]) -> Array[float32]:
        return x

    @staticmethod
    @jax.jit
    def static(x: Array[float32], y: int = 2) -> Array[float32]:
        return x * y

    @staticmethod
    @jax.jit
    def untyped_static(x, y):
        return x * y

    def step(self, x: Array[float32], n: int = 2) -> Array[float32]:
        return x * n


class Point(NamedTuple):
    """A tree whose method is compiled."""

    x: jax.Array

    @jax.jit
    def move(self, by: Array[float32], n: int = 1) -> Array[bfloat16]:
        return (self.x + by * n).astype(jnp.bfloat16)

    @jax.jit
    def add(self, x: Float32[D], y: Float32[D]) -> Float32[D]:
        return x + y


@partial(jax.jit, static_argnames="n")
def powers(x: Array[float32], n: int) -> Array[float32]:
    return x**n


@jax.jit(static_argnums=0)
def powers_by(n: int, x: Array[float32]) -> Array[float32]:
    return x**n


@jax.jit
def compiled_named(x: Float32[B, D], w: Float32[D, H], scale: float = 1.0) -> Float32[B, H]:
    return x @ w * scale


def compiling(x: Array[float32], three: Float32[Literal[2], Literal[3]], w: Float32[Literal[3], Literal[4]]) -> None:
    layer, point = Layer(jnp.ones(2)), Point(x)
    reveal_type(powers(x, n=3))  # Array[float32, Any]
    reveal_type(powers(x, 3))  # Array[float32, Any]
    reveal_type(powers_by(3, x))  # Array[float32, Any]
    reveal_type(compiled_named(three, w))  # Array[float32, tuple[Literal[2], Literal[4]]]
    reveal_type(compiled_named(three, w, scale=2.0))  # Array[float32, tuple[Literal[2], Literal[4]]]
    reveal_type(layer.plain(x, scale=2.0))  # Array[bfloat16, Any]
    reveal_type(layer.by_name(x, n=2))  # Array[float32, Any]
    reveal_type(layer.factory(x, n=2))  # Array[float32, Any]
    reveal_type(layer.of_class(x))  # Array[float32, Any]
    reveal_type(Layer.of_class(x))  # Array[float32, Any]
    reveal_type(layer.static(x, y=3))  # Array[float32, Any]
    reveal_type(Layer.static(x))  # Array[float32, Any]
    reveal_type(layer.untyped_static(x, 2))  # Any
    reveal_type(layer.compiled(x, n=3))  # Array[float32, Any]
    reveal_type(point.move(x, n=3))  # Array[bfloat16, Any]
    reveal_type(Point.move(point, x))  # Array[bfloat16, Any]
    reveal_type(point.add(w[0], w[1]))  # Array[float32, tuple[Literal[4]]]
    reveal_type(jax.jit(point.move)(x))  # Array[bfloat16, Any]
    reveal_type(jax.jit(layer)(x))  # Array[float32, Any]
    reveal_type(jax.jit(jax.jit(total))(x))  # Array[float32, Any]
    reveal_type(jax.jit(total, donate_argnums=())(x))  # Array[float32, Any]
    reveal_type(jax.jit(partial(powers, n=2))(x))  # Array[float32, Any]
    reveal_type(jax.jit(jax.grad(loss))({"w": x}, x, x))  # dict[str, Array[Any, Any]]
    reveal_type(jax.jit(lambda y: y * 2)(x))  # Any
    reveal_type(total.__name__)  # str
    reveal_type(powers.lower(x, n=2).compile().as_text() is None)  # bool
    powers.trace(x, n=2)
    powers.clear_cache()
    powers.eval_shape(x, n=2)
    wrapped: jax.stages.Wrapped = powers
    function: Callable[[Array[float32]], Array[float32]] = jax.jit(total)
    function(wrapped(x, n=2))


def compiling_wrongly(x: Array[float32], three: Float32[Literal[2], Literal[3]]) -> None:
    jax.jit(total)(x, 3)  # error
    jax.jit(total)("x")  # error
    jax.jit(total)(y=x)  # error
    Point(x).move(x, m=3)  # error, but not in zuban
    jax.grad(loss)(x, x, x)  # error
    jax.grad(loss)({}, x)  # error
    jax.value_and_grad(loss_and_aux, has_aux=True)({}, x, test=True)  # error


@jax.grad
def slope(x: Array[float32]) -> Array[float32]:
    return x.sum()


@partial(jax.value_and_grad, has_aux=True)
def slope_and_aux(params: Params, x: jax.Array) -> tuple[jax.Array, int]:
    return params["w"].sum() + x.sum(), 1


def differentiating(x: Array[float32], half: Array[bfloat16], w: Float32[Literal[3], Literal[4]]) -> None:
    p: Params = {"w": x}
    reveal_type(jax.grad(loss)(p, x, y=x))  # dict[str, Array[Any, Any]]
    reveal_type(jax.grad(loss, argnums=1)(p, x, y=x))  # Array[Any, Any]
    reveal_type(jax.grad(loss, 1)(p, x, x))  # Array[Any, Any]
    reveal_type(jax.grad(loss, (0, 1))(p, x, x))  # tuple[dict[str, Array[Any, Any]], Array[Any, Any]]
    reveal_type(jax.grad(loss, argnums=[0])(p, x, x))  # Any
    reveal_type(jax.grad(loss_and_aux, has_aux=True)(p, x))  # tuple[dict[str, Array[Any, Any]], dict[str, Array[Any, Any]]]
    reveal_type(jax.value_and_grad(loss)(p, x, x))  # tuple[Array[Any, Any], dict[str, Array[Any, Any]]]
    reveal_type(jax.value_and_grad(loss_and_aux, has_aux=True)(p, x, train=False)[1])  # dict[str, Array[Any, Any]]
    reveal_type(jax.grad(of_number)(1.0))  # Array[Any, Any]
    reveal_type(jax.grad(of_number, argnums=1)(1.0, 2.0))  # Array[Any, Any]
    reveal_type(jax.grad(jax.grad(of_number))(1.0))  # Array[Any, Any]
    reveal_type(jax.grad(of_anything)(half))  # Array[bfloat16, Any]
    reveal_type(jax.grad(of_anything)(1.0, y=3))  # Array[Any, Any]
    reveal_type(jax.grad(untyped)(x))  # Array[float32, Any]
    reveal_type(jax.grad(lambda q: q["w"].sum())(p))  # Any
    reveal_type(jax.grad(lambda q: loss(q, x, x))(p))  # Any
    reveal_type(jax.grad(lambda q: q.sum())(x))  # Array[float32, Any]
    reveal_type(jax.grad(Layer(x))(x))  # Array[float32, Any]
    reveal_type(jax.grad(partial(loss, x=x))(p, y=x))  # dict[str, Array[Any, Any]]
    reveal_type(jax.grad(jax.jit(loss))(p, x, x))  # dict[str, Array[Any, Any]]
    reveal_type(jax.grad(lambda q: named(q, w).sum())(jnp.ones((2, 3))))  # Array[float32, tuple[Any, Any]]
    reveal_type(jax.grad(overloaded)(half))  # Array[bfloat16, Any]
    reveal_type(jax.grad(overloaded)(x))  # Array[float32, Any]
    reveal_type(jax.grad(overloaded)(1.0))  # Array[Any, Any]
    reveal_type(jax.grad(jnp.sum)(x))  # Array[float32, Any]
    reveal_type(jax.grad(jnp.tanh)(1.0))  # Array[Any, Any]
    reveal_type(slope(x))  # Array[float32, Any]
    reveal_type(slope_and_aux(p, x))  # tuple[tuple[Array[Any, Any], int], dict[str, Array[Any, Any]]]
    reveal_type(jax.jacfwd(total)(x))  # Array[Any, Any]
    reveal_type(jax.hessian(lambda q: q.sum())(x))  # Any
    reveal_type(jax.jvp(total, (x,), (x,)))  # tuple[Array[float32, Any], Array[float32, Any]]
    reveal_type(jax.jvp(both, (x, x), (x, x)))  # tuple[tuple[Array[float32, Any], Array[bfloat16, Any]], Any]
    reveal_type(jax.jvp(jnp.sin, (1.0,), (1.0,)))  # tuple[Array[Any, Any], Any]
    reveal_type(jax.vjp(total, x)[1](jnp.float32(1)))  # tuple[Array[float32, Any]]
    reveal_type(jax.vjp(loss, p, x, x)[0])  # Array[Any, Any]
    reveal_type(jax.linearize(total, x)[1](x))  # Array[float32, Any]
    reveal_type(jax.checkpoint(total)(x))  # Array[float32, Any]
    reveal_type(jax.checkpoint(named)(w.T, w).ndim)  # int
    grads: Params = jax.grad(loss)(p, x, x)
    function: Callable[[Params, jax.Array, jax.Array], Params] = jax.grad(loss)
    function(grads, x, x)


@jax.vmap
def mapped(x: Float32[D]) -> Float32[()]:
    return x.sum()


@partial(jax.vmap, in_axes=(0, None))
def mapped_partly(x: Float32[D], y: jax.Array) -> Float32[D]:
    return x * y


def batching(x: Array[float32], half: Array[bfloat16], three: Float32[Literal[2], Literal[3]]) -> None:
    mesh = jax.make_mesh((1,), ("a",))
    reveal_type(jax.vmap(halve)(x))  # Array[bfloat16, Any]
    reveal_type(jax.vmap(halve, in_axes=(0,), out_axes=0)(x))  # Array[bfloat16, Any]
    reveal_type(jax.vmap(both)(x, x))  # tuple[Array[float32, Any], Array[bfloat16, Any]]
    reveal_type(jax.vmap(loss_and_aux, in_axes=(None, 0))({"w": jnp.ones(3)}, three)[0].ndim)  # Any
    reveal_type(jax.vmap(row, in_axes=(0, None))(three, three.T))  # Array[float32, Any]
    reveal_type(jax.vmap(lambda y: y + 1)(x))  # Any
    reveal_type(jax.vmap(lambda y: total(y))(x))  # Array[float32, Any]
    reveal_type(jax.vmap(overloaded)(x))  # Array[Any, Any]
    reveal_type(jax.vmap(jax.grad(total))(x))  # Array[float32, Any]
    reveal_type(jax.vmap(jax.jit(total))(x))  # Array[float32, Any]
    reveal_type(jax.jit(jax.vmap(total))(x))  # Array[float32, Any]
    reveal_type(jax.vmap(partial(row, w=three.T))(three))  # Array[float32, Any]
    reveal_type(mapped(three))  # Array[float32, Any]
    reveal_type(mapped_partly(three, half))  # Array[float32, Any]
    sharded = jax.shard_map(total, mesh=mesh, in_specs=PartitionSpec(), out_specs=PartitionSpec())
    reveal_type(sharded(x))  # Array[float32, Any]
    reveal_type(jax.eval_shape(total, x))  # ShapeDtypeStruct
    jax.make_jaxpr(total)(x)
    one_dim: Float32[Any] = mapped(three)
    assert one_dim.shape == (2,)


@jax.custom_jvp
def square(x: Array[float32], y: float = 2.0) -> Array[float32]:
    return x * x * y


@square.defjvp
def square_jvp(primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[jax.Array, jax.Array]:
    return square(*primals), primals[0] * tangents[0]


@jax.custom_vjp
def clip(x: Float32[B, D]) -> Float32[B, D]:
    return x


def clip_forward(x: jax.Array) -> tuple[jax.Array, None]:
    return x, None


def clip_backward(_: None, gradient: jax.Array) -> tuple[jax.Array]:
    return (gradient.clip(-1, 1),)


clip.defvjp(clip_forward, clip_backward)


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def scaled(n: int, x: Array[float32]) -> Array[float32]:
    return x * n


@scaled.defjvp
def scaled_jvp(n: int, primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[jax.Array, jax.Array]:
    return scaled(n, *primals), n * tangents[0]


@jax.custom_gradient
def cubed(x: Array[float32]) -> tuple[Array[float32], Callable[[jax.Array], jax.Array]]:
    return x**3, lambda gradient: 3 * gradient


def customizing(x: Array[float32], three: Float32[Literal[2], Literal[3]]) -> None:
    reveal_type(square(x, y=3.0))  # Array[float32, Any]
    reveal_type(clip(three))  # Array[float32, tuple[Literal[2], Literal[3]]]
    reveal_type(jax.grad(lambda y: clip(y).sum())(x[None]))  # Array[float32, Any]
    reveal_type(scaled(2, x))  # Array[float32, Any]
    reveal_type(cubed(x))  # Array[float32, Any]
    reveal_type(jax.jit(square)(x))  # Array[float32, Any]


def main() -> None:
    x, half, three = jnp.ones(2), jnp.ones(2, jnp.bfloat16), jnp.ones((2, 3))
    compiling(x, three, jnp.ones((3, 4)))
    differentiating(x, half, jnp.ones((3, 4)))
    batching(x, jnp.ones((), jnp.bfloat16), three)
    customizing(x, three)


if __name__ == "__main__" and not TYPE_CHECKING:
    main()
