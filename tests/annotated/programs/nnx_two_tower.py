"""Two towers of nnx layers that score users against items."""

import jax
import jax.numpy as jnp
from flax import nnx
from jaxtyping import Array, Float, Int


class Tower(nnx.Module):
    def __init__(self, vocab: int, n_dense: int, dim: int, *, rngs: nnx.Rngs):
        self.embed = nnx.Embed(vocab, dim, rngs=rngs)
        self.dense = nnx.Linear(n_dense, dim, rngs=rngs)
        self.out = nnx.Linear(2 * dim, dim, rngs=rngs)

    def __call__(self, ids: Int[Array, "b"], dense: Float[Array, "b n_dense"]) -> Float[Array, "b dim"]:
        joined = jnp.concatenate([self.embed(ids), self.dense(dense)], axis=-1)
        out = self.out(nnx.relu(joined))
        return out / (jnp.linalg.norm(out, axis=-1, keepdims=True) + 1e-6)


class TwoTower(nnx.Module):
    def __init__(self, *, rngs: nnx.Rngs):
        self.user = Tower(20, 3, 6, rngs=rngs)
        self.item = Tower(30, 5, 6, rngs=rngs)
        self.temperature = nnx.Param(jnp.array(0.1))

    @nnx.jit
    def scores(
        self,
        user_ids: Int[Array, "users"],
        user_dense: Float[Array, "users f_user"],
        item_ids: Int[Array, "items"],
        item_dense: Float[Array, "items f_item"],
    ) -> Float[Array, "users items"]:
        u = self.user(user_ids, user_dense)
        v = self.item(item_ids, item_dense)
        return u @ v.T / self.temperature[...]


def recall_at(k: int, scores: Float[Array, "users items"], clicked: Int[Array, "users"]) -> Float[Array, ""]:
    _, top = jax.lax.top_k(scores, k)
    return jnp.mean(jnp.any(top == clicked[:, None], axis=-1))


model = TwoTower(rngs=nnx.Rngs(0))
user_dense = jax.random.normal(jax.random.key(0), (4, 3))
item_dense = jax.random.normal(jax.random.key(1), (9, 5))
scores = model.scores(jnp.arange(4), user_dense, jnp.arange(9) * 3, item_dense)
print(recall_at(2, scores, jnp.array([0, 3, 5, 8])))
