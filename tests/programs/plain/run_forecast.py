"""Trains and rolls out the forecaster of the package `forecast`."""

import jax
import jax.numpy as jnp
import numpy as np

import forecast
import forecast.data as source
from forecast import Forecaster, default_optimizer
from forecast.optax_utils import apply_updates as nudge


def mse(params, model, inputs, targets):
    predicted = model(params, inputs)
    return ((predicted - targets) ** 2).mean()


def main(epochs=3):
    raw = source.series(6, 60)
    scaler = source.Standardiser()
    x = scaler.fit_transform(raw)
    inputs, targets = forecast.data.windows(x, size=None, stride=4)
    model = Forecaster(1, 16)
    params = model.init(jax.random.PRNGKey(0))
    init, update = default_optimizer(0.02)
    state = init(params)
    step = jax.jit(jax.value_and_grad(mse), static_argnums=1)
    rng = np.random.default_rng(1)
    loss = None
    for epoch in range(epochs):
        for xs, ys in source.loader(inputs, targets, 16, rng):
            loss, grads = step(params, model, xs, ys)
            params, state = update(grads, state, params)
        print(f"{epoch}: {loss:.4f}")
    moved = nudge(params, jax.tree.map(jnp.ones_like, params), clip=0.01)
    changed = mse(moved, model, inputs, targets)
    future = model.rollout(params, inputs[:3], horizon=4)
    restored = future * scaler.std[:3] + scaler.mean[:3]
    print(model.size, future.shape, restored.dtype, changed, forecast.WINDOW)
    return restored


if __name__ == "__main__":
    result = main()
