"""Patches of images with einops, a class token, and attention over the patches."""

import equinox as eqx
import jax
import jax.numpy as jnp
from einops import rearrange, repeat
from jaxtyping import Array, Float, PRNGKeyArray


def patchify(images: Float[Array, "b h w c"], p: int) -> Float[Array, "b (h//{p})*(w//{p}) {p}*{p}*c"]:
    return rearrange(images, "b (h p1) (w p2) c -> b (h w) (p1 p2 c)", p1=p, p2=p)


class Encoder(eqx.Module):
    project: Float[Array, "patch d"]
    token: Float[Array, "1 d"]
    qkv: Float[Array, "d 3*d"]
    heads: int = eqx.field(static=True)
    patch: int = eqx.field(static=True)

    def __init__(self, channels: int, patch: int, d: int, heads: int, *, key: PRNGKeyArray):
        project_key, token_key, qkv_key = jax.random.split(key, 3)
        self.project = 0.1 * jax.random.normal(project_key, (patch * patch * channels, d))
        self.token = 0.1 * jax.random.normal(token_key, (1, d))
        self.qkv = 0.1 * jax.random.normal(qkv_key, (d, 3 * d))
        self.heads = heads
        self.patch = patch

    def embed(self, images: Float[Array, "b h w c"]) -> Float[Array, "b tokens d"]:
        patches = patchify(images, self.patch) @ self.project
        token = repeat(self.token, "1 d -> b 1 d", b=images.shape[0])
        return jnp.concatenate([token, patches], axis=1)

    def attend(self, x: Float[Array, "b tokens d"]) -> Float[Array, "b tokens d"]:
        q, k, v = rearrange(x @ self.qkv, "b t (three h d) -> three b h t d", three=3, h=self.heads)
        scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
        mixed = jax.nn.softmax(scores, axis=-1) @ v
        return x + rearrange(mixed, "b h t d -> b t (h d)")

    def __call__(self, images: Float[Array, "b h w c"]) -> Float[Array, "b d"]:
        return self.attend(self.embed(images))[:, 0]


encoder = Encoder(3, patch=2, d=8, heads=4, key=jax.random.PRNGKey(0))
images = jax.random.normal(jax.random.PRNGKey(1), (2, 6, 10, 3))
print(encoder(images).mean(axis=1))
