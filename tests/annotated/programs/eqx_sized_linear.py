"""A bottleneck network of linear maps whose sizes stand in static fields."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray


class Affine(eqx.Module):
    weight: Float[Array, "n_out n_in"]
    bias: Float[Array, "n_out"]
    n_in: int = eqx.field(static=True)
    n_out: int = eqx.field(static=True)

    def __init__(self, n_in: int, n_out: int, *, key: PRNGKeyArray):
        self.weight = jax.random.normal(key, (n_out, n_in)) * n_in**-0.5
        self.bias = jnp.zeros(n_out)
        self.n_in = n_in
        self.n_out = n_out

    def __call__(self, x: Float[Array, "{self.n_in}"]) -> Float[Array, "{self.n_out}"]:
        return self.weight @ x + self.bias


class Bottleneck(eqx.Module):
    down: Affine
    up: Affine
    width: int = eqx.field(static=True)

    def __init__(self, width: int, hidden: int, *, key: PRNGKeyArray):
        down_key, up_key = jax.random.split(key)
        self.down = Affine(width, hidden, key=down_key)
        self.up = Affine(hidden, width, key=up_key)
        self.width = width

    def __call__(self, x: Float[Array, "{self.width}"]) -> Float[Array, "{self.width}"]:
        return x + self.up(jax.nn.silu(self.down(x)))


@eqx.filter_jit
def reconstruction_error(net: Bottleneck, xs: Float[Array, "batch width"]) -> Float[Array, "batch"]:
    restored = jax.vmap(net)(xs)
    return jnp.sum((restored - xs) ** 2, axis=-1)


net = Bottleneck(7, 3, key=jax.random.PRNGKey(0))
xs = jax.random.normal(jax.random.PRNGKey(1), (4, 7))
print(reconstruction_error(net, xs))
