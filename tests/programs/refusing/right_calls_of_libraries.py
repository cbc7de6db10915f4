"""Programs that run: layers and optimizers that are made and called in unusual ways."""

import contextlib
import sys

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import nnx
from jax import lax
from jax.experimental import pallas as pl

KEY = jax.random.key(0)
#: A number that only a run knows.
N = len(sys.argv) + 3


def right_linen_reuse():
    class Shared(nn.Module):
        d: int

        @nn.compact
        def __call__(self, x, y):
            l = nn.Dense(self.d)
            return l(x) + l(y) + nn.Dense(self.d, name="b")(x)

    class Lazy(nn.Module):
        @nn.compact
        def __call__(self, x):
            w = self.param("w", lambda k, s: jax.random.normal(k, s), (x.shape[-1], 2))
            c = self.variable("state", "n", lambda: jnp.zeros((), jnp.int32))
            c.value += 1
            return x @ w

    s = Shared(4)
    v = s.init(KEY, jnp.ones((1, 3)), jnp.ones((1, 3)))
    l = Lazy()
    lv = l.init(KEY, jnp.ones((2, N)))
    return (
        s.apply(v, jnp.ones((7, 3)), jnp.ones(3)),
        l.apply(lv, jnp.ones((3, N)), mutable="state"),
        jax.vmap(s.apply, (None, 0, 0))(v, jnp.ones((2, 3)), jnp.ones((2, 3))),
    )


def right_linen_init_many():
    class Enc(nn.Module):
        features: tuple = (8, 4)

        @nn.compact
        def __call__(self, x, deterministic=True):
            for i, f in enumerate(self.features):
                x = nn.relu(nn.Dense(f, name=f"l{i}")(x))
                x = nn.Dropout(0.1)(x, deterministic=deterministic)
            x = nn.MultiHeadDotProductAttention(num_heads=2)(x, x)
            return nn.RNN(nn.LSTMCell(5))(x)

    m = Enc()
    keys = jax.random.split(KEY, 3)
    vs = jax.vmap(m.init, (0, None))(keys, jnp.ones((2, 6, 3)))
    return (
        jax.vmap(m.apply, (0, None))(vs, jnp.ones((2, 6, 3))),
        m.apply(jax.tree.map(lambda p: p[0], vs), jnp.ones((4, 9, 3)), False, rngs={"dropout": KEY}),
        jax.eval_shape(m.init, KEY, jnp.ones((1, 1, 3))),
    )


def right_optim():
    params = {"w": jnp.ones((3, 2))}
    opt = optax.inject_hyperparams(optax.adam)(learning_rate=optax.cosine_decay_schedule(0.1, 10))
    st = opt.init(params)

    @jax.jit
    def step(params, st, x):
        loss, g = jax.value_and_grad(lambda p: ((x @ p["w"]) ** 2).mean())(params)
        u, st = opt.update(g, st, params)
        return optax.apply_updates(params, u), st, loss

    for _ in range(N):
        params, st, _loss = step(params, st, jnp.ones((4, 3)))

    def fs(carry, x):
        p, s = carry
        p, s, l = step(p, s, x)
        return (p, s), l

    return lax.scan(fs, (params, st), jnp.ones((5, 4, 3)))


def right_nnx_more():
    class L(nnx.Module):
        def __init__(self, d, *, rngs):
            self.w = nnx.Param(jax.random.normal(rngs.params(), (d, d)))
            self.c = nnx.BatchStat(jnp.zeros(()))

        def __call__(self, x):
            self.c.value += 1
            return x @ self.w

    @nnx.split_rngs(splits=3)
    @nnx.vmap(axis_size=3)
    def mk(rngs):
        return L(4, rngs=rngs)

    ls = mk(nnx.Rngs(0))

    @nnx.scan(in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)
    def fwd(x, l):
        return l(x)

    m = L(4, rngs=nnx.Rngs(1))
    return (
        fwd(jnp.ones((2, 4)), ls),
        nnx.grad(lambda m, x: m(x).sum())(m, jnp.ones((1, 4))),
        nnx.jit(lambda m, x, k=1: m(x) * k)(m, jnp.ones((3, 4)), k=2),
    )


def right_unpack():
    x = jnp.ones((2, 3, 4))
    b, *rest = x.shape
    *_, d = x.shape
    (_p, _q, _r), _s = x.shape, 1
    y = x if N > 3 else x[0]
    if y.ndim == 3:
        i, j, _k = y.shape
    else:
        i, j = y.shape
    h, w = y.shape[:2] if y.ndim > 2 else y.shape
    return b, d, rest, i, j, h, w


def right_rows():
    return (
        [a + b for a, b in zip(jnp.ones((2, 3)), [1, 2], strict=False)],
        list(jnp.ones((2, 2))),
        {"a": 1},
        max([1, 2]),
        f"{1.0:.2f}",
        *jnp.ones(2),
    )


def right_pallas():
    def k(x_ref, o_ref):
        o_ref[...] = x_ref[...] * 2

    return pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((4,), jnp.float32), interpret=True)(jnp.ones(4))


def right_raises():
    with jax.named_scope("part"), contextlib.suppress(Exception):
        jnp.ones(3) + jnp.ones(2)
    with contextlib.suppress(ZeroDivisionError):
        z = jnp.ones(3)
    return z + 1
