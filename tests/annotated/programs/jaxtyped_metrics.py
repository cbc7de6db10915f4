"""Detection metrics whose functions check their shapes themselves."""

import jax
import jax.numpy as jnp
from beartype import beartype as typechecker
from jaxtyping import Array, Bool, Float, Int, jaxtyped

Boxes = Float[Array, "n 4"]


@jaxtyped(typechecker=typechecker)
def area(boxes: Float[Array, "*n 4"]) -> Float[Array, "*n"]:
    return jnp.prod(jnp.maximum(boxes[..., 2:] - boxes[..., :2], 0.0), axis=-1)


@jaxtyped(typechecker=typechecker)
def iou(a: Float[Array, "n 4"], b: Float[Array, "m 4"]) -> Float[Array, "n m"]:
    low = jnp.maximum(a[:, None, :2], b[None, :, :2])
    high = jnp.minimum(a[:, None, 2:], b[None, :, 2:])
    overlap = area(jnp.concatenate([low, high], axis=-1))
    return overlap / (area(a)[:, None] + area(b)[None, :] - overlap)


@jax.jit
@jaxtyped(typechecker=typechecker)
def greedy_nms(boxes: Boxes, scores: Float[Array, "n"], threshold: Float[Array, ""]) -> Bool[Array, "n"]:
    order: Int[Array, " n"] = jnp.argsort(-scores)
    overlaps = iou(boxes[order], boxes[order])

    def visit(i: Int[Array, ""], keep: Bool[Array, "n"]) -> Bool[Array, "n"]:
        suppressed = (overlaps[i] > threshold) & keep[i] & (jnp.arange(keep.shape[0]) > i)
        return keep & ~suppressed

    keep = jax.lax.fori_loop(0, scores.shape[0], visit, jnp.ones(scores.shape, bool))
    return jnp.zeros_like(keep).at[order].set(keep)


@jaxtyped(typechecker=typechecker)
def recall(truth: Boxes, predicted: Float[Array, "m 4"]) -> Float[Array, ""]:
    return jnp.mean(iou(truth, predicted).max(axis=1) > 0.5)


corners = jax.random.uniform(jax.random.key(0), (6, 2))
boxes = jnp.concatenate([corners, corners + 0.4], axis=1)
keep = greedy_nms(boxes, jnp.linspace(1.0, 0.0, 6), jnp.array(0.3))
print(keep, recall(boxes[:3] + 0.05, boxes))
