"""Dataclasses that are trees, and a ``jit`` that reads annotations."""

import jax
import jax.numpy as jnp
import jax_dataclasses as jdc


@jdc.pytree_dataclass
class Line:
    weight: jax.Array
    count: jdc.Static[int] = 3

    @jdc.jit
    def step(self, x: jax.Array, times: jdc.Static[int] = 2) -> jax.Array:
        moved = self.weight * x + jnp.ones(self.count)
        return jnp.concatenate([moved] * times)


line = Line(weight=jnp.zeros(3), count=3)
rows = line.step(jnp.ones(3))
with jdc.copy_and_mutate(line, validate=False) as longer:
    longer.weight = jnp.ones((4, 4))
wide = longer.weight
old = line.weight
batch = jax.tree.map(lambda leaf: leaf[None], line).weight
other = jdc.replace(line, weight=jnp.ones(2)).weight


@jdc.jit
def padded(x: jax.Array, size: jdc.Static[int]) -> jax.Array:
    ones = jnp.ones(size)
    return jnp.concatenate([x, ones])


end = padded(jnp.zeros(3), 4)
