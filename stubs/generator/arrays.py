"""``jax/_src/basearray.pyi``: the array class, generic over dtype and shape.

What an array offers is read from JAX's own stub of the same file; only the types change, by the tables below.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from . import oracle

MODULE = "jax._src.basearray"

HEAD = """
import os

from typing import Final, Generic
from typing_extensions import TypeVar
from jax._src.numpy.scalar_types import bool_

# Set by the mypy plugin, which makes the dims of a shape join instead of clash.
HAS_PLUGIN: Final = False

DT = TypeVar("DT", covariant=True, default=Any)

# The second test is false to every checker that evaluates it; mypy does not, and falls to that branch where it is
# told that HAS_PLUGIN is true.
if not HAS_PLUGIN:
    Sh = TypeVar("Sh", bound=tuple[Any, ...], default=Any)
elif os.name == "plugin":
    Sh = TypeVar("Sh", bound=tuple[Any, ...], covariant=True, default=Any)
"""

#: The classes that know the dtype and the shape of an array.
GENERIC = ("Array", "_IndexUpdateHelper", "_IndexUpdateRef")

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
    if isinstance(node, ast.ClassDef) and node.name in GENERIC:
        return "\n".join([f"\nclass {node.name}(Generic[DT, Sh]):", *_body(node)])
    return ast.unparse(node)


def _body(node: ast.ClassDef) -> Iterator[str]:
    for one in node.body:
        if isinstance(one, ast.FunctionDef):
            yield from _method(node.name, one)


def _method(owner: str, node: ast.FunctionDef) -> Iterator[str]:
    yield from (f"    @{ast.unparse(decorator)}" for decorator in node.decorator_list)
    arguments = _positional_only(node) if _is_operator(node) else node.args
    _annotate(arguments)
    declared = ast.unparse(node.returns) if node.returns else "None"
    yield f"    def {node.name}({ast.unparse(arguments)}) -> {_result(owner, node.name, declared)}: ..."


def _annotate(arguments: ast.arguments) -> None:
    """Give every parameter an annotation: a strict checker calls a method without them partially unknown."""
    for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        if arg.annotation is None and arg.arg != "self":
            arg.annotation = ast.Name("Any")


def _result(owner: str, method: str, declared: str) -> str:
    if (owner, method) == GET:
        return SAME_DTYPE
    if owner == "Array" and method in METHODS:
        return METHODS[method]
    return RESULTS[owner].get(declared, declared)


def _is_operator(node: ast.FunctionDef) -> bool:
    return node.name.startswith("__") and [arg.arg for arg in node.args.args] == ["self", "other"]


def _positional_only(node: ast.FunctionDef) -> ast.arguments:
    return ast.arguments(posonlyargs=node.args.args, args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
