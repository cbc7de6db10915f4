"""What a function of NumPy gives whatever the numbers in its arrays are: arrays of zeros stand in for them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ....domain.values import PYTHON_NUMBERS
from ....identity import identity
from ....sampling.calls import AND_OTHERS, Budget, Refused, Trials, Values, abstract_call, diverse_first
from ....sampling.proof import Evidence, Known
from ....sampling.tables.dtypes import NUMPY_DTYPES
from ....sampling.tables.limits import MOST_ITEMS, MOST_PRODUCTS, MOST_UNLIKE_ARRAYS
from ....sampling.tables.ranks import NUMPY_RANKS
from ....sampling.tables.sizes import NUMPY_DIVISIBLE, NUMPY_SIZES, SIZES
from ...values import arrays
from ...values.joins import join
from ...values.unknowns import UNKNOWN, AbstractScalar, NumpyArray, is_dim, is_scalar, is_unknown
from ..calls.memo import of_numpy
from ..calls.sizes import generalized
from ..calls.unlike import unlike
from ..trust.tables import NUMPY_OF_DIFFERENCES


def is_ndarray(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def is_number(value: Any) -> bool:
    """Whether a value is a number of NumPy's, as an item of its arrays is. To JAX its dtype is not weak."""
    return isinstance(value, np.generic)


def is_concatenator(value: Any) -> bool:
    """Whether a value is ``np.r_`` or ``np.c_``."""
    return value is np.r_ or value is np.c_


def forgotten(value: Any) -> Any:
    """What stays of an array of NumPy without its numbers."""
    return NumpyArray(value.dtype, value.shape) if is_ndarray(value) and value.dtype != object else UNKNOWN


class NoStandIn(Exception):
    """No array stands in for a value."""


class Choice(NamedTuple):
    """What unknown parts of arrays are tried as, and unknown numbers; `own` are the symbols for sizes of the arrays."""

    dtype: Any = None
    rank: int = 0
    size: int = SIZES[0]
    number: int = SIZES[0]
    own: frozenset[str] = frozenset()
    #: Whether square matrices are ones that can be inverted.
    regular: bool = False
    #: The dtype and the rank of some arrays, by their identity, where these are others.
    unlike: Mapping[int, tuple[Any, int]] = MappingProxyType({})


def stand_in(value: Any, choice: Choice | None = None) -> Any:
    """An array of zeros for one whose numbers are not known.

    Raises:
        NoStandIn: there is something in `value` that no array stands in for.
    """
    choice = choice or Choice()
    if isinstance(value, NumpyArray):
        dtype, rank = choice.unlike.get(identity(value), (choice.dtype, choice.rank))
        open_dims = (choice.size,) * rank if value.dims is None else value.dims
        filled = tuple(choice.size if dim is None else dim for dim in open_dims)
        dtype = value.np_dtype or dtype
        # A number of NumPy's may say how many there are, as one of Python's.
        number = choice.number if is_int(value) else 0
        if not filled:
            return np.dtype(dtype).type(number)
        if choice.regular and len(filled) > 1 and filled[-1] == filled[-2]:
            return np.broadcast_to(np.eye(filled[-1], dtype=dtype), filled)
        return np.broadcast_to(np.zeros((), dtype), filled)
    if is_scalar(value) and value.kind in PYTHON_NUMBERS:
        return choice.number if value.kind is int else value.kind(1)
    if is_dim(value):
        return choice.size if str(value) in choice.own else choice.number
    if is_unknown(value):
        raise NoStandIn
    if arrays.is_array(value):
        if str(value.dtype).startswith("key"):
            raise NoStandIn
        dims = tuple(choice.size if is_dim(dim) else dim for dim in value.shape)
        return np.broadcast_to(np.zeros((), value.dtype), dims)
    if type(value) in (list, tuple):
        items: Any = value
        return type(items)(stand_in(item, choice) for item in items)
    if isinstance(value, slice):
        if any(is_unknown(part) or is_dim(part) for part in (value.start, value.stop, value.step)):
            return slice(0, choice.size)
        return value
    return value


def evaluated(f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a function of NumPy gives whatever the numbers are, and all that is unknown."""
    return of_numpy(f, args, kwargs, lambda: _evaluated(f, args, kwargs))


class _Unknowns(NamedTuple):
    """What the unknown parts of a call are tried as, and what is known of the others.

    Attributes:
        dtypes, ranks: those of unknown arrays.
        pairs: the size of unknown dims, and what unknown numbers are.
        open_sizes: whether there is an unknown size.
        own: the symbols for sizes of the arrays.
        known: the sizes that dims are known to have.
        beyond: sizes of which slices leave something.
        largest: how many items the largest array has, as far as its sizes are known.
        most_open: the most unknown dims of an array of known rank.
    """

    dtypes: tuple[str | None, ...]
    ranks: tuple[int, ...]
    pairs: list[tuple[int, int]]
    open_sizes: bool
    own: frozenset[str]
    known: list[int]
    beyond: list[int]
    largest: int
    most_open: int


def _unknowns(args: list[Any], kwargs: dict[str, Any]) -> _Unknowns:
    parts = list(numpy_in([args, kwargs]))
    shapes = [shape for arg in (*args, *kwargs.values()) for shape in _shapes(arg)]
    known = sorted({dim for shape in shapes for dim in shape if type(dim) is int})
    open_sizes = any(part.dims is None or None in part.dims for part in parts) or _has_sizes([args, kwargs])
    count = math.prod(_numbers([args, kwargs]))  # as many as `reshape(-1, 28, 28)` takes
    beyond = sorted(set(_beyond([args, kwargs])))
    own = frozenset(str(dim) for part in parts for dim in part.sizes or () if is_dim(dim))
    sizes = [*dict.fromkeys([*NUMPY_SIZES, *known, count, 2 * count, *beyond])] if open_sizes else [SIZES[0]]
    pairs = [(size, size) for size in sizes]
    if open_sizes and _has_numbers([args, kwargs], own):
        pairs += NUMPY_DIVISIBLE
    return _Unknowns(
        dtypes=NUMPY_DTYPES if any(part.np_dtype is None for part in parts) else (None,),
        ranks=tuple(_ranks(shapes)) if any(part.dims is None for part in parts) else (0,),
        pairs=pairs,
        open_sizes=open_sizes,
        own=own,
        known=known,
        beyond=beyond,
        largest=max((math.prod(dim or 1 for dim in shape) for shape in shapes), default=1),
        most_open=max((sum(dim is None for dim in part.dims or ()) for part in parts), default=0),
    )


def _evaluated(f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    unknowns = _unknowns(args, kwargs)
    ranks = unknowns.ranks
    of_matrices = "linalg" in str(getattr(f, "__module__", None)).split(".")
    diverse, others = diverse_first(unknowns.dtypes, ranks, unknowns.pairs)
    left_out = is_short = is_diverse = False

    def samples(trials: Trials) -> Iterator[Choice]:
        nonlocal left_out, is_short, is_diverse
        for number, (dtype, rank, (size, count)) in enumerate(itertools.chain(diverse, others)):
            is_diverse = number + 1 >= len(diverse)
            if size > SIZES[0] and size ** max(rank, unknowns.most_open) > MOST_ITEMS:
                is_short = is_short or size in unknowns.beyond
            elif (
                rank > 1 and size in unknowns.known and size ** (rank - 1) * unknowns.largest > MOST_PRODUCTS
            ):
                left_out = True
            else:
                yield Choice(dtype, rank, size, count, unknowns.own, of_matrices)
        if trials.accepted:
            yield from _unlike(trials.accepted[0], unknowns, [*args, *kwargs.values()])

    def run(choice: Choice) -> Any:
        try:
            with np.errstate(all="ignore"):
                named = {key: stand_in(value, choice) for key, value in kwargs.items()}
                return result(f(*(stand_in(arg, choice) for arg in args), **named))
        except NoStandIn:
            raise
        except Exception:  # this choice is not accepted, for whatever reason
            raise Refused from None

    def evidence(trials: Trials) -> Evidence:
        accepted = trials.accepted
        return Evidence(
            len(accepted),
            sizes=[[choice.size for choice in accepted]] if unknowns.open_sizes else [],
            # The sizes of the result may follow from the numbers, which are all 0.
            untried_sizes=is_short or getattr(f, "__name__", "") in NUMPY_OF_DIFFERENCES,
            largest=[[choice.rank == max(ranks) > 0 for choice in accepted]],
            untried_ranks=left_out,
        )

    def settled(trials: Trials) -> Any:
        return trials.common if is_diverse and _says_nothing(trials.common) else None

    values = Values(join, generalized, lambda value: value is UNKNOWN)
    try:
        answer = abstract_call(run, samples, evidence, values, Budget(), settled)
    except NoStandIn:
        return UNKNOWN
    return answer.value if isinstance(answer, Known) else UNKNOWN


def _unlike(choice: Choice, unknowns: _Unknowns, values: Any) -> Iterator[Any]:
    """The samples in which some unknown arrays have another dtype, or another rank, than the rest."""
    parts = {identity(part): part for part in _parts(values) if isinstance(part, NumpyArray)}
    of_any_dtype = [each for each, part in parts.items() if part.np_dtype is None]
    of_any_rank = [each for each, part in parts.items() if part.dims is None]
    if max(len(of_any_dtype), len(of_any_rank)) > MOST_UNLIKE_ARRAYS:
        yield AND_OTHERS
        return
    for own in unlike(choice.dtype, unknowns.dtypes, len(of_any_dtype)):
        dtypes = zip(of_any_dtype, own.parts, strict=True)
        yield choice._replace(unlike={each: (dtype, choice.rank) for each, dtype in dtypes})
    for own in unlike(choice.rank, NUMPY_RANKS, len(of_any_rank)):
        ranks = zip(of_any_rank, own.parts, strict=True)
        yield choice._replace(unlike={each: (choice.dtype, rank) for each, rank in ranks})


def _says_nothing(value: Any) -> bool:
    """Whether of each part of a result no more is known than that it is an array."""
    if type(value) in (list, tuple):
        return bool(value) and all(map(_says_nothing, value))
    return isinstance(value, NumpyArray) and value.np_dtype is None and value.dims is None


def _shapes(value: Any) -> Iterator[Sequence[Any]]:
    """The shapes of the arrays in an argument, and the lengths of what NumPy makes arrays of: what is unknown has to go with these."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        yield (len(value),)
        for item in value:
            yield from _shapes(item)
    elif is_ndarray(value):
        yield value.shape
    else:
        yield from (part.dims for part in numpy_in(value) if part.dims is not None)


def _ranks(shapes: Sequence[Sequence[Any]]) -> Iterator[int]:
    """What unknown ranks are tried as: also one more than those of other arrays, which would broadcast to it."""
    yield from NUMPY_RANKS
    yield from sorted({len(shape) + 1 for shape in shapes if len(shape) + 1 > max(NUMPY_RANKS)})


def _parts(value: Any) -> Iterator[Any]:
    """What is in an argument, within lists, tuples and dicts."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _parts(item)
    else:
        yield value


def _numbers(value: Any) -> Iterator[int]:
    """The sizes that an argument names."""
    yield from (part for part in _parts(value) if type(part) is int and 1 < part < MOST_ITEMS)


def _beyond(value: Any) -> Iterator[int]:
    """Sizes that slices leave something of: ``x[1000:2000]`` of few items is empty."""
    for part in _parts(value):
        if isinstance(part, slice):
            bounds = [each for each in (part.start, part.stop, part.step) if isinstance(each, int)]
            yield from (abs(bound) + 1 for bound in bounds if abs(bound) > 1)


def numpy_in(value: Any) -> Iterator[NumpyArray]:
    """The arrays in an argument, as NumPy's."""
    for part in _parts(value):
        if isinstance(part, NumpyArray):
            yield part
        elif arrays.is_array(part):
            yield NumpyArray(part.dtype, tuple(None if is_dim(dim) else dim for dim in part.shape))


def is_int(value: Any) -> bool:
    """Whether a value is an unknown int of Python's or of NumPy's."""
    if isinstance(value, NumpyArray):
        return value.dims == () and (value.np_dtype is None or np.issubdtype(value.np_dtype, np.integer))
    return is_scalar(value, int)


def _has_sizes(value: Any) -> bool:
    """Whether an unknown size is among the arguments, or what may be one."""
    for part in _parts(value):
        each = [part.start, part.stop, part.step] if isinstance(part, slice) else [part]
        if any(is_dim(size) or is_scalar(size) or is_int(size) for size in each):
            return True
    return False


def _has_numbers(value: Any, own: frozenset[str]) -> bool:
    """Whether an unknown int is among the arguments that is no size of an array in them."""
    return any(is_int(part) or (is_dim(part) and str(part) not in own) for part in _parts(value))


def result(value: Any) -> Any:
    """A result of NumPy's of which only dtype and shape are right."""
    if isinstance(value, np.ndarray):
        return forgotten(value)
    if isinstance(value, np.generic):
        return NumpyArray(value.dtype, ())
    if isinstance(value, PYTHON_NUMBERS):
        return AbstractScalar(type(value))
    if isinstance(value, tuple) and hasattr(value, "_fields"):  # what `np.linalg.svd` gives
        return type(value)(*map(result, value))
    if isinstance(value, (tuple, list)):
        return type(value)(map(result, value))
    return UNKNOWN
