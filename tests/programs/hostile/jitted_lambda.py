"""file: lambdas that write are jitted, mapped and differentiated."""

import jax
import jax.numpy as jnp

x = jnp.ones(3)
a = jax.jit(lambda x: (open("pwned_jitted_lambda", "w"), x)[1])(x)
b = jax.vmap(lambda x: (open("pwned_jitted_lambda_vmap", "w"), x)[1])(x)
c = jax.grad(lambda x: (open("pwned_jitted_lambda_grad", "w"), x.sum())[1])(x)
d = jax.eval_shape(lambda x: (open("pwned_jitted_lambda_shape", "w"), x)[1], x)
