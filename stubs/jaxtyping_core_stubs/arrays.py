"""``jax/_src/basearray.pyi``: the array class, generic over dtype and shape.

What an array offers is read from JAX's own stub of the same file; only the types change, by the tables below.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from inspect import Parameter, Signature

import jax
from jax._src.numpy import array_methods

from . import functions, oracle

MODULE = "jax._src.basearray"

HEAD = """
import os
from builtins import bool as _bool
from typing import Final, Generic, Literal

import numpy as _np
from jax._src.partition_spec import PartitionSpec
from typing_extensions import TypeVar
from jax._src.numpy.scalar_types import bool_

# Set by the mypy plugin, which makes the dims of a shape join instead of clash.
JAXTYPING_CORE_PLUGIN: Final = False

DT = TypeVar("DT", covariant=True, default=Any)

# The second test is false to every checker that evaluates it; mypy does not, and falls to that branch where it is
# told that JAXTYPING_CORE_PLUGIN is true.
if not JAXTYPING_CORE_PLUGIN:
    Sh = TypeVar("Sh", bound=tuple[Any, ...], default=Any)
elif os.name == "plugin":
    Sh = TypeVar("Sh", bound=tuple[Any, ...], covariant=True, default=Any)
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
    "Array": {"Self": SAME_DTYPE, "Iterator[Self]": f"Iterator[{SAME_DTYPE}]", "np.dtype": "np.dtype[Any]"},
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
    return "\n".join([*map(ast.unparse, imports), HEAD, *(_statement(node) for node in rest), ""])


def _statement(node: ast.stmt) -> str:
    if isinstance(node, ast.ClassDef) and node.name in CLASSES:
        return "\n".join([f"\nclass {node.name}(Generic[DT, Sh]):", *_body(node)])
    return ast.unparse(node)


def _body(node: ast.ClassDef) -> Iterator[str]:
    for one in node.body:
        if isinstance(one, ast.FunctionDef):
            yield from _method(node.name, one)


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
