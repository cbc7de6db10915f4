"""Unknown sizes: symbols where JAX can do with them, and else what several numbers agree on."""

from __future__ import annotations

import inspect
import itertools
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np

from ....domain.arrays import TOP
from ....domain.expressions import FUNCTIONS, calculate
from ....sampling.proof import WHOLE, Proof
from ....sampling.sizes import written
from ....sampling.symbols import SYMBOL
from ....sampling.tables.limits import MOST_VARIED_SYMBOLS
from ....sampling.tables.ranks import RESULT_LENGTHS
from ....sampling.tables.sizes import FEW_UNIFORM_SIZES, OTHER_SIZE, SIZES, UNIFORM_SIZES, neighbours
from ...values import arrays
from ...values.joins import join
from ...values.unknowns import UNKNOWN, AbstractScalar, NumpyArray, Partial, is_dim, is_unknown


def symbols_in(value: Any) -> list[str]:
    """The symbols in the sizes of the arrays in a value."""
    symbols: dict[str, None] = {}
    for leaf in jax.tree.leaves(value, is_leaf=lambda leaf: is_unknown(leaf)):
        for dim in leaf.shape if arrays.is_array(leaf) else _ends(leaf) if type(leaf) is slice else (leaf,):
            if is_dim(dim):
                symbols.update(dict.fromkeys(symbols_of(dim)))
    return list(symbols)


def all_symbols_in(value: Any) -> list[str]:
    """The symbols in the sizes of arrays, also of those whose dtypes are not known."""
    known = [arrays.known_of(leaf) for leaf in leaves(value)]
    shapes = [array.shape for array in known if array is not None and array.shape is not None]
    return list(dict.fromkeys([*symbols_in(value), *symbols_in(shapes)]))


def _ends(part: slice) -> tuple[Any, Any, Any]:
    """What a slice says, which is a leaf to JAX."""
    return part.start, part.stop, part.step


def symbols_of(dim: Any) -> list[str]:
    """The symbols in a size such as ``4*H``."""
    return [name for name in dict.fromkeys(SYMBOL.findall(written(dim))) if name not in FUNCTIONS]


def at(dim: Any, sizes: Mapping[str, Any]) -> Any:
    """A size with these numbers for its symbols, or for all of it; as it is, where a symbol has none."""
    if str(dim) in sizes:
        return sizes[str(dim)]
    names = symbols_of(dim)
    if any(name not in sizes for name in names):
        return dim
    return calculate(written(dim), {name: sizes[name] for name in names})


def sizes_for(symbols: list[str], possible: list[int]) -> Iterator[tuple[int, ...]]:
    """Numbers for symbols: all the same, one of them another, and all different."""
    count = len(symbols)
    yield from ((size,) * count for size in dict.fromkeys((*possible, *UNIFORM_SIZES)))
    if count > 1:
        for size, i in itertools.product(possible[1:], range(min(count, MOST_VARIED_SYMBOLS))):
            yield tuple(size if i == j else SIZES[0] for j in range(count))
        yield tuple(range(SIZES[0], SIZES[0] + count))


def few_sizes_for(symbols: list[str], possible: list[int]) -> Iterator[tuple[int, ...]]:
    """Those of `sizes_for` that differ most, for calls that take long."""
    count = len(symbols)
    yield from ((size,) * count for size in dict.fromkeys((*possible, *FEW_UNIFORM_SIZES)))
    if count > 1:
        for i in range(min(count, MOST_VARIED_SYMBOLS)):
            yield tuple(OTHER_SIZE if i == j else SIZES[0] for j in range(count))
        yield tuple(range(SIZES[0], SIZES[0] + count))


def around(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Numbers that differ in one of `sizes`, or in those that are the same."""
    for size in dict.fromkeys(sizes):
        for other in neighbours(size):
            yield tuple(other if each == size else each for each in sizes)
    for i, size in enumerate(sizes):
        for other in neighbours(size) if sizes.count(size) > 1 else ():
            yield (*sizes[:i], other, *sizes[i + 1 :])


def fitting(value: Any) -> list[int]:
    """Sizes for unknown dims: ones that go with those that are known, of which none may be missed.

    Where the one that fits is not tried, a scalar or a size of one alone is accepted, and the result is what these give.
    """
    others = {dim for leaf in leaves(value) for dim in _dims(leaf) if type(dim) is int}
    return [*dict.fromkeys([*SIZES, *sorted(others)])]


def _dims(leaf: Any) -> Sequence[Any]:
    """The sizes of an array of JAX or of NumPy."""
    if arrays.is_array(leaf) or isinstance(leaf, np.ndarray):
        return tuple(leaf.shape)
    return (leaf.dims or ()) if isinstance(leaf, (Partial, NumpyArray)) else ()


def leaves(value: Any) -> list[Any]:
    return list(jax.tree.leaves(value, is_leaf=lambda leaf: is_unknown(leaf)))


def resized(value: Any, sizes: Mapping[str, Any]) -> Any:
    """A value with actual sizes for symbolic ones."""
    return jax.tree.map(lambda leaf: leaf_at(leaf, sizes), value, is_leaf=lambda leaf: is_unknown(leaf))


def leaf_at(leaf: Any, sizes: Mapping[str, Any]) -> Any:
    """A size or an array with actual sizes for symbolic ones; every other leaf as it is."""
    if is_dim(leaf):
        return at(leaf, sizes)
    if type(leaf) is slice:
        return slice(*(leaf_at(end, sizes) for end in _ends(leaf)))
    if not arrays.is_array(leaf) or all(type(dim) is int for dim in leaf.shape):
        return leaf
    known = arrays.known_of(leaf) or TOP
    shape = tuple(at(dim, sizes) if is_dim(dim) else dim for dim in known.shape or ())
    return arrays.of_known(replace(known, shape=shape))


def _is_of_no_size(leaf: Any) -> bool:
    """Whether a leaf is a number of which only the type is known."""
    return isinstance(leaf, AbstractScalar) and leaf.size is None and leaf.derived is None


def generalized(value: Any, proof: Proof) -> Any:
    """A common result of samples, as far as it is proven for all arguments."""

    if proof == WHOLE:
        return value

    def reduced(leaf: Any) -> Any:
        if isinstance(leaf, NumpyArray):
            return NumpyArray(leaf.np_dtype if proof.dtype else None, proof.dims(leaf.dims))
        known = arrays.known_of(leaf)
        if known is None:
            return leaf if proof.has_values or _is_of_no_size(leaf) else UNKNOWN
        old, new = known.shape, proof.dims(known.shape)
        if proof.dtype and (old is None or (new is not None and all(map(operator.is_, old, new)))):
            return leaf
        of_dtype = known if proof.dtype else replace(known, dtypes=None, weak=None)
        return arrays.of_known(replace(of_dtype, shape=new))

    return jax.tree.map(reduced, value, is_leaf=lambda leaf: is_unknown(leaf))


#: Parameters with which functions of JAX are told how many items they give, which else depends on numbers.
OF_LENGTH = ("size", "total_repeat_length", "length")


def of_any_length(f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call gives of which only the numbers in its arrays say how long it is; None if it is no such call.

    Outside of `jit` such functions take no `size` ("Sharp bits" of JAX's documentation, dynamic shapes).
    """
    try:
        names = inspect.signature(f).parameters
    except (TypeError, ValueError):
        return None
    name = next((name for name in OF_LENGTH if name in names and name not in kwargs), None)
    if name is None:
        return None
    try:
        return join(*(f(*args, **kwargs, **{name: length}) for length in RESULT_LENGTHS))
    except Exception:  # real code may raise anything: then the error is that of the call itself
        return None
