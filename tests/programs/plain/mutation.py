"""Aliases, dicts changed in place, default arguments that remember, shadowed builtins, del, global, nonlocal."""

import copy

import jax
import jax.numpy as jnp
import numpy as np

STEP = 0
CACHE = {}


def tick(n=1):
    global STEP
    STEP += n
    return STEP


def remember(value, seen=[]):
    seen.append(value)
    return seen


def freeze(params, names):
    for name in names:
        params[name] = jax.lax.stop_gradient(params[name])
    return params


def widen(params, extra):
    """Adds columns to the weights: in the dict that it is given, not in a copy."""
    w = params["w"]
    params["w"] = jnp.concatenate([w, jnp.zeros((w.shape[0], extra))], axis=1)
    params["b"] = jnp.pad(params["b"], (0, extra))
    params.setdefault("history", []).append(w.shape)


def make_counter():
    total = jnp.zeros(2)
    calls = 0

    def add(x):
        nonlocal total, calls
        total = total + x
        calls += 1
        return total / calls

    return add


def cached(n, dtype="float32"):
    if (n, dtype) not in CACHE:
        CACHE[n, dtype] = jnp.arange(n, dtype=dtype)
    return CACHE[n, dtype]


params = {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)}
alias = params
backup = copy.deepcopy(params)
shallow = dict(params)
widen(alias, 2)
widen(params, 1)
wide = params["w"]
narrow = backup["w"]
middle = shallow["w"]
assert wide.shape == (3, 5) and narrow.shape == middle.shape == (3, 2)

history = params.pop("history")
freeze(params, names=["b"])
grads = jax.grad(lambda p: (jnp.ones(3) @ p["w"] + freeze(dict(p), ["b"])["b"]).sum())(params)
zero = grads["b"]

first = remember(jnp.float32(1))
second = remember(jnp.arange(3))
assert first is second and len(second) == 2

average = make_counter()
for row in np.arange(6.0).reshape(3, 2):
    mean = average(row)

rows = [[0.0] * 3] * 2
rows[0][1] = 5.0
grid = jnp.array(rows)

buffer = np.zeros((2, 3))
view = buffer[0]
view += np.array([1, 2, 3])
buffer[:, 1] = -1
frozen = jnp.asarray(buffer)

sum = jnp.sum
max, min = jnp.max, jnp.min
total = sum(grid)
span = max(grid) - min(grid)
del sum
plain = sum([1, 2, 3])
id = jnp.eye(3)
list = [id, 2 * id]
type = jnp.stack(list)

functions = []
for k in range(3):
    functions.append(lambda x: x * k)
late = [f(jnp.ones(2)) for f in functions]
early = [f(jnp.ones(k + 1)) for k, f in enumerate([lambda x, k=k: x + k for k in range(3)])]
tick(), tick(3)
x = y = cached(4)
x += 1
y = y * 2 + STEP
cached(4, "int32")
del k
if wide is alias["w"]:
    w, b = alias.values()
lengths = {n: v.shape[0] for (n, _), v in CACHE.items()}
print(wide.shape, zero, mean, grid, frozen, total, span, plain, type.shape, late[0], early[2], x, y, history, lengths)
