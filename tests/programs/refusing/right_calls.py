"""Programs that run, with numbers that only a run knows, or with calls that look as if they might not fit."""

import contextlib
import dataclasses
import functools
import sys

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
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
