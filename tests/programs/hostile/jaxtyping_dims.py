"""file: jaxtyping evaluates what stands in an annotation's dims when a value is checked."""

import jax.numpy as jnp
from jaxtyping import Array, Float, jaxtyped

FORMATTED = '{open("pwned_jaxtyping_dims","w").fileno()}'
EVALUATED = 'open("pwned_jaxtyping_dims_evaluated","w").fileno()'


@jaxtyped(typechecker=None)
def check(x):
    return isinstance(x, Float[Array, FORMATTED]), isinstance(x, Float[Array, EVALUATED])


y = check(jnp.ones(3))
