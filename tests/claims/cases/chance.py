"""Numbers and items that Python draws, and small functions of its libraries."""

# one python

import argparse
import operator
import random
import secrets
import typing
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np


# %% numbers
x = jax.random.normal(jax.random.key(random.randint(0, 9)), (3,)) * random.random()  # P: x: float32[3]
y = jax.random.normal(jax.random.key(secrets.randbelow(2**31)), (2,)) * random.gauss(0.0, 1.0)  # P: y: float32[2]


# %% a size that is drawn
n, m = random.randrange(1, 9), random.randrange(1, 9)
x = jnp.ones((n, m))  # P: x: float32[?, ?]  # P(plugin): x: ?


# %% items
sizes = [2, 3]
a, b = random.sample(sizes, 2)
x = jnp.ones((a, b, random.choice(sizes)))  # P: x: float32[?, ?, ?]  # P(plugin): x: ?
y = random.choice([jnp.ones((3, 1)), jnp.ones((3, 2))])  # P: y: float32[3, ?]  # P(plugin): y: ?


# %% a list that is shuffled
sizes = [2, 3, 4]
random.Random(0).shuffle(sizes)
x = jnp.ones((sizes[0], len(sizes)))  # P: x: float32[?, 3]  # P(plugin): x: ?


# %% arrays that are shuffled
rows = [jnp.ones((3, 1)), jnp.ones((3, 2))]
random.shuffle(rows)
x = rows[0]  # P: x: float32[3, ?]  # P(plugin): x: ?


# %% getters, callers and new types
Size = typing.NewType('Size', int)
layer = SimpleNamespace(w=jnp.ones((2, 3)))
x = operator.attrgetter('w')(layer) * Size(3)  # P: x: float32[2, 3]  # P(plugin): x: ?
y = operator.methodcaller('sum', axis=0)(layer.w)  # P: y: float32[3]  # P(plugin): y: ?


# %% an array of what an iterator gives
x = jnp.asarray(np.fromiter((i * 2 for i in range(4)), dtype=np.int32))  # P: x: int32[4]
y = jnp.asarray(np.fromiter(iter([1.0, 2.0]), np.float32, 2))  # P: y: float32[2]


# %% options as a dict
# argv: --n 3
# argv: --n 4
parser = argparse.ArgumentParser()
parser.add_argument('--n', type=int)
options = vars(parser.parse_args())
options['rows'] = 5
x = jnp.ones((options['rows'], options['n']))  # P: x: float32[5, ?]  # P(plugin): x: ?
