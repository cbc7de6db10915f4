"""Cross-attention from queries to a context, as one equinox module."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PRNGKeyArray


class CrossAttention(eqx.Module):
    w_q: Float[Array, "heads d_model d_head"]
    w_k: Float[Array, "heads d_context d_head"]
    w_v: Float[Array, "heads d_context d_head"]
    w_o: Float[Array, "heads d_head d_model"]

    def __init__(self, d_model: int, d_context: int, heads: int, d_head: int, *, key: PRNGKeyArray):
        q_key, k_key, v_key, o_key = jax.random.split(key, 4)
        self.w_q = jax.random.normal(q_key, (heads, d_model, d_head)) / jnp.sqrt(d_model)
        self.w_k = jax.random.normal(k_key, (heads, d_context, d_head)) / jnp.sqrt(d_context)
        self.w_v = jax.random.normal(v_key, (heads, d_context, d_head)) / jnp.sqrt(d_context)
        self.w_o = jax.random.normal(o_key, (heads, d_head, d_model)) / jnp.sqrt(d_head)

    def __call__(
        self,
        x: Float[Array, "q d_model"],
        context: Float[Array, "k d_context"],
        mask: Bool[Array, "q k"] | None = None,
    ) -> Float[Array, "q d_model"]:
        queries = jnp.einsum("qm,hmd->hqd", x, self.w_q)
        keys = jnp.einsum("kc,hcd->hkd", context, self.w_k)
        values = jnp.einsum("kc,hcd->hkd", context, self.w_v)
        scores = jnp.einsum("hqd,hkd->hqk", queries, keys) / jnp.sqrt(queries.shape[-1])
        if mask is not None:
            scores = jnp.where(mask, scores, -1e9)
        weights = jax.nn.softmax(scores, axis=-1)
        mixed = jnp.einsum("hqk,hkd->hqd", weights, values)
        return jnp.einsum("hqd,hdm->qm", mixed, self.w_o)


layer_key, x_key, c_key = jax.random.split(jax.random.key(0), 3)
attention = CrossAttention(8, 6, heads=2, d_head=4, key=layer_key)
x = jax.random.normal(x_key, (5, 8))
context = jax.random.normal(c_key, (7, 6))
causal = jnp.arange(5)[:, None] >= jnp.arange(7)[None, :]
print(attention(x, context).mean(), attention(x, context, causal).mean())
