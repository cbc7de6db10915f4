"""Programs that run, with numbers that only a run knows, or with calls that look as if they might not fit."""

import contextlib
import dataclasses
import functools
import sys

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.ode import odeint
from jax.scipy.optimize import minimize

KEY = jax.random.key(0)
#: A number that only a run knows.
N = len(sys.argv) + 3
CFG = {"lr": 0.1, "n": N}


def right_tree_path():
    t = {"a": jnp.ones(3), "b": [jnp.ones(2)]}
    return (
        jax.tree_util.tree_map_with_path(lambda p, x: x * len(p), t),
        jax.tree.reduce(lambda a, b: a + b.sum(), t, 0.0),
        jax.tree.transpose(jax.tree.structure([0, 0]), jax.tree.structure((0, 0)), [(1, 2), (3, 4)]),
    )


def right_ode():
    return odeint(lambda y, t, k, b: -k * y + b, jnp.ones(3), jnp.linspace(0, 1, 5), 0.5, jnp.ones(3))


def right_minimize():
    return minimize(lambda x, a: ((x - a) ** 2).sum(), jnp.ones(3), args=(2.0,), method="BFGS").x


def right_star():
    def f(x, *ys, scale=1.0, **kw):
        return (x + sum(ys)) * scale + kw.get("b", 0)

    args = (jnp.ones(2), jnp.ones(2))
    kw = {"scale": 2.0, "b": 1}
    return f(jnp.ones(2), *args, **kw), jax.jit(f)(*args, **kw), f(*([jnp.ones(2)] * N))


def right_cfg():
    def train(x, lr, n=3):
        return x * lr * n

    return train(jnp.ones(2), **CFG)


def right_partial_override():
    f = functools.partial(lambda x, a, b=2: x * a * b, a=3)
    return f(jnp.ones(2), a=4), jax.vmap(f)(jnp.ones(2)), functools.partial(f, b=3)(jnp.ones(2))


def right_partialmethod():
    class M:
        def go(self, x, k):
            return x * k

        twice = functools.partialmethod(go, k=2)

        def __init__(self):
            self.w = jnp.ones(3)

        @functools.partial(jax.jit, static_argnums=0)
        def jitted(self, x):
            return x * self.w

        @staticmethod
        @jax.jit
        def st(x):
            return x

        @classmethod
        def cl(cls, x, y=1):
            return x * y

        def __getitem__(self, k):
            return self.w[k]

        def __iter__(self):
            return iter([1, 2])

    m = M()
    return (
        m.twice(jnp.ones(3)),
        m.jitted(jnp.ones(3)),
        m.st(jnp.ones(2)),
        M.cl(jnp.ones(2)),
        m[0],
        jax.tree.map(m.st, [jnp.ones(2)]),
    )


def right_decorator_class():
    class Deco:
        def __init__(self, f):
            self.f = f

        def __call__(self, *a, extra=None, **k):
            return self.f(*a, **k)

        def __get__(self, obj, cls=None):
            return functools.partial(self.f, obj)

    @Deco
    def g(x):
        return x

    class U:
        @Deco
        def h(self, x):
            return x

    return g(jnp.ones(2), extra=3), U().h(jnp.ones(2))


def right_injected():
    def with_key(f):
        def inner(x, **k):
            return f(KEY, x, **k)

        return inner

    @with_key
    def noise(key, x, scale=1.0):
        return x + scale * jax.random.normal(key, x.shape)

    return noise(jnp.ones(3)), noise(jnp.ones(3), scale=2.0)


def right_dataclass_init():
    @dataclasses.dataclass
    class A:
        w: jax.Array
        b: float = 0.0
        c: list = dataclasses.field(default_factory=list)

    class B(A):
        def __init__(self, w):
            super().__init__(w, b=1.0)

    class E(eqx.Module):
        w: jax.Array
        k: int = eqx.field(static=True, default=2)

        def __call__(self, x, *, key=None):
            return self.w * x * self.k

    return (
        A(jnp.ones(2)).w,
        B(jnp.ones(2)).b,
        dataclasses.replace(A(jnp.ones(2)), w=jnp.ones(3)),
        jax.vmap(E(jnp.ones(2)))(jnp.ones((3, 2))),
        eqx.nn.Sequential([eqx.nn.Lambda(jnp.tanh), E(jnp.ones(2))])(jnp.ones(2)),
    )


def right_scan_weird():
    def body(c, xs):
        a, _b = xs
        return (c[0] + a.sum(), {"n": c[1]["n"] + 1}), (a, None)

    return (
        lax.scan(body, (jnp.float32(0), {"n": 0}), (jnp.ones((N, 3)), None)),
        lax.scan(lambda c, x: (c + x, x), 0.0, jnp.ones(N), reverse=True, unroll=2),
        lax.scan(jax.checkpoint(lambda c, _: (c * 2, c)), jnp.ones(2), length=N),
    )


def right_unknown_dtype():
    d = jnp.float16 if N > 3 else jnp.float32
    x = jnp.ones(3, d)
    return (
        lax.add(x, jnp.ones(3, x.dtype)),
        lax.dynamic_update_slice(x, jnp.zeros(1, x.dtype), (0,)),
        lax.select(x > 0, x, x),
    )


def right_unknown_shape():
    x = jnp.ones((N, 3))
    return (
        lax.concatenate([x, jnp.ones((2, 3))], 0),
        lax.dynamic_slice(x, (0, 0), (1, 3)),
        x.reshape(-1),
        jnp.split(x, 3, 1),
        x[: N // 2],
    )


def right_try():
    try:
        return lax.add(jnp.ones(2), jnp.ones(2, jnp.int32))
    except TypeError:
        return None


def right_suppress():
    with contextlib.suppress(TypeError, ValueError):
        lax.concatenate([jnp.ones(2), jnp.ones(2, jnp.int32)], 0)


def right_if():
    def f(x, y=None):
        if y is None:
            return x
        return x + y

    return f(jnp.ones(2)), f(jnp.ones(2), jnp.ones(2))


def right_numpy():
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    return (
        jax.jit(lambda a, n: a * n)(a, np.float32(2)),
        jax.vmap(jnp.dot)(a, a),
        jax.grad(lambda w: (w @ a).sum())(np.ones(2, np.float32)),
        lax.add(jnp.asarray(a), a),
    )


def right_grad_of_int_aux():
    f = lambda p, n: (p["w"].sum() * n, {"n": n})
    return jax.value_and_grad(f, has_aux=True)({"w": jnp.ones(3)}, N), jax.grad(f, has_aux=True)(
        {"w": np.ones(3, np.float32)}, 2
    )


def right_nested_transforms():
    f = lambda w, x: jnp.tanh(w @ x).sum()
    per = jax.vmap(jax.grad(f), in_axes=(None, 0))
    return (
        per(jnp.ones((2, 3)), jnp.ones((N, 3))),
        jax.jacfwd(lambda x: x**2)(jnp.ones(3)),
        jax.jit(jax.hessian(f))(jnp.ones((2, 3)), jnp.ones(3)),
        jax.vmap(jax.vmap(f, (None, 0)), (0, None))(jnp.ones((4, 2, 3)), jnp.ones((5, 3))),
    )


def right_vjp_int():
    y, pull = jax.vjp(lambda x, i: x[i] * 2, jnp.ones((3, 2)), 1)
    return (
        pull(y)[0],
        jax.vjp(jnp.sum, jnp.ones(3))[1](jnp.float32(1)),
        jax.vjp(lambda x: x.sum(), np.ones(3, np.float32))[1](1.0),
        jax.vjp(lambda x: x * 1, 2.0)[1](1.0),
    )


def right_custom_vjp_none():
    @jax.custom_vjp
    def f(x, t, flag):
        return x * 2

    f.defvjp(lambda x, t, flag: (x * 2, (t,)), lambda r, g: (g * 2, None, None))
    return jax.grad(lambda x: f(x, {"a": jnp.ones(2), "i": jnp.arange(2)}, True).sum())(jnp.ones(3))


def right_straight_through():
    @jax.custom_jvp
    def ste(x):
        return jnp.round(x)

    ste.defjvp(lambda p, t: (ste(*p), t[0]))

    @jax.custom_vjp
    def clip(x):
        return x

    clip.defvjp(lambda x: (x, None), lambda _, g: (jnp.clip(g, -1, 1),))
    return jax.grad(lambda x: (ste(x) * clip(x)).sum())(jnp.ones(3, jnp.bfloat16)), jax.vmap(jax.grad(ste))(
        jnp.ones(3)
    )


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
