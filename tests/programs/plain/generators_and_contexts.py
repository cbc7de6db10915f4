"""Pipelines of generators, context managers, star unpacking, zip and itertools, try and finally."""

import contextlib
import itertools
import operator

import jax
import jax.numpy as jnp
import numpy as np


def numbers(start=0):
    n = start
    while True:
        yield n
        n += 1


def windows(iterable, size):
    window = []
    for item in iterable:
        window.append(item)
        if len(window) < size:
            continue
        yield np.stack(window)
        window = window[1:]


def keys_from(seed):
    key = jax.random.PRNGKey(seed)
    while True:
        key, sub = jax.random.split(key)
        yield sub


def interleave(*streams):
    for group in zip(*streams):
        yield from group


def augment(stream, keys):
    for x, key in zip(stream, keys):
        if (flip := jax.random.bernoulli(key)):
            x = x[..., ::-1]
        yield x, bool(flip)


def running_mean():
    mean, count = None, 0
    while True:
        x = yield mean
        count += 1
        mean = x if mean is None else mean + (x - mean) / count


@contextlib.contextmanager
def collected():
    found = []
    try:
        yield found
    finally:
        found.append(jnp.zeros(()))


class Precision:
    current = "float32"

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.before, Precision.current = Precision.current, self.name
        return self

    def __exit__(self, kind, value, traceback):
        Precision.current = self.before
        return kind is ZeroDivisionError

    def ones(self, *shape):
        return jnp.ones(shape, self.name)


def head_and_tail(xs):
    head, *middle, tail = xs
    return head, middle, tail


def first(predicate, items, default=None):
    for item in items:
        if predicate(item):
            return item
    return default


def attempt(f, *args, otherwise):
    try:
        result = f(*args)
    except (ValueError, TypeError) as error:
        print(type(error).__name__)
        return otherwise
    else:
        return result
    finally:
        print("tried", getattr(f, "__name__", f))


rows = (np.arange(4) * k for k in numbers())
stacks = itertools.islice(windows(rows, 3), 4)
batches = list(augment(map(jnp.asarray, stacks), keys_from(0)))
images, flips = zip(*batches)
images = jnp.stack(images)
n_flips = sum(flips)

averager = running_mean()
next(averager)
for image in images:
    mean = averager.send(image.astype(jnp.float32))
averager.close()

with collected() as found, Precision("bfloat16") as half:
    low = half.ones(2, 3)
    found += [low.sum(), low.mean(axis=0)]
with Precision("float16") as p:
    tiny = p.ones(3) * 1e-4
    ratio = 1 / 0
sizes = [f.shape for f in found]

head, middle, tail = head_and_tail(images)
centre, = middle[:1]
(a, b), *others = zip(jnp.arange(3), jnp.arange(3.0), strict=True)
pairs = jnp.array([x * y for x, y in itertools.product(range(3), repeat=2) if x != y])
table = {name: f(a, b) for name, f in [("add", operator.add), ("mul", operator.mul)]}
totals = list(itertools.accumulate([jnp.ones(2)] * 3, operator.add))
last = totals[-1]
found_image = first(lambda im: im.sum() > 40, images, default=images[0])
failed = attempt(jnp.dot, jnp.ones(2), jnp.ones(3), otherwise=jnp.zeros(()))
worked = attempt(jnp.dot, jnp.ones(3), jnp.ones(3), otherwise=None)
mixed = list(interleave([1, 2], jnp.eye(2)))
nested = [[j * jnp.ones(i) for j in range(2)] for i in range(3)]
widest = max(nested, key=lambda row: row[0].size)[1]
transposed = [*map(jnp.stack, zip(*[(jnp.ones(2), jnp.zeros(())), (jnp.ones(2), jnp.ones(()))]))]
print(images.shape, n_flips, mean.shape, sizes, Precision.current, centre.shape, pairs, table, last, failed, worked)
print(found_image.shape, len(mixed), widest, transposed[1])
