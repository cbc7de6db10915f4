"""file: converters, checks and post-inits of equinox, dataclasses and flax call the program's functions."""

import dataclasses

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp


def touch(name):
    open("pwned_converters_" + name, "w").close()
    return name


class Model(eqx.Module):
    size: str = eqx.field(converter=touch)

    def __check_init__(self):
        touch("check")


@dataclasses.dataclass
class Config:
    name: str = dataclasses.field(default_factory=lambda: touch("factory"))

    def __post_init__(self):
        touch("post")


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x):
        touch("linen")
        return self.param("w", lambda key: touch("param") and jnp.ones(3)) * x


x = Model("converter")
y = Config()
z = Layer().init(jax.random.key(0), jnp.ones(3))
