"""A ring buffer of transitions as a flax dataclass with static sizes."""

import jax
import jax.numpy as jnp
from flax import struct
from jaxtyping import Array, Bool, Float, Int32, PRNGKeyArray


@struct.dataclass
class Transition:
    obs: Float[Array, "*b obs_dim"]
    action: Int32[Array, "*b"]
    reward: Float[Array, "*b"]
    done: Bool[Array, "*b"]


@struct.dataclass
class ReplayBuffer:
    data: Transition
    index: Int32[Array, ""]
    filled: Int32[Array, ""]
    capacity: int = struct.field(pytree_node=False)

    @classmethod
    def empty(cls, capacity: int, obs_dim: int) -> "ReplayBuffer":
        data = Transition(
            obs=jnp.zeros((capacity, obs_dim)),
            action=jnp.zeros(capacity, jnp.int32),
            reward=jnp.zeros(capacity),
            done=jnp.zeros(capacity, bool),
        )
        return cls(data=data, index=jnp.int32(0), filled=jnp.int32(0), capacity=capacity)

    def add(
        self, obs: Float[Array, "obs_dim"], action: Int32[Array, ""], reward: Float[Array, ""]
    ) -> "ReplayBuffer":
        data = self.data.replace(
            obs=self.data.obs.at[self.index].set(obs),
            action=self.data.action.at[self.index].set(action),
            reward=self.data.reward.at[self.index].set(reward),
        )
        index = (self.index + 1) % self.capacity
        return self.replace(data=data, index=index, filled=jnp.minimum(self.filled + 1, self.capacity))

    def sample(self, key: PRNGKeyArray, n: int) -> tuple[Float[Array, "{n} obs_dim"], Float[Array, "{n}"]]:
        rows = jax.random.randint(key, (n,), 0, self.filled)
        return self.data.obs[rows], self.data.reward[rows]


buffer = ReplayBuffer.empty(capacity=7, obs_dim=3)
for i in range(5):
    obs = jnp.full(3, float(i))
    buffer = buffer.add(obs, jnp.int32(i % 2), obs.sum())
obs, rewards = buffer.sample(jax.random.key(0), 4)
print(obs, rewards, buffer.filled)
