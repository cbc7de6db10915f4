"""A deep residual stack whose layers are scanned and rematerialized."""

import jax
import jax.numpy as jnp
from jax import lax

Layer = dict[str, jnp.ndarray]


def init_stack(key: jnp.ndarray, depth: int, dim: int) -> Layer:
    k1, k2 = jax.random.split(key)
    return {
        "up": 0.1 * jax.random.normal(k1, (depth, dim, 4 * dim)),
        "down": 0.1 * jax.random.normal(k2, (depth, 4 * dim, dim)),
        "scale": jnp.ones((depth, dim)),
    }


def layer_norm(x: jnp.ndarray, scale: jnp.ndarray) -> jnp.ndarray:
    mean = x.mean(-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * scale


@jax.checkpoint
def residual(x: jnp.ndarray, layer: Layer) -> jnp.ndarray:
    h = layer_norm(x, layer["scale"])
    h = jax.nn.gelu(h @ layer["up"])
    return x + h @ layer["down"]


def forward(stack: Layer, x: jnp.ndarray) -> jnp.ndarray:
    def body(h: jnp.ndarray, layer: Layer) -> tuple[jnp.ndarray, jnp.ndarray]:
        h = residual(h, layer)
        return h, jnp.linalg.norm(h)

    h, norms = lax.scan(body, x, stack)
    return h


@jax.jit
def loss(stack: Layer, x: jnp.ndarray) -> jnp.ndarray:
    return jnp.mean(forward(stack, x) ** 2)


stack = init_stack(jax.random.PRNGKey(0), depth=3, dim=8)
x = jax.random.normal(jax.random.PRNGKey(1), (4, 8))
value, grads = jax.value_and_grad(loss)(stack, x)
stack = jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, stack, grads)

hidden = forward(stack, x)
normed = layer_norm(hidden, jnp.ones(8))
gram = normed @ normed.T
off_diagonal = gram - jnp.diag(jnp.diag(gram))
sizes = [leaf.shape for leaf in jax.tree_util.tree_leaves(stack)]
print(value, loss(stack, x), off_diagonal.max(), sizes)
