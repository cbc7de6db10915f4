"""REINFORCE on a grid: an environment as a class, rollouts in Python loops, lists of logs, branches on data."""

import random

import jax
import jax.numpy as jnp
import numpy as np


class GridWorld:
    moves = {0: (-1, 0), 1: (1, 0), 2: (0, -1), 3: (0, 1)}

    def __init__(self, size=4, walls=((1, 1),), horizon=12):
        self.size, self.walls, self.horizon = size, set(walls), horizon
        self.reset()

    def reset(self):
        self.position = [0, 0]
        self.t = 0
        return self.observe()

    def observe(self):
        grid = np.zeros((self.size, self.size), np.float32)
        grid[tuple(self.position)] = 1.0
        return grid.ravel()

    @property
    def done(self):
        return self.t >= self.horizon or self.position == [self.size - 1] * 2

    def step(self, action):
        row, col = (p + d for p, d in zip(self.position, self.moves[action]))
        inside = 0 <= row < self.size and 0 <= col < self.size
        if inside and (row, col) not in self.walls:
            self.position = [row, col]
        self.t += 1
        reward = 1.0 if self.position == [self.size - 1] * 2 else -0.02
        return self.observe(), reward, self.done, {}


def policy(params, obs):
    h = jnp.tanh(obs @ params["w1"] + params["b1"])
    return jax.nn.log_softmax(h @ params["w2"])


@jax.jit
def act(params, key, obs):
    logits = policy(params, obs)
    return jax.random.categorical(key, logits), logits


def rollout(env, params, key):
    observations, actions, rewards = [], [], []
    obs, done = env.reset(), False
    while not done:
        key, sub = jax.random.split(key)
        action, _ = act(params, sub, obs)
        observations.append(obs)
        actions.append(int(action))
        obs, reward, done, _ = env.step(actions[-1])
        rewards.append(reward)
    return np.array(observations), np.array(actions), rewards


def discounted(rewards, gamma=0.95):
    out = []
    running = 0.0
    for r in reversed(rewards):
        running = r + gamma * running
        out.insert(0, running)
    return jnp.array(out)


def pad_to(x, n):
    width = [(0, n - len(x))] + [(0, 0)] * (x.ndim - 1)
    return jnp.pad(x, width)


@jax.jit
def update(params, obs, actions, advantages, mask):
    def objective(params):
        logp = policy(params, obs)[jnp.arange(obs.shape[0]), actions]
        entropy = -(jnp.exp(policy(params, obs)) * policy(params, obs)).sum(-1)
        return -((logp * advantages + 0.01 * entropy) * mask).sum() / mask.sum()

    loss, grads = jax.value_and_grad(objective)(params)
    return {k: params[k] - 0.2 * grads[k] for k in params}, loss


random.seed(0)
env = GridWorld()
key = jax.random.PRNGKey(0)
k1, k2, key = jax.random.split(key, 3)
params = {
    "w1": jax.random.normal(k1, (env.size**2, 16)) * 0.3,
    "b1": jnp.zeros(16),
    "w2": jax.random.normal(k2, (16, 4)) * 0.3,
}
baseline, log = 0.0, []
for episode in range(15):
    key, sub = jax.random.split(key)
    obs, actions, rewards = rollout(env, params, sub)
    returns = discounted(rewards)
    advantages = returns - baseline
    baseline = 0.9 * baseline + 0.1 * float(returns[0])
    if len(rewards) == env.horizon and rewards[-1] < 0 and random.random() < 0.2:
        continue
    n = env.horizon
    mask = jnp.arange(n) < len(actions)
    params, loss = update(params, pad_to(obs, n), pad_to(actions, n), pad_to(advantages, n), mask)
    log.append({"return": sum(rewards), "loss": loss.item(), "length": len(rewards)})

lengths = jnp.array([entry["length"] for entry in log])
mean_return = np.mean([entry["return"] for entry in log])
probabilities = jnp.exp(policy(params, jnp.eye(env.size**2)))
best = probabilities.argmax(-1).reshape(env.size, env.size)
if mean_return > 0:
    verdict = probabilities.max()
else:
    verdict = jnp.max(lengths)
print(len(log), mean_return, lengths, best.shape, verdict)
