"""file: a decorator writes when it decorates, another when what it decorates is called."""

import jax.numpy as jnp


def logged(f):
    open("pwned_decorator", "w").close()

    def wrapper(*args):
        open("pwned_decorator_called", "w").close()
        return f(*args)

    return wrapper


@logged
def double(x):
    return 2 * x


x = double(jnp.ones(3))
