"""Indices outside of an axis. Each program that is wrong has a twin that is right."""

# only: engine, show, server - JAX runs such programs, and `test_rules` asks it; mypy has errors alone
import jax
import jax.numpy as jnp
import numpy as np
import nowhere
from jax import lax


# %% an index behind the end
x = jnp.arange(5.0)[5]  # E: index: index 5 is outside of axis 0 of float32[5]: ... takes the last item; the indices are -5 to 4
# %% the last index
x = jnp.arange(5.0)[4]


# %% an index before the start
x = jnp.arange(5.0)[-6]  # E: index: index -6 ... takes the first item
# %% the first index from the end
x = jnp.arange(5.0)[-5]


# %% an update behind the end
x = jnp.arange(5).at[10].set(1)  # E: index: leaves the update out
# %% an update of the last item
x = jnp.arange(5).at[4].set(1)


# %% an update that is added
x = jnp.zeros((5, 2)).at[1:4, 2].add(1)  # E: index: index 2 is outside of axis 1 of float32[5, 2]
# %% an update that says what is to become of it
x = jnp.zeros((5, 2)).at[1:4, 2].add(1, mode="drop")


# %% an array of indices
x = jnp.arange(5.0)[jnp.array([1, 9])]  # E: index: index 9
# %% an array of indices inside
x = jnp.arange(5.0)[jnp.array([1, -2])]


# %% an array of NumPy
x = jnp.arange(5.0)[np.array([7, 1])]  # E: index: index 7
# %% a slice may end behind the end
x = jnp.arange(5.0)[2:9]


# %% a second index
x = jnp.ones((5, 2))[3, 2]  # E: index: axis 1
# %% the second index inside
x = jnp.ones((5, 2))[3, 1]


# %% take
table = jnp.arange(9.0).reshape(3, 3)
row = jnp.take(table, jnp.array([4]), axis=0)  # E: index: index 4 ... gives nan
# %% take that is told to clip
table = jnp.arange(9.0).reshape(3, 3)
row = jnp.take(table, jnp.array([4]), axis=0, mode="clip")


# %% take along an axis
x = jnp.take_along_axis(jnp.arange(6.0).reshape(2, 3), jnp.array([[3], [0]]), 1)  # E: index: index 3
# %% take along an axis, inside
x = jnp.take_along_axis(jnp.arange(6.0).reshape(2, 3), jnp.array([[2], [0]]), 1)


# %% a dynamic slice
x = lax.dynamic_slice(jnp.arange(5.0), (4,), (3,))  # E: index: the slice from 4 to 7 ... it can begin at 2 at most
# %% a dynamic slice to the end
x = lax.dynamic_slice(jnp.arange(5.0), (2,), (3,))


# %% an update of a slice
x = lax.dynamic_update_slice(jnp.zeros(5), jnp.ones(2), (4,))  # E: index: the slice from 4 to 6
# %% an update of the last slice
x = lax.dynamic_update_slice(jnp.zeros(5), jnp.ones(2), (3,))


# %% indices that are computed
index = jnp.arange(3) * 2 + 1
x = jnp.arange(5.0)[index]  # E: index: index 5
# %% indices that are computed, and stay inside
index = jnp.minimum(jnp.arange(3) * 2 + 1, 4)
x = jnp.arange(5.0)[index]


# %% a loop that goes too far
x = jnp.zeros(5)
for i in range(6):
    x = x.at[i].set(i)  # E: index: index 5
# %% a loop that ends in time
x = jnp.zeros(5)
for i in range(5):
    x = x.at[i].set(i)


# %% a jitted function
@jax.jit
def ends(x):
    return x[0] + x[5]  # E: index: index 5


y = ends(jnp.ones(5))
# %% a jitted function that counts from the end
@jax.jit
def ends(x):
    return x[0] + x[-1]


y = ends(jnp.ones(5))


# %% a function with two indices
def pick(index):
    return jnp.arange(5.0)[index]  # E: index: index 7


a = pick(jnp.array([1]))
b = pick(jnp.array([7]))
# %% a function with indices inside
def pick(index):
    return jnp.arange(5.0)[index]


a = pick(jnp.array([1]))
b = pick(jnp.array([3]))


# %% rows
x = jax.vmap(lambda row: row[2])(jnp.ones((5, 2)))  # E: index: index 2 is outside of an axis of size 2
# %% rows that are long enough
x = jax.vmap(lambda row: row[2])(jnp.ones((2, 5)))


# %% rows of an unknown number
# unknown: 3
x = jnp.ones((4, 2))[:, 2]  # E: index: index 2
y = jnp.ones((nowhere.a, 2))[:, 1]
# %% one of two indices
# unknown: True
# unknown: False
index = jnp.array([1]) if nowhere.a else jnp.array([9])
x = jnp.zeros(10)[index]
y = jnp.arange(5.0)[jnp.where(nowhere.a, index, 1) % 5]


# %% an index in a loop that goes on
index = jnp.array([0])
for _ in range(3):
    index = index + 2
x = jnp.arange(5.0)[index]  # E: index: index 6
# %% an index that a loop leaves out
# unknown: [1, 2]
index = jnp.array([0])
for _ in nowhere.a:
    index = index + 2
x = jnp.arange(5.0)[index]


# %% a lookup of a layer
class Table:
    def __init__(self, rows):
        self.rows = jnp.ones((rows, 4))

    def __call__(self, tokens):
        return self.rows[tokens]  # E: index: index 10 is outside of axis 0 of float32[10, 4]


x = Table(10)(jnp.array([[0, 10]]))
# %% a lookup of a layer with a row for each token
class Table:
    def __init__(self, rows):
        self.rows = jnp.ones((rows, 4))

    def __call__(self, tokens):
        return self.rows[tokens]


x = Table(11)(jnp.array([[0, 10]]))


# %% a class that counts from one
labels = jnp.array([1, 2, 3])
logits = jnp.zeros((3, 3))
picked = logits[jnp.arange(3), labels]  # E: index: index 3 is outside of axis 1
# %% a class that counts from zero
labels = jnp.array([1, 2, 3]) - 1
logits = jnp.zeros((3, 3))
picked = logits[jnp.arange(3), labels]
