"""Q-learning on a line, with a replay buffer as a dataclass pytree."""

import sys
from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Buffer:
    states: jax.Array
    actions: jax.Array
    rewards: jax.Array
    next_states: jax.Array
    size: jax.Array


@dataclass
class Config:
    capacity: int = 64
    batch: int = 16
    gamma: float = 0.9
    epsilon: float = 0.2
    rate: float = 0.05


def empty(capacity):
    return Buffer(
        states=jnp.zeros(capacity),
        actions=jnp.zeros(capacity, jnp.int32),
        rewards=jnp.zeros(capacity),
        next_states=jnp.zeros(capacity),
        size=jnp.array(0),
    )


@jax.jit
def add(buffer, state, action, reward, next_state):
    at = buffer.size % buffer.states.shape[0]
    return replace(
        buffer,
        states=buffer.states.at[at].set(state),
        actions=buffer.actions.at[at].set(action),
        rewards=buffer.rewards.at[at].set(reward),
        next_states=buffer.next_states.at[at].set(next_state),
        size=buffer.size + 1,
    )


def features(state, width):
    centers = jnp.linspace(-1, 1, width)
    return jnp.exp(-10 * (state - centers) ** 2)


def q_values(weights, state):
    return features(state, weights.shape[1]) @ weights.T


def choose(key, weights, state, epsilon):
    k1, k2 = jax.random.split(key)
    best = jnp.argmax(q_values(weights, state))
    other = jax.random.randint(k1, (), 0, weights.shape[0])
    return jnp.where(jax.random.uniform(k2) < epsilon, other, best)


def environment(state, action):
    moved = jnp.clip(state + 0.1 * (action - 1), -1, 1)
    return moved, -jnp.abs(moved - 0.5)


def td_loss(weights, target_weights, batch, gamma):
    values = jax.vmap(q_values, (None, 0))(weights, batch.states)
    taken = values[jnp.arange(len(batch.actions)), batch.actions]
    following = jax.vmap(q_values, (None, 0))(target_weights, batch.next_states).max(axis=1)
    return jnp.mean((batch.rewards + gamma * following - taken) ** 2)


def draw(key, buffer, count):
    rows = jax.random.randint(key, (count,), 0, jnp.minimum(buffer.size, len(buffer.states)))
    return jax.tree.map(lambda x: x[rows] if x.ndim else x, buffer)


def run(config, width, steps, seed=0):
    key = jax.random.PRNGKey(seed)
    weights = target = jnp.zeros((3, width))
    buffer, state = empty(config.capacity), jnp.array(0.0)
    losses = []
    for step in range(steps):
        key, k_act, k_draw = jax.random.split(key, 3)
        action = choose(k_act, weights, state, config.epsilon)
        next_state, reward = environment(state, action)
        buffer = add(buffer, state, action, reward, next_state)
        state = next_state
        if step >= config.batch:
            batch = draw(k_draw, buffer, config.batch)
            loss, grads = jax.value_and_grad(td_loss)(weights, target, batch, config.gamma)
            weights = weights - config.rate * grads
            losses.append(float(loss))
        if step % 10 == 0:
            target = weights
    return weights, losses


def main(capacity=32, batch=8, width=8):
    weights, losses = run(Config(capacity=capacity, batch=batch), width, 20)
    print(weights.shape, losses[-1])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
