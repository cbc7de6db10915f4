"""Regression with flax.nnx and its optimizer."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class MLP(nnx.Module):
    def __init__(self, din: int, dmid: int, dout: int, *, rngs: nnx.Rngs):
        self.linear1 = nnx.Linear(din, dmid, rngs=rngs)
        self.dropout = nnx.Dropout(rate=0.1, rngs=rngs)
        self.linear2 = nnx.Linear(dmid, dout, rngs=rngs)
        self.scale = nnx.Param(jnp.ones(dout))
        self.shift = nnx.Param(0.01 * rngs.params.normal((1, dout)))
        self.mask = rngs.bernoulli(0.9, (dout,)) & (rngs.uniform((dout,)) < 2.0)

    def __call__(self, x: jax.Array) -> jax.Array:
        x = nnx.gelu(self.linear1(x))
        x = self.dropout(x)
        return self.linear2(x) * self.scale[...] + self.shift[...] * self.mask


def loss_fn(model: MLP, x: jax.Array, y: jax.Array) -> jax.Array:
    prediction = model(x)
    return jnp.mean((prediction - y) ** 2)


@nnx.jit
def train_step(model: MLP, optimizer: nnx.Optimizer, x: jax.Array, y: jax.Array) -> jax.Array:
    loss, grads = nnx.value_and_grad(loss_fn)(model, x, y)
    optimizer.update(model, grads)
    return loss


model = MLP(2, 16, 1, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.05), wrt=nnx.Param)

grid = jnp.linspace(-1.0, 1.0, 8)
xx, yy = jnp.meshgrid(grid, grid)
inputs = jnp.stack([xx.ravel(), yy.ravel()], axis=1)
targets = jnp.sin(3 * inputs[:, :1]) + inputs[:, 1:] ** 2

for _ in range(3):
    loss = train_step(model, optimizer, inputs, targets)
    print("loss", loss)

model.eval()
surface = model(inputs).reshape(8, 8)
design = jnp.concatenate([inputs, jnp.ones((64, 1))], axis=1)
solution, residuals, rank, singular = jnp.linalg.lstsq(design, targets)
linear_fit = design @ solution
gap = jnp.abs(surface - linear_fit.reshape(8, 8)).max()
print("largest difference from the plane", gap)
