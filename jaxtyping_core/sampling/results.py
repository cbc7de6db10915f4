"""What a call gives, as a value, and what several such results agree on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..domain.dims import Dim
from ..domain.expressions import calculate
from ..domain.merging import MergeDims
from ..domain.values import (
    LAYER,
    Array,
    Complex,
    Dict,
    DType,
    List,
    Size,
    Static,
    Tuple,
    Unknown,
    Value,
    transform,
)
from .formulas import formula
from .proof import WHOLE, Proof
from .sizes import written
from .symbols import UNKNOWN


def value_of(out: Any) -> Value:
    """The result of a call as a value."""
    import numpy as np

    if out is None or isinstance(out, (bool, str)) or type(out) in (int, float):
        return Static(out)
    if type(out) is complex:
        return Complex(out.real, out.imag)
    if isinstance(out, np.dtype) or (isinstance(out, type) and issubclass(out, np.generic)):
        return DType(np.dtype(out).name)
    if isinstance(out, (tuple, list)):
        return (List if type(out) is list else Tuple)(tuple(map(value_of, out)))
    if type(out) is dict:
        return Dict(tuple((value_of(key), value_of(item)) for key, item in out.items()))
    if hasattr(out, "shape") and hasattr(out, "dtype") and is_array(out):
        return array_of(getattr(out, "aval", out))
    if of_layer(out):
        return replace(array_of(out.value.aval), layer=True)
    if "DimExpr" in type(out).__name__ and UNKNOWN not in str(out):
        return Size(written(out))
    return Unknown()


def is_array(out: Any) -> bool:
    """Whether `out` is an array of JAX, and none of the layer; its NumPy arrays are what its annotations do not say."""
    import jax

    return isinstance(out, jax.Array) and not of_layer(out)


def of_layer(out: Any) -> bool:
    """Whether `out` is an array of the layer, whose class is a subclass of JAX's."""
    return type(out).__name__ == "Array" and type(out).__module__.startswith(LAYER)


def array_of(aval: Any) -> Array:
    """What JAX knows of an array."""
    dims = [d if type(d) is int else written(d) for d in aval.shape]
    weak = bool(getattr(aval, "weak_type", False))
    return Array.of(str(aval.dtype), weak, tuple(None if UNKNOWN in str(d) else d for d in dims))


def dims_under(sizes: list[dict[str, int]]) -> MergeDims:
    """Merges the sizes that evaluations under `sizes` gave: a number, a symbol, a formula, or unknown."""

    def dim(column: tuple[Dim, ...]) -> Dim:
        if len(set(column)) == 1:
            return column[0]
        for symbol in sizes[0]:
            if not symbol.startswith(UNKNOWN) and list(column) == [chosen[symbol] for chosen in sizes]:
                return symbol
        numbers = tuple(size for size in column if type(size) is int)
        return formula(numbers, sizes) if len(numbers) == len(column) else None

    return dim


def has_formula(result: Value) -> bool:
    """Whether some size in a result is neither a number nor a symbol."""
    return without_formulas(result) != result


def without_formulas(result: Value) -> Value:
    """A result in which only numbers and symbols are known sizes."""

    def change(part: Value) -> Value:
        if isinstance(part, Array) and part.shape is not None:
            return replace(part, shape=tuple(None if is_formula(dim) else dim for dim in part.shape))
        return Unknown() if isinstance(part, Size) and is_formula(part.expression) else part

    return transform(result, change)


def is_formula(dim: Dim) -> bool:
    return isinstance(dim, str) and not dim.isidentifier()


def dims_confirmed(sizes: dict[str, int]) -> MergeDims:
    """Merges the sizes of a symbolic result with the actual ones under `sizes`: the symbolic one, if it is right."""

    def dim(column: tuple[Dim, ...]) -> Dim:
        symbolic, actual = column
        return symbolic if symbolic is not None and number_of(symbolic, sizes) == actual else None

    return dim


def generalized(result: Value, proof: Proof) -> Value:
    """A common result of samples, as far as it is proven for all arguments."""

    def change(part: Value) -> Value:
        if isinstance(part, Array):
            known = part if proof.dtype else part.with_dtype(None, False)
            return replace(known, shape=proof.dims(part.shape))
        is_value = isinstance(part, (Static, Complex, Size))
        return Unknown() if is_value and not proof.has_values else part

    return result if proof == WHOLE else transform(result, change)


def number_of(dim: int | str, sizes: dict[str, int]) -> Any:
    return dim if isinstance(dim, int) else calculate(dim, sizes)
