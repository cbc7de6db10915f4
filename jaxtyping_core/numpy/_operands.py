"""Operands: from what a caller holds to the values that JAX computes with.

How an operand is converted depends on its dtype, whether that is weak, and the system. It is decided once for
every combination, as a list of converters, and looked up afterwards.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import ml_dtypes
import numpy as np
from jax import lax

from jaxtyping_core import dtypes
from jaxtyping_core.lattice import Lattice
from jaxtyping_core.numpy import _rules
from jaxtyping_core.promotion import resolve
from jaxtyping_core.systems import RANK_0

#: What a plan is looked up by: for a Python scalar its type, else the dtype, weakness and whether rank is 0.
Key = Any
Converter = Callable[[Any], Any]
Plan = tuple[Converter | None, ...]

#: Where JAX adapts a Python scalar to an array: the scalar's kind is not above the array's.
_KINDS = {"weak_int": 1, "weak_float": 2, "weak_complex": 3, "b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
_BUILTINS: dict[str, type] = {
    node: kind for kind, node in dtypes.PYTHON_SCALARS.items() if node in dtypes.WEAK
}


def key(value: Any, ranked: bool) -> Key:
    """What the plan for `value` is looked up by.

    Raises:
        TypeError: `value` is no array, tracer, NumPy scalar or Python scalar.
    """
    kind = type(value)
    if kind in dtypes.PYTHON_SCALARS:
        return kind
    dtype = getattr(value, "dtype", None)
    if dtype is None or isinstance(value, type):
        return _key_of_stranger(value)
    return dtype, getattr(value, "weak_type", False), ranked and not np.ndim(value)


def _key_of_stranger(value: Any) -> Key:
    for scalar in dtypes.PYTHON_SCALARS:  # a subclass: an IntEnum
        if isinstance(value, scalar):
            return scalar
    raise TypeError(
        f"expected an array, a NumPy scalar or a Python scalar, got {value!r} of type "
        f"{type(value).__name__}. Use asarray for lists and tuples."
    )


def node(key: Key) -> str:
    """The node of the lattice that a key stands for.

    Raises:
        TypeError: arrays of the dtype do not exist in JAX (object, string, datetime64), or have no
            promotion (keys, float0).
    """
    if isinstance(key, type):
        return dtypes.PYTHON_SCALARS[key]
    dtype, weak, rank_0 = key
    name = str(dtype.name)
    row = dtypes.DTYPES.get(name)
    if row is None or not row.promotes:
        raise TypeError(f"arrays of dtype {name} cannot be computed with. Convert to a numeric dtype first.")
    if weak and row.kind != "b":
        return next(weak for weak, kind in dtypes.WEAK.items() if kind == row.kind.replace("u", "i"))
    return name + RANK_0 if rank_0 else name


@functools.cache
def plan(rule: str, keys: tuple[Key, ...], system: str | Lattice, x64: bool) -> Plan:
    """How the operands of `keys` are converted before a function of `rule` is called.

    Raises:
        PromotionError: the operands have no common dtype.
        TypeError: as for `node`.
    """
    targets = _rules.targets(rule, [node(key) for key in keys], system, x64)
    pairs = list(zip(keys, targets, strict=True))
    # The result is weak to JAX where all operands are: one strong operand of the dtype makes it strong.
    settled = rule != "alone" and any(_is_strong(key, target) for key, target in pairs)
    return tuple(converter(key, target, x64, settled, system) for key, target in pairs)


def _is_strong(key: Key, target: str | None) -> bool:
    """Whether a value is, or will be, an array of its target that is not weak."""
    if target is None or isinstance(key, type) or target in dtypes.WEAK:
        return False
    return not key[1] or key[0] != dtypes.numpy_dtype(target)


def converter(
    key: Key, target: str | None, x64: bool, settled: bool = True, system: str | Lattice = "jax"
) -> Converter | None:
    """The conversion of a value to `target`; None where it may stay as it is.

    Args:
        key: the key of the value.
        settled: another operand is a strong array of the target, to which JAX itself adapts weak ones.
        system: JAX rounds a Python scalar twice on the way to less than 32 bits; others do not.
    """
    if target is None:
        return None
    weak = target in dtypes.WEAK
    if isinstance(key, type):
        if weak:
            return None if dtypes.PYTHON_SCALARS[key] == target else _BUILTINS[target]
        adapts = (
            settled and key is not bool and _KINDS[dtypes.PYTHON_SCALARS[key]] <= _KINDS[dtypes.kind(target)]
        )
        if dtypes.kind(target) == "f" and dtypes.DTYPES[target].bits < 32:
            adapts = adapts and system in _rules.OF_JAX
        if key is int and adapts and dtypes.kind(target) in "fc":
            return _whole
        return scalar_converter(target, adapts)
    if key[0] == dtypes.numpy_dtype(resolve(target, x64)) and (key[1] == weak or (settled and not weak)):
        return None
    return caster(target, x64)


def caster(target: str, x64: bool) -> Converter:
    """The conversion of an array to `target`, weak or not."""
    dtype = dtypes.numpy_dtype(resolve(target, x64))
    if target in dtypes.WEAK:
        return lambda value: lax.convert_element_type_p.bind(
            jax.numpy.asarray(value), new_dtype=dtype, weak_type=True, sharding=None
        )
    return lambda value: lax.convert_element_type(value, dtype)


class OutOfBoundsError(OverflowError):
    """A Python integer that a dtype cannot hold, with the bound that it is beyond."""

    def __init__(self, value: int, target: str, low: int, high: int) -> None:
        super().__init__(
            f"the Python integer {value} is out of bounds for {target} ({low} to {high}). "
            "Cast the array to a wider dtype first."
        )
        self.bound = low if value < low else high


def _whole(value: int) -> int | float:
    """A whole number that becomes one of a floating dtype: JAX takes no integer of more bits than its own have."""
    return value if -(2**31) <= value < 2**31 else float(value)


@functools.cache
def scalar_converter(target: str, adapts: bool) -> Converter | None:
    """From a Python scalar to a constant of dtype `target`.

    Args:
        adapts: JAX gives the scalar this dtype by itself, so that only its size needs to be looked at.

    The converter raises OutOfBoundsError for an int that the dtype cannot hold, where JAX would wrap it.
    """
    make, kind = dtypes.numpy_dtype(target).type, dtypes.kind(target)
    if kind not in "ui":
        return None if adapts else make
    info: Any = ml_dtypes.iinfo(make)  # type: ignore[no-untyped-call]  # ml_dtypes annotates no parameters
    low, high = int(info.min), int(info.max)

    def convert(value: int) -> Any:
        if not low <= value <= high:
            raise OutOfBoundsError(value, target, low, high)
        return value if adapts and abs(value) < 2**31 else make(value)

    return convert


def verify_range(numbers: range, dtype: str) -> None:
    """Looks at the first and the last of integers that JAX makes an array of `dtype` of.

    Raises:
        OutOfBoundsError: the dtype cannot hold one of them.
    """
    fits = scalar_converter(dtype, True)
    if fits is not None and numbers:
        fits(numbers[0])
        fits(numbers[-1])


def verify(numbers: Any, out: Any) -> None:
    """Looks at numbers that JAX has cast to the dtype of `out`, an array or several of one dtype.

    Raises:
        OverflowError: one is a Python integer that the dtype cannot hold, which JAX has wrapped.
    """
    name = (out[0] if isinstance(out, tuple | list) else out).dtype.name
    fits = scalar_converter(name, True) if name in dtypes.DTYPES and dtypes.kind(name) in "ui" else None
    for number in jax.tree.leaves(numbers):
        if fits is not None and type(number) is int:
            fits(number)


def convert(rule: str, operands: Sequence[Any], system: str | Lattice, ranked: bool) -> list[Any]:
    """The `operands` as a function of `rule` needs them, under `system`; errors as for `plan`."""
    keys = tuple([key(operand, ranked) for operand in operands])
    converters = plan(rule, keys, system, jax.config.jax_enable_x64)
    return [
        operand if converter is None else converter(operand)
        for operand, converter in zip(operands, converters, strict=True)
    ]
