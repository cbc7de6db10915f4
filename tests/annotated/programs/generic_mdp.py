"""A tabular decision process with sizes of its own, generic in the names of its states."""

from typing import Generic, TypeVar

import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Bool, Float, Int

StateName = TypeVar("StateName")
Carry = tuple[Float[Array, "s"], Float[Array, "s"]]


class TabularMDP(Generic[StateName]):
    def __init__(
        self,
        names: list[StateName],
        transitions: Float[Array, "states actions states"],
        rewards: Float[Array, "states actions"],
        discount: float = 0.9,
    ):
        self.names = names
        self.n_states, self.n_actions = rewards.shape
        self.transitions = transitions
        self.rewards = rewards
        self.discount = discount

    def q_values(
        self, values: Float[Array, "{self.n_states}"]
    ) -> Float[Array, "{self.n_states} {self.n_actions}"]:
        return self.rewards + self.discount * jnp.einsum("sat,t->sa", self.transitions, values)

    def value_iteration(self, tolerance: float = 1e-4) -> Float[Array, "{self.n_states}"]:
        def unfinished(carry: Carry) -> Bool[Array, ""]:
            old, new = carry
            return jnp.abs(old - new).max() > tolerance

        def sweep(carry: Carry) -> Carry:
            _, values = carry
            return values, self.q_values(values).max(axis=1)

        start = jnp.zeros(self.n_states)
        _, values = lax.while_loop(unfinished, sweep, (start + 1.0, start))
        return values

    def greedy(self, values: Float[Array, "{self.n_states}"]) -> Int[Array, "{self.n_states}"]:
        return jnp.argmax(self.q_values(values), axis=1)

    def evaluate(self, policy: Int[Array, "{self.n_states}"]) -> Float[Array, "{self.n_states}"]:
        rows = jnp.arange(self.n_states)
        chain = self.transitions[rows, policy]
        return jnp.linalg.solve(jnp.eye(self.n_states) - self.discount * chain, self.rewards[rows, policy])

    def best(self, values: Float[Array, "{self.n_states}"]) -> StateName:
        return self.names[int(jnp.argmax(values))]


left, right = jnp.eye(5, k=-1).at[0, 0].set(1.0), jnp.eye(5, k=1).at[4, 4].set(1.0)
transitions = jnp.stack([left, right], axis=1)
rewards = jnp.zeros((5, 2)).at[4, 1].set(1.0)
walk: TabularMDP[str] = TabularMDP(["a", "b", "c", "d", "e"], transitions, rewards)
values = walk.value_iteration()
print(walk.best(values), jnp.abs(walk.evaluate(walk.greedy(values)) - values).max())
