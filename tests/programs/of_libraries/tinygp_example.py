import jax
import jax.numpy as jnp
from tinygp import GaussianProcess, kernels

x = jnp.linspace(0.0, 10.0, 50)
y = jnp.sin(x)


def build_gp(params):
    kernel = jnp.exp(params["amp"]) * kernels.ExpSquared(jnp.exp(params["scale"]))
    return GaussianProcess(kernel, x, diag=jnp.exp(params["diag"]))


@jax.jit
def loss(params):
    gp = build_gp(params)
    return -gp.log_probability(y)


params = {"amp": jnp.zeros(()), "scale": jnp.zeros(()), "diag": jnp.array(-2.0)}
value = loss(params)
grads = jax.grad(loss)(params)
g = grads["amp"]
gp = build_gp(params)
_, cond = gp.condition(y, jnp.linspace(0, 10, 20))
mu, var = cond.loc, cond.variance
sample = gp.sample(jax.random.key(0), (3,))
