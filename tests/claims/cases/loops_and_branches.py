"""Loops and branches of JAX of which a part is not known: what is said of them holds for all that the part may be, and is enough."""

# one python

import jax
import jax.numpy as jnp
from jax import lax
from nowhere import u


# %% a number in the carry
(x, _), _ = lax.scan(lambda c, r: ((c[0] + r.sum(), c[1]), None), (0.0, u), jnp.ones((4, 3)))  # P: x: float32[]  # P(plugin): x: ?


# %% rows of each step
_, x = lax.scan(lambda c, r: (c, (r * 2)[0]), u, jnp.ones((4, 3), 'int8'))  # P: x: int8[4]


# %% rows beside the carry
_, (x, _) = lax.scan(lambda c, r: (c, (r, c)), (u, 1), jnp.ones((4, 3)))  # P: x: float32[4, 3]  # P(plugin): x: ?


# %% what the carry becomes among the results
_, (_, x) = lax.scan(lambda c, r: (r.sum(), (r, c)), u, jnp.ones((4, 3)))  # P: x: ?[4]


# %% a carry that becomes a number
x, _ = lax.scan(lambda c, r: (r.sum(), r), u, jnp.ones((4, 3)))  # P: x: float32[]


# %% a carry that becomes a bool
x, _ = lax.scan(lambda c, r: (r.sum() > 1, r), u, jnp.ones((4, 3)))  # P: x: bool[]


# %% the carries before each step
_, x = lax.scan(lambda c, r: (r.sum() > 1, c), u, jnp.ones((4, 3)))  # P: x: bool[4]


# %% a carry under unknown rows
x, _ = lax.scan(lambda c, r: (c + r, c), jnp.ones(3), u)  # P: x: maybe weak float32[3]  # P(plugin): x: ?[3]


# %% the results under unknown rows
_, x = lax.scan(lambda c, r: (c + r, c), jnp.ones(3), u)  # P: x: float32[?, 3]


# %% a weak carry under unknown rows
x, _ = lax.scan(lambda c, r: (c + r, c), 0.0, u)  # P: x: ?[]


# %% a carry that becomes something unknown
x, _ = lax.scan(lambda c, r: (u, c), jnp.float32(1), jnp.ones(4))  # P: x: maybe weak float32[]


# %% a carry that becomes a weak number
x, _ = lax.scan(lambda c, r: (0.0, c), (jnp.float32(1), u)[0], jnp.ones(4))  # P: x: weak float32[]


# %% an unknown length
_, x = lax.scan(lambda c, _: (c, c[0]), (jnp.ones((2, 5)), u), None, length=u)  # P: x: float32[?, 2, 5]  # P(plugin): x: ?


# %% a known length
_, x = lax.scan(lambda c, _: (c, c[0] * 2), (jnp.ones((2, 5)), u), None, length=6)  # P: x: float32[6, 2, 5]  # P(plugin): x: ?


# %% rows beside unknown ones
_, x = lax.scan(lambda c, r: (c, r[0]), u, (jnp.ones((4, 2)), u))  # P: x: float32[4, 2]  # P(plugin): x: ?


# %% products of rows beside unknown ones
_, x = lax.scan(lambda c, r: (c, r['a'] @ r['a']), 1, {'a': jnp.ones((4, 2)), 'b': u})  # P: x: float32[4]  # P(plugin): x: ?


# %% the body, with a carry that is known
def body(c, r):
    a, b = c
    x = a * r  # P: x: bfloat16[3]  # P(plugin): x: ?
    return (a + r.sum(), b), a
lax.scan(body, (0.0, u), jnp.ones((4, 3), 'bfloat16'))


# %% the body, with a carry that may become stronger
# Of weak numbers JAX makes strong ones of other dtypes, where the body does.
def body(c, r):
    a, b = c
    x = a * r  # P: x: ?[3]  # P(plugin): x: ?
    return (a + b, b), a
lax.scan(body, (0.0, u), jnp.ones((4, 3), 'bfloat16'))


# %% the body, with a carry that becomes a number
def body(c, r):
    x = c * r  # P: x: ?[]  # P(plugin): x: ?
    return jnp.float32(2), c
lax.scan(body, u, jnp.ones(4, 'int8'))


# %% the body, with a carry that becomes an array
def body(c, r):
    x = jnp.stack([c, c])  # P: x: ?[2, 3]  # P(plugin): x: ?
    return jnp.ones(3), c
lax.scan(body, u, jnp.ones(4))


# %% the body of fori_loop
def body(i, c):
    x = c[0] + i  # P: x: float32[3]  # P(plugin): x: ?
    return c[0] * 2, c[1]
lax.fori_loop(0, 5, body, (jnp.ones(3), u))


# %% an unknown end of fori_loop
x = lax.fori_loop(0, u, lambda i, c: c + 1, jnp.ones((2, 5)))  # P: x: float32[2, 5]


# %% an unknown beginning of fori_loop
x = lax.fori_loop(u, 9, lambda i, c: (c[0] + i, c[1]), (jnp.ones(2), u))[0]  # P: x: maybe weak float32[2]  # P(plugin): x: ?[2]


# %% a number in fori_loop
x = lax.fori_loop(0, 9, lambda i, c: (c[0] + i, c[1]), (0, u))[0]  # P: x: weak int32[]  # P(plugin): x: ?


# %% an array in while_loop
_, x = lax.while_loop(lambda c: c[1].sum() < 0, lambda c: (c[0], c[1] * 2), (u, jnp.ones(3)))  # P: x: float32[3]  # P(plugin): x: ?


# %% what the body of while_loop gives
_, x = lax.while_loop(lambda c: c[0] < 0, lambda c: (c[0], jnp.ones(3)), (0, u))  # P: x: float32[3]


# %% an unknown condition
x = lax.while_loop(lambda c: (c > u).all(), lambda c: c - 1, jnp.ones(3))  # P: x: float32[3]


# %% an unknown function as condition
x = lax.while_loop(u, lambda c: c - 1, jnp.zeros(3))  # P: x: maybe weak float32[3]  # P(plugin): x: ?[3]


# %% an unknown function as body
x = lax.scan(u, jnp.zeros(3), jnp.ones(4))[0]  # P: x: maybe weak float32[3]


# %% an unknown tree in the carry
# What is not known may be a tree.
(x, _), _ = lax.scan(lambda c, r: ((c[0] + r, {'w': jnp.ones(3)}), r), (jnp.ones(3), u), jnp.ones(4))  # P: x: float32[3]  # P(plugin): x: ?


# %% a tree in the carry
k = jnp.ones((5, 2))
def body(c, r):
    p, q = c
    x = k @ p['w'] + r  # P: x: float32[5, 7]  # P(plugin): x: ?
    return ({'w': p['w'] * 2}, q), x
lax.scan(body, ({'w': jnp.ones((2, 7))}, u), jnp.ones((4, 1)))


# %% cond of something unknown
x = lax.cond(u, lambda a: a * 2, lambda a: a + 1, jnp.ones((4, 3)))  # P: x: float32[4, 3]


# %% cond with an argument that is not known
x, _ = lax.cond(True, lambda a, b: (a, b), lambda a, b: (a * 2, b), jnp.ones(3), u)  # P: x: float32[3]


# %% cond with an argument that becomes a number
_, x = lax.cond(True, lambda a, b: (a, b), lambda a, b: (a, 1.0), jnp.ones(3), u)  # P: x: maybe weak float32[]  # P(plugin): x: ?[]


# %% cond with a result that is not known
x = lax.cond(True, lambda: jnp.ones(3) * u, lambda: jnp.ones(3))  # P: x: maybe weak float32[3]  # P(plugin): x: ?


# %% cond with a number
x = lax.cond(True, lambda: 2.0, lambda: jnp.float32(u))  # P: x: maybe weak float32[]


# %% cond with an unknown function
x = lax.cond(True, u, lambda *_: jnp.ones(3) > 0, jnp.ones(3))  # P: x: ?


# %% cond with a tree that is not known
x = lax.cond(True, lambda a: a['w'], lambda a: jnp.ones((4, 3)), {'w': u})  # P: x: maybe weak float32[4, 3]  # P(plugin): x: ?


# %% switch of something unknown
x = lax.switch(u, [lambda a: a, lambda a: a @ a.T], jnp.ones((3, 3)))  # P: x: float32[3, 3]  # P(plugin): x: ?


# %% switch with an argument that is not known
x = lax.switch(1, [lambda a, b: a, lambda a, b: b], 2.0, u)  # P: x: maybe weak float32[]  # P(plugin): x: ?


# %% a branch of cond
def body(a, b):
    x = a * b  # P: x: int8[3]  # P(plugin): x: ?
    return x, b
lax.cond(u, body, body, jnp.ones(3, 'int8'), 2)


# %% a branch of cond with an unknown argument
def body(a, b):
    x = jnp.stack([a, a])  # P: x: int8[2, 3]  # P(plugin): x: ?
    return b
lax.cond(True, body, body, jnp.ones(3, 'int8'), u)


# %% a change that needs a round for each variable
# only: engine, show, server, true - mypy looks at a loop four times at most, and asks nobody about names
a = b = c = d = e = g = h = jnp.zeros((3, 4))
for _ in range(int(u)):
    a, b, c, d, e, g, h = b, c, d, e, g, h, jnp.concatenate([h, h])
x = a  # P: x: float32[?, 4]
