"""What a call gives, in the protocol's encoding, and what several such results agree on."""

from __future__ import annotations

from typing import Any

from .formulas import formula
from .sizes import calculate, written
from .values import LAYER, UNKNOWN, transform


def encode(out: Any) -> Any:
    """The result of a call in the protocol's encoding."""
    import numpy as np

    if out is None or isinstance(out, (bool, str)) or type(out) in (int, float):
        return ["static", out]
    if type(out) is complex:
        return ["complex", out.real, out.imag]
    if isinstance(out, np.dtype) or (isinstance(out, type) and issubclass(out, np.generic)):
        return ["dtype", np.dtype(out).name]
    if isinstance(out, (tuple, list)):
        return ["list" if type(out) is list else "tuple", [encode(item) for item in out]]
    if type(out) is dict:
        return ["dict", [[encode(key), encode(item)] for key, item in out.items()]]
    if hasattr(out, "shape") and hasattr(out, "dtype") and is_array(out):
        aval = getattr(out, "aval", out)
        dims = [d if type(d) is int else written(d) for d in aval.shape]
        weak = bool(getattr(aval, "weak_type", False))
        return ["array", str(aval.dtype), weak, [None if UNKNOWN in str(d) else d for d in dims]]
    if type(out).__module__.startswith(LAYER) and type(out).__name__ == "Array":
        return ["layer", encode(out.value)]
    if "DimExpr" in type(out).__name__:
        return ["unknown"] if UNKNOWN in str(out) else ["dim", written(out)]
    return ["unknown"]


def is_array(out: Any) -> bool:
    """Whether `out` is an array of JAX; its NumPy arrays are what its annotations do not say."""
    import jax

    return isinstance(out, jax.Array)


def merge(results: list[Any], sizes: list[dict[str, int]]) -> Any:
    """What evaluations under different sizes (none, where something else differed) agree on."""
    first = results[0]
    if all(result == first for result in results) and not (sizes and sizes[0]):
        return first
    if any(result[0] == "layer" for result in results):
        inner = merge([result[1] if result[0] == "layer" else result for result in results], sizes)
        whole = all(result[0] == "layer" for result in results) and inner[0] == "array"
        return ["layer", inner] if whole else inner
    if any(result[0] != first[0] for result in results):
        return ["unknown"]
    if first[0] == "array":
        return merge_arrays(results, sizes)
    if first[0] in ("tuple", "list") and all(len(r[1]) == len(first[1]) for r in results):
        parts = zip(*(result[1] for result in results), strict=True)
        return [first[0], [merge(list(part), sizes) for part in parts]]
    if first[0] == "dict" and all([k for k, _ in r[1]] == [k for k, _ in first[1]] for r in results):
        columns = zip(*([item for _, item in result[1]] for result in results), strict=True)
        pairs = zip(first[1], columns, strict=True)
        return ["dict", [[key, merge(list(column), sizes)] for (key, _), column in pairs]]
    if first[0] == "static" and all(type(result[1]) is int for result in results):
        dim = merge_dim(tuple(result[1] for result in results), sizes)
        return ["unknown"] if dim is None else ["dim", dim] if isinstance(dim, str) else first
    return first if all(result == first for result in results) else ["unknown"]


def merge_arrays(results: list[Any], sizes: list[dict[str, int]]) -> Any:
    """What is known of an array that is one of `results`."""
    _, dtype, weak, dims = results[0]
    if any(result[1:3] != [dtype, weak] for result in results):
        dtype, weak = None, False
    if dims is None or any(result[3] is None or len(result[3]) != len(dims) for result in results):
        return ["array", dtype, weak, None]
    columns = zip(*(result[3] for result in results), strict=True)
    return ["array", dtype, weak, [merge_dim(column, sizes) for column in columns]]


def merge_dim(column: tuple[int | str | None, ...], sizes: list[dict[str, int]]) -> int | str | None:
    """One dim under each choice of sizes: the same number, a symbol's size each time, a formula, or unknown."""
    if len(set(column)) == 1:
        return column[0]
    for symbol in sizes[0] if sizes else ():
        if not symbol.startswith(UNKNOWN) and all(d == s[symbol] for d, s in zip(column, sizes, strict=True)):
            return symbol
    numbers = tuple(dim for dim in column if type(dim) is int)
    return formula(numbers, sizes) if sizes and len(numbers) == len(column) else None


def has_formula(result: Any) -> bool:
    """Whether some size in a result is neither a number nor a symbol."""
    return bool(without_formulas(result) != result)


def without_formulas(result: Any) -> Any:
    """A result in which only numbers and symbols are known sizes."""

    def change(part: Any) -> Any:
        if part[0] == "array" and part[3] is not None:
            return [
                *part[:3],
                [d if isinstance(d, int) or (d and d.isidentifier()) else None for d in part[3]],
            ]
        return ["unknown"] if part[0] == "dim" and not part[1].isidentifier() else part

    return transform(result, change)


def in_agreement(result: Any, small: Any, sizes: dict[str, int]) -> Any:
    """The part of a symbolic result that agrees with the one for `sizes`."""
    if result[0] == "dim" and small[0] == "static":
        return result if calculate(result[1], sizes) == small[1] else ["unknown"]
    if result[0] != small[0]:
        return ["unknown"]
    if result[0] == "layer":
        inner = in_agreement(result[1], small[1], sizes)
        return ["layer", inner] if inner[0] == "array" else inner
    if result[0] == "array":
        dtype = result[1:3] if result[1:3] == small[1:3] else [None, False]
        if result[3] is None or len(result[3]) != len(small[3]):
            return ["array", *dtype, None]
        pairs = zip(result[3], small[3], strict=True)
        return ["array", *dtype, [d if d is None or number_of(d, sizes) == n else None for d, n in pairs]]
    if result[0] in ("tuple", "list") and len(result[1]) == len(small[1]):
        pairs = zip(result[1], small[1], strict=True)
        return [result[0], [in_agreement(part, other, sizes) for part, other in pairs]]
    if result[0] == "dict" and [key for key, _ in result[1]] == [key for key, _ in small[1]]:
        pairs = zip(result[1], small[1], strict=True)
        return ["dict", [[key, in_agreement(part, other, sizes)] for (key, part), (_, other) in pairs]]
    return result if result == small else ["unknown"]


def without_sizes(result: Any) -> Any:
    """A result that one choice gave, as far as others would surely give it: its kind, dtypes and ranks."""

    def change(part: Any) -> Any:
        if part[0] == "array":
            return [*part[:3], part[3] and [None] * len(part[3])]
        return ["unknown"] if part[0] in ("static", "complex", "dim") else part

    return transform(result, change)


def number_of(dim: int | str, sizes: dict[str, int]) -> Any:
    return dim if isinstance(dim, int) else calculate(dim, sizes)
