"""Dilated causal convolutions with left padding and caches for generation."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int


def pad_left(x: Float[Array, "t c"], amount: int) -> Float[Array, "t+{amount} c"]:
    return jnp.concatenate([jnp.zeros((amount, x.shape[1])), x], axis=0)


def causal_conv(x: Float[Array, "t c"], kernel: Float[Array, "k c c"], dilation: int) -> Float[Array, "t c"]:
    t, k = x.shape[0], kernel.shape[0]
    padded = pad_left(x, (k - 1) * dilation)
    taps = [padded[i * dilation : i * dilation + t] @ kernel[i] for i in range(k)]
    return jnp.stack(taps).sum(axis=0)


def stack(
    x: Float[Array, "t c"], kernels: list[Float[Array, "k c c"]]
) -> tuple[Float[Array, "t c"], Float[Array, "layers t c"]]:
    skips = []
    for depth, kernel in enumerate(kernels):
        update = jnp.tanh(causal_conv(x, kernel, 2**depth))
        skips.append(update)
        x = x + update
    return x, jnp.stack(skips)


def logits(
    tokens: Int[Array, "t"],
    table: Float[Array, "levels c"],
    kernels: list[Float[Array, "k c c"]],
    readout: Float[Array, "c levels"],
) -> Float[Array, "t levels"]:
    _, skips = stack(table[tokens], kernels)
    return jax.nn.relu(skips.sum(axis=0)) @ readout


def append(history: Float[Array, "t c"], new: Float[Array, "s c"]) -> Float[Array, "t+s c"]:
    return jnp.concatenate([history, new])


keys = jax.random.split(jax.random.key(0), 5)
table = jax.random.normal(keys[0], (11, 4))
kernels = [0.3 * jax.random.normal(key, (2, 4, 4)) for key in keys[1:4]]
readout = jax.random.normal(keys[4], (4, 11))
tokens = jnp.arange(9) % 11
out = logits(tokens, table, kernels, readout)
history = append(table[tokens], table[jnp.argmax(out[-3:], axis=-1)])
print(out.mean(), history.shape)
