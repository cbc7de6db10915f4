"""A character-level LSTM whose sizes, and whose number of layers, are options of the command line."""

import argparse
import functools
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random


def load_text(path):
    text = Path(path).read_text()
    chars = sorted(set(text))
    stoi = {c: i for i, c in enumerate(chars)}
    itos = {i: c for c, i in stoi.items()}
    data = np.array([stoi[c] for c in text], dtype=np.int32)
    return data, stoi, itos


def init_lstm(key, input_size, hidden_size):
    k1, k2 = random.split(key)
    scale = 1.0 / jnp.sqrt(hidden_size)
    return {
        "wx": random.uniform(k1, (input_size, 4 * hidden_size), minval=-scale, maxval=scale),
        "wh": random.uniform(k2, (hidden_size, 4 * hidden_size), minval=-scale, maxval=scale),
        "b": jnp.zeros((4 * hidden_size,)),
    }


def init_params(key, vocab, embed, hidden, layers):
    keys = random.split(key, layers + 2)
    params = {
        "embed": random.normal(keys[0], (vocab, embed)) * 0.1,
        "layers": [],
        "out": {
            "w": random.normal(keys[1], (hidden, vocab)) * 0.1,
            "b": jnp.zeros((vocab,)),
        },
    }
    size = embed
    for i in range(layers):
        params["layers"].append(init_lstm(keys[2 + i], size, hidden))
        size = hidden
    return params


def lstm_cell(params, carry, x):
    h, c = carry
    gates = x @ params["wx"] + h @ params["wh"] + params["b"]
    i, f, g, o = jnp.split(gates, 4, axis=-1)
    i, f, o = jax.nn.sigmoid(i), jax.nn.sigmoid(f + 1.0), jax.nn.sigmoid(o)
    g = jnp.tanh(g)
    c = f * c + i * g
    h = o * jnp.tanh(c)
    return (h, c), h


def forward(params, tokens, states):
    x = params["embed"][tokens]  # B T E
    x = jnp.swapaxes(x, 0, 1)
    new_states = []
    for layer, state in zip(params["layers"], states):
        state, x = lax.scan(functools.partial(lstm_cell, layer), state, x)
        new_states.append(state)
    x = jnp.swapaxes(x, 0, 1)
    logits = x @ params["out"]["w"] + params["out"]["b"]
    return logits, new_states


def zero_states(batch, hidden, layers):
    return [(jnp.zeros((batch, hidden)), jnp.zeros((batch, hidden))) for _ in range(layers)]


def loss_fn(params, inputs, targets, states):
    logits, states = forward(params, inputs, states)
    logp = jax.nn.log_softmax(logits)
    nll = -jnp.take_along_axis(logp, targets[..., None], axis=-1)[..., 0]
    return nll.mean(), states


@jax.jit
def train_step(params, opt, inputs, targets, states, lr):
    (loss, states), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, inputs, targets, states)
    gnorm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    clip = jnp.minimum(1.0, 5.0 / (gnorm + 1e-6))
    grads = jax.tree.map(lambda g: g * clip, grads)
    m, v, t = opt
    t = t + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, v, grads)
    mhat = jax.tree.map(lambda m: m / (1 - 0.9**t), m)
    vhat = jax.tree.map(lambda v: v / (1 - 0.999**t), v)
    params = jax.tree.map(lambda p, m, v: p - lr * m / (jnp.sqrt(v) + 1e-8), params, mhat, vhat)
    states = jax.tree.map(lax.stop_gradient, states)
    return params, (m, v, t), loss, gnorm, states


def batches(data, batch, steps):
    n = (len(data) - 1) // (batch * steps) * (batch * steps)
    x = data[:n].reshape(batch, -1)
    y = data[1 : n + 1].reshape(batch, -1)
    for i in range(0, x.shape[1], steps):
        yield x[:, i : i + steps], y[:, i : i + steps]


def sample(params, key, start, length, hidden, layers, temperature=0.8):
    states = zero_states(1, hidden, layers)
    token = jnp.array([[start]])
    out = []
    for _ in range(length):
        logits, states = forward(params, token, states)
        key, sub = random.split(key)
        token = random.categorical(sub, logits[:, -1] / temperature)[:, None]
        out.append(int(token[0, 0]))
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--text", default=__file__)
    parser.add_argument("--hidden", type=int, default=16)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()

    data, stoi, itos = load_text(args.text)
    key = random.PRNGKey(0)
    key, init_key = random.split(key)
    params = init_params(init_key, len(stoi), 32, args.hidden, args.layers)
    zeros = jax.tree.map(jnp.zeros_like, params)
    opt = (zeros, zeros, 0)
    for epoch in range(args.epochs):
        states = zero_states(args.batch, args.hidden, args.layers)
        losses = []
        for inputs, targets in batches(data, args.batch, args.steps):
            params, opt, loss, gnorm, states = train_step(params, opt, inputs, targets, states, args.lr)
            losses.append(float(loss))
        print(f"epoch {epoch} loss {np.mean(losses):.3f} |g| {float(gnorm):.2f}")
    key, sub = random.split(key)
    text = "".join(itos[i] for i in sample(params, sub, int(data[0]), 3, args.hidden, args.layers))
    print(repr(text))


if __name__ == "__main__":
    main()
