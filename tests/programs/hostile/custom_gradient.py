"""file: rules of custom_vjp and custom_jvp write."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def f(x):
    return x


f.defvjp(lambda x: (x, open("pwned_custom_gradient_fwd", "w").name and None), lambda res, g: (open("pwned_custom_gradient", "w").name and g,))
y = jax.grad(f)(1.0)
