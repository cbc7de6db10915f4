"""Programs that give other arrays than PyTorch: `torch` is what is written there for `x`. Each has a twin that gives the same."""

# only: engine - these files are named as ported, which the other clients are not told; `test_ports` has PyTorch's answers
import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp


# %% a range
x = jnp.arange(4)  # E: port-torch: an int gives int32, and int64 in PyTorch
torch = "torch.arange(4)"
# %% a range of floats
x = jnp.arange(4.0)
torch = "torch.arange(4.0)"


# %% a list of ints
x = jnp.array([1, 2])  # E: port-torch: an int gives int32, and int64 in PyTorch
torch = "torch.tensor([1, 2])"
# %% a list of floats
x = jnp.array([1.0, 2.0])
torch = "torch.tensor([1.0, 2.0])"


# %% a deviation
def spread(v):
    return jnp.std(v)  # E: port-torch: PyTorch divides by n - 1


x = spread(jnp.array([1.0, 2.0, 4.0]))
torch = "torch.tensor([1.0, 2.0, 4.0]).std()"
# %% a deviation of a sample
def spread(v):
    return jnp.std(v, ddof=1)


x = spread(jnp.array([1.0, 2.0, 4.0]))
torch = "torch.tensor([1.0, 2.0, 4.0]).std()"


# %% a variance of rows
@jax.jit
def variance(v):
    return v.var(axis=0)  # E: port-torch: PyTorch divides by n - 1


x = variance(jnp.array([[1.0, 2.0], [4.0, 6.0]]))
torch = "torch.tensor([[1.0, 2.0], [4.0, 6.0]]).var(0)"
# %% a mean of rows
@jax.jit
def variance(v):
    return v.mean(axis=0)


x = variance(jnp.array([[1.0, 2.0], [4.0, 6.0]]))
torch = "torch.tensor([[1.0, 2.0], [4.0, 6.0]]).mean(0)"


# %% the greatest of each row
scores = jnp.array([[1.0, 3.0], [4.0, 2.0]])
x = jnp.max(scores, axis=1)  # E: port-torch: PyTorch gives the values and their indices
torch = "torch.max(torch.tensor([[1.0, 3.0], [4.0, 2.0]]), 1)"
# %% the greatest of all
scores = jnp.array([[1.0, 3.0], [4.0, 2.0]])
x = jnp.max(scores)
torch = "torch.max(torch.tensor([[1.0, 3.0], [4.0, 2.0]]))"


# %% a median of four
x = jnp.median(jnp.array([1.0, 2.0, 3.0, 4.0]))  # E: port-torch: PyTorch gives the lower one
torch = "torch.tensor([1.0, 2.0, 3.0, 4.0]).median()"
# %% a quantile of four
x = jnp.quantile(jnp.array([1.0, 2.0, 3.0, 4.0]), 0.5, method="lower")
torch = "torch.tensor([1.0, 2.0, 3.0, 4.0]).median()"


# %% in order
x = jnp.sort(jnp.array([3.0, 1.0]))  # E: port-torch: PyTorch gives the values and their indices
torch = "torch.sort(torch.tensor([3.0, 1.0]))"
# %% in reversed order
x = jnp.flip(jnp.array([3.0, 1.0]))
torch = "torch.flip(torch.tensor([3.0, 1.0]), [0])"


# %% parts
rows = jnp.arange(6.0)
x = jnp.split(rows, 2)[0]  # E: port-torch: the number is that of the parts in JAX
torch = "torch.arange(6.0).split(2)[0]"
# %% parts at positions
rows = jnp.arange(6.0)
x = jnp.split(rows, [2, 4])[0]
torch = "torch.arange(6.0).split(2)[0]"


# %% repeated
row = jnp.array([1.0, 2.0])
x = jnp.repeat(row, 2)  # E: port-torch: x.repeat repeats the whole tensor
torch = "torch.tensor([1.0, 2.0]).repeat(2)"
# %% repeated as a whole
row = jnp.array([1.0, 2.0])
x = jnp.tile(row, 2)
torch = "torch.tensor([1.0, 2.0]).repeat(2)"


# %% a layer with gelu
class Block(nn.Module):
    @nn.compact
    def __call__(self, y):
        return jax.nn.gelu(y)  # E: port-torch: PyTorch computes gelu exactly


block = Block()
x = block.apply({}, jnp.array([1.0, 2.0]))
torch = "torch.nn.functional.gelu(torch.tensor([1.0, 2.0]))"
# %% a layer with an exact gelu
class Block(nn.Module):
    @nn.compact
    def __call__(self, y):
        return jax.nn.gelu(y, approximate=False)


block = Block()
x = block.apply({}, jnp.array([1.0, 2.0]))
torch = "torch.nn.functional.gelu(torch.tensor([1.0, 2.0]))"


# %% a scale of rank 0
class Scaled(eqx.Module):
    scale: jax.Array

    def __call__(self, y):
        return y * self.scale  # E: port-torch: float16 and float32[] give float32, and float16 in PyTorch  # E: widening


x = Scaled(jnp.float32(2.0))(jnp.ones(3, jnp.float16))
torch = "torch.ones(3, dtype=torch.float16) * torch.tensor(2.0)"
# %% a scale of rank 1
class Scaled(eqx.Module):
    scale: jax.Array

    def __call__(self, y):
        return y * self.scale  # E: widening


x = Scaled(jnp.full(1, 2, jnp.float32))(jnp.ones(3, jnp.float16))
torch = "torch.ones(3, dtype=torch.float16) * torch.full((1,), 2.0)"


# %% bytes and an int of rank 0
step = jnp.int32(5)
x = jnp.ones(2, jnp.int8) + step  # E: port-torch: int8 and int32[] give int32, and int8 in PyTorch
torch = "torch.ones(2, dtype=torch.int8) + torch.tensor(5, dtype=torch.int32)"
# %% bytes and a number
x = jnp.ones(2, jnp.int8) + 5
torch = "torch.ones(2, dtype=torch.int8) + 5"


# %% a product of matrices
a, b = jnp.ones((2, 2), jnp.float16), jnp.ones((2, 2), jnp.float32)
x = a @ b  # E: port-torch: float16 and float32 give float32, and PyTorch raises  # E: widening
torch = "torch.ones(2, 2, dtype=torch.float16) @ torch.ones(2, 2)"
# %% a product of matrices of one dtype
a, b = jnp.ones((2, 2), jnp.float16), jnp.ones((2, 2), jnp.float16)
x = a @ b
torch = "torch.ones(2, 2, dtype=torch.float16) @ torch.ones(2, 2, dtype=torch.float16)"


# %% a mean of ints
labels = jnp.ones(3, jnp.int32)
x = labels.mean()  # E: port-torch: int32 gives float32, and PyTorch raises
torch = "torch.ones(3, dtype=torch.int32).mean()"
# %% a mean of converted ints
labels = jnp.ones(3, jnp.int32)
x = labels.astype(jnp.float32).mean()
torch = "torch.ones(3, dtype=torch.int32).float().mean()"


# %% a sum of a mask
def count(mask):
    return mask.sum()  # E: port-torch: bool gives int32, and int64 in PyTorch


x = jax.vmap(count)(jnp.ones((2, 3), bool))
torch = "torch.ones(2, 3, dtype=torch.bool).sum(1)"
# %% whether all are there
def count(mask):
    return mask.all()


x = jax.vmap(count)(jnp.ones((2, 3), bool))
torch = "torch.ones(2, 3, dtype=torch.bool).all(1)"


# %% where the greatest is
x = jnp.argmax(jnp.ones((2, 3)), 1)  # E: port-torch: this gives int32, and int64 in PyTorch
torch = "torch.argmax(torch.ones(2, 3), 1)"
# %% the smallest of all
x = jnp.min(jnp.ones((2, 3)))
torch = "torch.min(torch.ones(2, 3))"


# %% an inverse of ints
m = jnp.eye(2, dtype=jnp.int32)
x = jnp.linalg.inv(m)  # E: port-torch: int32 gives float32, and PyTorch raises
torch = "torch.linalg.inv(torch.eye(2, dtype=torch.int32))"
# %% an inverse of floats
m = jnp.eye(2)
x = jnp.linalg.inv(m)
torch = "torch.linalg.inv(torch.eye(2))"


# %% indices outside
def look_up(table, ids):
    return table[ids]  # E: port-torch: PyTorch raises IndexError


x = look_up(jnp.ones(3), jax.random.randint(jax.random.key(0), (4,), 3, 9))
torch = "torch.ones(3)[torch.tensor([5])]"
# %% a mask in place of indices
def look_up(table, mask):
    return table * mask


x = look_up(jnp.ones(3), jnp.ones(3, bool))
torch = "torch.ones(3) * torch.ones(3, dtype=torch.bool)"


# %% floats as bytes
x = jnp.full(2, 300.0).astype(jnp.uint8)  # E: port-torch: floats outside of uint8
torch = "torch.full((2,), 300.0).to(torch.uint8)"
# %% floats as bytes in two steps
x = jnp.full(2, 300.0).astype(jnp.int32).astype(jnp.uint8)
torch = "torch.full((2,), 300.0).to(torch.int32).to(torch.uint8)"


# %% a parameter that is changed in place
def centre(v):
    v -= v.mean()  # E: port-torch: PyTorch changes the tensor itself
    return v


first = jnp.full(2, 2.0)
for _ in range(2):
    centre(first)
x = first
torch = "[v := torch.full((2,), 2.0), v.sub_(v.mean())][0]"
# %% a parameter that is changed in a copy
def centre(v):
    v = v - v.mean()
    return v


first = jnp.full(2, 2.0)
for _ in range(2):
    centre(first)
x = first
torch = "[v := torch.full((2,), 2.0), v - v.mean()][0]"


# %% a division by zero
a, b = jnp.full(2, 7, jnp.int32), jnp.zeros(2, jnp.int32)
x = a // b  # E: port-torch: PyTorch raises where an int is divided by 0
torch = "torch.full((2,), 7) // torch.zeros(2, dtype=torch.int32)"
# %% a division of floats by zero
a, b = jnp.full(2, 7.0), jnp.zeros(2)
x = a // b
torch = "torch.full((2,), 7.0) // torch.zeros(2)"


# %% a power of ints
a, b = jnp.full(2, 3, jnp.int32), jnp.full(2, -1, jnp.int32)
x = a**b  # E: port-torch: PyTorch gives 0 where an int has a negative power
torch = "torch.full((2,), 3, dtype=torch.int32) ** torch.full((2,), -1, dtype=torch.int32)"
# %% a power of an int
a = jnp.full(2, 2, jnp.int32)
x = a**3
torch = "torch.full((2,), 2, dtype=torch.int32) ** 3"


# %% a mask that is subtracted
mask = jnp.ones(2, bool)
x = 1 - mask  # E: port-torch: an int and bool give int32, and PyTorch raises
torch = "1 - torch.ones(2, dtype=torch.bool)"
# %% a mask that is negated
mask = jnp.ones(2, bool)
x = ~mask
torch = "~torch.ones(2, dtype=torch.bool)"
