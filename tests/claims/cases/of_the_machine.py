"""What depends on the machine, on time or on chance: the types of such numbers are known."""

# one python

import dataclasses
import random
import secrets
import time
from datetime import datetime, timedelta

import jax
import jax.numpy as jnp

# %% a random number
x = jnp.ones(3, "bfloat16") * random.uniform(0.0, 1.0)  # P: x: bfloat16[3]
y = jnp.asarray(random.randint(0, 9))  # P: y: weak int32[]
z = jnp.asarray(secrets.randbelow(9))  # P: z: weak int32[]
key = jax.random.PRNGKey(random.getrandbits(16))  # P: key: uint32[2]


# %% a generator of random numbers
chance = random.Random(3)
x = jnp.asarray(chance.random())  # P: x: weak float32[]


# %% items that are chosen
sizes = [2, 3]
x = jnp.zeros(random.choice(sizes))  # P: x: float32[?]
either = [jnp.ones(2), jnp.ones(2, "int32")]
y = random.choice(either)  # P: y: ?[2]
z = jnp.stack(random.sample([jnp.ones(3), jnp.zeros(3)], 2))  # P: z: float32[2, 3]
x = random.choices(either, k=4)[3]  # P: x: ?[2]


# %% items that are mixed
mixed = [jnp.ones(2), jnp.ones(2, "int32")]
random.shuffle(mixed)
x = mixed[0]  # P: x: ?[2]


# %% times
now = datetime.now()
x = jnp.asarray(now.timestamp())  # P: x: weak float32[]
y = jnp.asarray((datetime.now() - datetime(2024, 1, 1)).total_seconds())  # P: y: weak float32[]
z = jnp.ones(3) * (now - timedelta(days=1)).year  # P: z: float32[3]
x = jnp.asarray(time.perf_counter_ns() % 7)  # P: x: weak int32[]


# %% a field with a time
@dataclasses.dataclass
class Params:
    size: int = 3
    begin: float = datetime(2024, 1, 1, 8, 0, 0).timestamp()


params = Params()
x = jnp.full(params.size, params.begin)  # P: x: weak float32[3]
