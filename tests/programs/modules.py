"""Derivatives, modules, sharding and random numbers: ordinary JAX code in which no checker may report anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from jax.typing import ArrayLike


@jax.custom_vjp
def clip_gradient(lo: float, hi: float, x: Array) -> Array:
    return x


def clip_gradient_fwd(lo: float, hi: float, x: Array) -> tuple[Array, tuple[float, float]]:
    return x, (lo, hi)


def clip_gradient_bwd(res: tuple[float, float], g: Array) -> tuple[None, None, Array]:
    lo, hi = res
    return (None, None, jnp.clip(g, lo, hi))


clip_gradient.defvjp(clip_gradient_fwd, clip_gradient_bwd)


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def app(f: Callable[[Array], Array], x: Array) -> Array:
    return f(x)


@app.defjvp
def app_jvp(
    f: Callable[[Array], Array], primals: tuple[Array], tangents: tuple[Array]
) -> tuple[Array, Array]:
    (x,), (t,) = primals, tangents
    return f(x), 2.0 * t


@jax.custom_jvp
def log1pexp(x: Array) -> Array:
    return jnp.log(1.0 + jnp.exp(x))


log1pexp.defjvps(lambda t, ans, x: (1 - 1 / (1 + jnp.exp(x))) * t)


def quad(x: Array) -> Array:
    return jnp.sum(x**2)


def vec(x: Array) -> Array:
    return jnp.sin(x) * x


def derivatives(x: Array, v: Array) -> Array:
    g = jax.grad(quad)(x)
    h = jax.hessian(quad)(x)
    j = jax.jacfwd(vec)(x) + jax.jacrev(vec)(x)
    y, dy = jax.jvp(vec, (x,), (v,))
    y2, pullback = jax.vjp(vec, x)
    (dx,) = pullback(y2)
    y3, lin = jax.linearize(vec, x)
    hvp = jax.jvp(jax.grad(quad), (x,), (v,))[1]
    hvp2 = jax.grad(lambda x: jnp.vdot(jax.grad(quad)(x), v))(x)
    per_example = jax.vmap(jax.grad(quad))(jnp.stack([x, x]))
    val, (ga, gb) = jax.value_and_grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, v)
    (val2, aux), gr = jax.value_and_grad(lambda a: (a.sum(), {"a": a}), has_aux=True)(x)
    out, f_vjp, aux2 = jax.vjp(lambda a: (a * 2, a), x, has_aux=True)
    k = jax.checkpoint(vec)(x)
    k = jax.checkpoint(vec, static_argnums=())(x)
    m = jax.jit(vec)(x) + jax.jit(lambda a, b: a + b)(x, v) + jax.jit(quad, inline=True)(x)
    n = jax.vmap(lambda a, b: jnp.dot(a, b), in_axes=(0, None))(jnp.stack([x, x]), v)
    o = jax.vmap(jnp.dot)(jnp.stack([x, x]), jnp.stack([x, x]))
    p = jax.vmap(vec, axis_name="i", out_axes=1)(h)
    d = jax.vmap(lambda kv: kv["a"] + 1)({"a": x})
    s = jax.tree.map(lambda a, b: a + b, {"a": x, "b": (x, v)}, {"a": x, "b": (x, v)})["a"]
    z = jax.vmap(quad)(h)[0] + jax.vmap(jax.vmap(quad))(h[None])[0]
    return (
        g
        + h.sum()
        + j.sum()
        + y
        + dy
        + dx
        + lin(v)
        + hvp
        + hvp2
        + per_example.sum()
        + ga
        + gb
        + gr
        + k
        + m
        + n.sum()
        + o.sum()
        + p.sum()
        + d
        + s
        + val
        + val2
        + aux["a"]
        + out
        + y3
        + aux2
        + f_vjp(out)[0]
        + z
    )


@partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_saveable)
def block(x: Array, w: Array) -> Array:
    return jnp.tanh(x @ w)


@jax.checkpoint
def block2(x: Array) -> Array:
    return jnp.tanh(x)


@partial(jax.jit, static_argnums=(1, 2))
def many(x: Array, n: int, mode: str = "sum") -> Array:
    for _ in range(n):
        x = block2(x)
    if mode == "sum":
        return x.sum()
    elif mode == "mean":
        return x.mean()
    raise ValueError(mode)


@partial(jax.vmap, in_axes=(0, None), out_axes=0)
def row_norm(x: Array, p: float) -> Array:
    return jnp.sum(jnp.abs(x) ** p) ** (1 / p)


@jax.tree_util.register_dataclass
@dataclass
class Point:
    x: Array
    y: Array
    name: str = field(default="", metadata={"static": True})

    def __add__(self, other: Point) -> Point:
        return Point(self.x + other.x, self.y + other.y, self.name)

    @property
    def norm(self) -> Array:
        return jnp.sqrt(self.x**2 + self.y**2)


@partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["n"])
@dataclass
class Dense:
    w: Array
    n: int

    def __call__(self, x: Array) -> Array:
        return x @ self.w


class Module(Protocol):
    def __call__(self, x: Array) -> Array: ...


class MLP:
    layers: list[Dense]
    act: Callable[[Array], Array]

    def __init__(self, sizes: Sequence[int], key: Array, act: Callable[[Array], Array] = jax.nn.relu) -> None:
        keys = jax.random.split(key, len(sizes) - 1)
        self.layers = [
            Dense(jax.random.normal(k, (m, n)) / np.sqrt(m), n)
            for k, m, n in zip(keys, sizes, sizes[1:], strict=False)
        ]
        self.act = act
        self.running_mean = jnp.zeros(sizes[-1])
        self.dropout_rate = 0.1

    def __call__(self, x: Array, *, key: Array | None = None) -> Array:
        for layer in self.layers[:-1]:
            x = self.act(layer(x))
        x = self.layers[-1](x)
        if key is not None:
            keep = jax.random.bernoulli(key, 1 - self.dropout_rate, x.shape)
            x = jnp.where(keep, x / (1 - self.dropout_rate), 0)
        self.running_mean = 0.9 * self.running_mean + 0.1 * x.mean(axis=0)
        return x


def attention(q: Array, k: Array, v: Array, mask: Array | None = None) -> Array:
    d = q.shape[-1]
    scores = jnp.einsum("...qd,...kd->...qk", q, k) / jnp.sqrt(d)
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf)
    weights = jax.nn.softmax(scores, axis=-1)
    weights = weights.astype(v.dtype)
    return jnp.einsum("...qk,...kd->...qd", weights, v)


def layer_norm(x: ArrayLike, eps: float = 1e-5) -> Array:
    x = jnp.asarray(x)
    mu = jnp.mean(x, axis=-1, keepdims=True)
    sigma = jnp.std(x, axis=-1, keepdims=True)
    return (x - mu) / (sigma + eps)


def positional(n: int, d: int) -> Array:
    pos = jnp.arange(n)[:, None]
    i = jnp.arange(d // 2)[None, :]
    angle = pos / jnp.power(10000, 2 * i / d)
    pe = jnp.zeros((n, d))
    pe = pe.at[:, 0::2].set(jnp.sin(angle))
    pe = pe.at[:, 1::2].set(jnp.cos(angle))
    return pe


def sharding(x: Array) -> Array:
    mesh = Mesh(np.array(jax.devices()).reshape(-1, 1), axis_names=("data", "model"))
    s = NamedSharding(mesh, P("data", None))
    y = jax.device_put(x, s)
    y = jax.device_put({"a": x}, s)["a"]
    f = jax.jit(lambda a: a * 2, in_shardings=s, out_shardings=NamedSharding(mesh, P()))
    z = f(y)
    z = lax.with_sharding_constraint(z, s)
    print(z.sharding, z.addressable_shards[0].data.shape, z.is_fully_addressable, z.devices())
    m2 = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))

    @partial(jax.shard_map, mesh=m2, in_specs=P("i"), out_specs=P())
    def total(a: Array) -> Array:
        return lax.psum(a.sum(), "i")

    @partial(jax.shard_map, mesh=m2, in_specs=(P("i"), P()), out_specs=(P("i"), P("i")))
    def pair(a: Array, b: Array) -> tuple[Array, Array]:
        return a + lax.axis_index("i"), lax.all_gather(b, "i")[0]

    p, q = pair(x, x)
    return z + total(x) + p + q


def misc(x: Array, key: Array) -> dict[str, Array]:
    jax.debug.print("x: {x}, {}", 1, x=x)
    jax.debug.callback(lambda a: None, x)
    h = np.asarray(jax.device_get(x))
    r = jax.pure_callback(lambda a: np.asarray(a) * 2, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
    a, b, c = jax.random.split(key, 3)
    ks = jax.random.split(key, (2, 2))
    perm = jax.random.permutation(a, 10)
    cat = jax.random.categorical(b, jnp.log(jnp.ones(3)))
    ch = jax.random.choice(c, 5, shape=(3,), replace=False)
    ch2 = jax.random.choice(c, x, shape=(3,), p=None)
    n = jax.random.normal(ks[0, 0], x.shape, dtype=x.dtype) + jax.random.uniform(key, minval=-1, maxval=1)
    t = (
        jax.random.truncated_normal(key, -2, 2, (3,))
        + jax.random.gumbel(key, (3,))
        + jax.random.fold_in(key, 1)[0]
    )
    idx = jnp.argsort(x)[::-1]
    top, where = lax.top_k(x, 2)
    mask = (x > 0) & (x < 2) | jnp.isnan(x)
    s = x[mask][0] * x[idx]
    s = x[..., None, :][0, 0]
    s = x[jnp.array([0, 1])].sum() + x[-1] + x[1:][0] + x[np.array([0])][0]
    u = lax.dynamic_slice(x, (0,), (2,)) + lax.dynamic_slice_in_dim(x, 0, 2)
    w = lax.dynamic_update_slice(x, u, (0,)) + lax.dynamic_index_in_dim(x, 0)
    cv = lax.conv_general_dilated(jnp.ones((1, 1, 4, 4)), jnp.ones((1, 1, 2, 2)), (1, 1), "SAME")
    ce = lax.select(x > 0, x, -x) + lax.rsqrt(x) + lax.stop_gradient(x)
    matrix = jnp.eye(3)[jnp.arange(3)] + jnp.tril(jnp.ones((3, 3))) + jnp.diag(x)
    g1, g2 = jnp.meshgrid(x, x)
    values, m = jnp.linalg.eigh(matrix)
    ok = jnp.allclose(x, x) and bool(jnp.all(x == x)) or float(x[0]) > 1 or x.sum() > 2
    sizes = {k: v.size * v.dtype.itemsize for k, v in {"x": x}.items()}
    flat, tree = jax.tree.flatten({"x": x})
    back = jax.tree.unflatten(tree, [leaf + 1 for leaf in flat])
    num = sum(leaf.size for leaf in jax.tree.leaves({"x": x}))
    ps = [
        (jax.tree_util.keystr(p), leaf.shape) for p, leaf in jax.tree_util.tree_flatten_with_path({"x": x})[0]
    ]
    nt = jax.tree.map(lambda a: a.shape, {"x": x}, is_leaf=lambda a: isinstance(a, Array))
    td = jax.tree.reduce(lambda a, b: a + b, {"x": x.sum()}, 0.0)
    tr = jax.tree.transpose(jax.tree.structure([0, 0]), jax.tree.structure({"a": 0}), [{"a": 1}, {"a": 2}])
    print(ok, sizes, back, num, ps, nt, td, tr, h, r, perm, cat, ch, ch2, top, where, g1, g2, m)
    return {"n": n, "t": t, "s": s, "w": w, "cv": cv, "ce": ce}


def main() -> None:
    x = jnp.arange(1.0, 4.0)
    print(clip_gradient(0.0, 1.0, x), app(jnp.sin, x), log1pexp(x))
    print(
        derivatives(x, x),
        block(jnp.ones((3, 3)), jnp.ones((3, 3))),
        many(x, 2),
        row_norm(jnp.ones((3, 3)), 2.0),
    )
    pt = Point(x, x) + Point(x, x)
    print(pt.norm, replace(pt, name="a"), Dense(jnp.ones((3, 3)), 3)(x))
    mlp = MLP([3, 4, 2], jax.random.key(0))
    print(mlp(jnp.ones((5, 3)), key=jax.random.key(1)))
    print(
        attention(jnp.ones((2, 3)), jnp.ones((2, 3)), jnp.ones((2, 3))),
        layer_norm(x),
        positional(3, 4),
        sharding(jnp.ones((3, 3))),
    )
    print(misc(jnp.arange(1.0, 4.0), jax.random.PRNGKey(0)))
    f: Module = mlp
    print(f(jnp.ones((5, 3))))


if __name__ == "__main__":
    main()
