"""The members of the array class that are no binary operators on dtypes: shapes by rank, one row each.

A row is written once for every checker; mypy, which pays for each row that annotates `self`, gets fewer of them for
operators that every program is full of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from . import switches

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
        given = f"{own}, {row.parameters}" if row.parameters else own
        yield "@overload"
        yield f"def {name}({given}) -> {row.result}: ..."


def array(shape: Iterable[str], dtype: str = "DT") -> str:
    """The array of the dims `shape`."""
    return f"Array[{dtype}, tuple[{', '.join(shape) or '()'}]]"


# indexing


def getitem() -> list[Member]:
    """Indexing with one int, slice, None or Ellipsis, or a pair of these, whatever the rank."""
    rows = [Member("Array[DT, _Unranked]", "key: Any, /", UNKNOWN), Member("", "key: _bool, /", UNKNOWN)]
    for annotation, taken, left in INDEXES:
        own = array([*TAKEN[:taken], REST])
        rows.append(Member(own, f"key: {annotation}, /", array([*left, REST])))
    scalar = Member(array([]), "key: None, /", array(["Unk"]))  # no dims are no dims at all to pyright
    rows.append(Member("Array[DT, _S]", "key: EllipsisType, /", "Array[DT, _S]"))
    for annotation, taken, left in SINGLE:
        own = array([REST, *TAKEN[:taken]])
        rows.append(Member(own, f"key: tuple[EllipsisType, {annotation}], /", array([REST, *left])))
    return [*rows[:2], scalar, *rows[2:], Member("", "key: Any, /", UNKNOWN)]


#: All other dims of a shape, and those that an index takes away.
REST, TAKEN = "*_Ts", ("Any", "Any")
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


def matmul(join: str = "_Join") -> Iterator[str]:
    """Products: of any rank to pyright; by rank to the others, of which ty loses the dtype otherwise."""
    left, right = "Array[_O, {0}]", f"Array[{join}[_O, _R], {{0}}]"
    yield f"if {switches.PYRIGHT}:"
    yield from switches.indented(lines("__matmul__", _products(left, right, BATCHED_PRODUCTS, [])))
    yield "else:"
    yield from switches.indented(lines("__matmul__", _products(left, right, PRODUCTS, _large(left, right))))


def _products(
    left: str, right: str, products: Iterable[tuple[str, str, str]], large: Iterable[Member]
) -> Iterator[Member]:
    yield Member("Array[_Sen, Any]", "other: Array[Any, Any], /", "Array[Unk, Unk]")
    yield Member("Array[Any, Any]", "other: Array[_Sen, Any], /", "Array[Unk, Unk]")
    yield Member(left.format("_Unranked"), f"other: {right.format('Any')}, /", "Array[_R, Unk]")
    yield Member(left.format("Any"), f"other: {right.format('_Unranked')}, /", "Array[_R, Unk]")
    for own, other, result in products:
        shape = UNBATCHED.get(result) or _shape(result)
        yield Member(
            left.format(_shape(own)), f"other: {right.format(_shape(other))}, /", f"Array[_R, {shape}]"
        )
    yield from large
    yield Member("", "other: _np.ndarray[Any, Any] | StaticScalar, /", "Array[Unk, Unk]")


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
    ("-MK", "-KN", "-MN"),  # batches of different sizes: one of them is 1
)

#: The same, whatever the rank: `*` and `+` are any number of dims. Batches that are not the same are broadcast, and
#: nothing is known of the shape then.
BATCHED_PRODUCTS = (
    ("MK", "KN", "MN"),
    ("K", "K", ""),
    ("*MK", "K", "*M"),
    ("K", "*KN", "*N"),
    ("*MK", "KN", "*MN"),
    ("MK", "*KN", "*MN"),
    ("*MK", "*KN", "*MN"),
    ("-*MK", "-+KN", "?"),
)
UNBATCHED = {"?": "Unk"}


def _shape(dims: str) -> str:
    names = [_NAMES.get(dim, f"_{dim}") for dim in dims]
    return f"tuple[{', '.join(names) or '()'}]"


_NAMES = {"*": REST, "+": "*_Us", "-": "Unk"}


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
        Member("Array[Any, _Unranked]", "other: ArrayLike, /", "Array[bool_, Unk]"),
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
    yield f"def {name}(self: Array[DT, _Unranked]) -> Unk: ..."
    for dims, result in shapes:
        yield "@overload"
        yield f"def {name}(self: {array(dims)}) -> tuple[{', '.join(result) or '()'}]: ..."
    yield "@overload"
    yield f"def {name}(self) -> Unk: ..."
