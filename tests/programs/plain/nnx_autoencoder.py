"""A denoising autoencoder with flax.nnx: modules, dropout, batch norm, an optimizer, split and merge."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Encoder(nnx.Module):
    def __init__(self, din, width, latent, *, rngs: nnx.Rngs):
        self.linear = nnx.Linear(din, width, rngs=rngs)
        self.norm = nnx.BatchNorm(width, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)
        self.out = nnx.Linear(width, latent, rngs=rngs)

    def __call__(self, x):
        h = nnx.relu(self.norm(self.linear(x)))
        return self.out(self.dropout(h))


class Decoder(nnx.Module):
    def __init__(self, latent, width, dout, rngs):
        self.hidden = nnx.Linear(latent, width, rngs=rngs)
        self.out = nnx.Linear(width, dout, use_bias=False, rngs=rngs)
        self.gain = nnx.Param(jnp.ones(dout))

    def __call__(self, z):
        return self.out(nnx.gelu(self.hidden(z))) * self.gain


class Counter(nnx.Variable):
    pass


class AutoEncoder(nnx.Module):
    def __init__(self, din, latent=3, width=24, *, rngs):
        self.encoder = Encoder(din, width, latent, rngs=rngs)
        self.decoder = Decoder(latent, width, din, rngs)
        self.calls = Counter(jnp.zeros((), jnp.int32))

    def __call__(self, x):
        self.calls.value = self.calls.value + 1
        return self.decoder(self.encoder(x))

    def encode(self, x):
        return self.encoder(x)


@nnx.jit
def train_step(model, optimizer, noisy, clean):
    def loss_fn(model):
        out = model(noisy)
        return ((out - clean) ** 2).mean(), out

    (loss, out), grads = nnx.value_and_grad(loss_fn, has_aux=True)(model)
    optimizer.update(model, grads)
    return loss, out


rngs = nnx.Rngs(0, dropout=1)
model = AutoEncoder(10, rngs=rngs)
optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
key = jax.random.key(0)
basis = jax.random.normal(key, (3, 10))
for i in range(8):
    key, k1, k2 = jax.random.split(key, 3)
    clean = jax.random.normal(k1, (16, 3)) @ basis
    noisy = clean + 0.1 * jax.random.normal(k2, clean.shape)
    loss, out = train_step(model, optimizer, noisy, clean)
model.eval()
codes = model.encode(clean)
restored = model(clean)
graphdef, state = nnx.split(model)
n_params = sum(p.size for p in jax.tree.leaves(nnx.state(model, nnx.Param)))
kernel = model.encoder.linear.kernel.value
copy = nnx.merge(graphdef, state)
difference = jnp.abs(copy(clean) - restored).max()
running_mean = model.encoder.norm.mean.value
calls = model.calls.value
print(loss, n_params, kernel.shape, difference, running_mean.shape, calls, codes.shape)
