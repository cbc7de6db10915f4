"""Modules of Flax linen with parameters that were made for other inputs."""

import flax.linen as nn
import jax
import jax.numpy as jnp

KEY = jax.random.key(0)


class Scorer(nn.Module):
    width: int = 8

    @nn.compact
    def __call__(self, x):
        h = nn.gelu(nn.Dense(self.width)(x))  # or
        return nn.Dense(1)(nn.LayerNorm()(h))


class Tagger(nn.Module):
    def setup(self):
        self.table = nn.Embed(20, 6)
        self.head = nn.Dense(4, name="head")

    def __call__(self, ids, more=None):
        h = self.table(ids)
        h = h if more is None else jnp.concatenate([h, more], -1)
        return self.head(h)  # or


class Scale(nn.Module):
    @nn.compact
    def __call__(self, x):
        scale = self.param("scale", nn.initializers.ones, x.shape[-1:])  # or
        return x * scale


def wrong_width():
    variables = Scorer().init(KEY, jnp.ones((2, 7)))
    return Scorer().apply(variables, jnp.ones((2, 6)))  # error


def right_width():
    variables = Scorer().init(KEY, jnp.ones((2, 7)))
    return Scorer().apply(variables, jnp.ones((9, 7)))


def wrong_setup():
    variables = Tagger().init(KEY, jnp.zeros((3, 5), int))
    return Tagger().apply(variables, jnp.zeros((3, 5), int), jnp.ones((3, 5, 2)))  # error


def right_setup():
    variables = Tagger().init(KEY, jnp.zeros((3, 5), int), jnp.ones((3, 5, 2)))
    return Tagger().apply(variables, jnp.zeros((3, 5), int), jnp.ones((3, 5, 2)))


def wrong_own_parameter():
    variables = Scale().init(KEY, jnp.ones((2, 3)))
    return Scale().apply(variables, jnp.ones((3, 2)))  # error


def right_own_parameter():
    variables = Scale().init(KEY, jnp.ones((2, 3)))
    return Scale().apply(variables, jnp.ones((4, 3)))


def wrong_library_layer():
    layer = nn.Dense(3)
    variables = layer.init(KEY, jnp.ones((1, 4)))
    return layer.apply(variables, jnp.ones((1, 4, 5)))  # error


def right_library_layer():
    layer = nn.Dense(3)
    variables = layer.init(KEY, jnp.ones((1, 4)))
    return layer.apply(variables, jnp.ones((1, 5, 4)))


def wrong_stack():
    model = nn.Sequential([nn.Conv(4, (3, 3)), nn.relu, nn.Dense(2)])
    variables = model.init(KEY, jnp.ones((1, 8, 8, 3)))
    return model.apply(variables, jnp.ones((1, 8, 8, 1)))  # error


def right_stack():
    model = nn.Sequential([nn.Conv(4, (3, 3)), nn.relu, nn.Dense(2)])
    variables = model.init(KEY, jnp.ones((1, 8, 8, 3)))
    return model.apply(variables, jnp.ones((5, 6, 6, 3)))


def wrong_in_loss():
    model = Scorer(4)
    params = model.init(KEY, jnp.ones((2, 3)))

    def loss(params, x):
        return model.apply(params, x).mean()  # or

    return jax.grad(loss)(params, jnp.ones((2, 5)))  # error


def right_in_loss():
    model = Scorer(4)
    params = model.init(KEY, jnp.ones((2, 3)))

    def loss(params, x):
        return model.apply(params, x).mean()

    return jax.grad(loss)(params, jnp.ones((6, 3)))


def wrong_compiled():
    model = Scorer()
    params = jax.jit(model.init)(KEY, jnp.ones((2, 3)))
    return jax.jit(model.apply)(params, jnp.ones((2, 3, 2)))  # error


def right_compiled():
    model = Scorer()
    params = jax.jit(model.init)(KEY, jnp.ones((2, 3)))
    return jax.jit(model.apply)(params, jnp.ones((2, 4, 3)))


def wrong_width_of_module():
    params = Scorer(4).init(KEY, jnp.ones((2, 3)))
    return Scorer(5).apply(params, jnp.ones((2, 3)))  # error


def right_width_of_module():
    params = Scorer(5).init(KEY, jnp.ones((2, 3)))
    return Scorer(5).apply(params, jnp.ones((2, 3)))
