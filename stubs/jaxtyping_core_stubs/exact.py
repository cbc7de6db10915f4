"""The members of the array class whose results are known exactly, by name, and the rows of its other methods."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from inspect import Parameter
from typing import NamedTuple

import jax.numpy as jnp

from . import arithmetic, functions, members, requests, switches
from .members import Member
from .rules import overloads

#: The lines that define a member.
Definition = Callable[[], Iterable[str]]


class Row(NamedTuple):
    """An overload of a method: the dtype and the shape of the array, the other parameters, and the result."""

    dtype: str
    shape: str
    parameters: str
    result: str


def _comparison(name: str) -> Definition:
    return lambda: members.lines(name, members.comparison(name in ("__eq__", "__ne__")))


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


def _transposed(name: str) -> Callable[[], list[str]]:
    return lambda: [f"{name}: {TRANSPOSED[name]}"]


#: The descriptors of transposed arrays.
TRANSPOSED = {"T": "_Transposed", "mT": "_MatricesTransposed"}


def descriptors() -> Iterator[str]:
    """The classes of members that are found out from the array, for all checkers but mypy."""
    for name, cls in TRANSPOSED.items():
        yield from members.transposed(cls, only_matrices=name == "mT")
    for descriptor in DESCRIPTORS.values():
        yield from for_pyright(descriptor)


def _reflected_products() -> Iterator[str]:
    """The rows of ``__rmatmul__``. Two arrays of ours do not come to these: they would hide the errors of ``__matmul__``."""
    like = Member("Array[_O, Any]", "other: _NumPyArray[Array[_Join[_O, _R], Any]], /", "Array[_R, Any]")
    return members.lines("__rmatmul__", [like, members.PRODUCT_OF_NUMPY])


def _iteration() -> Iterator[str]:
    """The rows of going through an array: one for any rank.

    NumPy's functions ask for nested sequences: pyright goes through all rows, and through those of what they give, each
    time. With a row for each rank, that takes it ten seconds for `np.max(x)`.
    """
    own, each = (f"Array[DT, tuple[{dims}]]" for dims in (f"Any, {members.REST}", members.REST))
    rows = [
        Member("Array[DT, _Unranked]", "", f"Iterator[{members.UNKNOWN}]"),
        Member(own, "", f"Iterator[{each}]"),
        Member("", "", f"Iterator[{members.UNKNOWN}]"),
    ]
    return members.lines("__iter__", rows)


class Descriptor(NamedTuple):
    """A method whose rows are behind a descriptor for pyright, which compares an array with those of a method one by one.

    What asks for a sequence gets the ``__call__`` of the descriptor, one row of Any. The first row is for arrays of
    which something is not known: `instance`, of the dtype `dtype`.
    """

    cls: str
    rows: Callable[[], list[Member]]
    instance: str
    dtype: str

    @property
    def finder(self) -> str:
        """The class of the descriptor."""
        return f"_Finds{self.cls.lower()}"


DESCRIPTORS: dict[str, Descriptor] = {
    "__getitem__": Descriptor("_Indexed", members.getitem, "Array[_D, _Unranked]", "_D"),
    "__matmul__": Descriptor("_Product", members.products, "Array[_Sen, Any]", "Any"),
}


def _behind_descriptor(name: str) -> Definition:
    descriptor = DESCRIPTORS[name]
    return lambda: switches.if_else(
        switches.NOT_PYRIGHT, members.lines(name, descriptor.rows()), [f"{name}: {descriptor.finder}"]
    )


def for_pyright(descriptor: Descriptor) -> Iterator[str]:
    """The descriptor of a method, and what it gives: few rows for an array of which something is not known."""
    first, *rest = descriptor.rows()
    unknown = list(dict.fromkeys((first._replace(own=""), rest[-1])))
    yield f"class {descriptor.cls}_unknown(Generic[DT]):"
    called = members.lines("__call__", unknown)
    yield from switches.indented(called if len(unknown) > 1 else list(called)[1:])
    rows = [row._replace(own=row.own.replace("Array", descriptor.cls)) for row in rest]
    yield f"class {descriptor.cls}(Generic[DT, Sh]):"
    yield from switches.indented(members.lines("__call__", rows))
    yield f"class {descriptor.finder}:"
    results = {
        descriptor.instance: f"{descriptor.cls}_unknown[{descriptor.dtype}]",
        "Array[_D, _S] | None": f"{descriptor.cls}[_D, _S]",
    }
    for instance, result in results.items():
        yield "    @overload"
        yield f"    def __get__(self, instance: {instance}, owner: Any, /) -> {result}: ..."
    yield "    def __call__(self, key: Any, /) -> Any: ..."


#: A single row, for the reason that iteration has few.
_REVERSED = f"def __reversed__(self) -> Iterator[{members.UNKNOWN}]: ..."


ARRAY: dict[str, Definition] = {
    **{name: functools.partial(arithmetic.definition, name) for name in arithmetic.NAMES},
    **{name: _comparison(name) for name in ("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__")},
    "__rmatmul__": _reflected_products,
    **{name: _behind_descriptor(name) for name in DESCRIPTORS},
    "__iter__": _iteration,
    "__reversed__": lambda: [_REVERSED],
    "__invert__": lambda: [_INVERTED],
    "__abs__": _unary("__abs__", "abs"),
    "real": _property("real", "real"),
    "imag": _property("imag", "real"),
    **{name: _transposed(name) for name in TRANSPOSED},
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
            "Array[_R, Any]",
        ),
    ),
}


#: Methods that are asked for a dtype: the result, and the other parameters.
ASKED: dict[str, tuple[str, str]] = {
    "astype": ("Array[{0}, _S]", ", copy: _bool = False, device: Any = None"),
    "view": ("Array[{0}, Any]", ", type: None = None"),
}


#: The dtypes of builtin types. A bool is an int to checkers, so that it comes first.
BUILTINS = {"_bool": "bool_", "int": "DefaultInt", "float": "DefaultFloat"}

#: JAX hands a weak array back as it is if it has the dtype that a view is asked for.
_WEAK_VIEW = Row(
    "weak_int | weak_float | weak_complex", "_S", "dtype: Any = None, type: None = None", "Array[Any, Any]"
)


def _asked(name: str) -> Iterator[Row]:
    """A row for classes, and one for each builtin type that programs convert to; JAX's own row takes all else."""
    result, rest = ASKED[name]
    if name == "view":
        yield _WEAK_VIEW
    request = requests.BY_CLASS
    yield Row("Any", "_S", f"dtype: {request.annotation}{rest}", result.format(request.result))
    if name == "astype":
        for builtin, dtype in BUILTINS.items():
            yield Row("Any", "_S", f"dtype: type[{builtin}]{rest}", result.format(dtype))


def lines(name: str, rows: Iterable[Row]) -> Iterator[str]:
    """The overloads of the method `name`."""
    own = ((f"Array[{row.dtype}, {row.shape}]", row) for row in rows)
    return members.lines(name, (Member(text, row.parameters, row.result) for text, row in own))


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
    made = (_as_method(row.parameters, row.result, parameters) for row in rows)
    return tuple(row for row in made if row is not None)


def spelled(text: str) -> str:
    """The text in the module of the array class, where no function hides the builtin types."""
    return re.sub(r"\b_complex\b", "complex", text)


def _as_method(parameters: list[Parameter], result: str, taken: frozenset[str]) -> Row | None:
    first, *rest = parameters
    if any(parameter.name not in taken and parameter.default is Parameter.empty for parameter in rest):
        return None  # the method has no such parameter
    parts = overloads.parts(str(first.annotation))
    if parts is None:
        return None
    dtype, shape = parts
    kept = [
        parameter.replace(annotation=functions.Written(parameter.annotation))
        for parameter in rest
        if parameter.name in taken
    ]
    return Row(dtype, shape, spelled(functions.parameters(kept)), result)
