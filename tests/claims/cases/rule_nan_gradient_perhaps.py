"""Gradients that may become NaN. Each program that is wrong has a twin that is right; numbers are drawn, and some are zero."""

# only: engine, show, server - JAX runs such programs, and `test_rules` asks it; mypy has errors alone
import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

drawn = jax.random.bernoulli(jax.random.key(0), 0.5, (8,)).astype(float)


# %% a root of what is drawn
def loss(x):
    return jnp.sum(jnp.where(x > 0, jnp.sqrt(x), 0.0))  # E: nan-perhaps: sqrt gets 0


slope = jax.grad(loss)(drawn)
# %% a root of what is drawn and safe
def loss(x):
    return jnp.sum(jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0)), 0.0))


slope = jax.grad(loss)(drawn)


# %% a compiled helper
@jax.jit
def logs(x, mask):
    return jnp.where(mask, jnp.log(x), 0.0)  # E: nan-perhaps: log gets 0


def loss(x):
    return logs(x, x > 0).sum()


slope = jax.grad(loss)(drawn)
# %% a compiled helper and a small number
@jax.jit
def logs(x, mask):
    return jnp.where(mask, jnp.log(x + 1e-6), 0.0)


def loss(x):
    return logs(x, x > 0).sum()


slope = jax.grad(loss)(drawn)


# %% a helper that was compiled before
@jax.jit
def ratio(x):
    return jnp.where(x != 0, 1 / x, 0.0).sum()  # E: nan-perhaps: the division gets 0


shown = ratio(drawn)
slope = jax.grad(lambda x: ratio(x))(drawn)
# %% a helper that is not differentiated
@jax.jit
def ratio(x):
    return jnp.where(x != 0, 1 / x, 0.0).sum()


shown = ratio(drawn)
slope = jax.grad(lambda w: w * ratio(drawn))(2.0)


# %% the body of a scan
def body(total, x):
    return total + jnp.where(x > 0, jnp.log(x), 0.0), None  # E: nan-perhaps: log gets 0


def loss(xs):
    return jax.lax.scan(body, 0.0, xs)[0]


slope = jax.grad(loss)(drawn)
# %% the body of a scan with a safe number
def body(total, x):
    return total + jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1.0)), 0.0), None


def loss(xs):
    return jax.lax.scan(body, 0.0, xs)[0]


slope = jax.grad(loss)(drawn)


# %% a count of what is left
def mean(x, keep):
    count = jnp.sum(keep)
    return jnp.where(count > 0, jnp.sum(x * keep) / count, 0.0)  # E: nan-perhaps: the division gets 0


slope = jax.grad(mean)(jnp.ones(8), drawn * 0)
# %% a count of what is left, and at least one
def mean(x, keep):
    count = jnp.sum(keep)
    return jnp.where(count > 0, jnp.sum(x * keep) / jnp.maximum(count, 1.0), 0.0)


slope = jax.grad(mean)(jnp.ones(8), drawn * 0)


# %% a method of a model
class Gate(eqx.Module):
    w: jax.Array

    def __call__(self, x):
        y = self.w * x
        return jnp.where(y > 0, y**0.25, 0.0).sum()  # E: nan-perhaps: the power gets 0


slope = eqx.filter_grad(lambda gate, x: gate(x))(Gate(jnp.ones(8)), drawn)
# %% a method of a model with a floor
class Gate(eqx.Module):
    w: jax.Array

    def __call__(self, x):
        y = jnp.clip(self.w * x, 0.1)
        return jnp.where(y > 0, y**0.25, 0.0).sum()


slope = eqx.filter_grad(lambda gate, x: gate(x))(Gate(jnp.ones(8)), drawn)


# %% a layer and its inverse
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.Dense(4, use_bias=False)(x)
        return jnp.where(h != 0, 1 / h, 0.0).mean()  # E: nan-perhaps: the division gets 0


net = Net()
params = net.init(jax.random.key(0), drawn)
slope = jax.grad(lambda params: net.apply(params, drawn * 0))(params)
# %% a layer and an inverse that has a bound
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.Dense(4, use_bias=False)(x)
        return (1 / (jnp.abs(h) + 0.1)).mean()


net = Net()
params = net.init(jax.random.key(0), drawn)
slope = jax.grad(lambda params: net.apply(params, drawn * 0))(params)


# %% a step of an optimizer
def loss(params):
    r = jnp.linalg.norm(params["a"] - params["b"])
    return jnp.where(r > 0.0, r, 0.0)  # E: nan-perhaps: sqrt gets 0


params = {"a": drawn, "b": drawn}
optimizer = optax.sgd(0.1)
state = optimizer.init(params)
value, slope = jax.value_and_grad(loss)(params)
updates, state = optimizer.update(slope, state)
# %% a step of an optimizer over squares
def loss(params):
    r = jnp.sum((params["a"] - params["b"]) ** 2)
    return jnp.where(r > 0.0, r, 0.0)


params = {"a": drawn, "b": drawn}
optimizer = optax.sgd(0.1)
state = optimizer.init(params)
value, slope = jax.value_and_grad(loss)(params)
updates, state = optimizer.update(slope, state)


# %% a derivative forwards
def bend(x):
    return jnp.where(jnp.abs(x) < 1, jnp.arcsin(x), x)  # E: nan-perhaps: arcsin gets 1


slope = jax.jacrev(bend)(drawn)
# %% a derivative forwards of what is bounded
def bend(x):
    return jnp.where(jnp.abs(x) < 1, jnp.arcsin(jnp.clip(x, -0.9, 0.9)), x)


slope = jax.jacrev(bend)(drawn)


# %% a piece that is computed again
@jax.checkpoint
def piece(x):
    return jnp.where(x > 0.5, jnp.sqrt(x), x)  # E: nan-perhaps: sqrt gets 0


slope = jax.grad(lambda x: piece(x).sum())(drawn)
# %% a piece that is computed again, where the slope is finite
@jax.checkpoint
def piece(x):
    return jnp.where(x > 0.5, jnp.sqrt(x * x + 1.0), x)


slope = jax.grad(lambda x: piece(x).sum())(drawn)


# %% a choice of several
def steps(x):
    return jnp.select([x > 0.5, x < -0.5], [jnp.log(x), x], 0.0).sum()  # E: nan-perhaps: log gets 0


slope = jax.grad(steps)(drawn)
# %% a choice of several without a logarithm
def steps(x):
    return jnp.select([x > 0.5, x < -0.5], [jnp.exp(x), x], 0.0).sum()


slope = jax.grad(steps)(drawn)
