"""Metrics of a training step, as CLU collects them."""

import flax.struct
import jax
import jax.numpy as jnp
from clu import metrics


@flax.struct.dataclass
class Metrics(metrics.Collection):
    accuracy: metrics.Accuracy
    loss: metrics.Average.from_output("loss")


def main():
    state = Metrics.empty()
    for _ in range(3):
        logits = jax.random.normal(jax.random.key(0), (8, 10))
        labels = jnp.zeros(8, "int32")
        step = Metrics.single_from_model_output(logits=logits, labels=labels, loss=logits.mean())
        state = state.merge(step)
    values = state.compute()
    accuracy = values["accuracy"]
    loss = values["loss"]
    return accuracy, loss


main()
