"""Training by hand: ordinary JAX code in which no checker may report anything, and it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax, random
from jax.typing import DTypeLike

Params = dict[str, Array]


class Adam(NamedTuple):
    mu: Params
    nu: Params
    steps: Array


def init_mlp(key: Array, sizes: Sequence[int]) -> list[tuple[Array, Array]]:
    keys = random.split(key, len(sizes))
    params = []
    for k, m, n in zip(keys, sizes[:-1], sizes[1:], strict=False):
        w_key, b_key = random.split(k)
        params.append((0.1 * random.normal(w_key, (n, m)), 0.1 * random.normal(b_key, (n,))))
    return params


def predict(params: list[tuple[Array, Array]], image: Array) -> Array:
    activations = image
    for w, b in params[:-1]:
        outputs = jnp.dot(w, activations) + b
        activations = jax.nn.relu(outputs)
    final_w, final_b = params[-1]
    logits = jnp.dot(final_w, activations) + final_b
    return logits - jax.nn.logsumexp(logits)


batched_predict = jax.vmap(predict, in_axes=(None, 0))


def accuracy(params: list[tuple[Array, Array]], images: Array, targets: Array) -> Array:
    target_class = jnp.argmax(targets, axis=1)
    predicted_class = jnp.argmax(batched_predict(params, images), axis=1)
    return jnp.mean(predicted_class == target_class)


def mlp_loss(params: list[tuple[Array, Array]], images: Array, targets: Array) -> Array:
    preds = batched_predict(params, images)
    return -jnp.mean(preds * targets)


@jax.jit
def sgd(params: list[tuple[Array, Array]], x: Array, y: Array) -> list[tuple[Array, Array]]:
    grads = jax.grad(mlp_loss)(params, x, y)
    return [(w - 0.01 * dw, b - 0.01 * db) for (w, b), (dw, db) in zip(params, grads, strict=True)]


def adam_init(params: Params) -> Adam:
    zeros = jax.tree.map(jnp.zeros_like, params)
    return Adam(zeros, jax.tree.map(jnp.zeros_like, params), jnp.zeros([], jnp.int32))


def adam_update(
    grads: Params, state: Adam, lr: float = 1e-3, b1: float = 0.9, b2: float = 0.999
) -> tuple[Params, Adam]:
    mu = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, state.mu, grads)
    nu = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g**2, state.nu, grads)
    count = state.steps + 1
    c = count.astype(jnp.float32)
    mu_hat = jax.tree.map(lambda m: m / (1 - b1**c), mu)
    nu_hat = jax.tree.map(lambda v: v / (1 - b2**c), nu)
    updates = jax.tree.map(lambda m, v: -lr * m / (jnp.sqrt(v) + 1e-8), mu_hat, nu_hat)
    return updates, Adam(mu, nu, count)


@partial(jax.jit, static_argnames=("train",), donate_argnums=(0,))
def train_step(
    params: Params, state: Adam, x: Array, y: Array, train: bool = True
) -> tuple[Params, Adam, Array]:
    def loss_fn(params: Params) -> tuple[Array, Array]:
        logits = x @ params["w"] + params["b"]
        one_hot = jax.nn.one_hot(y, 2)
        return -jnp.mean(jnp.sum(one_hot * jax.nn.log_softmax(logits), axis=-1)), logits

    (loss, logits), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
    updates, state = adam_update(grads, state)
    params = jax.tree.map(lambda p, u: p + u, params, updates)
    return params, state, loss


def train(params: Params, data: Iterator[tuple[Array, Array]]) -> Params:
    state = adam_init(params)
    losses = []
    for step, (x, y) in enumerate(data):
        params, state, loss = train_step(params, state, x, y)
        losses.append(loss)
        if step % 10 == 0:
            print(f"step {step}: {loss:.3f}", float(loss), loss.item())
    print(jnp.stack(losses).mean(), np.mean(losses), sum(losses) / len(losses), max(losses))
    return params


def clip_by_norm(grads: Params, norm: float) -> Params:
    total = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    factor = jnp.minimum(1.0, norm / (total + 1e-6))
    return {k: g * factor for k, g in grads.items()}


def reassign(n: int, flag: bool) -> Array:
    x = jnp.zeros((3,))
    x = x + 1
    x = x * 2.0
    x = x.at[0].set(5)
    x = jnp.where(x > 1, x, 0.0)
    x = x / 2
    x += 1
    x *= 2
    x -= jnp.ones(3)
    x = x.reshape(3, 1)
    x = x[:, 0]
    x = x @ x
    x = jnp.sin(x)
    x = jnp.expand_dims(x, 0)
    y = x if flag else jnp.zeros_like(x)
    z: float | Array = 0.0
    for i in range(n):
        z = z + x[i]
    total = sum(row for row in x)
    total2: float | Array = 0.0
    for row in x:
        total2 += row
    w: Array | float = 1.0
    if flag:
        w = w * x
    acc: Array | None = None
    for i in range(n):
        acc = x if acc is None else acc + x
    assert acc is not None
    k = jnp.arange(3.0)
    k = k.astype(jnp.float32)
    k = k / 2
    mask = jnp.ones(3, bool)
    mask = mask & (k > 0)
    mask = jnp.logical_and(mask, ~mask)
    return y + z + total + total2 + w + acc + k.sum() + mask.sum()


class Counter:
    def __init__(self, n: int) -> None:
        self.count = jnp.zeros((), jnp.int32)
        self.values = jnp.zeros((n,))
        self.table: dict[str, Array] = {}
        self.history: list[Array] = []
        self.opt: Array | None = None
        self.num: float | Array = 0.0

    def update(self, x: Array) -> None:
        self.count = self.count + 1
        self.count += 1
        self.values = self.values + x
        self.values = self.values.at[0].add(1.0)
        self.values = jnp.concatenate([self.values, x])
        self.values = jnp.where(self.values > 0, self.values, 0)
        self.table["x"] = x
        self.table["n"] = self.table.get("n", jnp.zeros(())) + x.sum()
        self.history.append(x * 2)
        self.opt = x if self.opt is None else self.opt * 0.9 + x * 0.1
        self.num = self.num + x.sum()

    def result(self) -> Array:
        if self.opt is not None:
            return jnp.stack(self.history).mean(axis=0) + self.opt
        return jnp.stack([h for h in self.history], axis=0).sum(0)


@dataclass
class Config:
    lr: float = 0.1
    dtype: DTypeLike = jnp.float32
    activation: Callable[[Array], Array] = jax.nn.gelu
    kernel: Callable[..., Array] = jax.nn.initializers.normal(0.02)


def loops(x: Array, n: int) -> Array:
    def body(carry: tuple[Array, int], t: Array) -> tuple[tuple[Array, int], Array]:
        h, i = carry
        h = jnp.tanh(h + t)
        return (h, i + 1), h

    (h, count), hs = lax.scan(body, (jnp.zeros(()), 0), x)

    def cond(state: tuple[Array, Array]) -> Array:
        i, value = state
        return i < 10

    def loop(state: tuple[Array, Array]) -> tuple[Array, Array]:
        i, value = state
        return i + 1, value * 2

    i, value = lax.while_loop(cond, loop, (jnp.array(0), h))
    out = lax.fori_loop(0, n, lambda i, acc: acc + x[i], jnp.zeros(()))
    out = lax.fori_loop(0, n, lambda i, acc: acc.at[i].set(i), x)
    a, b = lax.fori_loop(0, n, lambda i, s: (s[0] + 1, s[1] * 2), (x, x))
    c = lax.cond(x.sum() > 0, lambda: x, lambda: -x)
    c = lax.cond(x.sum() > 0, lambda y: y + 1, lambda y: y - 1, x)
    c = lax.cond(x.sum() > 0, lambda y, z: y + z, lambda y, z: y - z, x, c)
    d, e = lax.cond(x.sum() > 0, lambda _: (x, x), lambda _: (x, -x), None)
    f = lax.switch(n, [lambda y: y, lambda y: y + 1, jnp.sin], x)
    g = lax.map(lambda t: t**2, x)
    carry, ys = lax.scan(lambda c, t: (c + t, c * t), 0.0, x)
    carry, ys = lax.scan(lambda c, t: (c + t, c * t), jnp.zeros(()), x, length=3, reverse=True)
    carry, _ = lax.scan(lambda c, _: (c * 2, None), x, None, length=3)
    (p, q), (r, s) = lax.scan(lambda c, t: ((c[0] + t[0], c[1]), (t[0], t[1])), (x[0], x[0]), (x, x))
    st = lax.associative_scan(jnp.add, x)
    st2, st3 = lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] + b[1]), (x, x))
    return (
        out
        + a
        + b
        + c
        + d
        + e
        + f
        + g
        + ys.sum()
        + hs
        + p
        + q
        + r
        + s
        + st
        + st2
        + st3
        + value
        + i
        + carry.sum()
        + count
    )


def main() -> None:
    key = random.PRNGKey(0)
    key, subkey = random.split(key)
    k1, k2, k3 = random.split(key, 3)
    keys = random.split(key, 4)
    params = init_mlp(k1, [4, 8, 2])
    x = random.normal(k2, (5, 4))
    y = jax.nn.one_hot(random.randint(k3, (5,), 0, 2), 2)
    params = sgd(params, x, y)
    print(accuracy(params, x, y), keys.shape, subkey)
    p = {"w": random.normal(k2, (4, 2)), "b": jnp.zeros(2)}
    labels = jnp.argmax(y, -1)
    p = train(p, iter([(x, labels)]))
    p = clip_by_norm(p, 1.0)
    print(reassign(1, True).shape)
    counter = Counter(3)
    counter.update(jnp.ones(3))
    print(counter.result(), Config().activation(x), Config().kernel(key, (2, 2)))
    print(loops(jnp.ones(3), 1))


if __name__ == "__main__":
    main()
