"""A tiny transformer block written with plain functions."""

import sys
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import random


class Block(NamedTuple):
    wq: jax.Array
    wk: jax.Array
    wv: jax.Array
    wo: jax.Array
    w1: jax.Array
    w2: jax.Array
    scale1: jax.Array
    scale2: jax.Array


def init_block(key, d_model, d_ff):
    keys = random.split(key, 6)
    std = d_model**-0.5
    return Block(
        wq=std * random.normal(keys[0], (d_model, d_model)),
        wk=std * random.normal(keys[1], (d_model, d_model)),
        wv=std * random.normal(keys[2], (d_model, d_model)),
        wo=std * random.normal(keys[3], (d_model, d_model)),
        w1=std * random.normal(keys[4], (d_model, d_ff)),
        w2=d_ff**-0.5 * random.normal(keys[5], (d_ff, d_model)),
        scale1=jnp.ones(d_model),
        scale2=jnp.ones(d_model),
    )


def rms_norm(x, scale, eps=1e-6):
    variance = jnp.mean(x**2, axis=-1, keepdims=True)
    return x * jax.lax.rsqrt(variance + eps) * scale


def causal_mask(length):
    return jnp.tril(jnp.ones((length, length), dtype=bool))


def split_heads(x, heads):
    b, t, d = x.shape
    return x.reshape(b, t, heads, d // heads).transpose(0, 2, 1, 3)


def merge_heads(x):
    b, h, t, k = x.shape
    return x.transpose(0, 2, 1, 3).reshape(b, t, h * k)


def attention(q, k, v, mask):
    scores = jnp.einsum("bhtk,bhsk->bhts", q, k) / jnp.sqrt(q.shape[-1])
    scores = jnp.where(mask, scores, -jnp.inf)
    weights = jax.nn.softmax(scores, axis=-1)
    return jnp.einsum("bhts,bhsk->bhtk", weights, v)


def feed_forward(x, w1, w2):
    return jax.nn.gelu(x @ w1) @ w2


def apply_block(block, x, heads):
    h = rms_norm(x, block.scale1)
    q = split_heads(h @ block.wq, heads)
    k = split_heads(h @ block.wk, heads)
    v = split_heads(h @ block.wv, heads)
    mask = causal_mask(x.shape[1])
    x = x + merge_heads(attention(q, k, v, mask)) @ block.wo
    return x + feed_forward(rms_norm(x, block.scale2), block.w1, block.w2)


def positions(length, dim):
    position = jnp.arange(length)[:, None]
    frequency = jnp.exp(-jnp.log(10000.0) * jnp.arange(0, dim, 2) / dim)
    angles = position * frequency
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)


def model(blocks, embedding, tokens, heads):
    x = embedding[tokens] + positions(tokens.shape[1], embedding.shape[1])
    for block in blocks:
        x = apply_block(block, x, heads)
    return x @ embedding.T


def next_token_loss(logits, tokens):
    log_probs = jax.nn.log_softmax(logits[:, :-1])
    picked = jnp.take_along_axis(log_probs, tokens[:, 1:, None], axis=-1)
    return -picked.mean()


def main(batch=8, length=16, width=32):
    key = random.key(0)
    k_embed, k_tokens, *k_blocks = random.split(key, 4)
    embedding = random.normal(k_embed, (100, width))
    tokens = random.randint(k_tokens, (batch, length), 0, 100)
    blocks = [init_block(k, width, 4 * width) for k in k_blocks]
    logits = model(blocks, embedding, tokens, 4)
    print(logits.shape, next_token_loss(logits, tokens))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
