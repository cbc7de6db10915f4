"""Gradients that are NaN for the numbers that a program has. Each program that is wrong has a twin that is right."""

# only: engine, show, server - JAX runs such programs, and `test_rules` asks it; mypy has errors alone
import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp


# %% a root that is left out
def loss(x):
    return jnp.where(x > 0, jnp.sqrt(x), 0.0).sum()  # E: nan: sqrt gets 0


slope = jax.grad(loss)(jnp.zeros(3))
# %% a root of what is safe
def loss(x):
    safe = jnp.where(x > 0, x, 1.0)
    return jnp.where(x > 0, jnp.sqrt(safe), 0.0).sum()


slope = jax.grad(loss)(jnp.zeros(3))


# %% a root of the other branch
def bend(x):
    return jnp.where(x < 1.0, x, jnp.sqrt(x))  # E: nan: sqrt gets 0


slope = jax.grad(bend)(0.0)
# %% a root of the other branch, of what is safe
def bend(x):
    return jnp.where(x < 1.0, x, jnp.sqrt(jnp.maximum(x, 1.0)))


slope = jax.grad(bend)(0.0)


# %% a norm of zeros
def length(w):
    return jnp.linalg.norm(w)  # E: nan: sqrt gets 0


slope = jax.grad(length)(jnp.zeros(4))
# %% a norm of ones
def length(w):
    return jnp.linalg.norm(w)


slope = jax.grad(length)(jnp.ones(4))


# %% a distance of a point to itself
def distance(a, b):
    return jnp.sqrt(jnp.sum((a - b) ** 2))  # E: nan: sqrt gets 0


point = jnp.array([1.0, 2.0])
slope = jax.grad(distance)(point, point)
# %% a distance that is never zero
def distance(a, b):
    return jnp.sqrt(jnp.sum((a - b) ** 2) + 1e-12)


point = jnp.array([1.0, 2.0])
slope = jax.grad(distance)(point, point)


# %% a logarithm and a zero in a list
def entropy(p):
    return -jnp.sum(jnp.where(p > 0, p * jnp.log(p), 0.0))  # E: nan: log gets 0


value, slope = jax.value_and_grad(entropy)(jnp.array([0.5, 0.0, 0.5]))
# %% a logarithm of clipped numbers
def entropy(p):
    return -jnp.sum(jnp.where(p > 0, p * jnp.log(jnp.clip(p, 1e-9)), 0.0))


value, slope = jax.value_and_grad(entropy)(jnp.array([0.5, 0.0, 0.5]))


# %% a helper chooses what another one computes
def inverse(x):
    return 1 / x


def choose(x, y):
    return jnp.where(x != 0, y, 0.0)  # E: nan: the division gets 0


def total(x):
    return choose(x, inverse(x)).sum()


slope = jax.grad(total)(jnp.arange(3.0))
# %% a helper chooses before another one computes
def inverse(x):
    return 1 / x


def choose(x, y):
    return jnp.where(x != 0, y, 0.0)


def total(x):
    return choose(x, inverse(jnp.where(x != 0, x, 1.0))).sum()


slope = jax.grad(total)(jnp.arange(3.0))


# %% a model whose weights begin at zero
class Scale(eqx.Module):
    w: jax.Array

    def __call__(self, x):
        return jnp.where(self.w > 0, x * self.w**0.5, x).sum()  # E: nan: the power gets 0


slope = eqx.filter_grad(lambda model, x: model(x))(Scale(jnp.zeros(3)), jnp.ones(3))
# %% a model whose weights begin at one
class Scale(eqx.Module):
    w: jax.Array

    def __call__(self, x):
        return jnp.where(self.w > 0, x * self.w**0.5, x).sum()


slope = eqx.filter_grad(lambda model, x: model(x))(Scale(jnp.ones(3)), jnp.ones(3))


# %% a step that is compiled
def objective(params, x):
    spread = jnp.std(params["w"])  # E: nan: sqrt gets 0
    return (x @ params["w"]).sum() + spread


@jax.jit
def step(params, x):
    slopes = jax.grad(objective)(params, x)
    return jax.tree.map(lambda p, s: p - 0.1 * s, params, slopes)


slope = step({"w": jnp.zeros(3)}, jnp.ones((2, 3)))
# %% a step that is compiled, of a variance
def objective(params, x):
    spread = jnp.var(params["w"])
    return (x @ params["w"]).sum() + spread


@jax.jit
def step(params, x):
    slopes = jax.grad(objective)(params, x)
    return jax.tree.map(lambda p, s: p - 0.1 * s, params, slopes)


slope = step({"w": jnp.zeros(3)}, jnp.ones((2, 3)))


# %% an angle between a vector and itself
# one python
def angle(cosine):
    return jnp.where(cosine < 1, jnp.arccos(cosine), 0.0)  # E: nan: arccos gets 1


value, back = jax.vjp(angle, 1.0)
slope = back(1.0)
# %% an angle that is kept from one
def angle(cosine):
    return jnp.where(cosine < 1, jnp.arccos(jnp.minimum(cosine, 0.999)), 0.0)


value, back = jax.vjp(angle, 1.0)
slope = back(1.0)


# %% a loop of steps
def bowl(w):
    r = jnp.sum(w * w)
    return jnp.where(r > 0, jnp.sqrt(r), r)  # E: nan: sqrt gets 0


w = jnp.zeros(2)
for _ in range(3):
    slope = jax.grad(bowl)(w)
    w = w - 0.1 * slope
# %% a loop of steps over squares
def bowl(w):
    r = jnp.sum(w * w)
    return jnp.where(r > 0, r, 2 * r)


w = jnp.zeros(2)
for _ in range(3):
    slope = jax.grad(bowl)(w)
    w = w - 0.1 * slope


# %% rows under vmap
def share(x):
    return jnp.where(x.sum() > 0, x / x.sum(), 0.0).max()  # E: nan: the division gets 0


slope = jax.vmap(jax.grad(share))(jnp.zeros((2, 3)))
# %% rows under vmap whose sums are safe
def share(x):
    total = x.sum()
    return jnp.where(total > 0, x / jnp.where(total > 0, total, 1.0), 0.0).max()


slope = jax.vmap(jax.grad(share))(jnp.zeros((2, 3)))


# %% a model that is not compiled
class Unit(nn.Module):
    @nn.compact
    def __call__(self, x):
        bias = self.param("bias", nn.initializers.zeros, (3,))
        return jnp.where(bias != 0, x / bias, x).sum()  # E: nan: the division gets 0


unit = Unit()
params = unit.init(jax.random.key(0), jnp.ones(3))
slope = jax.grad(lambda params: unit.apply(params, jnp.ones(3)))(params)
# %% a model with another start
class Unit(nn.Module):
    @nn.compact
    def __call__(self, x):
        bias = self.param("bias", nn.initializers.ones, (3,))
        return jnp.where(bias != 0, x / bias, x).sum()


unit = Unit()
params = unit.init(jax.random.key(0), jnp.ones(3))
slope = jax.grad(lambda params: unit.apply(params, jnp.ones(3)))(params)
