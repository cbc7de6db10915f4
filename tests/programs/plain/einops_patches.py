"""Patches, attention over channels and pooling with einops."""

import jax
import jax.numpy as jnp
from einops import einsum, rearrange, reduce, repeat


def patchify(images, size):
    return rearrange(images, "b (h p) (w q) c -> b (h w) (p q c)", p=size, q=size)


def unpatchify(patches, size, height):
    return rearrange(patches, "b (h w) (p q c) -> b (h p) (w q) c", p=size, q=size, h=height)


def attention(params, x, heads):
    qkv = x @ params["qkv"]
    q, k, v = rearrange(qkv, "b n (three h d) -> three b h n d", three=3, h=heads)
    scores = einsum(q, k, "b h i d, b h j d -> b h i j") * q.shape[-1] ** -0.5
    weights = jax.nn.softmax(scores)
    out = einsum(weights, v, "b h i j, b h j d -> b h i d")
    return rearrange(out, "b h n d -> b n (h d)") @ params["out"]


def encoder(params, images):
    x = patchify(images, 4) @ params["embed"]
    token = repeat(params["token"], "d -> b 1 d", b=images.shape[0])
    x = jnp.concatenate([token, x], axis=1)
    for layer in params["layers"]:
        x = x + attention(layer, x, heads=2)
    return x[:, 0], reduce(x[:, 1:], "b n d -> b d", "mean")


keys = jax.random.split(jax.random.PRNGKey(0), 6)
params = {
    "embed": jax.random.normal(keys[0], (48, 16)) * 0.1,
    "token": jnp.zeros((16,)),
    "layers": [
        {"qkv": 0.1 * jax.random.normal(k, (16, 48)), "out": 0.1 * jax.random.normal(k, (16, 16))}
        for k in keys[1:3]
    ],
}
images = jax.random.uniform(keys[4], (2, 8, 12, 3))
patches = patchify(images, 4)
again = unpatchify(patches, size=4, height=2)
assert jnp.array_equal(again, images)
cls, pooled = jax.jit(encoder)(params, images)
grey = reduce(images, "b h w c -> b h w", "mean")
small = reduce(images, "b (h 2) (w 2) c -> b h w c", "max")
tiled = rearrange(list(images), "b h w c -> h (b w) c")
per_image = jax.vmap(lambda img: rearrange(img, "h w c -> c (h w)"))(images)
grads = jax.grad(lambda p: jnp.sum(encoder(p, images)[1] ** 2))(params)
print(cls.shape, pooled.shape, grey.shape, small.shape, tiled.shape, per_image.shape, grads["token"].shape)
