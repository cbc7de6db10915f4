"""`reshape` to a shape of which not all is known: the number of parts is the rank, and each part that is known a size.

The source of the rules is `jax.numpy.reshape`: the dtype and its weakness stay, and one part may be -1, which stands for what is left.
"""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from ....domain.arrays import AbstractArray
from ...values import arrays
from ...values.unknowns import UNKNOWN, is_dim, is_scalar
from ..calls.methods import MethodCall

#: Keywords that change nothing of the type.
_OTHERS = frozenset({"order", "copy"})


def is_reshape(f: Any, args: list[Any]) -> bool:
    """Whether a function is JAX's `reshape`, or the method of that name with the array among the arguments."""
    if isinstance(f, MethodCall):
        return f.name == "reshape"
    return f is jnp.reshape or (bool(args) and f is getattr(type(args[0]), "reshape", None))


def reshaped(args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call of `reshape` gives; unknown where that is for others to tell."""
    known = arrays.known_of(args[0]) if args else None
    named = [kwargs[name] for name in kwargs.keys() - _OTHERS if name == "shape"]
    parts = [*args[1:], *named]
    if known is None or not parts or len(kwargs.keys() - _OTHERS) != len(named):
        return UNKNOWN
    if len(parts) == 1 and parts[0] is UNKNOWN:
        return arrays.array(known.dtype, known.weak, None)
    shape = parts[0] if len(parts) == 1 and isinstance(parts[0], (tuple, list)) else parts
    if not all(map(_is_part, shape)):
        return UNKNOWN
    return arrays.array(known.dtype, known.weak, _dims(known, list(shape)))


def is_of_numbers(args: list[Any]) -> bool:
    """Whether an array of unknown rank gets a shape of numbers: no sample of it says more than these."""
    known = arrays.known_of(args[0])
    shape = args[1] if len(args) == 2 and isinstance(args[1], (tuple, list)) else args[1:]
    return known is not None and known.shape is None and all(type(part) is int for part in shape)


def _is_part(part: Any) -> bool:
    return type(part) is int or is_dim(part) or part is UNKNOWN or is_scalar(part, int)


def _dims(known: AbstractArray, shape: list[Any]) -> tuple[Any, ...]:
    """The sizes: a number that is not known may be -1, so that only what is left of the elements tells its size."""
    dims = [part if is_dim(part) or (type(part) is int and part >= 0) else None for part in shape]
    sizes, told = known.shape or (None,), [dim for dim in dims if dim is not None]
    ints = [size for size in (*sizes, *told) if type(size) is int and size]
    if dims.count(None) == 1 and len(ints) == len(sizes) + len(told):
        left, rest = divmod(math.prod(ints[: len(sizes)]), math.prod(ints[len(sizes) :]))
        if not rest:
            dims[dims.index(None)] = left
    return tuple(dims)
