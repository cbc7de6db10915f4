"""The members of the array class that are no binary operators on dtypes: shapes by rank, one row each.

mypy has none of these: see `switches.thin_in_mypy`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: Type variables for the dims of a shape.
DIMS = ("_K", "_L", "_M", "_N")
UNKNOWN = "Array[DT, Any]"


class Member(NamedTuple):
    """One overload: the type of `self` (none: not annotated), the other parameters, and the result."""

    own: str
    parameters: str
    result: str


def lines(name: str, rows: Iterable[Member]) -> Iterator[str]:
    """The lines of a group of overloads."""
    for row in rows:
        own = f"self: {row.own}" if row.own else "self"
        parameters = f"{own}, {row.parameters}" if row.parameters else own
        yield "@overload"
        yield f"def {name}({parameters}) -> {row.result}: ..."


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
    scalar = Member(array([]), "key: None, /", array(["Any"]))  # no dims are no dims at all to pyright
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
    ("slice", 1, ("Any",)),
    ("None", 0, ("Any",)),
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


def products() -> list[Member]:
    """Products; the first row is for an array of which the dtype is not known."""
    return list(_products("Array[_O, {0}]", "Array[_Join[_O, _R], {0}]"))


def _products(left: str, right: str) -> Iterator[Member]:
    yield Member("Array[_Sen, Any]", "other: Array[Any, Any], /", "Array[Any, Any]")
    yield Member("Array[Any, Any]", "other: Array[_Sen, Any], /", "Array[Any, Any]")
    yield Member(left.format("_Unranked"), f"other: {right.format('Any')}, /", "Array[_R, Any]")
    yield Member(left.format("Any"), f"other: {right.format('_Unranked')}, /", "Array[_R, Any]")
    for own, other, result in PRODUCTS:
        shape = UNBATCHED.get(result) or _shape(result)
        yield Member(
            left.format(_shape(own)), f"other: {right.format(_shape(other))}, /", f"Array[_R, {shape}]"
        )
    yield Member(left.format("Any"), f"other: _NumPyArray[{right.format('Any')}], /", "Array[_R, Any]")
    yield PRODUCT_OF_NUMPY


#: The product with anything that is no array of JAX.
PRODUCT_OF_NUMPY = Member(
    "", "other: _np.ndarray[Any, Any] | _NumPyArray[Any] | StaticScalar, /", "Array[Any, Any]"
)


#: The dims of the operands and of the product, one letter each; dims that are equal must agree. `*` and `+` are any number
#: of dims: with these ty loses the dtype, so the usual ranks have rows of their own. Batches that are not the same are
#: broadcast, and nothing is known of the shape then.
PRODUCTS = (
    ("MK", "KN", "MN"),
    ("K", "K", ""),
    ("MK", "K", "M"),
    ("K", "KN", "N"),
    ("LMK", "KN", "LMN"),
    ("LMK", "LKN", "LMN"),
    ("*MK", "K", "*M"),
    ("K", "*KN", "*N"),
    ("*MK", "KN", "*MN"),
    ("*MK", "*KN", "*MN"),
    ("-*MK", "-+KN", "?"),
    ("MK", "-+KN", "?"),
)
UNBATCHED = {"?": "Any"}


def _shape(dims: str) -> str:
    names = [_NAMES.get(dim, f"_{dim}") for dim in dims]
    return f"tuple[{', '.join(names) or '()'}]"


_NAMES = {"*": REST, "+": "*_Us", "-": "Any"}


# comparisons


def comparison(with_none: bool) -> list[Member]:
    """Comparisons: arrays of bools, of the shape of both operands or of the one that is no scalar.

    An array may be compared with None (`with_none`), which gives a Python bool.
    """
    own, scalar = "Array[Any, _S]", "Array[bool_, _S]"
    return [
        *([Member("", "other: None, /", "Any")] if with_none else []),
        Member(own, "other: _Scalar, /", scalar),
        Member("Array[Any, _Unranked]", "other: ArrayLike, /", "Array[bool_, Any]"),
        Member(own, "other: _Base[Any, _S, _T], /", "Array[bool_, _T]"),
        Member(own, "other: Array[Any, tuple[()]], /", scalar),
        Member("Array[Any, tuple[()]]", "other: Array[Any, _T], /", "Array[bool_, _T]"),
        Member("", "other: ArrayLike, /", "Array[bool_, Any]"),
    ]


# transposition


def transposed(name: str, only_matrices: bool) -> Iterator[str]:
    """The descriptor of ``x.T`` (all dims reversed) or ``x.mT`` (the last two): ty solves no overloads in a protocol."""
    rows = [("Array[_D, _Unranked]", "Array[_D, Any]")]
    for rank in range(2 if only_matrices else 0, len(DIMS) + 1):
        dims = DIMS[len(DIMS) - rank :]
        result = (*dims[:-2], *dims[:-3:-1]) if only_matrices else dims[::-1]
        rows.append((array(dims, "_D"), array(result, "_D")))
    yield f"class {name}:"
    for instance, shown in [*rows, ("Array[_D, Any]", "Array[_D, Any]"), ("None", "Any")]:
        yield "    @overload"
        yield f"    def __get__(self, instance: {instance}, owner: Any, /) -> {shown}: ..."
