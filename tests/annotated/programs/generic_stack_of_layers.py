"""A residual stack over any layer type, generic in the layer."""

from typing import Generic, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

LayerT = TypeVar("LayerT", bound=eqx.Module)


class Dense(eqx.Module):
    w: Float[Array, "hidden width"]
    v: Float[Array, "width hidden"]

    @classmethod
    def create(cls, key: PRNGKeyArray, width: int, hidden: int) -> "Dense":
        w_key, v_key = jax.random.split(key)
        w = jax.random.normal(w_key, (hidden, width)) * width**-0.5
        v = jax.random.normal(v_key, (width, hidden)) * hidden**-0.5
        return cls(w=w, v=v)

    def __call__(self, x: Float[Array, "width"]) -> Float[Array, "width"]:
        return self.v @ jax.nn.relu(self.w @ x)


class Gate(eqx.Module):
    logits: Float[Array, "width"]

    def __call__(self, x: Float[Array, "width"]) -> Float[Array, "width"]:
        return jax.nn.sigmoid(self.logits) * x


class Residual(eqx.Module, Generic[LayerT]):
    layers: tuple[LayerT, ...]
    scale: float = 1.0

    def __call__(self, x: Float[Array, "width"]) -> Float[Array, "width"]:
        for layer in self.layers:
            x = x + self.scale * layer(x)
        return x

    def activations(self, x: Float[Array, "width"]) -> Float[Array, "depth width"]:
        outputs = []
        for layer in self.layers:
            x = x + self.scale * layer(x)
            outputs.append(x)
        return jnp.stack(outputs)


keys = jax.random.split(jax.random.PRNGKey(0), 3)
dense: Residual[Dense] = Residual(tuple(Dense.create(key, 4, 7) for key in keys), scale=0.5)
gates: Residual[Gate] = Residual((Gate(jnp.zeros(4)), Gate(jnp.ones(4))))
x = jax.random.normal(jax.random.PRNGKey(1), (5, 4))
print(jax.vmap(dense)(x).shape, jax.vmap(gates.activations)(x)[0])
