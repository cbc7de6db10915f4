"""Classes that are pytrees: by register_pytree_node_class, by register_dataclass, by hand."""

from dataclasses import dataclass, field, replace

import jax
import jax.numpy as jnp
from jax import tree_util


@tree_util.register_pytree_node_class
class Quaternion:
    def __init__(self, w, v):
        self.w = w
        self.v = v

    def tree_flatten(self):
        return (self.w, self.v), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

    @classmethod
    def from_axis(cls, axis, angle):
        axis = jnp.asarray(axis, dtype=jnp.float32)
        axis = axis / jnp.linalg.norm(axis)
        return cls(jnp.cos(angle / 2), axis * jnp.sin(angle / 2))

    def __mul__(self, other):
        if isinstance(other, Quaternion):
            w = self.w * other.w - jnp.dot(self.v, other.v)
            v = self.w * other.v + other.w * self.v + jnp.cross(self.v, other.v)
            return Quaternion(w, v)
        return Quaternion(self.w * other, self.v * other)

    __rmul__ = __mul__

    def conjugate(self):
        return Quaternion(self.w, -self.v)

    def rotate(self, point):
        turned = self * Quaternion(jnp.zeros(()), point) * self.conjugate()
        return turned.v


@jax.tree_util.register_dataclass
@dataclass
class Body:
    position: jax.Array
    velocity: jax.Array
    mass: jax.Array
    name: str = field(metadata=dict(static=True), default="body")

    @property
    def momentum(self):
        return self.mass[:, None] * self.velocity

    @property
    def energy(self):
        return 0.5 * jnp.sum(self.mass * jnp.sum(self.velocity**2, axis=1))


class Box:
    def __init__(self, low, high):
        self.low, self.high = low, high


tree_util.register_pytree_node(
    Box, lambda box: ((box.low, box.high), None), lambda _, children: Box(*children)
)


def gravity(body):
    difference = body.position[None, :, :] - body.position[:, None, :]
    squared = jnp.sum(difference**2, axis=-1) + 0.01
    force = difference * (body.mass[None, :] * squared**-1.5)[..., None]
    return force.sum(axis=1)


@jax.jit
def leapfrog(body, dt):
    half = body.velocity + 0.5 * dt * gravity(body)
    moved = replace(body, position=body.position + dt * half)
    return replace(moved, velocity=half + 0.5 * dt * gravity(moved))


key = jax.random.PRNGKey(0)
body = Body(
    position=jax.random.normal(key, (6, 3)),
    velocity=jnp.zeros((6, 3)),
    mass=jnp.linspace(1.0, 2.0, 6),
)
before = body.energy
for _ in range(10):
    body = leapfrog(body, 0.01)
after = body.energy
drift = body.momentum.sum(axis=0)

turn = Quaternion.from_axis([0, 0, 1], jnp.pi / 2)
twice = turn * turn
point = twice.rotate(jnp.array([1.0, 0.0, 0.0]))
scaled = 2.0 * turn
turned = jax.vmap(turn.rotate)(body.position)
slope = jax.grad(lambda q: q.rotate(jnp.ones(3)).sum())(turn)
box = jax.tree.map(lambda *xs: jnp.stack(xs), Box(0.0, 1.0), Box(2, 3))
low, high = box.low, box.high
leaves, treedef = jax.tree.flatten(body)
rebuilt = treedef.unflatten([leaf * 2 for leaf in leaves])
heavy = rebuilt.mass
print(before, after, drift, point, slope.v, scaled.w, low, high, rebuilt.name)
