"""file: a decorated function's annotations are evaluated by the checker that is named."""

import jax.numpy as jnp
from beartype import beartype
from jaxtyping import Array, Float, jaxtyped


@jaxtyped(typechecker=beartype)
def double(x: Float[Array, 'open("pwned_jaxtyping_checked","w").close()or(3)']):
    return 2 * x


y = double(jnp.ones(3))
