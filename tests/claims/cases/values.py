"""Values of Python, NumPy and libraries of which arrays are made."""

# one python

import jax
import jax.numpy as jnp
import numpy as np


# %% a cached property
# What it gives once stays.
from functools import cached_property
class A:
    n = 4
    @cached_property
    def w(self): return jnp.ones(self.n)
a = A()
a.w
a.n = 5
x = a.w  # P: x: float32[4]  # P(plugin): x: ?


# %% a parameter of flax that is set
from flax import nnx
v = nnx.Param(jnp.zeros(3, 'int8'))
v[...] = jnp.ones(3)
x = +v[...]  # P: x: int8[3]  # P(plugin): x: ?


# %% divmod of a number of NumPy
s = np.random.randint(1, 5, 7)
x = jnp.asarray(divmod(7, s[0])) + abs(s[0])  # P: x: int32[2]  # P(plugin): x: ?


# %% a solver of systems
# It is weak under a trace alone.
from jax.scipy.sparse.linalg import cg
x = cg(lambda v: v * 2.0, jnp.arange(1, 5) * 0.1)[0] * jnp.ones(4, 'bfloat16')  # P: x: ?[4]


# %% a loop over no rows
x = jnp.ones(3)  # P: x: float32[3]
for row in jnp.zeros((0, 2)):
    x = row  # P(engine, show, server): x: ?


# %% a power of integers
# int8 outside of `jit`, where JAX knows the exponent, and int16 within.
x = jnp.zeros((1, 2), 'int8') ** jnp.zeros((), 'uint8')  # P: x: ?[1, 2]


# %% an array of NumPy
x = jnp.asarray(np.arange(6).reshape(2, 3).sum(axis=0).astype(np.float32))  # P: x: float32[3]  # P(plugin): x: float32[...]


# %% a number of an array of NumPy
n = int(np.array([4, 2]).max())
x = jnp.ones(n)  # P: x: float32[4]  # P(plugin): x: float32[?]


# %% a frozen dict as arguments
from flax.core import freeze
options = freeze({'shape': (3,), 'dtype': 'int8'})
x = jnp.zeros(**options)  # P: x: int8[3]  # P(plugin): x: ?


# %% a frozen dict in a dict
from flax.core import freeze
x = {'v': jnp.ones(2), **freeze({'w': jnp.ones(3)})}['w']  # P: x: float32[3]  # P(plugin): x: ?


# %% an array that is waited for
x = jnp.ones((3, 4))[0].block_until_ready()  # P: x: float32[4]


# %% a random size
starts = np.random.randint(1, 5, 7)
x = jnp.zeros((3, starts[0]))  # P: x: float32[3, ?]


# %% a random size of another dtype
starts = np.random.randint(1, 5, 7).astype('int8')
x = jnp.arange(starts[0])  # P: x: int8[?]  # P(plugin): x: ?[?]


# %% a mask that is known
m = jnp.arange(6) > 2
f = jax.jit(lambda a: a.at[m].set(0.0))
x = f(jnp.ones((6, 2)))  # P: x: float32[6, 2]


# %% a number that is written through a view
# What is written into an array is seen through its views, too.
a = np.array([1, 2])
b = a.reshape(2)
a[0] = 5
x = jnp.ones(b[0])  # P: x: float32[?]  # P(plugin): x: float32[...]


# %% numbers that are sorted in place
a = np.array([3, 2])
a.sort()
x = jnp.ones(a[0])  # P: x: float32[?]  # P(plugin): x: float32[...]


# %% arrays that have a number
nums = jnp.array([6, 3])
x = jnp.linspace(0, 1, nums[0])  # P: x: float32[6]  # P(plugin): x: ?
y = jnp.zeros((nums[0], nums[1]))  # P: y: float32[6, 3]  # P(plugin): y: ?
z = jnp.full(nums[1], jnp.array(3, 'int16'))  # P: z: int16[3]  # P(plugin): z: ?
u = jnp.arange(nums[1], nums[0])  # P: u: int32[3]  # P(plugin): u: ?
w = jax.random.uniform(jax.random.key(0), (nums[0], 3))  # P: w: float32[6, 3]  # P(plugin): w: ?


# %% arrays whose number is not known
# argv: 5
# argv: 2
import sys
n = jnp.ones(int(sys.argv[1])).sum().astype(int)
x = jnp.linspace(0, 1, n)  # P: x: float32[?]  # P(plugin): x: ?
y = jnp.ones((n, 3))  # P: y: float32[?, 3]  # P(plugin): y: ?


# %% what two objects of a frozen dataclass have in common
# argv: 1
# argv: 1 2
import sys
from dataclasses import dataclass
@dataclass(frozen=True)
class Options:
    n: int
    start: jax.Array | None = None
@dataclass(frozen=True)
class Key:
    n: int
flag = len(sys.argv) > 2
options = Options(3, jnp.ones(3)) if flag else Options(4, jnp.zeros(3))
x = options.start  # P: x: float32[3]  # P(plugin): x: ?
y = jnp.ones((2, options.n))  # P: y: float32[2, ?]  # P(plugin): y: ?
table = {Key(3): jnp.ones(2), Key(4): jnp.ones(5)}
z = table[Key(3) if flag else Key(4)]  # P: z: float32[?]  # P(plugin): z: ?


# %% objects of a generic dataclass in a loop
from dataclasses import dataclass
from typing import Generic, TypeVar
T = TypeVar("T")
@dataclass
class State(Generic[T]):
    inner: T
    step: int = 0
def advance(state):
    if state.step % 3 == 0:
        return State(state.inner * 2, state.step + 1)
    return State(state.inner, state.step + 1)
state = State(jnp.ones(3))
for _ in range(40):
    state = advance(state)
    x = state.inner  # P: x: float32[3]  # P(plugin): x: ?


# %% a guide that is optimized with a progress bar
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO
def model(x, y):
    w = numpyro.sample("w", dist.Normal(jnp.zeros(3), 1.0).to_event(1))  # P: w: float32[3]  # P(plugin): w: ?
    numpyro.sample("y", dist.Normal(x @ w, 1.0).to_event(1), obs=y)
def guide(x, y):
    loc = numpyro.param("loc", jnp.zeros(3))
    numpyro.sample("w", dist.Normal(loc, 1.0).to_event(1))
svi = SVI(model, guide, numpyro.optim.Adam(0.1), Trace_ELBO())
result = svi.run(jax.random.PRNGKey(0), 4, jnp.ones((5, 3)), jnp.ones(5))
losses = result.losses  # P: losses: float32[4]  # P(plugin): losses: ?
x = result.params["loc"]  # P: x: float32[3]  # P(plugin): x: ?


# %% a memory of the last steps
import random
from collections import deque, namedtuple
Step = namedtuple("Step", "obs reward")
class Memory:
    def __init__(self, capacity):
        self.steps = deque(maxlen=capacity)
    def push(self, *parts):
        self.steps.append(Step(*parts))
    def sample(self, count):
        return Step(*zip(*random.sample(self.steps, count)))
memory = Memory(50)
for i in range(80):
    memory.push(np.ones(4, np.float32), 0.5 * i)
first = jnp.asarray(memory.steps[0].obs)  # P: first: float32[4]  # P(plugin): first: ?
batch = memory.sample(16)
x = jnp.stack(batch.obs)  # P: x: float32[16, 4]  # P(plugin): x: ?
y = jnp.array(batch.reward)  # P: y: float32[16]  # P(plugin): y: ?
last = memory.steps.popleft()
z = jnp.asarray(last.reward)  # P: z: weak float32[]  # P(plugin): z: ?


# %% a deque that may hold other arrays
from collections import deque
held: deque[jax.Array] = deque([jnp.ones(2)])
def fill(n):
    for i in range(n):
        held.append(jnp.ones(3, "int32"))
fill(60)
x = held[0]  # P: x: ?[?]  # P(plugin): x: ?
held.clear()
held.append(jnp.ones(5))
y = held[0]  # P: y: ?[?]  # P(plugin): y: ?


# %% slices that begin at an array
# argv: 7
# argv: 700
import sys
n = int(sys.argv[1])
data = jnp.zeros(2000, "int32")
more = jnp.zeros(2000 + n, "int32")
starts = jax.random.randint(jax.random.PRNGKey(0), (4,), 0, 900)  # P: starts: int32[4]
i, j = starts[0], starts[1]
x = data[i : i + 64]  # P: x: int32[?]  # P(plugin): x: ?
y = jnp.stack([data[i : i + 64], data[j : j + 64]])  # P: y: int32[2, ?]  # P(plugin): y: ?
z = jnp.stack([more[k : k + 64] for k in starts])  # P: z: int32[4, ?]  # P(plugin): z: ?
w = data[int(i) : int(i + 64)] + data[int(j) : int(j + 64)]  # P: w: int32[?]  # P(plugin): w: ?


# %% numbers of Python that are in an array
loss = jnp.ones(3, "bfloat16").sum()
x = jnp.ones(2, "bfloat16") * loss.item()  # P: x: bfloat16[2]  # P(plugin): x: ?
losses = []
for _ in range(30):
    losses.append(loss.item())
y = jnp.array(losses)  # P: y: float32[?]  # P(plugin): y: ?
z = jnp.asarray(jnp.ones((2, 3), "int8").tolist())  # P: z: int32[2, 3]  # P(plugin): z: ?
sizes = jnp.arange(4).tolist()
w = jnp.zeros(sizes[3])  # P: w: float32[3]  # P(plugin): w: ?


# %% the rows of an array of known numbers
x, y = jnp.array([2, 3])  # P: x: int32[]  # P(plugin): x: ?
z = jnp.zeros(10)[: int(y)]  # P: z: float32[?]  # P(plugin): z: ?
w = jnp.zeros(10)[:y]  # P: w: float32[3]  # P(plugin): w: ?


# %% sums with rows are no known numbers
starts = jax.random.randint(jax.random.PRNGKey(0), (4,), 0, 900)  # P: starts: int32[4]
i, j, *others = starts
x = jnp.zeros((j + 1).item())  # P: x: float32[?]  # P(plugin): x: ?
data = jnp.zeros(2000, "int32")
y = jnp.vstack([data[k + 1 : k + 257] for k in starts])  # P: y: int32[4, ?]  # P(plugin): y: ?


# %% functions of NumPy that ask an array of JAX for its method
x = jnp.ones((3, 2), "bfloat16")
a = np.sum(x, axis=1)  # P: a: bfloat16[3]  # P(plugin): a: ?
b = np.mean(x, axis=0, keepdims=True)  # P: b: bfloat16[1, 2]  # P(plugin): b: ?
c = np.argmax(x, 1)  # P: c: int32[3]  # P(plugin): c: ?
d = np.transpose(x, axes=(1, 0))  # P: d: bfloat16[2, 3]  # P(plugin): d: ?
e = np.reshape(x, (2, 3))  # P: e: bfloat16[2, 3]  # P(plugin): e: ?
f = np.flip(np.repeat(x, 2, axis=0), 0)  # P: f: bfloat16[6, 2]  # P(plugin): f: ?
table = np.sum(x, axis=1) / np.amax(x)
@jax.jit
def chosen(i):
    return table[i]
y = chosen(1)  # P: y: bfloat16[]
@jax.jit
def reduced(x):
    return np.sum(x) + np.std(x, axis=0)
z = reduced(x)  # P: z: bfloat16[2]
w = jnp.asarray(np.log(jnp.ones(3)))  # P: w: float32[3]  # P(plugin): w: ?
