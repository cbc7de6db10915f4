"""An MLP mixer in equinox, trained by optax; filter_jit, filter_value_and_grad, partition, tree_at."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import optax


class MixerBlock(eqx.Module):
    patch_mixer: eqx.nn.MLP
    channel_mixer: eqx.nn.MLP
    norms: list

    def __init__(self, channels, patches, *, key):
        k1, k2 = jr.split(key)
        self.patch_mixer = eqx.nn.MLP(patches, patches, width_size=16, depth=1, key=k1)
        self.channel_mixer = eqx.nn.MLP(channels, channels, width_size=16, depth=1, key=k2)
        self.norms = [eqx.nn.LayerNorm((channels, patches)), eqx.nn.LayerNorm((patches, channels))]

    def __call__(self, y):
        y = y + jax.vmap(self.patch_mixer)(self.norms[0](y))
        y = jnp.swapaxes(y, 0, 1)
        y = y + jax.vmap(self.channel_mixer)(self.norms[1](y))
        return y.T


class Mixer(eqx.Module):
    embed: eqx.nn.Conv2d
    blocks: list
    head: eqx.nn.Linear
    temperature: jax.Array
    patch: int = eqx.field(static=True)

    def __init__(self, image=8, patch=4, channels=12, classes=3, depth=2, *, key):
        k_embed, k_head, *k_blocks = jr.split(key, 2 + depth)
        self.patch = patch
        self.embed = eqx.nn.Conv2d(1, channels, patch, stride=patch, key=k_embed)
        self.blocks = [MixerBlock(channels, (image // patch) ** 2, key=k) for k in k_blocks]
        self.head = eqx.nn.Linear(channels, classes, key=k_head)
        self.temperature = jnp.array(1.0)

    def __call__(self, image):
        y = self.embed(image)
        channels, height, width = y.shape
        y = y.reshape(channels, height * width)
        for block in self.blocks:
            y = block(y)
        pooled = y.mean(axis=1)
        return self.head(pooled) / self.temperature


def make_data(key, n):
    labels = jr.randint(key, (n,), 0, 3)
    images = jr.normal(key, (n, 1, 8, 8)) + labels[:, None, None, None]
    return images, labels


@eqx.filter_value_and_grad
def compute_loss(model, images, labels):
    logits = jax.vmap(model)(images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@eqx.filter_jit
def make_step(model, opt_state, optim, images, labels):
    loss, grads = compute_loss(model, images, labels)
    updates, opt_state = optim.update(grads, opt_state, eqx.filter(model, eqx.is_array))
    return eqx.apply_updates(model, updates), opt_state, loss


@eqx.filter_jit
def accuracy(model, images, labels):
    return jnp.mean(jnp.argmax(jax.vmap(model)(images), axis=1) == labels)


key = jr.PRNGKey(5678)
data_key, model_key = jr.split(key)
images, labels = make_data(data_key, 32)
model = Mixer(key=model_key)
optim = optax.adamw(3e-3)
opt_state = optim.init(eqx.filter(model, eqx.is_inexact_array))
for step in range(10):
    model, opt_state, loss = make_step(model, opt_state, optim, images, labels)
score = accuracy(model, images, labels)
arrays, static = eqx.partition(model, eqx.is_array)
count = sum(x.size for x in jax.tree.leaves(arrays))
same = eqx.combine(arrays, static)
cold = eqx.tree_at(lambda m: m.temperature, same, jnp.array(0.5))
sharp = jax.nn.softmax(cold(images[0]))
weight = cold.blocks[0].patch_mixer.layers[0].weight
print(loss, score, count, sharp, weight.shape)
