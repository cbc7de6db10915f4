"""The members of the array class whose results are known exactly, by name."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from inspect import Parameter
from typing import Any, NamedTuple

import jax.numpy as jnp

from . import functions, members, ranked, requests
from .members import Member
from .rules import overloads

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


def _asked(name: str, result: str, rest: str) -> Definition:
    def definition(plain: list[str]) -> Iterator[str]:
        rows = (
            Member(
                "Array[Any, _S]",
                f"dtype: {request.annotation}{rest}",
                request.answer(result.format(request.result)),
            )
            for request in requests.requests()
        )
        yield from members.lines(name, rows)
        yield "@overload"
        yield from plain

    return definition


#: Two arrays of ours do not come to this: it would hide the errors of ``__matmul__``.
OF_NUMPY = "def __rmatmul__(self, other: _np.ndarray[Any, Any] | StaticScalar, /) -> Array[Unk, Unk]: ..."


def _iteration(name: str) -> Callable[[list[str]], Iterator[str]]:
    def definition(_: list[str]) -> Iterator[str]:
        yield "@overload"
        yield f"def {name}(self: Array[DT, _Unranked]) -> Iterator[{members.UNKNOWN}]: ..."
        for rank in range(1, len(members.DIMS) + 1):
            dims = members.DIMS[-rank:]
            yield "@overload"
            yield f"def {name}(self: {members.array(dims)}) -> Iterator[{members.array(dims[1:])}]: ..."
        yield "@overload"
        yield f"def {name}(self) -> Iterator[{members.UNKNOWN}]: ..."

    return definition


ARRAY: dict[str, Definitions] = {
    **{name: _comparison(name) for name in ("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__")},
    "__matmul__": Definitions(lambda _: ranked.definition("matmul"), lambda _: members.matmul()),
    "__rmatmul__": _same(lambda: [OF_NUMPY]),
    "__getitem__": Definitions(
        lambda _: ranked.definition("getitem"), lambda _: members.lines("__getitem__", members.getitem())
    ),
    "__iter__": Definitions(_iteration("__iter__"), _iteration("__iter__")),
    "__reversed__": Definitions(_iteration("__reversed__"), _iteration("__reversed__")),
    "__abs__": _same(_unary("__abs__", "abs")),
    "real": _same(_property("real", "real")),
    "imag": _same(_property("imag", "real")),
    "T": _same(_transposed("T", only_matrices=False)),
    "mT": _same(_transposed("mT", only_matrices=True)),
    "astype": Definitions(
        _asked("astype", "Array[{0}, _S]", ", copy: _bool = False, device: Any = None"),
        _asked("astype", "Array[{0}, _S]", ", copy: _bool = False, device: Any = None"),
    ),
    "view": Definitions(
        _asked("view", "Array[{0}, Unk]", ", type: None = None"),
        _asked("view", "Array[{0}, Unk]", ", type: None = None"),
    ),
}


#: Updates that make a float of a weak int.
WEAK_UPDATES = ("divide", "power")


def update(name: str, plain: list[str]) -> Iterator[str]:
    """The rows of such an update."""
    head, _, _ = plain[-1].rpartition(" -> ")
    yield "@overload"
    yield f"{head.replace('(self', '(self: _IndexUpdateRef[weak_int, Sh]', 1)} -> Array[Any, Sh]: ..."
    yield "@overload"
    yield from plain


#: The rows of methods that are no functions of ``jax.numpy``, or not in the order of the parameters.
ROWS: dict[str, tuple[str, ...]] = {
    "__round__": (
        "(self: _Base[Any, _S, Any], ndigits: None = None) -> Array[DefaultInt, _S]",
        "(self: _Base[_Has_nan_to_num[_R], _S, Any], ndigits: int) -> Array[_R, _S]",
    ),
    "byteswap": ("(self: _Base[_Has_strong[_R], _S, Any]) -> Array[_R, _S]",),
    "compress": (
        (
            "(self: _Base[_Has_strong[_R], Any, Any], condition: Array, axis: int | None = None, "
            "*, out: None = None, size: int, fill_value: ArrayLike = 0) -> Array[_R, Unk]"
        ),
    ),
}


@functools.cache
def of_function(name: str, parameters: frozenset[str]) -> tuple[str, ...]:
    """The rows of the method `name` with these `parameters`, where it is a function of ``jax.numpy`` of the array."""
    if name in ROWS:
        return tuple(line for row in ROWS[name] for line in ("@overload", f"def {name}{row}: ..."))
    function = getattr(jnp, name, None)
    if not callable(function) or isinstance(function, type):
        return ()
    return tuple(
        line
        for one in overloads.overloads(f"jax.numpy.{name}", function)
        for line in _as_method(name, one.parameters, one.result, parameters)
    )


#: One array, of a dtype or of one of several.
_OWN = re.compile(r"Array\[[^\[\]]*(\[[^\[\]]*\][^\[\]]*)*\]")


def _as_method(name: str, parameters: list[Parameter], result: str, taken: frozenset[str]) -> Iterator[str]:
    first, *rest = parameters
    if any(one.name not in taken and one.default is Parameter.empty for one in rest):
        return  # the method has no such parameter
    rest = [one for one in rest if one.name in taken]
    own: Any = first.annotation
    if not _OWN.fullmatch(own):
        return
    # As an instance of its base: of rows for `Array` itself mypy drops those with a protocol for the dtype.
    own = f"_Base{own.removeprefix('Array')[:-1]}, Any]"
    given = functions.parameters(
        [one.replace(annotation=functions.Written(one.annotation)) for one in rest], f"self: {own}"
    )
    yield "@overload"
    yield re.sub(r"\b_complex\b", "complex", f"def {name}({given}) -> {result}: ...")  # which no member hides
