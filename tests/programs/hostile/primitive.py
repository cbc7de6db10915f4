"""file: a primitive of the program's own, whose implementation writes."""

import jax
import jax.numpy as jnp
from jax.extend.core import Primitive

touch_p = Primitive("touch")


@touch_p.def_impl
def touch_impl(x):
    open("pwned_primitive", "w").close()
    return x


touch_p.def_abstract_eval(lambda x: (open("pwned_primitive_abstract", "w"), x)[1])
y = touch_p.bind(jnp.ones(3))
z = jax.eval_shape(touch_p.bind, jnp.ones(3))
