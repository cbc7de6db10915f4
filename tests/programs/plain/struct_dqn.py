"""Q-learning on a chain with flax.struct dataclasses: replay buffer, target network, replace."""

from typing import Callable

import flax
import jax
import jax.numpy as jnp
import numpy as np
from flax import struct

N_STATES, N_ACTIONS = 8, 2


@struct.dataclass
class Buffer:
    observations: jax.Array
    actions: jax.Array
    rewards: jax.Array
    cursor: jax.Array
    capacity: int = struct.field(pytree_node=False, default=64)

    @classmethod
    def create(cls, capacity):
        return cls(
            observations=jnp.zeros((capacity, 2), jnp.int32),
            actions=jnp.zeros(capacity, jnp.int32),
            rewards=jnp.zeros(capacity),
            cursor=jnp.array(0),
            capacity=capacity,
        )

    def add(self, observation, action, reward, following):
        i = self.cursor % self.capacity
        return self.replace(
            observations=self.observations.at[i].set(jnp.array([observation, following])),
            actions=self.actions.at[i].set(action),
            rewards=self.rewards.at[i].set(reward),
            cursor=self.cursor + 1,
        )

    def sample(self, key, n):
        filled = jnp.minimum(self.cursor, self.capacity)
        rows = jax.random.randint(key, (n,), 0, filled)
        obs, following = self.observations[rows].T
        return obs, self.actions[rows], self.rewards[rows], following


@flax.struct.dataclass
class Agent:
    params: dict
    target: dict
    apply: Callable = struct.field(pytree_node=False)
    epsilon: float = 0.2

    def act(self, key, state):
        k1, k2 = jax.random.split(key)
        q = self.apply(self.params, state)
        greedy = jnp.argmax(q)
        return jnp.where(jax.random.uniform(k1) < self.epsilon, jax.random.randint(k2, (), 0, N_ACTIONS), greedy)


def q_values(params, state):
    hidden = jax.nn.relu(params["embedding"][state])
    return hidden @ params["out"]


def environment(state, action):
    moved = state + (1 if action == 1 else -1)
    moved = max(0, min(N_STATES - 1, moved))
    reward = 1.0 if moved == N_STATES - 1 else 0.0
    return moved, reward


def td_loss(params, agent, batch, gamma=0.9):
    obs, actions, rewards, following = batch
    q = agent.apply(params, obs)[jnp.arange(obs.shape[0]), actions]
    bootstrap = agent.apply(agent.target, following).max(axis=-1)
    target = rewards + gamma * jax.lax.stop_gradient(bootstrap)
    error = q - target
    return jnp.where(jnp.abs(error) < 1, 0.5 * error**2, jnp.abs(error) - 0.5).mean()


@jax.jit
def learn(agent, batch):
    loss, grads = jax.value_and_grad(td_loss)(agent.params, agent, batch)
    params = jax.tree.map(lambda p, g: p - 0.5 * g, agent.params, grads)
    return agent.replace(params=params), loss


key = jax.random.PRNGKey(0)
key, k1, k2 = jax.random.split(key, 3)
params = {
    "embedding": 0.5 * jax.random.normal(k1, (N_STATES, 16)),
    "out": 0.1 * jax.random.normal(k2, (16, N_ACTIONS)),
}
agent = Agent(params=params, target=params, apply=q_values)
buffer = Buffer.create(32)
state = 0
returns = np.zeros(40)
loss = None
for t in range(40):
    key, k_act, k_batch = jax.random.split(key, 3)
    action = int(agent.act(k_act, state))
    following, reward = environment(state, action)
    buffer = buffer.add(state, action, reward, following)
    returns[t] = reward
    state = 0 if reward else following
    if t >= 8:
        agent, loss = learn(agent, buffer.sample(k_batch, 8))
    if t % 10 == 9:
        agent = agent.replace(target=agent.params)
table = jax.vmap(agent.apply, (None, 0))(agent.params, jnp.arange(N_STATES))
policy = table.argmax(1)
stored = buffer.rewards.sum()
print(loss, policy, returns.sum(), stored, buffer.cursor)
