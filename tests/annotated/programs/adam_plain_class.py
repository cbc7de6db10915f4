"""Adam as a plain class over any PyTree of parameters, with a schedule."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree, ScalarLike

Params = PyTree[Float[Array, "?*shape"], "P"]


class Adam:
    def __init__(self, params: Params, rate: float = 1e-2, *, beta1: float = 0.9, beta2: float = 0.99):
        self.rate = rate
        self.beta1 = beta1
        self.beta2 = beta2
        self.first = jax.tree.map(jnp.zeros_like, params)
        self.second = jax.tree.map(jnp.zeros_like, params)
        self._steps = 0

    @property
    def steps(self) -> int:
        return self._steps

    @staticmethod
    def decay(old: Float[Array, "*s"], new: Float[Array, "*s"], beta: ScalarLike) -> Float[Array, "*s"]:
        return beta * old + (1 - beta) * new

    @classmethod
    def with_warmup(cls, params: Params, peak: float, warmup: int) -> "Adam":
        return cls(params, rate=peak / warmup)

    def update(self, params: Params, grads: Params) -> Params:
        self._steps += 1
        self.first = jax.tree.map(lambda m, g: self.decay(m, g, self.beta1), self.first, grads)
        self.second = jax.tree.map(lambda v, g: self.decay(v, g**2, self.beta2), self.second, grads)
        first_scale = 1 - self.beta1**self.steps
        second_scale = 1 - self.beta2**self.steps

        def move(p: Float[Array, "*s"], m: Float[Array, "*s"], v: Float[Array, "*s"]) -> Float[Array, "*s"]:
            return p - self.rate * (m / first_scale) / (jnp.sqrt(v / second_scale) + 1e-8)

        return jax.tree.map(move, params, self.first, self.second)


def loss(
    params: dict[str, Float[Array, "..."]], x: Float[Array, "n d"], y: Float[Array, "n"]
) -> Float[Array, ""]:
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


x = jax.random.normal(jax.random.key(0), (12, 3))
y = x @ jnp.array([1.0, -1.0, 2.0]) + 0.5
params = {"w": jnp.zeros(3), "b": jnp.zeros(())}
optimizer = Adam.with_warmup(params, 0.5, warmup=5)
for _ in range(4):
    params = optimizer.update(params, jax.grad(loss)(params, x, y))
print(optimizer.steps, loss(params, x, y))
