"""Functions that nothing calls, and that take nothing. The lines that stop one of them have the comment ``error``."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec

STATE = None
SHAPE = (3,)


def of_shape():
    return jnp.ones(SHAPE) + jnp.ones(4)


def initialize():
    global STATE, SHAPE
    STATE, SHAPE = jnp.ones(3), (4,)


def of_state():
    return STATE + jnp.ones(3)


def in_a_map():
    return jax.lax.psum(jnp.ones(3), "devices") + jax.lax.axis_index("devices")


def under_a_mesh():
    return jax.lax.with_sharding_constraint(jnp.ones((4, 4)), PartitionSpec("data"))


def with_defaults(rows=3):
    return jnp.ones(rows) + jnp.ones(4)


def not_written():
    raise NotImplementedError  # it is no error of arrays


def caught():
    try:
        return jnp.ones(3) + jnp.ones(4)
    except TypeError:
        return None


def yields():
    yield jnp.ones(3) + jnp.ones(4)


def wrong():
    return jnp.ones(3) + jnp.ones(4)  # error


@jax.jit
def wrong_when_compiled():
    return jnp.ones(3) + jnp.ones(4)  # error


def helper():
    return jnp.zeros((2, 3))


def with_helper():
    return helper() @ jnp.ones((4, 2))  # error


class Base:
    size = 3

    def made(self):
        return jnp.ones(self.size) + jnp.ones(4)

    @property
    def wide(self):
        return jnp.ones(self.size) + jnp.ones(4)


class Derived(Base):
    size = 4
