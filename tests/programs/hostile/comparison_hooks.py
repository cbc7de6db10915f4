"""file: comparisons, hashes, truth and lengths write, where a library asks for them."""

import functools

import jax
import jax.numpy as jnp


def touch(name):
    open("pwned_comparison_hooks_" + name, "w").close()


class Option:
    def __eq__(self, other):
        touch("eq")
        return True

    def __hash__(self):
        touch("hash")
        return 1

    def __bool__(self):
        touch("bool")
        return True

    def __len__(self):
        touch("len")
        return 3

    def __index__(self):
        touch("index")
        return 3


@functools.partial(jax.jit, static_argnums=1)
def f(x, option):
    return x * 2 if option else x


y = f(jnp.ones(3), Option())
table = {Option(): 1, Option(): 2}
z = jnp.ones(Option())
count = len(Option())
same = Option() in [1, 2]
