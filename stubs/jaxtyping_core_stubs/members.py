"""The members of the array class that are no binary operators on dtypes: shapes by rank, one row each.

A row is written once for every checker; mypy, which pays for each row that annotates `self`, gets fewer of them for
operators that every program is full of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: Type variables for the dims of a shape.
DIMS = ("_K", "_L", "_M", "_N")
UNKNOWN = "Array[DT, Unk]"


class Member(NamedTuple):
    """One overload: the type of `self` (none: not annotated), the other parameters, and the result."""

    own: str
    parameters: str
    result: str


def lines(name: str, rows: Iterable[Member]) -> Iterator[str]:
    """The lines of a group of overloads."""
    for row in rows:
        own = f"self: {row.own}" if row.own else "self"
        yield "@overload"
        yield f"def {name}({own}, {row.parameters}) -> {row.result}: ..."


def array(shape: Iterable[str], dtype: str = "DT") -> str:
    """The array of the dims `shape`."""
    return f"Array[{dtype}, tuple[{', '.join(shape) or '()'}]]"


# indexing


def getitem() -> list[Member]:
    """Indexing with one int, slice, None or Ellipsis, or a pair of these."""
    rows = [Member("Array[DT, _Sen]", "key: Any, /", UNKNOWN), Member("", "key: _bool, /", UNKNOWN)]
    for rank in range(1, len(DIMS) + 1):
        dims = DIMS[-rank:]
        for annotation, taken, left in INDEXES:
            if taken <= rank:
                rows.append(Member(array(dims), f"key: {annotation}, /", array([*left, *dims[taken:]])))
    return [*rows, Member("", "key: Any, /", UNKNOWN)]


#: An index, the number of dims that it takes, and those that it leaves in their place.
SINGLE: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    ("int | _np.integer[Any]", 1, ()),
    ("slice", 1, ("Unk",)),
    ("None", 0, ("Unk",)),
)
INDEXES: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    *SINGLE,
    *(
        (f"tuple[{first}, {second}]", taken + more, (*left, *rest))
        for first, taken, left in SINGLE
        for second, more, rest in SINGLE
    ),
)


# products


def matmul(join: str = "_Join") -> list[Member]:
    """Products by rank; where the ranks are not among the rows, nothing is known of the shape."""
    either = "Array[_O, {0}]", f"Array[{join}[_O, _R], {{0}}]"
    rows = [
        Member("Array[_Sen, Any]", "other: Array[Any, Any], /", "Array[Unk, Unk]"),
        Member("Array[Any, Any]", "other: Array[_Sen, Any], /", "Array[Unk, Unk]"),
        Member(either[0].format("_Sen"), f"other: {either[1].format('Any')}, /", "Array[_R, Unk]"),
        Member(either[0].format("Any"), f"other: {either[1].format('_Sen')}, /", "Array[_R, Unk]"),
    ]
    for left, right, result in PRODUCTS:
        rows.append(
            Member(
                either[0].format(_shape(left)),
                f"other: {either[1].format(_shape(right))}, /",
                f"Array[_R, {_shape(result)}]",
            )
        )
    return [
        *rows,
        *_large(*either),
        Member("", "other: _np.ndarray[Any, Any] | StaticScalar, /", "Array[Unk, Unk]"),
    ]


#: The dims of the operands and of the product, one letter each; dims that are equal must agree.
PRODUCTS = (
    ("K", "K", ""),
    ("MK", "K", "M"),
    ("LMK", "K", "LM"),
    ("K", "KN", "N"),
    ("MK", "KN", "MN"),
    ("LMK", "KN", "LMN"),
    ("K", "LKN", "LN"),
    ("MK", "LKN", "LMN"),
    ("LMK", "LKN", "LMN"),
    ("*MK", "*KN", "*MN"),  # batches of different sizes: one of them is 1
)


def _shape(dims: str) -> str:
    names = ["Unk" if dim == "*" else f"_{dim}" for dim in dims]
    return f"tuple[{', '.join(names) or '()'}]"


def _large(left: str, right: str) -> Iterator[Member]:
    """Operands of rank 4 and more."""
    for rank in (4, 5, 6):
        shape = f"tuple[{', '.join(['Any'] * rank)}]"
        yield Member(left.format(shape), f"other: {right.format('Any')}, /", "Array[_R, Unk]")
        yield Member(left.format("Any"), f"other: {right.format(shape)}, /", "Array[_R, Unk]")


# comparisons


def comparison(for_mypy: bool, with_none: bool) -> list[Member]:
    """Comparisons: arrays of bools, of the shape of both operands or of the one that is no scalar.

    An array may be compared with None (`with_none`), which gives a Python bool.
    """
    same = "_Base[Any, Sh, _T]" if for_mypy else "_Base[Any, _S, _T]"
    scalar = "Array[bool_, Sh]" if for_mypy else "Array[bool_, _S]"
    own = "" if for_mypy else "Array[Any, _S]"
    return [
        *([Member("", "other: None, /", "Any")] if with_none else []),
        Member(own, "other: _Scalar, /", scalar),
        Member("Array[Any, _Sen]", "other: ArrayLike, /", "Array[bool_, Unk]"),
        Member(own, f"other: {same}, /", "Array[bool_, _T]"),
        Member(own, "other: Array[Any, tuple[()]], /", scalar),
        Member("Array[Any, tuple[()]]", "other: Array[Any, _T], /", "Array[bool_, _T]"),
        Member("", "other: ArrayLike, /", "Array[bool_, Unk]"),
    ]


# transposition


def transposed(name: str, only_matrices: bool) -> Iterator[str]:
    """The rows for the shape of ``x.T`` (all dims reversed) or ``x.mT`` (the last two)."""
    shapes: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for rank in range(2 if only_matrices else 0, len(DIMS) + 1):
        dims = DIMS[len(DIMS) - rank :]
        shapes.append((dims, (*dims[:-2], *dims[:-3:-1]) if only_matrices else dims[::-1]))
    yield "@overload"
    yield f"def {name}(self: Array[DT, _Sen]) -> Unk: ..."
    for dims, result in shapes:
        yield "@overload"
        yield f"def {name}(self: {array(dims)}) -> tuple[{', '.join(result) or '()'}]: ..."
    yield "@overload"
    yield f"def {name}(self) -> Unk: ..."
