"""Programs that run, and that look to us as if they might be refused: layers, optimizers and classes of unusual kinds."""

import functools

import einops
import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from flax.training.train_state import TrainState
from jax import lax

KEY = jax.random.key(0)


def right_einops():
    x = jnp.ones((2, 3, 8))
    return (
        einops.rearrange(x, "b c (h d) -> b h c d", h=2),
        einops.repeat(x, "b c d -> b c d k", k=2),
        einops.einsum(x, x, "b i d, b j d -> b i j"),
    )


class Cell(nn.Module):
    @nn.compact
    def __call__(self, c, x):
        c = nn.tanh(nn.Dense(4)(jnp.concatenate([c, x], -1)))
        return c, c


class RNN(nn.Module):
    @nn.compact
    def __call__(self, xs):
        scan = nn.scan(Cell, variable_broadcast="params", split_rngs={"params": False}, in_axes=1, out_axes=1)
        return scan()(jnp.zeros((xs.shape[0], 4)), xs)


def right_linen_scan():
    m = RNN()
    v = m.init(KEY, jnp.ones((2, 5, 3)))
    return m.apply(v, jnp.ones((6, 7, 3)))


class Ens(nn.Module):
    @nn.compact
    def __call__(self, x):
        several = nn.vmap(
            nn.Dense, variable_axes={"params": 0}, split_rngs={"params": True}, in_axes=None, axis_size=3
        )
        return nn.remat(nn.Dense)(2)(several(4)(x))


def right_linen_vmap():
    m = Ens()
    v = m.init(KEY, jnp.ones((2, 5)))
    return jax.vmap(m.apply, in_axes=(None, 0))(v, jnp.ones((6, 2, 5)))


class BN(nn.Module):
    train: bool = True

    @nn.compact
    def __call__(self, x, train=None):
        x = nn.Dropout(0.5, deterministic=not self.train)(nn.Conv(4, (3,))(x))
        x = nn.BatchNorm(use_running_average=not self.train)(x)
        self.sow("intermediates", "h", x)
        return nn.Dense(2)(x.mean(-2))


def right_batch_stats():
    m = BN()
    v = m.init({"params": KEY, "dropout": KEY}, jnp.ones((2, 8, 3)))
    y, new = m.apply(v, jnp.ones((4, 8, 3)), mutable=["batch_stats", "intermediates"], rngs={"dropout": KEY})
    z = BN(train=False).apply({"params": v["params"], **new}, jnp.ones((5, 9, 3)))
    return y, z


def right_train_state():
    m = nn.Dense(2)
    p = m.init(KEY, jnp.ones((1, 3)))["params"]
    s = TrainState.create(apply_fn=m.apply, params=p, tx=optax.chain(optax.clip(1.0), optax.adamw(1e-3)))

    @jax.jit
    def step(s, x):
        l, g = jax.value_and_grad(lambda p: s.apply_fn({"params": p}, x).sum())(s.params)
        return s.apply_gradients(grads=g), l

    return step(s, jnp.ones((4, 3)))


class Stacked(nn.Module):
    depth: int = 2

    def setup(self):
        self.layers = [nn.Dense(6) for _ in range(self.depth)]

    def __call__(self, x):
        for l in self.layers:
            x = x + l(x)
        return x

    def encode(self, x):
        return self.layers[0](x)


def right_methods():
    m = Stacked()
    v = m.init(KEY, jnp.ones((2, 6)))
    return (
        m.apply(v, jnp.ones((3, 6)), method=m.encode),
        m.bind(v)(jnp.ones((1, 6))),
        m.apply(v, jnp.ones(6), method="encode"),
    )


def right_other_params():
    m = nn.Dense(4)
    a, b = m.init(KEY, jnp.ones((1, 3))), m.init(KEY, jnp.ones((1, 5)))
    return m.apply(a, jnp.ones((2, 3))) + m.apply(b, jnp.ones((2, 5)))


def right_nnx():
    class M(nnx.Module):
        def __init__(self, rngs):
            self.c = nnx.Conv(3, 4, (3, 3), rngs=rngs)
            self.b = nnx.BatchNorm(4, rngs=rngs)
            self.d = nnx.Dropout(0.5, rngs=rngs)
            self.l = nnx.Linear(4, 2, rngs=rngs)
            self.a = nnx.MultiHeadAttention(2, 4, decode=False, rngs=rngs)

        def __call__(self, x):
            x = self.d(self.b(self.c(x))).mean(1)
            return self.l(self.a(x))

    m = M(nnx.Rngs(0))
    o = nnx.Optimizer(m, optax.sgd(0.1), wrt=nnx.Param)

    @nnx.jit
    def step(m, o, x):
        l, g = nnx.value_and_grad(lambda m: m(x).mean())(m)
        o.update(m, g)
        return l

    g, s = nnx.split(m)
    return step(m, o, jnp.ones((2, 8, 8, 3))), nnx.merge(g, s)(jnp.ones((2, 8, 8, 3)))


def right_eqx():
    mlp = eqx.nn.MLP(2, 3, 8, 2, key=KEY)
    conv = eqx.nn.Sequential(
        [eqx.nn.Conv2d(1, 2, 3, key=KEY), eqx.nn.Lambda(jax.nn.relu), eqx.nn.AdaptiveAvgPool2d(1)]
    )

    @eqx.filter_jit
    def f(m, x, n):
        return jax.vmap(m)(x) * n

    @eqx.filter_value_and_grad
    def loss(m, x):
        return (jax.vmap(m)(x) ** 2).mean()

    _l, g = loss(mlp, jnp.ones((4, 2)))
    opt = optax.adam(1e-3)
    st = opt.init(eqx.filter(mlp, eqx.is_array))
    u, st = opt.update(g, st, mlp)
    mlp = eqx.apply_updates(mlp, u)
    return f(mlp, jnp.ones((4, 2)), 2), conv(jnp.ones((1, 8, 8)))


def right_optax():
    p = {"a": jnp.ones(3), "b": jnp.ones((2, 2))}
    tx = optax.multi_transform({"x": optax.sgd(0.1), "y": optax.set_to_zero()}, {"a": "x", "b": "y"})
    s = tx.init(p)
    u, s = tx.update(jax.tree.map(jnp.ones_like, p), s, p)
    l = optax.softmax_cross_entropy_with_integer_labels(jnp.ones((4, 5)), jnp.zeros(4, int)).mean()
    return (
        optax.apply_updates(p, u),
        l,
        optax.losses.huber_loss(jnp.ones(3), jnp.zeros(3)),
        optax.global_norm(p),
    )


def right_while():
    return (
        lax.while_loop(lambda s: s[0] < 10, lambda s: (s[0] + 1, s[1] * 2), (0, 1.0)),
        lax.map(lambda x: x + 1, jnp.ones(3)),
        lax.associative_scan(jnp.add, jnp.ones(4)),
    )


def right_decorated():
    def timed(f):
        @functools.wraps(f)
        def inner(*a, **k):
            return f(*a, **k)

        return inner

    @timed
    @jax.jit
    def g(x, *, k=1):
        return x * k

    return g(jnp.ones(3), k=2)


def right_methods_of_class():
    class A:
        def __init__(self, w):
            self.w = w

        def __call__(self, x, scale=1.0):
            return self.w * x * scale

        @staticmethod
        def s(x):
            return x

        @classmethod
        def make(cls, w):
            return cls(w)

        @property
        def p(self):
            return self.w

    a = A.make(jnp.ones(3))
    return (
        jax.vmap(a)(jnp.ones((2, 3))),
        a(jnp.ones(3), scale=2.0),
        A.s(jnp.ones(2)),
        functools.partial(a, scale=3.0)(jnp.ones(3)),
        list(map(a.s, [jnp.ones(2)])),
        sorted([jnp.ones(1)], key=lambda v: 1),
    )


def right_callbacks():
    jax.debug.callback(lambda x: print(x), jnp.ones(2))
    return (
        jax.pure_callback(lambda x: np.sin(x), jax.ShapeDtypeStruct((3,), np.float32), jnp.ones(3)),
        jax.tree.map(lambda a, b: a + b, [jnp.ones(2)], [jnp.ones(2)]),
        functools.reduce(lambda a, b: a @ b, [jnp.eye(2)] * 3),
    )


def right_jnp_objs():
    return (
        jnp.stack([jnp.ones(2), np.ones(2)]),
        jnp.where(jnp.ones(2) > 0, 1, 0.5),
        jnp.piecewise(jnp.ones(3), [jnp.ones(3) > 0], [lambda v: v, 0.0]),
        jnp.apply_along_axis(jnp.sum, 0, jnp.ones((2, 3))),
        jnp.vectorize(lambda a, b: a @ b, signature="(n),(n)->()")(jnp.ones((2, 3)), jnp.ones(3)),
        jnp.select([jnp.ones(2) > 0], [jnp.ones(2)]),
    )
