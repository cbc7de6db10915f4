"""A forecaster of time series as an nnx module, trained by optax."""

import jax.numpy as jnp
import optax
from flax import nnx
from jaxtyping import Array, Float


class Forecaster(nnx.Module):
    def __init__(self, context: int, horizon: int, width: int, *, rngs: nnx.Rngs):
        self.norm = nnx.LayerNorm(context, rngs=rngs)
        self.hidden = nnx.Linear(context, width, rngs=rngs)
        self.head = nnx.Linear(width, horizon, rngs=rngs)
        self.horizon = horizon

    def __call__(self, past: Float[Array, "b context"]) -> Float[Array, "b {self.horizon}"]:
        level = past.mean(axis=-1, keepdims=True)
        hidden = nnx.gelu(self.hidden(self.norm(past)))
        return level + self.head(hidden)


def make_windows(
    series: Float[Array, "time"], context: int, horizon: int
) -> tuple[Float[Array, "windows {context}"], Float[Array, "windows {horizon}"]]:
    starts = jnp.arange(series.shape[0] - context - horizon + 1)
    past = series[starts[:, None] + jnp.arange(context)]
    future = series[starts[:, None] + context + jnp.arange(horizon)]
    return past, future


@nnx.jit
def train_step(
    model: Forecaster,
    optimizer: nnx.Optimizer,
    past: Float[Array, "b context"],
    future: Float[Array, "b horizon"],
) -> Float[Array, ""]:
    def loss_fn(model: Forecaster) -> Float[Array, ""]:
        return jnp.mean(optax.huber_loss(model(past), future))

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


series = jnp.sin(jnp.arange(24.0) / 3) + 0.05 * jnp.arange(24.0)
past, future = make_windows(series, 8, 3)
model = Forecaster(8, 3, 12, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
for _ in range(3):
    loss = train_step(model, optimizer, past, future)
print(loss, model(series[None, -8:]))
