"""A causal transformer, functions and nested dicts, tied embeddings."""

import math

import jax
import jax.numpy as jnp
import numpy as np

config = {"vocab": 50, "d_model": 32, "n_heads": 4, "n_layers": 2, "max_len": 20, "d_ff": 64}


def sinusoids(length, width):
    position = np.arange(length)[:, np.newaxis]
    div_term = np.exp(np.arange(0, width, 2) * -(math.log(10000.0) / width))
    table = np.zeros((length, width))
    table[:, 0::2] = np.sin(position * div_term)
    table[:, 1::2] = np.cos(position * div_term)
    return jnp.asarray(table, dtype=jnp.float32)


def layer_norm(x, scale, bias, eps=1e-5):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    var = jnp.var(x, axis=-1, keepdims=True)
    normed = (x - mean) * jax.lax.rsqrt(var + eps)
    return normed * scale + bias


def dense_init(key, n_in, n_out):
    limit = math.sqrt(6 / (n_in + n_out))
    return jax.random.uniform(key, (n_in, n_out), minval=-limit, maxval=limit)


def block_init(key, d, d_ff):
    keys = iter(jax.random.split(key, 6))
    attention = {name: dense_init(next(keys), d, d) for name in ("q", "k", "v", "o")}
    mlp = {
        "w1": dense_init(next(keys), d, d_ff),
        "b1": jnp.zeros(d_ff),
        "w2": dense_init(next(keys), d_ff, d),
        "b2": jnp.zeros(d),
    }
    norms = [{"scale": jnp.ones(d), "bias": jnp.zeros(d)} for _ in range(2)]
    return {"attention": attention, "mlp": mlp, "norms": norms}


def init(key, cfg):
    key, k_embed = jax.random.split(key)
    return {
        "embed": 0.02 * jax.random.normal(k_embed, (cfg["vocab"], cfg["d_model"])),
        "blocks": [block_init(k, cfg["d_model"], cfg["d_ff"]) for k in jax.random.split(key, cfg["n_layers"])],
        "final": {"scale": jnp.ones(cfg["d_model"]), "bias": jnp.zeros(cfg["d_model"])},
    }


def split_heads(x, n_heads):
    *batch, length, width = x.shape
    return x.reshape(*batch, length, n_heads, width // n_heads).swapaxes(-2, -3)


def attend(p, x, mask, n_heads):
    q, k, v = (split_heads(x @ p[name], n_heads) for name in "qkv")
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    scores = jnp.where(mask, scores, -1e9)
    weights = jax.nn.softmax(scores, axis=-1)
    mixed = weights @ v
    merged = mixed.swapaxes(-2, -3).reshape(x.shape)
    return merged @ p["o"], weights


def block(p, x, mask, n_heads):
    first, second = p["norms"]
    h, weights = attend(p["attention"], layer_norm(x, **first), mask, n_heads)
    x = x + h
    h = layer_norm(x, **second)
    h = jax.nn.gelu(h @ p["mlp"]["w1"] + p["mlp"]["b1"]) @ p["mlp"]["w2"] + p["mlp"]["b2"]
    return x + h, weights


def forward(params, tokens, cfg=config, return_weights=False):
    length = tokens.shape[-1]
    x = params["embed"][tokens] * math.sqrt(cfg["d_model"])
    x = x + sinusoids(cfg["max_len"], cfg["d_model"])[:length]
    mask = jnp.tril(jnp.ones((length, length), dtype=bool))
    collected = []
    for p in params["blocks"]:
        x, weights = block(p, x, mask, cfg["n_heads"])
        collected.append(weights)
    x = layer_norm(x, **params["final"])
    logits = x @ params["embed"].T
    if return_weights:
        return logits, jnp.stack(collected)
    return logits


def loss_fn(params, tokens):
    logits = forward(params, tokens[:, :-1])
    labels = jax.nn.one_hot(tokens[:, 1:], logits.shape[-1])
    return -(labels * jax.nn.log_softmax(logits)).sum(-1).mean()


params = init(jax.random.key(0), config)
tokens = jax.random.randint(jax.random.key(1), (4, config["max_len"]), 0, config["vocab"])
grad_fn = jax.jit(jax.value_and_grad(loss_fn))
for i in range(3):
    loss, grads = grad_fn(params, tokens)
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
logits, attention = forward(params, tokens[:, :7], return_weights=True)
count = sum(leaf.size for leaf in jax.tree.leaves(params))
print(loss, logits.shape, attention.shape, f"{count:,} parameters")
next_token = logits[:, -1].argmax(-1)
one = forward(params, tokens[0])
