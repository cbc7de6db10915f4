"""The outer product mean, from an alignment of sequences to pairs of residues."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PRNGKeyArray


def flat_outer(
    a: Float[Array, "seqs res c"], b: Float[Array, "seqs res c"], mask: Bool[Array, "seqs res"]
) -> Float[Array, "res res c*c"]:
    n_res, c = a.shape[1:]
    a = jnp.where(mask[..., None], a, 0.0)
    b = jnp.where(mask[..., None], b, 0.0)
    outer = jnp.einsum("sic,sjd->ijcd", a, b)
    return outer.reshape(n_res, n_res, c * c)


class OuterProductMean(eqx.Module):
    norm: eqx.nn.LayerNorm
    left: eqx.nn.Linear
    right: eqx.nn.Linear
    out: eqx.nn.Linear

    def __init__(self, c_msa: int, c_hidden: int, c_pair: int, *, key: PRNGKeyArray):
        left_key, right_key, out_key = jax.random.split(key, 3)
        self.norm = eqx.nn.LayerNorm(c_msa)
        self.left = eqx.nn.Linear(c_msa, c_hidden, key=left_key)
        self.right = eqx.nn.Linear(c_msa, c_hidden, key=right_key)
        self.out = eqx.nn.Linear(c_hidden * c_hidden, c_pair, key=out_key)

    def __call__(
        self, msa: Float[Array, "seqs res c_msa"], mask: Bool[Array, "seqs res"]
    ) -> Float[Array, "res res c_pair"]:
        x = jax.vmap(jax.vmap(self.norm))(msa)
        a = jax.vmap(jax.vmap(self.left))(x)
        b = jax.vmap(jax.vmap(self.right))(x)
        update = jax.vmap(jax.vmap(self.out))(flat_outer(a, b, mask))
        weight = mask.astype(jnp.float32)
        count = jnp.einsum("si,sj->ij", weight, weight)
        return update / (count[..., None] + 1e-3)


msa = jax.random.normal(jax.random.PRNGKey(0), (3, 6, 8))
mask = jnp.ones((3, 6), bool).at[:, 5].set(False)
block = OuterProductMean(8, 4, 5, key=jax.random.PRNGKey(1))
print(block(msa, mask).mean())
