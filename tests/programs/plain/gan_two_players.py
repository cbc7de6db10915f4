"""A generative adversarial network: two players, alternating updates, stop_gradient, two optax states."""

import jax
import jax.numpy as jnp
import optax
from jax.nn import initializers

LATENT, HIDDEN = 2, 24
he = initializers.he_normal()


class MLP:
    """Holds no arrays: init gives the parameters, apply takes them."""

    def __init__(self, *sizes, final=lambda x: x):
        self.sizes = sizes
        self.final = final

    def init(self, key):
        pairs = list(zip(self.sizes, self.sizes[1:]))
        keys = jax.random.split(key, len(pairs))
        return [dict(w=he(k, pair), b=jnp.zeros(pair[1])) for k, pair in zip(keys, pairs)]

    def apply(self, params, x):
        for i, p in enumerate(params):
            x = x @ p["w"] + p["b"]
            if i < len(params) - 1:
                x = jax.nn.leaky_relu(x, 0.2)
        return self.final(x)


generator = MLP(LATENT, HIDDEN, 2, final=jnp.tanh)
critic = MLP(2, HIDDEN, HIDDEN, 1)


def real_samples(key, n):
    angles = 2 * jnp.pi * jax.random.randint(key, (n,), 0, 8) / 8
    centres = 0.7 * jnp.stack([jnp.cos(angles), jnp.sin(angles)], axis=-1)
    return centres + 0.05 * jax.random.normal(key, (n, 2))


def d_loss(d_params, g_params, key, real):
    z = jax.random.normal(key, (real.shape[0], LATENT))
    fake = jax.lax.stop_gradient(generator.apply(g_params, z))
    real_logits, fake_logits = critic.apply(d_params, real), critic.apply(d_params, fake)
    loss = jax.nn.softplus(-real_logits).mean() + jax.nn.softplus(fake_logits).mean()
    score = jax.vmap(jax.grad(lambda x: critic.apply(d_params, x).sum()))(real)
    penalty = (score**2).sum(axis=1).mean()
    return loss + 0.1 * penalty, {"real": (real_logits > 0).mean(), "fake": (fake_logits < 0).mean()}


def g_loss(g_params, d_params, key, n):
    fake = generator.apply(g_params, jax.random.normal(key, (n, LATENT)))
    return jax.nn.softplus(-critic.apply(d_params, fake)).mean()


d_opt, g_opt = optax.adam(2e-3, b1=0.5), optax.adam(1e-3, b1=0.5)


@jax.jit
def play(state, key):
    d_params, g_params, d_state, g_state = state
    k1, k2, k3 = jax.random.split(key, 3)
    real = real_samples(k1, 32)
    (d_value, aux), d_grads = jax.value_and_grad(d_loss, has_aux=True)(d_params, g_params, k2, real)
    updates, d_state = d_opt.update(d_grads, d_state)
    d_params = optax.apply_updates(d_params, updates)
    g_value, g_grads = jax.value_and_grad(g_loss)(g_params, d_params, k3, 32)
    updates, g_state = g_opt.update(g_grads, g_state)
    g_params = optax.apply_updates(g_params, updates)
    return (d_params, g_params, d_state, g_state), (d_value, g_value, aux)


k_d, k_g, k_train, k_test = jax.random.split(jax.random.key(0), 4)
d_params, g_params = critic.init(k_d), generator.init(k_g)
state = (d_params, g_params, d_opt.init(d_params), g_opt.init(g_params))
state, (d_curve, g_curve, aux) = jax.lax.scan(play, state, jax.random.split(k_train, 25))
_, g_params, *_ = state
fakes = generator.apply(g_params, jax.random.normal(k_test, (50, LATENT)))
reals = real_samples(k_test, 50)


def mmd(x, y, width=0.5):
    def kernel(a, b):
        return jnp.exp(-((a[:, None] - b[None, :]) ** 2).sum(-1) / (2 * width**2))

    return kernel(x, x).mean() + kernel(y, y).mean() - 2 * kernel(x, y).mean()


distance = mmd(fakes, reals)
print(d_curve[-1], g_curve[-1], aux["real"].shape, distance, fakes.min(), fakes.max())
