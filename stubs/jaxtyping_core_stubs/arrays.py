"""``jax/_src/basearray.pyi``: the array class, generic over dtype and shape.

What an array offers is read from JAX's own stub of the same file; only the types change, by the tables below.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from inspect import Parameter, Signature

import jax
from jax._src.numpy import array_methods

from . import callables, functions, operators, oracle, scalars

MODULE = "jax._src.basearray"

HEAD = """
import os
from builtins import bool as _bool
from typing import Final, Generic, Literal, TypeAlias, overload

import numpy as _np
from typing_extensions import TypeVar
from jax._src.numpy.scalar_types import *
from jax._src.numpy.scalar_types import {protocols}

# Set by the mypy plugin, which makes the dims of a shape join instead of clash, and computes all results itself.
JAXTYPING_CORE_PLUGIN: Final = False

# An Any that mypy's overload resolution does not take for an argument of unknown type.
Unk: TypeAlias = Any

DT = TypeVar("DT", covariant=True, default=Unk)

# The second test is false to every checker that evaluates it; mypy does not, and falls to that branch where it is
# told that JAXTYPING_CORE_PLUGIN is true.
if not JAXTYPING_CORE_PLUGIN:
    Sh = TypeVar("Sh", default=Unk)
elif os.name == "plugin":
    Sh = TypeVar("Sh", covariant=True, default=Unk)

_D = TypeVar("_D")
_D_co = TypeVar("_D_co", covariant=True)
_O = TypeVar("_O")
_R = TypeVar("_R")
_RB = TypeVar("_RB", covariant=True)
_RI = TypeVar("_RI", covariant=True)
_RF = TypeVar("_RF", covariant=True)
_RC = TypeVar("_RC", covariant=True)
_S = TypeVar("_S")
_T = TypeVar("_T")
_TD = TypeVar("_TD", default=Unk)
_K = TypeVar("_K")
_L = TypeVar("_L")
_M = TypeVar("_M")
_N = TypeVar("_N")
_Sh = TypeVar("_Sh", default=Unk)
_Sh2 = TypeVar("_Sh2", default=Unk)
_S_contra = TypeVar("_S_contra", contravariant=True)
_T_co = TypeVar("_T_co", covariant=True)
{variables}

class _Sen(Protocol):  # A shape that no array has: only an unknown one matches.
    def _sen(self) -> int: ...

class _Base(Protocol[_D_co, _Sh, _Sh2]):  # An array by its dtype, the shape to compare, and the shape to return.
    def _dtype(self) -> _D_co: ...
    def _compared(self, shape: _Sh, /) -> _Sh: ...
    def _returned(self, shape: _Sh2, /) -> _Sh2: ...

class _Exact(Protocol[_D, _Sh, _Sh2]):  # As `_Base`, of exactly that dtype.
    def _same_dtype(self, dtype: _D, /) -> _D: ...
    def _compared(self, shape: _Sh, /) -> _Sh: ...
    def _returned(self, shape: _Sh2, /) -> _Sh2: ...

class _Mm(Protocol[_D_co, _S_contra, _T_co]):  # The right operand of a matrix product with a shape, in mypy and zuban.
    def _dtype(self) -> _D_co: ...
    def _matmul(self, shape: _S_contra, /) -> _T_co: ...

class _PyFloat(Protocol):  # A float that is no int.
    def hex(self) -> str: ...
    def as_integer_ratio(self) -> tuple[int, int]: ...

class _PyComplex(Protocol):  # A complex number that is no float.
    def __complex__(self) -> complex: ...
    def conjugate(self) -> complex: ...

class DTypeObject(np.dtype[Any], Generic[_D_co]):  # type: ignore  # The dtype object of an array.
    def _dtype(self) -> _D_co: ...
"""

#: What the protocols see of an array.
HELPERS = """
    def _dtype(self) -> DT: ...
    def _same_dtype(self, dtype: DT, /) -> DT: ...
    def _compared(self, shape: Sh, /) -> Sh: ...
    def _returned(self, shape: Sh, /) -> Sh: ...
"""

#: The classes that know the dtype and the shape of an array, with the class at run time.
CLASSES: dict[str, type] = {
    "Array": jax.Array,
    "_IndexUpdateHelper": array_methods._IndexUpdateHelper,
    "_IndexUpdateRef": array_methods._IndexUpdateRef,
}

SAME = "Array[DT, Sh]"
SAME_DTYPE = "Array[DT, Any]"
UNKNOWN = "Array"

#: Methods of which the result is not what the tables below say.
METHODS: dict[str, str] = {
    **dict.fromkeys(("__neg__", "__pos__", "__invert__", "conj", "conjugate", "copy"), SAME),
    **dict.fromkeys(("block_until_ready", "to_device"), SAME),
    **dict.fromkeys(("__abs__", "__round__", "round", "real", "imag", "view"), UNKNOWN),
    **dict.fromkeys(("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"), "Array[bool_, Any]"),
    **dict.fromkeys(("all", "any"), "Array[bool_, Any]"),
    "__rdivmod__": "tuple[Array, Array]",
    "at": "_IndexUpdateHelper[DT, Sh]",
}

#: Results by the class and by what JAX's stub declares.
RESULTS: dict[str, dict[str, str]] = {
    "Array": {"Self": SAME_DTYPE, "Iterator[Self]": f"Iterator[{SAME_DTYPE}]", "np.dtype": "DTypeObject[DT]"},
    "_IndexUpdateHelper": {"_IndexUpdateRef": "_IndexUpdateRef[DT, Sh]"},
    "_IndexUpdateRef": {"Array": SAME},
}

GET = ("_IndexUpdateRef", "get")  # reads: another shape


def render() -> str:
    """The text of the stub."""
    source = oracle.tree(MODULE)
    assert source is not None, "JAX describes its array class in basearray.pyi"
    imports = [node for node in source.body if isinstance(node, ast.Import | ast.ImportFrom)]
    rest = [node for node in source.body if node not in imports]
    names = [f"_{table.capitalize()}" for table in scalars.JOINED]
    names += [f"{name}_{cls}" for name in names for cls in scalars.joined_classes()]
    names += [*(f"_Has_{table}" for table in scalars.UNARY), *callables.names()]
    head = HEAD.format(protocols=", ".join(names), variables="\n".join(operators.variables()))
    return "\n".join(
        [*map(ast.unparse, imports), head, *(_statement(node) for node in rest), *callables.definitions(), ""]
    )


def _statement(node: ast.stmt) -> str:
    if isinstance(node, ast.ClassDef) and node.name in CLASSES:
        bases = ["_Base[DT, Sh, Sh]", "_Exact[DT, Sh, Sh]"] if node.name == "Array" else []
        head = f"\nclass {node.name}({', '.join([*bases, 'Generic[DT, Sh]'])}):"
        return "\n".join([head, *([HELPERS] if bases else []), *_body(node)])
    return ast.unparse(node)


def _body(node: ast.ClassDef) -> Iterator[str]:
    for one in node.body:
        if not isinstance(one, ast.FunctionDef):
            continue
        name = one.name.strip("_")
        if node.name == "Array" and name in operators.OPERATORS:
            yield from switch(callables.properties(name), _method(node.name, one), operators.for_others(name))
        elif node.name == "Array" and name.removeprefix("r") in operators.OPERATORS:
            continue  # written with the operator that it reflects
        else:
            yield from _method(node.name, one)


def switch(for_mypy: Iterable[str], for_plugin: Iterable[str], for_others: Iterable[str]) -> Iterator[str]:
    """Definitions that differ by checker; the mypy plugin wants the simplest signature.

    ``os.name == ...`` is false to the checkers that evaluate it; mypy and zuban do not, and take the first branch that
    may be true.
    """
    yield '    if not JAXTYPING_CORE_PLUGIN and os.name == "mypy":'
    yield from (f"        {line}" for line in for_mypy)
    yield '    elif os.name == "plugin":'
    yield from (f"    {line}" for line in for_plugin)
    yield "    else:"
    yield from (f"        {line}" for line in for_others)


def _method(owner: str, node: ast.FunctionDef) -> Iterator[str]:
    yield from (f"    @{ast.unparse(decorator)}" for decorator in node.decorator_list)
    described = oracle.signature(node)
    given = list(widened(owner, node.name, described).parameters.values())[1:]
    declared = "None" if described.return_annotation is Signature.empty else described.return_annotation
    result = _result(owner, node.name, declared)
    yield f"    def {node.name}({functions.parameters(given, 'self')}) -> {result}: ..."


def widened(owner: str, name: str, described: Signature) -> Signature:
    """A method as JAX's stub describes it, where it also accepts what the method itself says that it accepts."""
    given = list(described.parameters.values())
    if [one.name for one in given] == ["self", "other"]:
        return Signature([one.replace(kind=Parameter.POSITIONAL_ONLY) for one in given])
    method = getattr(CLASSES[owner], name, None)
    if name.startswith("__") or not inspect.isfunction(method):
        return described
    own = inspect.signature(method).parameters
    more = [
        one
        for one in own.values()
        if one.name not in described.parameters and one.kind is Parameter.KEYWORD_ONLY
    ]
    return described.replace(parameters=[*(functions.wider(one, own.get(one.name)) for one in given), *more])


def _result(owner: str, method: str, declared: str) -> str:
    if (owner, method) == GET:
        return SAME_DTYPE
    if owner == "Array" and method in METHODS:
        return METHODS[method]
    return RESULTS[owner].get(declared, declared)
