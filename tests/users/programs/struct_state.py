"""A training state in a flax.struct dataclass, with an exponential moving average of the weights."""

from typing import Any

import jax
import jax.numpy as jnp
import optax
from flax import struct


@struct.dataclass
class State:
    step: jax.Array
    params: dict[str, jax.Array]
    ema: dict[str, jax.Array]
    opt_state: Any
    decay: float = struct.field(pytree_node=False, default=0.99)


tx = optax.adamw(1e-2, weight_decay=1e-4)


def create(key: jax.Array) -> State:
    k1, k2 = jax.random.split(key)
    params = {
        "hidden": 0.3 * jax.random.normal(k1, (2, 16)),
        "out": 0.3 * jax.random.normal(k2, (16, 1)),
    }
    return State(step=jnp.array(0), params=params, ema=params, opt_state=tx.init(params))


def apply(params: dict[str, jax.Array], x: jax.Array) -> jax.Array:
    return jnp.sin(x @ params["hidden"]) @ params["out"]


@jax.jit
def train_step(state: State, x: jax.Array, y: jax.Array) -> tuple[State, jax.Array]:
    def loss_fn(params: dict[str, jax.Array]) -> jax.Array:
        return optax.l2_loss(apply(params, x), y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    updates, opt_state = tx.update(grads, state.opt_state, state.params)
    params = optax.apply_updates(state.params, updates)
    ema = optax.incremental_update(params, state.ema, 1 - state.decay)
    return state.replace(step=state.step + 1, params=params, ema=ema, opt_state=opt_state), loss


def grid(n: int) -> jax.Array:
    axis = jnp.linspace(-1.0, 1.0, n)
    return jnp.stack(jnp.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


x = grid(6)
y = x[:, :1] * x[:, 1:]
state = create(jax.random.key(0))
for _ in range(4):
    state, loss = train_step(state, x, y)
print("step", state.step, "loss", loss)

left = jnp.linspace(0.0, 1.0, 5)
right = jnp.linspace(1.0, 2.0, 5)
edges = jnp.stack([left, right], axis=1)
prediction = apply(state.ema, edges)
products = edges.prod(axis=1, keepdims=True)
error = jnp.abs(prediction - products).mean()
normal_equations = edges.T @ edges
weights = jnp.linalg.solve(normal_equations, edges.T @ products)
print("error outside", error, "linear", weights.ravel())
