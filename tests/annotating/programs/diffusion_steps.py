"""Denoising diffusion on two moons: schedules, noising, sampling."""

import sys

import jax
import jax.numpy as jnp
import optax


def cosine_schedule(steps, s=0.008):
    t = jnp.linspace(0, 1, steps + 1)
    f = jnp.cos((t + s) / (1 + s) * jnp.pi / 2) ** 2
    betas = 1 - f[1:] / f[:-1]
    return jnp.clip(betas, 1e-4, 0.999)


def moons(key, n):
    k1, k2 = jax.random.split(key)
    t = jnp.pi * jax.random.uniform(k1, (n,))
    upper = jnp.stack([jnp.cos(t), jnp.sin(t)], axis=-1)
    lower = jnp.stack([1 - jnp.cos(t), 0.5 - jnp.sin(t)], axis=-1)
    flip = jax.random.bernoulli(k2, 0.5, (n, 1))
    return jnp.where(flip, upper, lower)


def time_embedding(t, width):
    freqs = jnp.exp(jnp.linspace(0, 5, width // 2))
    angles = t[:, None] * freqs
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)


def init_layer(key, n_in, n_out):
    return jax.random.normal(key, (n_in, n_out)) / jnp.sqrt(n_in), jnp.zeros(n_out)


def init_network(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(k, n_in, n_out) for k, n_in, n_out in zip(keys, sizes[:-1], sizes[1:])]


def denoise(params, x, t, width):
    h = jnp.concatenate([x, time_embedding(t, width)], axis=-1)
    for w, b in params[:-1]:
        h = jax.nn.silu(h @ w + b)
    w, b = params[-1]
    return h @ w + b


def add_noise(x, noise, alpha_bar):
    return jnp.sqrt(alpha_bar)[:, None] * x + jnp.sqrt(1 - alpha_bar)[:, None] * noise


def loss(params, key, x, alphas, width):
    k1, k2 = jax.random.split(key)
    t = jax.random.randint(k1, (x.shape[0],), 0, alphas.shape[0])
    noise = jax.random.normal(k2, x.shape)
    noisy = add_noise(x, noise, alphas[t])
    return jnp.mean((denoise(params, noisy, t / alphas.shape[0], width) - noise) ** 2)


def train(key, params, betas, batch, width, steps):
    alphas = jnp.cumprod(1 - betas)
    optimizer = optax.adam(1e-3)
    opt_state = optimizer.init(params)

    @jax.jit
    def step(params, opt_state, key):
        k1, k2 = jax.random.split(key)
        value, grads = jax.value_and_grad(loss)(params, k1, moons(k2, batch), alphas, width)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, value

    for _ in range(steps):
        key, sub = jax.random.split(key)
        params, opt_state, value = step(params, opt_state, sub)
    return params, value


def sample(key, params, betas, n, width):
    alphas = jnp.cumprod(1 - betas)
    x = jax.random.normal(key, (n, 2))
    for i in reversed(range(len(betas))):
        key, sub = jax.random.split(key)
        t = jnp.full((n,), i / len(betas))
        noise = denoise(params, x, t, width)
        x = (x - betas[i] / jnp.sqrt(1 - alphas[i]) * noise) / jnp.sqrt(1 - betas[i])
        if i > 0:
            x = x + jnp.sqrt(betas[i]) * jax.random.normal(sub, x.shape)
    return x


def main(batch=32, width=16, hidden=32):
    k1, k2, k3 = jax.random.split(jax.random.key(0), 3)
    betas = cosine_schedule(10)
    params = init_network(k1, [2 + width, hidden, hidden, 2])
    params, value = train(k2, params, betas, batch, width, 3)
    print(value, sample(k3, params, betas, 16, width).mean(axis=0))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
