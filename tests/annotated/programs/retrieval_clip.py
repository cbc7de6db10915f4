"""A contrastive loss between images and captions, with several captions to an image."""

import jax
import jax.numpy as jnp
import jaxtyping as jt
from jaxtyping import Array, Float

Embeddings = Float[Array, "n d"]


def normalize(x: Float[Array, "*batch d"]) -> Float[Array, "*batch d"]:
    return x / jnp.linalg.norm(x, axis=-1, keepdims=True)


def similarity(
    images: jt.Float[Array, "images d"], captions: jt.Float[Array, "captions d"], scale: jt.Float[Array, ""]
) -> jt.Float[Array, "images captions"]:
    return jnp.exp(scale) * normalize(images) @ normalize(captions).T


def caption_to_image(
    logits: Float[Array, "images captions"], owner: jt.Int[Array, "captions"]
) -> Float[Array, "captions"]:
    log_probs = jax.nn.log_softmax(logits, axis=0)
    return -log_probs[owner, jnp.arange(owner.shape[0])]


def image_to_caption(
    logits: Float[Array, "images captions"], owner: jt.Int[Array, "captions"]
) -> Float[Array, "images"]:
    positives = owner[None, :] == jnp.arange(logits.shape[0])[:, None]
    log_probs = jax.nn.log_softmax(logits, axis=1)
    return -jnp.sum(jnp.where(positives, log_probs, 0.0), axis=1) / positives.sum(axis=1)


def loss(params: dict[str, Array], pixels: Embeddings, tokens: jt.Float[Array, "m k"]) -> Float[Array, ""]:
    images = pixels @ params["image"]
    captions = tokens @ params["text"]
    owner = jnp.arange(captions.shape[0]) // (captions.shape[0] // images.shape[0])
    logits = similarity(images, captions, params["scale"])
    return 0.5 * (image_to_caption(logits, owner).mean() + caption_to_image(logits, owner).mean())


k1, k2, k3, k4 = jax.random.split(jax.random.key(0), 4)
params = {
    "image": jax.random.normal(k1, (7, 5)),
    "text": jax.random.normal(k2, (6, 5)),
    "scale": jnp.array(0.5),
}
pixels, tokens = jax.random.normal(k3, (3, 7)), jax.random.normal(k4, (9, 6))
value, grads = jax.value_and_grad(loss)(params, pixels, tokens)
print(value, jax.tree.map(jnp.linalg.norm, grads))
