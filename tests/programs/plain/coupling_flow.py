"""A normalizing flow of affine couplings, built from closures over a loop's variables."""

import jax
import jax.numpy as jnp
from jax import random

DIM = 4


def mlp(sizes):
    def init(key):
        params = []
        for m, n in zip(sizes[:-1], sizes[1:]):
            key, sub = random.split(key)
            params.append({"w": 0.1 * random.normal(sub, (m, n)), "b": jnp.zeros(n)})
        return params

    def apply(params, x):
        for p in params[:-1]:
            x = jnp.tanh(x @ p["w"] + p["b"])
        return x @ params[-1]["w"] + params[-1]["b"]

    return init, apply


def coupling(mask):
    init, net = mlp([DIM, 16, 2 * DIM])

    def scale_and_shift(params, x):
        s, t = jnp.split(net(params, x * mask), 2, axis=-1)
        return jnp.tanh(s) * (1 - mask), t * (1 - mask)

    def forward(params, x):
        s, t = scale_and_shift(params, x)
        return x * jnp.exp(s) + t, s.sum(-1)

    def inverse(params, y):
        s, t = scale_and_shift(params, y)
        return (y - t) * jnp.exp(-s), -s.sum(-1)

    return init, forward, inverse


def chain(*layers):
    inits, forwards, inverses = zip(*layers)

    def init(key):
        return [f(k) for f, k in zip(inits, random.split(key, len(inits)))]

    def forward(params, x):
        total = 0.0
        for p, f in zip(params, forwards):
            x, log_det = f(p, x)
            total += log_det
        return x, total

    def inverse(params, y):
        total = 0.0
        for p, f in reversed(list(zip(params, inverses))):
            y, log_det = f(p, y)
            total += log_det
        return y, total

    return init, forward, inverse


layers = []
for i in range(4):
    mask = jnp.array([(i + j) % 2 for j in range(DIM)], dtype=jnp.float32)
    layers.append(coupling(mask))
init, forward, inverse = chain(*layers)


def base_log_prob(z):
    return -0.5 * (z**2 + jnp.log(2 * jnp.pi)).sum(-1)


def log_prob(params, x):
    z, log_det = inverse(params, x)
    return base_log_prob(z) + log_det


def target(key, n):
    angle, radius = random.uniform(key, (2, n))
    ring = jnp.stack([jnp.cos(6.28 * angle), jnp.sin(6.28 * angle)], 1) * (1 + radius)[:, None]
    return jnp.hstack([ring, ring**2])


@jax.jit
def step(params, x):
    def nll(params):
        return -log_prob(params, x).mean()

    value, grads = jax.value_and_grad(nll)(params)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), value


key = random.PRNGKey(3)
params = init(key)
x = target(key, 100)
first = log_prob(params, x).mean()
for _ in range(20):
    params, value = step(params, x)
z, _ = inverse(params, x)
back, log_det = forward(params, z)
error = jnp.abs(back - x).max()
samples, _ = jax.jit(forward)(params, random.normal(key, (7, DIM)))
jacobian = jax.jacobian(lambda v: forward(params, v)[0])(x[0])
sign, exact = jnp.linalg.slogdet(jacobian)
print(first, -value, error, exact)
assert error < 1e-4
