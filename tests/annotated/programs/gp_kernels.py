"""Kernels as callable equinox modules and a Gaussian process posterior over test points."""

import abc

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

ScalarFloat = Float[Array, ""]


class AbstractKernel(eqx.Module):
    @abc.abstractmethod
    def __call__(self, x: Float[Array, "d"], y: Float[Array, "d"]) -> ScalarFloat: ...

    def cross_covariance(self, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n m"]:
        return jax.vmap(lambda a: jax.vmap(lambda b: self(a, b))(y))(x)

    def gram(self, x: Float[Array, "n d"]) -> Float[Array, "n n"]:
        return self.cross_covariance(x, x)


class RBF(AbstractKernel):
    lengthscale: Float[Array, "d"]
    variance: ScalarFloat

    def __call__(self, x: Float[Array, "d"], y: Float[Array, "d"]) -> ScalarFloat:
        scaled = (x - y) / self.lengthscale
        return self.variance * jnp.exp(-0.5 * scaled @ scaled)


class Posterior(eqx.Module):
    kernel: AbstractKernel
    noise: ScalarFloat

    def predict(
        self, train_x: Float[Array, "n d"], train_y: Float[Array, "n"], test_x: Float[Array, "m d"]
    ) -> tuple[Float[Array, "m"], Float[Array, "m m"]]:
        n = train_x.shape[0]
        sigma = self.kernel.gram(train_x) + self.noise * jnp.eye(n)
        k_xt = self.kernel.cross_covariance(train_x, test_x)
        factor = jax.scipy.linalg.cho_factor(sigma, lower=True)
        mean = k_xt.T @ jax.scipy.linalg.cho_solve(factor, train_y)
        cov = self.kernel.gram(test_x) - k_xt.T @ jax.scipy.linalg.cho_solve(factor, k_xt)
        return mean, cov


x = jax.random.uniform(jax.random.key(0), (11, 2))
y = jnp.sin(4 * x[:, 0]) + x[:, 1]
posterior = Posterior(RBF(jnp.array([0.4, 0.8]), jnp.array(1.0)), jnp.array(1e-2))
mean, cov = posterior.predict(x, y, jax.random.uniform(jax.random.key(1), (5, 2)))
print(mean, jnp.diag(cov))
