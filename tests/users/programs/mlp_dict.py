"""A two-layer network on a toy problem, its parameters in a dict."""

import jax
import jax.numpy as jnp


def init_params(key: jax.Array, n_in: int, n_hidden: int, n_out: int) -> dict[str, jax.Array]:
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (n_in, n_hidden)) * 0.1,
        "b1": jnp.zeros(n_hidden),
        "w2": jax.random.normal(k2, (n_hidden, n_out)) * 0.1,
        "b2": jnp.zeros(n_out),
    }


def forward(params: dict[str, jax.Array], x: jax.Array) -> jax.Array:
    h = jnp.tanh(x @ params["w1"] + params["b1"])
    return h @ params["w2"] + params["b2"]


def loss_fn(params: dict[str, jax.Array], x: jax.Array, y: jax.Array) -> jax.Array:
    pred = forward(params, x)
    return jnp.mean((pred - y) ** 2)


@jax.jit
def step(params: dict[str, jax.Array], x: jax.Array, y: jax.Array) -> tuple[dict[str, jax.Array], jax.Array]:
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    params = {k: params[k] - 0.1 * grads[k] for k in params}
    return params, loss


inputs = jax.random.uniform(jax.random.key(1), (64, 3), minval=-1.0, maxval=1.0)
weights = jnp.array([[1.0], [-2.0], [0.5]])
targets = jnp.sin(inputs @ weights)

params = init_params(jax.random.key(0), 3, 16, 1)
for i in range(20):
    params, loss = step(params, inputs, targets)
    if i % 10 == 0:
        print(f"step {i}: loss {float(loss):.4f}")

residual = targets - forward(params, inputs)
rmse = jnp.sqrt(jnp.mean(residual**2))
print("final rmse:", rmse.item())
