"""A router of tokens to experts with a limited capacity, and the combined output."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int


def top_k_gates(
    logits: Float[Array, "tokens experts"], k: int
) -> tuple[Float[Array, "tokens {k}"], Int[Array, "tokens {k}"]]:
    gates, chosen = jax.lax.top_k(jax.nn.softmax(logits, axis=-1), k)
    return gates / gates.sum(axis=-1, keepdims=True), chosen


def positions_in_expert(chosen: Int[Array, "tokens k"], experts: int) -> Int[Array, "tokens k"]:
    tokens, k = chosen.shape
    one_hot = jax.nn.one_hot(chosen.reshape(tokens * k), experts, dtype=jnp.int32)
    ranks = jnp.cumsum(one_hot, axis=0) - 1
    return jnp.sum(ranks * one_hot, axis=-1).reshape(tokens, k)


def dispatch_tensor(
    chosen: Int[Array, "tokens k"], gates: Float[Array, "tokens k"], experts: int, capacity: int
) -> Float[Array, "tokens {experts} {capacity}"]:
    position = positions_in_expert(chosen, experts)
    kept: Bool[Array, "tokens k"] = position < capacity
    to_expert = jax.nn.one_hot(chosen, experts)
    to_slot = jax.nn.one_hot(position, capacity)
    return jnp.einsum("tk,tke,tkc->tec", gates * kept, to_expert, to_slot)


def moe(
    x: Float[Array, "tokens d"],
    router: Float[Array, "d experts"],
    w_in: Float[Array, "experts d hidden"],
    w_out: Float[Array, "experts hidden d"],
    *,
    k: int = 2,
    capacity: int = 4,
) -> Float[Array, "tokens d"]:
    gates, chosen = top_k_gates(x @ router, k)
    combine = dispatch_tensor(chosen, gates, router.shape[1], capacity)
    expert_in = jnp.einsum("tec,td->ecd", (combine > 0).astype(x.dtype), x)
    hidden = jax.nn.relu(jnp.einsum("ecd,edh->ech", expert_in, w_in))
    expert_out = jnp.einsum("ech,ehd->ecd", hidden, w_out)
    return jnp.einsum("tec,ecd->td", combine, expert_out)


keys = jax.random.split(jax.random.key(0), 4)
x = jax.random.normal(keys[0], (9, 5))
router = jax.random.normal(keys[1], (5, 3))
w_in = jax.random.normal(keys[2], (3, 5, 8))
w_out = jax.random.normal(keys[3], (3, 8, 5))
print(moe(x, router, w_in, w_out).mean())
