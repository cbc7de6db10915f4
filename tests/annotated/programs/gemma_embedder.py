"""A linen embedder that shares its table between input tokens and output logits."""

import jax
import jax.numpy as jnp
from flax import linen as nn
from jaxtyping import Array, Bool, Float, Int


class Embedder(nn.Module):
    vocab_size: int
    embed_dim: int

    def setup(self) -> None:
        self.table = self.param("table", nn.initializers.normal(), (self.vocab_size, self.embed_dim))

    def encode(self, tokens: Int[Array, "b t"]) -> Float[Array, "b t {self.embed_dim}"]:
        return self.table[tokens] * jnp.sqrt(self.embed_dim)

    def decode(self, x: Float[Array, "b t {self.embed_dim}"]) -> Float[Array, "b t {self.vocab_size}"]:
        return jnp.dot(x, self.table.T)


class GatedBlock(nn.Module):
    hidden_dim: int

    @nn.compact
    def __call__(self, x: Float[Array, "b t d"]) -> Float[Array, "b t d"]:
        gate = nn.Dense(self.hidden_dim, name="gate")(x)
        value = nn.Dense(self.hidden_dim, name="value")(x)
        return x + nn.Dense(x.shape[-1], name="out")(nn.gelu(gate) * value)


class LanguageModel(nn.Module):
    vocab_size: int
    embed_dim: int

    def setup(self) -> None:
        self.embedder = Embedder(self.vocab_size, self.embed_dim)
        self.block = GatedBlock(3 * self.embed_dim)

    def __call__(self, tokens: Int[Array, "b t"]) -> Float[Array, "b t vocab"]:
        return self.embedder.decode(self.block(self.embedder.encode(tokens)))


def next_token_loss(
    logits: Float[Array, "b t vocab"], tokens: Int[Array, "b t"], mask: Bool[Array, "b t"]
) -> Float[Array, ""]:
    log_probs = jax.nn.log_softmax(logits[:, :-1])
    picked = jnp.take_along_axis(log_probs, tokens[:, 1:, None], axis=-1)[..., 0]
    return -jnp.sum(picked * mask[:, 1:]) / jnp.sum(mask[:, 1:])


tokens = jax.random.randint(jax.random.key(0), (2, 7), 0, 11)
model = LanguageModel(vocab_size=11, embed_dim=6)
params = model.init(jax.random.key(1), tokens)
print(next_token_loss(model.apply(params, tokens), tokens, tokens != 0))
