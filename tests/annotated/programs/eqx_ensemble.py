"""A deep ensemble: the members are stacked along a leading axis by filter_vmap."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key


class Regressor(eqx.Module):
    hidden: eqx.nn.Linear
    readout: eqx.nn.Linear

    def __init__(self, d: int, width: int, key: Key[Array, ""]):
        hidden_key, readout_key = jax.random.split(key)
        self.hidden = eqx.nn.Linear(d, width, key=hidden_key)
        self.readout = eqx.nn.Linear(width, "scalar", key=readout_key)

    def __call__(self, x: Float[Array, "d"]) -> Float[Array, ""]:
        return self.readout(jax.nn.gelu(self.hidden(x)))


@eqx.filter_jit
def make_ensemble(keys: Key[Array, "members"], d: int, width: int) -> Regressor:
    return eqx.filter_vmap(lambda key: Regressor(d, width, key))(keys)


def member_predictions(models: Regressor, x: Float[Array, "b d"]) -> Float[Array, "members b"]:
    def evaluate(model: Regressor) -> Float[Array, "b"]:
        return jax.vmap(model)(x)

    return eqx.filter_vmap(evaluate)(models)


@eqx.filter_jit
def predict(models: Regressor, x: Float[Array, "b d"]) -> tuple[Float[Array, "b"], Float[Array, "b"]]:
    preds = member_predictions(models, x)
    return preds.mean(axis=0), preds.std(axis=0)


def expected_improvement(
    mean: Float[Array, "b"], std: Float[Array, "b"], best: Float[Array, ""]
) -> Float[Array, "b"]:
    z = (best - mean) / std
    return std * (z * jax.scipy.stats.norm.cdf(z) + jax.scipy.stats.norm.pdf(z))


ensemble = make_ensemble(jax.random.split(jax.random.key(1), 6), d=3, width=10)
candidates = jax.random.normal(jax.random.key(2), (9, 3))
mean, std = predict(ensemble, candidates)
scores = expected_improvement(mean, std, mean.min())
print(candidates[jnp.argmax(scores)])
