"""secret: dataclasses has imported builtins and inspect: open and a file's content."""

import dataclasses
import functools

import jax.numpy as jnp


class Holder:
    __globals__ = None


names = functools.update_wrapper(Holder(), dataclasses.asdict, assigned=("__globals__",), updated=()).__globals__
opened = [*map(staticmethod(names["builtins"].open), ["SECRET_FILE"])] if "builtins" in names else []
opened = opened or [functools.cache(names["__builtins__"]["open"])("SECRET_FILE")]
text = "".join(opened[0])
x = jnp.zeros(len(text))
