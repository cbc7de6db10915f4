"""Layers as plain classes: a base class, inheritance, super(), properties, class attributes, __call__."""

import jax
import jax.numpy as jnp
import numpy as np


class Layer:
    count = 0
    dtype = jnp.float32

    def __init__(self, name=None):
        Layer.count += 1
        self.name = name or f"{type(self).__name__.lower()}_{Layer.count}"
        self.training = True

    def __call__(self, x):
        raise NotImplementedError

    @property
    def parameters(self):
        return {k: v for k, v in vars(self).items() if isinstance(v, jax.Array)}

    @property
    def size(self):
        return sum(p.size for p in self.parameters.values())

    def __repr__(self):
        return f"<{self.name}: {self.size}>"


class Linear(Layer):
    def __init__(self, n_in, n_out, *, key, bias=True, **kwargs):
        super().__init__(**kwargs)
        self.weight = jax.random.normal(key, (n_out, n_in), dtype=self.dtype) / np.sqrt(n_in)
        self.bias = jnp.zeros(n_out, self.dtype) if bias else None

    def __call__(self, x):
        y = x @ self.weight.T
        if self.bias is not None:
            y = y + self.bias
        return y


class ScaledLinear(Linear):
    """The scale is an array of its own, so it is a parameter too."""

    def __init__(self, *args, scale=1.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.scale = jnp.full((self.weight.shape[0],), scale)

    def __call__(self, x):
        return super().__call__(x) * self.scale


class Dropout(Layer):
    def __init__(self, rate):
        super().__init__("dropout")
        self.rate = rate
        self._key = jax.random.PRNGKey(99)

    def __call__(self, x):
        if not self.training or self.rate == 0:
            return x
        self._key, key = jax.random.split(self._key)
        keep = jax.random.bernoulli(key, 1 - self.rate, x.shape)
        return jnp.where(keep, x / (1 - self.rate), 0)


class Activation(Layer):
    functions = {"relu": jax.nn.relu, "tanh": jnp.tanh}

    def __init__(self, kind):
        super().__init__(kind)
        self.function = self.functions[kind]

    def __call__(self, x):
        return self.function(x)


class HalfLinear(Linear):
    dtype = jnp.bfloat16


class Sequential(Layer):
    def __init__(self, *layers):
        super().__init__()
        self.layers = list(layers)

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def __getitem__(self, i):
        return self.layers[i]

    def __len__(self):
        return len(self.layers)

    @property
    def size(self):
        return sum(layer.size for layer in self.layers)

    def eval(self):
        for layer in self.layers:
            layer.training = False
        return self


keys = jax.random.split(jax.random.PRNGKey(0), 3)
model = Sequential(
    Linear(6, 12, key=keys[0]),
    Activation("relu"),
    Dropout(0.25),
    ScaledLinear(12, 4, key=keys[1], scale=0.5, name="head"),
)
x = jnp.asarray(np.random.default_rng(0).normal(size=(5, 6)))
noisy = model(x)
clean = model.eval()(x)
first = model[0](x)
head = model[-1]
weights = head.parameters
half = HalfLinear(4, 2, key=keys[2])
mixed = half(clean)
low = half(clean.astype(half.dtype))
print(model.size, Layer.count, model[0], len(model), sorted(weights), half)
assert noisy.shape == clean.shape
