"""Names like libraries', a method replaced after the class is made, functions as attributes, __getattr__."""

import types

import jax
import jax.numpy as jnp
import numpy

random = numpy.random.default_rng(3)
optax = types.SimpleNamespace(sgd=lambda rate: (lambda p, g: p - rate * g))
time = jnp.arange(5.0)


class Model:
    """Anything that it does not have is looked up in its params."""

    activation = staticmethod(jnp.tanh)
    instances = []

    def __init__(self, **params):
        self.__dict__["params"] = params
        Model.instances.append(self)

    def __getattr__(self, name):
        try:
            return self.params[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self.params[name] = value

    def __call__(self, x):
        return self.activation(self.scale * x + self.shift)

    def __enter__(self):
        self.__dict__["saved"] = dict(self.params)
        return self

    def __exit__(self, *exc):
        self.__dict__["params"] = self.__dict__.pop("saved")
        return False

    def __iter__(self):
        yield from self.params.values()

    def __contains__(self, name):
        return name in self.params


class Wide(Model):
    def __call__(self, x):
        out = super().__call__(x)
        return jnp.concatenate([out, out])


def doubled(self, x):
    return 2 * self.activation(self.scale * x)


class Meter:
    __slots__ = ("values",)

    def __init__(self):
        self.values = []

    def __iadd__(self, value):
        self.values.append(value)
        return self

    def __float__(self):
        return float(jnp.stack(self.values).mean())

    def __len__(self):
        return len(self.values)

    def __bool__(self):
        return len(self.values) > 0

    def __getitem__(self, item):
        return jnp.stack(self.values)[item]


x = jnp.asarray(random.uniform(size=3), dtype=jnp.float32)
model = Model(scale=2.0, shift=jnp.array([1.0, 0.0, -1.0]))
wide = Wide(scale=1, shift=0.5)
before = model(x)
longer = wide(x)
original = Model.__call__
Model.__call__ = doubled
after = model(x)
inherited = wide(x)
Model.__call__ = original
model.bonus = jnp.ones((2, 2))
bonus = model.bonus
with model as inside:
    inside.shift = jnp.zeros((2, 1))
    changed = inside(x)
restored = model(x)
has = "bonus" in model, hasattr(model, "missing"), getattr(model, "missing", time)
fallback = has[-1]
parts = [jnp.asarray(p) for p in model]
model.params["activation"] = jax.nn.relu
bound = types.MethodType(lambda self, x: self.scale - x, model)
via = bound(x)
meter = Meter()
for t in time:
    meter += t * before.sum()
peak = meter[-1] if meter else None
recent = meter[1:3]
update = optax.sgd(0.1)
stepped = update(x, jnp.ones(3))
print(before, after.shape, longer.shape, inherited.shape, changed.shape, restored.shape, float(meter), len(meter))
assert len(parts) == 3 and len(Model.instances) == 2
