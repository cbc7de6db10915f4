"""A convolutional network in equinox, trained by optax."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class CNN(eqx.Module):
    conv: eqx.nn.Conv2d
    pool: eqx.nn.MaxPool2d
    linear: eqx.nn.Linear
    bias: jax.Array

    def __init__(self, key: jax.Array):
        k1, k2 = jax.random.split(key)
        self.conv = eqx.nn.Conv2d(1, 3, kernel_size=3, key=k1)
        self.pool = eqx.nn.MaxPool2d(kernel_size=2, stride=2)
        self.linear = eqx.nn.Linear(27, 4, key=k2)
        self.bias = jnp.zeros(4)

    def __call__(self, x: jax.Array) -> jax.Array:
        x = jax.nn.relu(self.conv(x))
        x = self.pool(x)
        x = jnp.ravel(x)
        return jax.nn.log_softmax(self.linear(x) + self.bias)


def loss(model: CNN, x: jax.Array, y: jax.Array) -> jax.Array:
    log_probs = jax.vmap(model)(x)
    picked = jnp.take_along_axis(log_probs, jnp.expand_dims(y, 1), axis=1)
    return -jnp.mean(picked)


@eqx.filter_jit
def evaluate(model: CNN, x: jax.Array, y: jax.Array) -> jax.Array:
    predicted = jnp.argmax(jax.vmap(model)(x), axis=1)
    return jnp.mean(predicted == y)


def train(model: CNN, optim: optax.GradientTransformation, steps: int) -> CNN:
    opt_state = optim.init(eqx.filter(model, eqx.is_array))

    @eqx.filter_jit
    def make_step(
        model: CNN, opt_state: optax.OptState, x: jax.Array, y: jax.Array
    ) -> tuple[CNN, optax.OptState, jax.Array]:
        loss_value, grads = eqx.filter_value_and_grad(loss)(model, x, y)
        updates, opt_state = optim.update(grads, opt_state, eqx.filter(model, eqx.is_array))
        model = eqx.apply_updates(model, updates)
        return model, opt_state, loss_value

    for i in range(steps):
        x = jax.random.normal(jax.random.key(i), (6, 1, 8, 8))
        quadrants = jnp.stack(
            [x[:, 0, :4, :4], x[:, 0, :4, 4:], x[:, 0, 4:, :4], x[:, 0, 4:, 4:]], axis=1
        )
        y = jnp.argmax(quadrants.sum(axis=(2, 3)), axis=1)
        model, opt_state, loss_value = make_step(model, opt_state, x, y)
        accuracy = evaluate(model, x, y)
        print(f"step {i}, loss {loss_value.item():.3f}, accuracy {accuracy.item():.3f}")
    return model


model = train(CNN(jax.random.key(7)), optax.adamw(3e-3), steps=2)
kernel = model.conv.weight
print("kernel", kernel.shape, "bias", model.bias)
