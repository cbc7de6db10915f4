"""The members of the array class whose results are known exactly, by name, and the rows of its other methods."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import Parameter
from typing import NamedTuple

import jax.numpy as jnp

from . import functions, members, ranked, requests, switches
from .members import Member
from .methods import Row, spelled
from .rules import by_rank, overloads

#: From the plain definition of a member to the lines that define it.
Definition = Callable[[list[str]], Iterable[str]]


class Definitions(NamedTuple):
    """A member for mypy, and for the other checkers."""

    for_mypy: Definition
    for_others: Definition


def _same(definition: Callable[[], Iterable[str]]) -> Definitions:
    return Definitions(lambda _: definition(), lambda _: definition())


def _plain(lines: list[str]) -> list[str]:
    return lines


def _comparison(name: str) -> Definitions:
    none = name in ("__eq__", "__ne__")
    return Definitions(
        lambda _: members.lines(name, members.comparison(True, none)),
        lambda _: members.lines(name, members.comparison(False, none)),
    )


def _unary(name: str, table: str) -> Callable[[], Iterator[str]]:
    def definition() -> Iterator[str]:
        yield f"def {name}(self: Array[_Has_{table}[_R], _S]) -> Array[_R, _S]: ..."

    return definition


#: What JAX inverts, it joins with bools by ``&``: to the same dtype, or of an abstract one to what it accepts.
_INVERTED = "def __invert__(self: Array[_Bitwise_bool_[_R], _S]) -> Array[_R, _S]: ..."


def _property(name: str, table: str) -> Callable[[], Iterator[str]]:
    def definition() -> Iterator[str]:
        yield "@property"
        yield from _unary(name, table)()

    return definition


def _transposed(name: str, only_matrices: bool) -> Callable[[], Iterator[str]]:
    def definition() -> Iterator[str]:
        yield from members.transposed(f"_shape_of_{name}", only_matrices)
        yield "@property"
        yield f"def {name}(self: _Has_{name}[_T]) -> Array[DT, _T]: ..."

    return definition


#: Two arrays of ours do not come to this: it would hide the errors of ``__matmul__``.
OF_NUMPY = "def __rmatmul__(self, other: _np.ndarray[Any, Any] | StaticScalar, /) -> Array[Unk, Unk]: ..."


def _iteration(name: str, shapes: Sequence[Sequence[str]]) -> Definition:
    """The rows of going through an array of unknown shape, of `shapes`, and of any other."""
    unknown = f"Iterator[{members.UNKNOWN}]"
    rows = [
        Member("Array[DT, _Unranked]", "", unknown),
        *(Member(members.array(dims), "", f"Iterator[{members.array(dims[1:])}]") for dims in shapes),
        Member("", "", unknown),
    ]
    return lambda _: members.lines(name, rows)


_RANKS = [members.DIMS[-rank:] for rank in range(1, len(members.DIMS) + 1)]
#: Any rank in one row. NumPy's functions ask for nested sequences: pyright goes through all rows, and through those of what
#: they give, each time. With a row for each rank, that takes it ten seconds for `np.max(x)`.
_ANY_RANK = [["Any", members.REST]]


def _indexing(_: list[str]) -> Iterator[str]:
    """Rows, which are behind a descriptor for pyright: what asks for a sequence gets its ``__call__``, one row of Any."""
    yield from switches.if_else(
        switches.NOT_PYRIGHT,
        members.lines("__getitem__", members.getitem()),
        [f"__getitem__: {_FINDS_INDEXED}"],
    )


_FINDS_INDEXED, _INDEXED = "_Finds_indexed", "_Indexed"


def for_pyright() -> Iterator[str]:
    """The descriptor of indexing, and what it gives."""
    rows = [row._replace(own=row.own.replace("Array", _INDEXED)) for row in members.getitem()]
    yield f"class {_INDEXED}(Generic[DT, Sh]):"
    yield from switches.indented(members.lines("__call__", rows))
    yield f"class {_FINDS_INDEXED}:"
    yield f"    def __get__(self, instance: Array[_D, _S] | None, owner: Any, /) -> {_INDEXED}[_D, _S]: ..."
    yield "    def __call__(self, key: Any, /) -> Any: ..."


#: A single row, for the reason that iteration has few.
_REVERSED = f"def __reversed__(self) -> Iterator[{members.UNKNOWN}]: ..."


ARRAY: dict[str, Definitions] = {
    **{name: _comparison(name) for name in ("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__")},
    "__matmul__": Definitions(lambda _: ranked.definition("__matmul__"), lambda _: members.matmul()),
    "__rmatmul__": _same(lambda: [OF_NUMPY]),
    "__getitem__": Definitions(lambda _: ranked.definition("__getitem__"), _indexing),
    "__iter__": Definitions(_iteration("__iter__", _RANKS), _iteration("__iter__", _ANY_RANK)),
    "__reversed__": Definitions(_iteration("__reversed__", _RANKS), lambda _: [_REVERSED]),
    "__invert__": _same(lambda: [_INVERTED]),
    "__abs__": _same(_unary("__abs__", "abs")),
    "real": _same(_property("real", "real")),
    "imag": _same(_property("imag", "real")),
    "T": _same(_transposed("T", only_matrices=False)),
    "mT": _same(_transposed("mT", only_matrices=True)),
}


#: Updates that give another dtype to some arrays: which, and what they get; the last is what all others get.
UPDATES: dict[str, tuple[tuple[str, str], ...]] = {
    # A quotient of ints is a float, but those of few bits stay what they are. mypy does not take the row with a protocol.
    "divide": (
        ("uint1 | uint2 | int1 | int2", "Any"),
        ("inexact", "DT"),
        ("_Has_inexact[_R]", "_R"),
        ("", "Any"),
    ),
    # A power of bools or of weak ints is an int.
    "power": (("bool_ | weak_int", "Any"), ("", "DT")),
}


def update(name: str, plain: list[str]) -> Iterator[str]:
    """The rows of such an update."""
    head, _, _ = plain[-1].rpartition(" -> ")
    for dtype, result in UPDATES[name]:
        own = f"(self: _IndexUpdateRef[{dtype}, Sh]" if dtype else "(self"
        yield "@overload"
        yield f"{head.replace('(self', own, 1)} -> Array[{result}, Sh]: ..."


#: The rows of methods that are no functions of ``jax.numpy``, or not in the order of the parameters.
ROWS: dict[str, tuple[Row, ...]] = {
    "__round__": (
        Row("Any", "_S", "ndigits: None = None", "Array[DefaultInt, _S]"),
        Row("_Has_nan_to_num[_R]", "_S", "ndigits: int", "Array[_R, _S]"),
    ),
    "byteswap": (Row("_Has_strong[_R]", "_S", "", "Array[_R, _S]"),),
    "compress": (
        Row(
            *("_Has_strong[_R]", "Any"),
            "condition: Array, axis: int | None = None, *, out: None = None, size: int, fill_value: ArrayLike = 0",
            "Array[_R, Unk]",
        ),
    ),
}


#: Methods that are asked for a dtype: the result, and the other parameters.
ASKED: dict[str, tuple[str, str]] = {
    "astype": ("Array[{0}, _S]", ", copy: _bool = False, device: Any = None"),
    "view": ("Array[{0}, Unk]", ", type: None = None"),
}


#: JAX hands a weak array back as it is if it has the dtype that a view is asked for.
_WEAK_VIEW = Row(
    "weak_int | weak_float | weak_complex", "_S", "dtype: Any = None, type: None = None", "Array[Any, Unk]"
)


def _asked(name: str) -> Iterator[Row]:
    result, rest = ASKED[name]
    if name == "view":
        yield _WEAK_VIEW
    for request in requests.requests():
        answer = request.answer(result.format(request.result))
        yield Row("Any", "_S", f"dtype: {request.annotation}{rest}", answer)


def lines(name: str, rows: Iterable[Row]) -> Iterator[str]:
    """The overloads of the method `name`."""
    # As an instance of its base: of rows for `Array` itself mypy drops those with a protocol for the dtype.
    own = ((f"_Base[{row.dtype}, {row.shape}, Any]", row) for row in rows)
    return members.lines(name, (Member(text, row.parameters, row.result) for text, row in own))


def plain(lines: list[str]) -> Row:
    """The row of a plain definition."""
    found = re.fullmatch(r"def \w+\(self(?:, )?(.*)\) -> (.*): \.\.\.", lines[-1])
    assert found is not None, "a definition is one line"
    return Row("Any", "Any", *found.groups())


@functools.cache
def rows(name: str, parameters: frozenset[str]) -> tuple[Row, ...]:
    """The rows of the method `name` with these `parameters`; none where nothing is known of it."""
    if name in ROWS:
        return ROWS[name]
    if name in ASKED:
        return tuple(_asked(name))
    function = getattr(jnp, name, None)
    if not callable(function) or isinstance(function, type):
        return ()
    rows = overloads.overloads(f"jax.numpy.{name}", function)
    made = (_as_method(one.parameters, one.result, parameters) for one in rows)
    return tuple(row for row in made if row is not None)


def _as_method(parameters: list[Parameter], result: str, taken: frozenset[str]) -> Row | None:
    first, *rest = parameters
    if any(one.name not in taken and one.default is Parameter.empty for one in rest):
        return None  # the method has no such parameter
    kind, dtype, shape = by_rank.parts(str(first.annotation))
    if kind != "Array" or not dtype:
        return None
    given = [one.replace(annotation=functions.Written(one.annotation)) for one in rest if one.name in taken]
    return Row(dtype, shape.removeprefix(", "), spelled(functions.parameters(given)), result)
