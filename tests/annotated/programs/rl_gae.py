"""Generalized advantage estimation over a batch of trajectories by a reverse scan."""

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Bool, Float, Int


def gae(
    rewards: Float[Array, "t b"],
    values: Float[Array, "t+1 b"],
    dones: Bool[Array, "t b"],
    *,
    gamma: float = 0.99,
    lam: float = 0.95,
) -> tuple[Float[Array, "t b"], Float[Array, "t b"]]:
    not_done = 1.0 - dones
    deltas = rewards + gamma * values[1:] * not_done - values[:-1]

    def backward(
        carry: Float[Array, "b"], x: tuple[Float[Array, "b"], Float[Array, "b"]]
    ) -> tuple[Float[Array, "b"], Float[Array, "b"]]:
        delta, mask = x
        carry = delta + gamma * lam * mask * carry
        return carry, carry

    _, advantages = lax.scan(backward, jnp.zeros(rewards.shape[1]), (deltas, not_done), reverse=True)
    return advantages, advantages + values[:-1]


def ppo_loss(
    logits: Float[Array, "n actions"],
    actions: Int[Array, "n"],
    old_log_probs: Float[Array, "n"],
    advantages: Float[Array, "n"],
    clip: float = 0.2,
) -> Float[Array, ""]:
    log_probs = jax.nn.log_softmax(logits)[jnp.arange(actions.shape[0]), actions]
    ratio = jnp.exp(log_probs - old_log_probs)
    clipped = jnp.clip(ratio, 1 - clip, 1 + clip)
    return -jnp.mean(jnp.minimum(ratio * advantages, clipped * advantages))


t, b = 6, 3
rewards = jax.random.normal(jax.random.key(0), (t, b))
values = jax.random.normal(jax.random.key(1), (t + 1, b))
dones = jnp.zeros((t, b), bool).at[3, 1].set(True)
advantages, returns = gae(rewards, values, dones)
logits = jax.random.normal(jax.random.key(2), (t * b, 4))
actions = jnp.arange(t * b) % 4
loss = ppo_loss(logits, actions, jnp.full(t * b, -1.4), advantages.reshape(t * b))
print(loss, returns.mean())
