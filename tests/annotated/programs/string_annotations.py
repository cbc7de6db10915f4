"""Gaussian message passing on a chain, with annotations kept in strings."""

import dataclasses

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


@dataclasses.dataclass
class Canonical:
    """A Gaussian by its precision and its potential."""

    precision: "Float[Array, 'd d']"
    potential: "Float[Array, 'd']"

    @classmethod
    def from_moments(cls, mean: "Float[Array, 'd']", cov: "Float[Array, 'd d']") -> "Canonical":
        precision = jnp.linalg.inv(cov)
        return cls(precision, precision @ mean)

    @property
    def mean(self) -> "Float[Array, 'd']":
        return jnp.linalg.solve(self.precision, self.potential)

    def __mul__(self, other: "Canonical") -> "Canonical":
        return Canonical(self.precision + other.precision, self.potential + other.potential)

    def marginalize(self, keep: int) -> "Canonical":
        a, b = self.precision[:keep, :keep], self.precision[:keep, keep:]
        solved = jnp.linalg.solve(self.precision[keep:, keep:], b.T)
        return Canonical(a - b @ solved, self.potential[:keep] - solved.T @ self.potential[keep:])


def observation(h: "Float[Array, 'm d']", z: "Float[Array, 'm']", noise: float) -> Canonical:
    return Canonical(h.T @ h / noise, h.T @ z / noise)


def pass_message(message: Canonical, f: "Float[Array, 'd d']", process: float) -> Canonical:
    d = f.shape[0]
    joint = jnp.block([[jnp.eye(d), -f], [-f.T, f.T @ f]]) / process
    joint = joint.at[d:, d:].add(message.precision)
    potential = jnp.concatenate([jnp.zeros(d), message.potential])
    return Canonical(joint, potential).marginalize(d)


belief = Canonical.from_moments(jnp.zeros(3), jnp.eye(3))
h = jnp.eye(2, 3)
for z in jax.random.normal(jax.random.key(0), (4, 2)):
    belief = pass_message(belief, 0.9 * jnp.eye(3), 0.1) * observation(h, z, 0.5)
print(belief.mean)
