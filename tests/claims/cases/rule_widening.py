"""Floats of few bits that become wide. Each program that is wrong has a twin that is right."""

# only: engine, show - JAX runs such programs, and `test_rules` asks it; mypy has errors alone, and these are information
import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx


# %% a scale that is made without a dtype
def block(x, scale):
    x = x * scale  # E: widening: bfloat16[8, 16] becomes float32[8, 16] (256 bytes more), because scale is float32[16]; write
    return jax.nn.gelu(x)


x = block(jnp.ones((8, 16), jnp.bfloat16), jnp.ones(16))
# %% a scale of the dtype of the input
def block(x, scale):
    x = x * scale
    return jax.nn.gelu(x)


x = block(jnp.ones((8, 16), jnp.bfloat16), jnp.ones(16, jnp.bfloat16))


# %% a number of NumPy
x = jnp.ones((4, 64), jnp.bfloat16)
x = x / np.sqrt(64)  # E: widening: because np.sqrt(64) is float32[]; put a Python number in its place
# %% a number of Python
x = jnp.ones((4, 64), jnp.bfloat16)
x = x / float(np.sqrt(64))


# %% an array of NumPy
@jax.jit
def encode(video, kernel):
    return video @ kernel


frames = np.zeros((4, 16), np.uint8).astype(jnp.bfloat16)
frames = frames / np.float32(255)  # E: widening: bfloat16[4, 16] becomes float32[4, 16]
x = encode(jnp.asarray(frames), jnp.ones((16, 8)))
# %% an array of NumPy, and a number of Python
@jax.jit
def encode(video, kernel):
    return video @ kernel


frames = np.zeros((4, 16), np.uint8).astype(jnp.bfloat16)
frames = frames / 255
x = encode(jnp.asarray(frames), jnp.ones((16, 8), jnp.bfloat16))


# %% a linear layer of Flax
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(4)(x)  # E: widening: because the parameters of Dense are float32; pass dtype=jnp.bfloat16 to Dense


x, _ = Net().init_with_output(jax.random.key(0), jnp.ones((2, 3), jnp.bfloat16))
# %% a linear layer of Flax with a dtype
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(4, dtype=jnp.bfloat16)(x)


x, _ = Net().init_with_output(jax.random.key(0), jnp.ones((2, 3), jnp.bfloat16))


# %% a norm of Flax
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(4, dtype=jnp.bfloat16)(x)
        return nn.LayerNorm()(x)  # E: widening: pass dtype=jnp.bfloat16 to LayerNorm


x, _ = Net().init_with_output(jax.random.key(0), jnp.ones((2, 3), jnp.bfloat16))
# %% a norm of Flax in float32 on purpose
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(4, dtype=jnp.bfloat16)(x)
        return nn.LayerNorm(dtype=jnp.float32)(x)


x, _ = Net().init_with_output(jax.random.key(0), jnp.ones((2, 3), jnp.bfloat16))


# %% a linear layer of NNX
linear = nnx.Linear(3, 4, rngs=nnx.Rngs(0))
x = linear(jnp.ones((2, 3), jnp.bfloat16))  # E: widening: because the parameters of Linear are float32
# %% a linear layer of NNX with a dtype
linear = nnx.Linear(3, 4, dtype=jnp.bfloat16, rngs=nnx.Rngs(0))
x = linear(jnp.ones((2, 3), jnp.bfloat16))


# %% a linear layer of Equinox
linear = eqx.nn.Linear(3, 4, key=jax.random.key(0))
x = jax.vmap(linear)(jnp.ones((2, 3), jnp.bfloat16))  # E: widening: pass dtype=jnp.bfloat16 to Linear
# %% a linear layer of Equinox with a dtype
linear = eqx.nn.Linear(3, 4, dtype=jnp.bfloat16, key=jax.random.key(0))
x = jax.vmap(linear)(jnp.ones((2, 3), jnp.bfloat16))


# %% a module with its own weight
class Scale(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        return x * self.weight  # E: widening: because self.weight is float32[3]; write self.weight.astype(jnp.bfloat16)


x = Scale(jnp.ones(3))(jnp.ones((2, 3), jnp.bfloat16))
# %% a module whose weight is cast
class Scale(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        return x * self.weight.astype(x.dtype)


x = Scale(jnp.ones(3))(jnp.ones((2, 3), jnp.bfloat16))


# %% a softmax that stays wide
def attend(q, k, v):
    scores = (q @ k.T).astype(jnp.float32)
    weights = jax.nn.softmax(scores)
    return weights @ v  # E: widening: bfloat16[5, 4] becomes float32[5, 4] (40 bytes more), because weights is float32[5, 5]


q = jnp.ones((5, 4), jnp.bfloat16)
x = attend(q, q, q)
# %% a softmax that is cast back
def attend(q, k, v):
    scores = (q @ k.T).astype(jnp.float32)
    weights = jax.nn.softmax(scores).astype(q.dtype)
    return weights @ v


q = jnp.ones((5, 4), jnp.bfloat16)
x = attend(q, q, q)


# %% a norm that is not cast back
def rms_norm(x, scale):
    mean = jnp.mean(jnp.square(x.astype(jnp.float32)), -1, keepdims=True)
    return x * jax.lax.rsqrt(mean) * scale  # E: widening: because jax.lax.rsqrt(mean) is float32[2, 1]


x = rms_norm(jnp.ones((2, 8), jnp.float16), jnp.ones(8, jnp.float16))
# %% a norm that is cast back
def rms_norm(x, scale):
    mean = jnp.mean(jnp.square(x.astype(jnp.float32)), -1, keepdims=True)
    return (x * jax.lax.rsqrt(mean)).astype(x.dtype) * scale


x = rms_norm(jnp.ones((2, 8), jnp.float16), jnp.ones(8, jnp.float16))


# %% a mask
tokens = jnp.ones((2, 6, 4), jnp.bfloat16)
mask = jnp.ones((2, 6, 1))
x = tokens * mask  # E: widening: because mask is float32[2, 6, 1]
# %% a mask of bools
tokens = jnp.ones((2, 6, 4), jnp.bfloat16)
mask = jnp.ones((2, 6, 1), bool)
x = tokens * mask


# %% a value of a finfo
scores = jnp.zeros((3, 3), jnp.bfloat16)
x = jnp.where(jnp.eye(3, dtype=bool), scores, jnp.finfo(jnp.float32).min)  # E: widening: because jnp.finfo(jnp.float32).min is
# %% a value of a finfo of the dtype
scores = jnp.zeros((3, 3), jnp.bfloat16)
x = jnp.where(jnp.eye(3, dtype=bool), scores, jnp.finfo(scores.dtype).min)


# %% two halves
def gate(x, y):
    return jax.nn.silu(x) * y  # E: widening: because y is bfloat16[4]; write y.astype(jnp.float16)


x = gate(jnp.ones(4, jnp.float16), jnp.ones(4, jnp.bfloat16))
# %% two halves of one dtype
def gate(x, y):
    return jax.nn.silu(x) * y


x = gate(jnp.ones(4, jnp.float16), jnp.ones(4, jnp.float16))


# %% a concatenation
x = jnp.concatenate([jnp.ones((2, 3), jnp.bfloat16), jnp.zeros((2, 1))], axis=1)  # E: widening: because jnp.zeros((2, 1)) is
# %% a concatenation of one dtype
x = jnp.concatenate([jnp.ones((2, 3), jnp.bfloat16), jnp.zeros((2, 1), jnp.bfloat16)], axis=1)


# %% a loop over layers
def model(weights, x):
    for w in weights:
        x = jnp.tanh(x @ w)  # E: widening: because w is float32[4, 4]
    return x


x = model([jnp.eye(4)] * 3, jnp.ones((2, 4), jnp.bfloat16))
# %% a loop over layers of the dtype
def model(weights, x):
    for w in weights:
        x = jnp.tanh(x @ w)
    return x


x = model([jnp.eye(4, dtype=jnp.bfloat16)] * 3, jnp.ones((2, 4), jnp.bfloat16))


# %% a body of a scan
def step(h, x):
    return h, x + bias  # E: widening: because bias is float32[3]


bias = jnp.zeros(3)
_, x = jax.lax.scan(step, 0, jnp.ones((5, 3), jnp.bfloat16))
# %% a body of a scan in float32
def step(total, x):
    total = total + x
    return total, x


x, _ = jax.lax.scan(step, jnp.zeros(3), jnp.ones((5, 3), jnp.bfloat16))


# %% rows under vmap
def dot(row, w):
    return jnp.dot(row, w)  # E: widening: because w is float32[3, 2]


x = jax.vmap(dot, in_axes=(0, None))(jnp.ones((4, 3), jnp.bfloat16), jnp.ones((3, 2)))
# %% rows under vmap with the dtype asked for
def dot(row, w):
    return jnp.dot(row, w, preferred_element_type=jnp.float32)


x = jax.vmap(dot, in_axes=(0, None))(jnp.ones((4, 3), jnp.bfloat16), jnp.ones((3, 2)))


# %% parameters in a tree
def predict(params, x):
    return jax.nn.relu(x @ params["w"] + params["b"])  # E: widening: because params['w'] is float32[3, 4]


params = {"w": jnp.ones((3, 4)), "b": jnp.ones(4)}
x = jax.jit(predict)(params, jnp.ones((2, 3), jnp.bfloat16))
# %% parameters in a tree that are cast
def predict(params, x):
    return jax.nn.relu(x @ params["w"] + params["b"])


params = {"w": jnp.ones((3, 4)), "b": jnp.ones(4)}
params = jax.tree.map(lambda p: p.astype(jnp.bfloat16), params)
x = jax.jit(predict)(params, jnp.ones((2, 3), jnp.bfloat16))


# %% a helper that makes a table
def table(length, width):
    return jnp.sin(jnp.arange(length)[:, None] / jnp.arange(1.0, width + 1))


def embed(x):
    return x + table(*x.shape)  # E: widening: because table(*x.shape) is float32[6, 4]; write table(*x.shape).astype


x = embed(jnp.ones((6, 4), jnp.bfloat16))
# %% a loss in float32
def loss(logits, targets):
    error = logits - targets
    return jnp.mean(error**2)


x = jax.grad(loss)(jnp.ones((6, 4), jnp.bfloat16), jnp.ones((6, 4)))


# %% a residual of a wide branch
def mixed(x, w):
    y = jnp.einsum("td,dh->th", x, w)  # E: widening: because w is float32[4, 4]
    return x + y


x = mixed(jnp.ones((6, 4), jnp.bfloat16), jnp.eye(4))
# %% parameters in float32 that are updated
params = {"w": jnp.ones(3)}
grads = {"w": jnp.ones(3, jnp.bfloat16)}
params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
x = params["w"]


# %% a method with an unasked table
class Rotary:
    def __init__(self, width):
        self.cos = jnp.cos(jnp.arange(width) / width)

    def __call__(self, x):
        return x * self.cos  # E: widening: because self.cos is float32[8]


x = Rotary(8)(jnp.ones((3, 8), jnp.bfloat16))
# %% a method that casts its result
class Rotary:
    def __init__(self, width):
        self.cos = jnp.cos(jnp.arange(width) / width)

    def __call__(self, x):
        return (x * self.cos).astype(x.dtype)


x = Rotary(8)(jnp.ones((3, 8), jnp.bfloat16))
