"""Programs that run, and that look to us as if they might be refused: trees, rules and transformations of unusual kinds."""

import dataclasses
import functools
from typing import Any, NamedTuple

import flax
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

KEY = jax.random.key(0)


def right_registered():
    @jax.tree_util.register_pytree_node_class
    class P:
        def __init__(self, a, n):
            self.a, self.n = a, n

        def tree_flatten(self):
            return (self.a,), self.n

        @classmethod
        def tree_unflatten(cls, aux, children):
            return cls(*children, aux)

    return jax.jit(lambda p: p.a * p.n)(P(jnp.ones(3), 2))


def right_registered_later():
    class Q:
        def __init__(self, a):
            self.a = a

    jax.tree_util.register_pytree_node(Q, lambda q: ((q.a,), None), lambda _, c: Q(*c))
    return jax.grad(lambda q: (q.a**2).sum())(Q(jnp.ones(3)))


def right_dataclass():
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class R:
        a: Any
        n: int = dataclasses.field(default=2, metadata={"static": True})

    return jax.jit(lambda r: r.a * r.n)(R(jnp.ones(3)))


def right_dataclass_late():
    @dataclasses.dataclass
    class R2:
        a: Any
        n: int

    jax.tree_util.register_dataclass(R2, data_fields=["a"], meta_fields=["n"])
    return jax.vmap(lambda r: r.a * r.n)(R2(jnp.ones(3), 4))


def right_struct():
    @flax.struct.dataclass
    class S:
        w: Any
        f: Any = flax.struct.field(pytree_node=False)

    s = S(jnp.ones(3), jnp.tanh)
    return jax.jit(lambda s, x: s.f(s.w * x))(s.replace(w=jnp.zeros(3)), 2.0)


def right_jax_array():
    class Parameter:
        def __init__(self):
            self.v = jnp.ones(3)

        def __radd__(self, other):
            return other + self.v

        def __rmatmul__(self, other):
            return other @ self.v

    t = Parameter()
    return jnp.ones(3) + t, jnp.ones(3) @ t


class Pair(NamedTuple):
    a: Any
    b: Any


def right_named():
    return lax.scan(
        lambda c, x: (Pair(c.a + x, c.b), c.b), Pair(jnp.float32(0), jnp.ones(2)), jnp.arange(3.0)
    )


def right_scan_length():
    return lax.scan(lambda c, _: (c * 2, None), 1.0, None, length=4)


def right_scan_none():
    return lax.scan(lambda c, x: (None, x + 1), None, jnp.arange(4))


def right_fori_none():
    return lax.fori_loop(0, 3, lambda i, c: (c[0] + i, None), (0, None))


def right_cond_none():
    return lax.cond(True, lambda: None, lambda: None), lax.switch(
        1, [lambda x: (x, None), lambda x: (-x, None)], jnp.ones(2)
    )


def right_vmap_axes():
    f = lambda p, x, y: p["w"] @ x + y
    return jax.vmap(f, in_axes=({"w": None}, 1, 0), out_axes=1)(
        {"w": jnp.ones((2, 3))}, jnp.ones((3, 5)), jnp.arange(5.0)
    )


def right_vmap_kwargs():
    return jax.vmap(lambda x, *, s, **k: x * s + k["b"])(jnp.ones(3), s=jnp.ones(3), b=jnp.ones((3, 2)))


def right_static():
    @functools.partial(jax.jit, static_argnums=(1,), static_argnames=("f",))
    def g(x, n, f=jnp.sin, axis=None):
        return f(x).reshape(n, -1).sum(axis)

    return g(jnp.ones(6), 2), g(jnp.ones(6), 3, f=jnp.cos)


def right_nondiff():
    @functools.partial(jax.custom_vjp, nondiff_argnums=(0, 2))
    def ap(f, x, n):
        return f(x) * n

    def fwd(f, x, n):
        return f(x) * n, x

    def bwd(f, n, x, g):
        return (g * n,)

    ap.defvjp(fwd, bwd)
    return jax.grad(lambda x: ap(jnp.sin, x, 3).sum())(jnp.ones(3)), ap(jnp.cos, jnp.ones(2), 1)


def right_custom_jvps():
    @jax.custom_jvp
    def lse(x, y):
        return jnp.logaddexp(x, y)

    lse.defjvps(lambda t, ans, x, y: t * jnp.exp(x - ans), None)
    return jax.grad(lse)(1.0, 2.0), jax.hessian(lambda x: lse(x, 1.0))(0.5)


def right_custom_gradient():
    @jax.custom_gradient
    def sq(x):
        return x**2, lambda g: g * x

    return jax.grad(sq)(3.0)


def right_checkpoint():
    @functools.partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_saveable)
    def b(w, x):
        return jnp.tanh(x @ w)

    return jax.grad(lambda w: b(w, jnp.ones((2, 3))).sum())(jnp.ones((3, 3)))


def right_vjp_tree():
    _y, pull, _aux = jax.vjp(
        lambda p, x: (p["a"] * x, x.sum()), {"a": jnp.ones(3)}, jnp.ones(3), has_aux=True
    )
    (gp, gx) = pull(jnp.ones(3))
    _, pull2 = jax.vjp(lambda x: {"y": x, "z": (x.sum(), x.astype(jnp.int32))}, jnp.ones(3))
    return gp["a"] + gx, pull2({"y": jnp.ones(3), "z": (1.0, np.zeros(3, jax.dtypes.float0))})


def right_linear():
    f = lambda x: jnp.ones((4, 3)) @ x
    t = jax.linear_transpose(f, jnp.ones(3))
    _y, lin = jax.linearize(jnp.sin, jnp.ones(3))
    return t(jnp.ones(4)), lin(jnp.ones(3)), jax.jvp(f, (jnp.ones(3),), (jnp.zeros(3),))


def right_jvp_int():
    return jax.jvp(
        lambda x, i: x[i], (jnp.ones(3), jnp.int32(1)), (jnp.ones(3), np.zeros((), jax.dtypes.float0))
    )


def right_grad_args():
    f = lambda w, b, n, mode="a": (w * b * n).sum() if mode == "a" else w.sum()
    return (
        jax.grad(f, argnums=(0, 1))(jnp.ones(3), jnp.ones(3), 2),
        jax.grad(f)(jnp.ones(3), jnp.ones(3), 2, mode="b"),
        jax.value_and_grad(f, 1)(jnp.ones(2), 2.0, n=3),
    )


def right_holomorphic():
    return jax.grad(lambda z: z**2, holomorphic=True)(1.0 + 1j), jax.grad(
        lambda x: (x * 1.0).sum(), allow_int=True
    )(jnp.arange(3))


def right_dtype_args():
    return (
        jnp.ones(3).astype("float16"),
        jnp.sum(jnp.ones(3), dtype="bfloat16"),
        lax.convert_element_type(jnp.ones(3), np.int8),
        jnp.ones(3).view(jnp.int32),
    )


def right_index():
    x = jnp.ones((3, 4))
    return (
        x[jnp.array([True, False, True])],
        x[..., None],
        x[{1: 0}[1]],
        x[np.int64(1)],
        x.at[jnp.arange(2), 0].add(1),
        x[jnp.nonzero(x[0])[0]],
    )
