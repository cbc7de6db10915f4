"""A script with argparse, a config dataclass, match on the activation, exceptions, an f-string report."""

import argparse
import dataclasses
import sys

import jax
import jax.numpy as jnp

try:
    import some_plotting_package as plotting
except ImportError:
    plotting = None


@dataclasses.dataclass
class Config:
    width: int = 16
    depth: int = 2
    activation: str = "relu"
    lr: float = 0.1
    steps: int = 10
    residual: bool = False
    sizes: list[int] = dataclasses.field(default_factory=list)

    def __post_init__(self):
        if not self.sizes:
            self.sizes = [2] + [self.width] * self.depth + [1]
        if self.lr <= 0:
            raise ValueError(f"lr must be positive: {self.lr}")


class UnknownActivation(Exception):
    def __init__(self, name):
        super().__init__(f"no activation is called {name!r}")
        self.name = name


def activation(name: str):
    match name:
        case "relu":
            return jax.nn.relu
        case "tanh" | "sigmoid":
            return getattr(jnp, name, None) or jax.nn.sigmoid
        case str() if name.startswith("leaky"):
            slope = float(name.removeprefix("leaky") or 0.01)
            return lambda x: jnp.where(x > 0, x, slope * x)
        case _:
            raise UnknownActivation(name)


def summarise(value):
    match value:
        case {"w": w, "b": b}:
            return f"dense {w.shape} + {b.shape}"
        case [first, *rest]:
            return f"{summarise(first)} and {len(rest)} more"
        case (x, y) if x == y:
            return "pair of equals"
        case None:
            return "nothing"
        case _:
            return f"{type(value).__name__}"


def build(config: Config, key):
    keys = jax.random.split(key, len(config.sizes) - 1)
    layers = []
    for k, n_in, n_out in zip(keys, config.sizes, config.sizes[1:]):
        layers.append({"w": jax.random.normal(k, (n_in, n_out)) / n_in**0.5, "b": jnp.zeros(n_out)})
    return layers


def forward(layers, x, act, residual):
    for layer in layers[:-1]:
        y = act(x @ layer["w"] + layer["b"])
        x = x + y if residual and x.shape == y.shape else y
    last = layers[-1]
    return x @ last["w"] + last["b"]


def parse(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--activation", default="relu")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--residual", action="store_true")
    args = parser.parse_args(argv)
    return Config(**vars(args))


def main(argv=None):
    config = parse(argv)
    try:
        act = activation(config.activation)
    except UnknownActivation as error:
        print(error, file=sys.stderr)
        return 2
    key = jax.random.PRNGKey(0)
    x = jax.random.normal(key, (64, config.sizes[0]))
    y = (x[:, :1] * x[:, 1:] > 0).astype(jnp.float32)
    layers = build(config, key)

    @jax.jit
    def step(layers):
        def objective(layers):
            logits = forward(layers, x, act, config.residual)
            return jnp.mean(jnp.logaddexp(0, logits) - y * logits)

        value, grads = jax.value_and_grad(objective)(layers)
        return jax.tree.map(lambda p, g: p - config.lr * g, layers, grads), value

    value = jnp.inf
    for i in range(config.steps):
        layers, value = step(layers)
    logits = forward(layers, x, act, config.residual)
    accuracy = ((logits > 0) == (y > 0)).mean()
    print(f"{config.activation:>10}: {value:.4f} {accuracy:6.1%} {summarise(layers)}")
    if plotting is not None:
        plotting.show(logits)
    return 0


if __name__ == "__main__":
    codes = [main(["--steps", "5"]), main(["--activation", "tanh", "--residual"]), main(["--activation=leaky0.2"])]
    assert main(["--activation", "swoosh"]) == 2
    assert not any(codes)
    print(summarise([1, 2]), summarise((1, 1)), summarise(None))
