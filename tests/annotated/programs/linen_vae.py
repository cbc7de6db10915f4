"""A variational autoencoder of linen modules with a setup method."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from flax import linen as nn
from jaxtyping import Array, Float, PRNGKeyArray


class Encoder(nn.Module):
    latents: int

    @nn.compact
    def __call__(self, x: Float[Array, "b pixels"]) -> tuple[Float[Array, "b z"], Float[Array, "b z"]]:
        hidden = nn.relu(nn.Dense(16, name="hidden")(x))
        mean = nn.Dense(self.latents, name="mean")(hidden)
        log_var = nn.Dense(self.latents, name="log_var")(hidden)
        return mean, log_var


def reparameterize(
    key: PRNGKeyArray, mean: Float[Array, "b z"], log_var: Float[Array, "b z"]
) -> Float[Array, "b z"]:
    noise = jax.random.normal(key, mean.shape)
    return mean + jnp.exp(0.5 * log_var) * noise


class VAE(nn.Module):
    latents: int
    pixels: int

    def setup(self) -> None:
        self.encoder = Encoder(self.latents)
        self.decoder = nn.Sequential([nn.Dense(16), nn.relu, nn.Dense(self.pixels)])

    def __call__(
        self, x: Float[Array, "b pixels"], key: PRNGKeyArray
    ) -> tuple[Float[Array, "b pixels"], Float[Array, "b z"], Float[Array, "b z"]]:
        mean, log_var = self.encoder(x)
        z = reparameterize(key, mean, log_var)
        return self.decoder(z), mean, log_var


def kl_divergence(mean: Float[Array, "b z"], log_var: Float[Array, "b z"]) -> Float[Array, " b"]:
    return 0.5 * jnp.sum(jnp.exp(log_var) + mean**2 - 1.0 - log_var, axis=-1)


def negative_elbo(
    params: dict, model: VAE, x: Float[Array, "b pixels"], key: PRNGKeyArray
) -> Float[Array, ""]:
    logits, mean, log_var = model.apply(params, x, key)
    nll = jnp.sum(jnp.logaddexp(0.0, logits) - x * logits, axis=-1)
    return jnp.mean(nll + kl_divergence(mean, log_var))


x = jax.random.bernoulli(jax.random.key(0), 0.3, (4, 10)).astype(jnp.float32)
model = VAE(latents=3, pixels=10)
params = model.init(jax.random.key(1), x, jax.random.key(2))
print(negative_elbo(params, model, x, jax.random.key(3)))
