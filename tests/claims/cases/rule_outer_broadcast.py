"""A row that meets a column of its length. Each program that is wrong has a twin that is right."""

# only: engine, show, server - JAX runs such programs, and `test_rules` asks it; mypy has errors alone
import functools

import jax
import jax.numpy as jnp


# %% predictions and targets
pred = jnp.ones(32)
target = jnp.ones((32, 1))
loss = jnp.mean((pred - target) ** 2)  # E: outer: float32[32] and float32[32, 1] give float32[32, 32]
# %% predictions and targets of one shape
pred = jnp.ones((32, 1))
target = jnp.ones((32, 1))
loss = jnp.mean((pred - target) ** 2)


# %% a linear model
def loss(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)  # E: outer: float32[64, 1] and float32[64]


params = {"w": jnp.zeros((5, 1)), "b": jnp.zeros(1)}
x = jnp.ones((64, 5))
y = jnp.arange(64.0)
slopes = jax.grad(loss)(params, x, y)
# %% a linear model without an axis too many
def loss(params, x, y):
    return jnp.mean((jnp.squeeze(x @ params["w"] + params["b"], -1) - y) ** 2)


params = {"w": jnp.zeros((5, 1)), "b": jnp.zeros(1)}
x = jnp.ones((64, 5))
y = jnp.arange(64.0)
slopes = jax.grad(loss)(params, x, y)


# %% a share of right answers
guess = jnp.zeros((8, 1), int)
labels = jnp.arange(8)
share = (guess == labels).mean()  # E: outer: bool[8, 8]
# %% a share of right answers of one shape
guess = jnp.zeros(8, int)
labels = jnp.arange(8)
share = (guess == labels).mean()


# %% a jitted step
@jax.jit
def step(w, x, y):
    return jnp.abs(x @ w - y).sum()  # E: outer: float32[16, 1] and float32[16]


total = step(jnp.zeros((3, 1)), jnp.ones((16, 3)), jnp.ones(16))
# %% a jitted step whose weights are a row
@jax.jit
def step(w, x, y):
    return jnp.abs(x @ w - y).sum()


total = step(jnp.zeros(3), jnp.ones((16, 3)), jnp.ones(16))


# %% a function of JAX
noise = jax.random.normal(jax.random.key(0), (9, 1))
error = jnp.subtract(noise, jnp.zeros(9))  # E: outer: float32[9, 9]
# %% a function of JAX on one column
noise = jax.random.normal(jax.random.key(0), (9, 1))
error = jnp.subtract(noise, jnp.zeros((9, 1)))


# %% a method
class Model:
    def __init__(self):
        self.w = jnp.ones((2, 1))

    def residual(self, x, y):
        return y - x @ self.w  # E: outer: float32[7] and float32[7, 1]


r = Model().residual(jnp.ones((7, 2)), jnp.ones(7))
# %% a method with one output
class Model:
    def __init__(self):
        self.w = jnp.ones(2)

    def residual(self, x, y):
        return y - x @ self.w


r = Model().residual(jnp.ones((7, 2)), jnp.ones(7))


# %% a column of a table
table = jnp.ones((6, 4))
targets = jnp.arange(6.0)
error = table[:, 3:4] - targets  # E: outer: float32[6, 1]
# %% an item of each row
table = jnp.ones((6, 4))
targets = jnp.arange(6.0)
error = table[:, 3] - targets


# %% a difference that is changed
error = jnp.ones((5, 1))
error -= jnp.arange(5.0)  # E: outer: float32[5, 5]
# %% a column that is changed
error = jnp.ones((5, 1))
error -= jnp.ones((1, 1))


# %% a loss that is passed on
def squares(a, b):
    return ((a - b) ** 2).mean()  # E: outer: float32[4, 1] and float32[4]


def train(criterion, outputs, targets):
    return criterion(outputs, targets)


value = train(squares, jnp.ones((4, 1)), jnp.ones(4))
# %% differences of all pairs in a function that is passed on
def squares(a, b):
    return ((a - b) ** 2).mean()


def train(criterion, outputs, targets):
    return criterion(outputs[:, None], targets)


value = train(squares, jnp.ones(4), jnp.ones(4))


# %% two names for one function
def difference(a, b):
    return a - b  # E: outer: float32[3, 3]


apply = jax.jit(difference)
d = apply(jnp.ones((3, 1)), jnp.ones(3))
# %% differences of all pairs under another name
def difference(a, b):
    return a - b


apply = jax.jit(difference)
grid = jnp.linspace(0, 1, 3).reshape(-1, 1)
d = apply(grid, jnp.ones(3))


# %% a table of differences that nobody asks for
left = jnp.ones((5, 1))
right = jnp.ones(5)
d = left - right  # E: outer: float32[5, 5]
# %% a table of differences that is asked for
left = jnp.ones(5)
right = jnp.ones(5)
d = left[:, jnp.newaxis] - right


# %% a mean without its axis
rows = jnp.ones((4, 4))
first = rows[:, :1]
d = first - jnp.arange(4.0)  # E: outer: float32[4, 4]
# %% a mean that keeps its axis
rows = jnp.ones((4, 4))
mean = rows.mean(axis=1, keepdims=True)
d = mean - jnp.arange(4.0)


# %% a layer with one output
from flax import nnx

model = nnx.Linear(3, 1, rngs=nnx.Rngs(0))
x, y = jnp.ones((8, 3)), jnp.ones(8)
loss = jnp.abs(model(x) - y).mean()  # E: outer: float32[8, 1] and float32[8]
# %% a layer with one output whose axis is dropped
from flax import nnx

model = nnx.Linear(3, 1, rngs=nnx.Rngs(0))
x, y = jnp.ones((8, 3)), jnp.ones(8)
loss = jnp.abs(model(x)[:, 0] - y).mean()


# %% a module of Flax
import flax.linen as nn

model = nn.Dense(1)
x, y = jnp.ones((8, 3)), jnp.ones(8)
params = model.init(jax.random.key(0), x)


def loss(params):
    return ((model.apply(params, x) - y) ** 2).mean()  # E: outer: float32[8, 1] and float32[8]


slopes = jax.grad(loss)(params)
# %% a module of Flax whose targets are a column
import flax.linen as nn

model = nn.Dense(1)
x, y = jnp.ones((8, 3)), jnp.ones((8, 1))
params = model.init(jax.random.key(0), x)


def loss(params):
    return ((model.apply(params, x) - y) ** 2).mean()


slopes = jax.grad(loss)(params)


# %% values and rewards
values = jnp.zeros((16, 1))
rewards = jnp.ones(16)
advantages = rewards - values  # E: outer: float32[16] and float32[16, 1]
# %% values and rewards of one shape
values = jnp.zeros((16, 1))
rewards = jnp.ones(16)
advantages = rewards - values.squeeze(-1)


# %% a step of a loop
def step(w, batch):
    x, y = batch
    return w, jnp.abs(x @ w - y).mean()  # E: outer: float32[4, 1] and float32[4]


_, losses = jax.lax.scan(step, jnp.ones((2, 1)), (jnp.ones((10, 4, 2)), jnp.ones((10, 4))))
# %% a step of a loop whose weights are a row
def step(w, batch):
    x, y = batch
    return w, jnp.abs(x @ w - y).mean()


_, losses = jax.lax.scan(step, jnp.ones(2), (jnp.ones((10, 4, 2)), jnp.ones((10, 4))))


# %% unequal predictions
wrong = jnp.zeros((9, 1), bool) != jnp.ones(9, bool)  # E: outer: bool[9, 9]
# %% unequal predictions of one shape
wrong = jnp.zeros(9, bool) != jnp.ones(9, bool)


# %% a tree of targets
batch = {"x": jnp.ones((6, 2)), "y": jnp.ones(6)}
w = jnp.ones((2, 1))
error = batch["x"] @ w - batch["y"]  # E: outer: float32[6, 1] and float32[6]
# %% a tree of targets that are columns
batch = {"x": jnp.ones((6, 2)), "y": jnp.ones((6, 1))}
w = jnp.ones((2, 1))
error = batch["x"] @ w - batch["y"]


# %% a sum that keeps an axis by a slice
probs = jnp.ones((5, 5))
part = probs[:, 0:1]
d = jnp.not_equal(part, jnp.zeros(5))  # E: outer: bool[5, 5]
# %% a sum that drops the axis
probs = jnp.ones((5, 5))
part = probs[:, 0]
d = jnp.not_equal(part, jnp.zeros(5))


# %% a module of Equinox
import equinox as eqx

model = eqx.nn.Linear(3, 1, key=jax.random.key(0))
x, y = jnp.ones((7, 3)), jnp.ones(7)
error = x @ model.weight.T - y  # T may be meant
error = jax.lax.map(model, x) - y  # E: outer: float32[7, 1] and float32[7]
# %% a module of Equinox with a scalar output
import equinox as eqx

model = eqx.nn.Linear(3, "scalar", key=jax.random.key(0))
x, y = jnp.ones((7, 3)), jnp.ones(7)
error = jax.lax.map(model, x) - y


# %% a loss of a library
import optax

loss = optax.huber_loss(jnp.zeros((8, 1)), jnp.ones(8)).mean()  # E: outer: float32[8, 1] and float32[8]
# %% a loss of a library on one shape
import optax

loss = optax.huber_loss(jnp.zeros(8), jnp.ones(8)).mean()


# %% what a model observes
import numpyro
import numpyro.distributions as dist
from numpyro.infer.util import log_density


def model(scores, labels):
    with numpyro.plate("rows", 100):
        numpyro.sample("labels", dist.Bernoulli(logits=scores), obs=labels)  # E: outer: float32[100] and float32[100, 1]


joint, _ = log_density(model, (jnp.zeros(100), jnp.zeros((100, 1))), {}, {})
# %% what a model observes, of one shape
import numpyro
import numpyro.distributions as dist
from numpyro.infer.util import log_density


def model(scores, labels):
    with numpyro.plate("rows", 100):
        numpyro.sample("labels", dist.Bernoulli(logits=scores), obs=labels)


joint, _ = log_density(model, (jnp.zeros(100), jnp.zeros(100)), {}, {})
