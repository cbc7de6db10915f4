"""Programs that look like those whose gradient is NaN, and have finite gradients. Each says so at its end."""

# only: engine, true - what the other clients leave out has programs of its own
import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

# %% a norm that is only shown
def loss(w):
    return jnp.sum(w), {"norm": jnp.linalg.norm(w)}


slope, shown = jax.grad(loss, has_aux=True)(jnp.zeros(3))
assert jnp.isfinite(slope).all()


# %% a norm that is only printed
def loss(w):
    jax.debug.print("{}", jnp.linalg.norm(w))
    return jnp.sum(w)


slope = jax.grad(loss)(jnp.zeros(3))
assert jnp.isfinite(slope).all()


# %% a branch that is not taken
def loss(w):
    return jax.lax.cond(jnp.sum(w) > 0, lambda v: jnp.linalg.norm(v), lambda v: jnp.sum(v), w)


slope = jax.grad(loss)(jnp.zeros(3))
assert jnp.isfinite(slope).all()


# %% a branch of Python
def loss(total, count):
    if count == 0:
        return total
    return total / count


slope = jax.grad(loss)(1.0, 0)
assert jnp.isfinite(slope)


# %% a norm that is no part of the derivative
def loss(w):
    return jnp.sum(w) / (1.0 + jax.lax.stop_gradient(jnp.linalg.norm(w)))


slope = jax.grad(loss)(jnp.zeros(3))
assert jnp.isfinite(slope).all()


# %% a derivative by another argument
def loss(w, x):
    return jnp.sum(w) * jnp.linalg.norm(x) + jnp.where(x > 0, jnp.sqrt(x), 0.0).sum()


slope = jax.grad(loss)(jnp.ones(2), jnp.zeros(3))
assert jnp.isfinite(slope).all()


# %% a root with a derivative of its own
@jax.custom_jvp
def safe_root(x):
    return jnp.sqrt(x)


@safe_root.defjvp
def of_root(primals, tangents):
    (x,), (t,) = primals, tangents
    root = safe_root(x)
    return root, jnp.where(x > 0, 0.5 / jnp.where(x > 0, root, 1.0), 0.0) * t


def loss(x):
    return jnp.where(x > 0, safe_root(x), 0.0).sum()


slope = jax.grad(loss)(jnp.zeros(3))
assert jnp.isfinite(slope).all()


# %% a figure of what is differentiated elsewhere
x = jnp.zeros(3)
shown = jnp.where(x > 0, jnp.log(x), 0.0)
slope = jax.grad(lambda x: jnp.sum(x**2))(x)
assert jnp.isfinite(slope).all()


# %% layers that begin at zero
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.LayerNorm()(nn.Dense(4, kernel_init=nn.initializers.zeros)(x))
        return nn.softmax(nn.gelu(h)).sum()


net = Net()
params = net.init(jax.random.key(0), jnp.ones(3))
slope = jax.grad(lambda params: net.apply(params, jnp.zeros(3)))(params)
assert all(jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(slope))


# %% norms of the libraries
def loss(w):
    return optax.safe_norm(w, 1e-6) + optax.losses.huber_loss(w).sum() + jax.nn.logsumexp(w)


slope = jax.grad(loss)(jnp.zeros(3))
size = optax.global_norm({"w": slope * 0})
assert jnp.isfinite(slope).all()


# %% an epsilon that is an argument
class Unit(eqx.Module):
    eps: float

    def __call__(self, x):
        size = jnp.sqrt(jnp.sum(x**2) + self.eps)
        return jnp.where(size > 0.0, x / size, 0.0).sum()


slope = eqx.filter_grad(lambda x, unit: unit(x))(jnp.zeros(3), Unit(1e-6))
assert jnp.isfinite(slope).all()


# %% an angle of two
def angle(v):
    return jnp.where(v[0] > 0, jnp.arctan2(v[1], v[0]), 0.0)


slope = jax.grad(angle)(jnp.array([1.0, 0.0]))
assert jnp.isfinite(slope).all()


# %% a far range
def energy(r):
    return jnp.where(r < 2.0, 1 / r, 0.0).sum()


slope = jax.grad(energy)(jnp.array([0.5, 3.0]))
assert jnp.isfinite(slope).all()


# %% steps away from zero
w = jnp.zeros(3)
for _ in range(2):
    w = w - 0.1 * jax.grad(lambda w: jnp.sum((w - 1.0) ** 2))(w)
slope = jax.grad(lambda w: jnp.linalg.norm(w))(w)
assert jnp.isfinite(slope).all()


# %% a vanishing part of a longer vector
def spread(v):
    return jnp.sqrt(jnp.sum(v**2))


slope = jax.grad(spread)(jnp.array([0.0, 0.0, 2.0]))
assert jnp.isfinite(slope).all()


# %% a mask from elsewhere
def loss(x, keep):
    return jnp.where(keep, jnp.log(x), 0.0).sum()


x = 1.0 + jax.random.uniform(jax.random.key(0), (3,))
slope = jax.grad(loss)(x, jnp.array([True, False, True]))
assert jnp.isfinite(slope).all()


# %% a row that is positive, after one that is not
a, b = jnp.array([-4.0, 9.0])
slope = jax.grad(jnp.sqrt)(b)
assert jnp.isfinite(slope).all()
