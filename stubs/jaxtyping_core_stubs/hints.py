"""From an annotation as JAX wrote it to the annotation in a stub.

JAX's functions carry annotations as text (``from __future__ import annotations``) or as objects, and
the text names things by whatever the module at hand calls them. Here both become a tuple of union
members, spelled with the names that the head of every generated module imports (`NAMES`). What is not known
by name becomes ``Any``: a parameter declared too widely is harmless, one declared too narrowly is a
false error in correct code.
"""

from __future__ import annotations

import ast
import inspect
import types
import typing
from collections.abc import Iterable, Sequence
from typing import Any, Union

import jax.typing
import numpy as np
from jax._src.typing import DuckTypedArray

ANY = "Any"

#: What JAX calls it -> what the stubs call it. A builtin of which a module has another needs a name of its own.
NAMES: dict[str, str] = {
    **{name: name for name in ("int", "float", "str", "bytes", "None", "Any")},
    **{name: name for name in ("Array", "ArrayLike", "StaticScalar", "Axis")},
    **{name: name for name in ("DType", "DTypeLike", "DimSize", "Shape", "DuckTypedArray")},
    **{name: name for name in ("SupportsShape", "SupportsNdim", "SupportsSize")},
    **{name: f"_{name}" for name in ("bool", "complex", "slice")},
    "builtins.bool": "_bool",
    "jax.Array": "Array",
    "Key": "Array",
    "_Axis": "Axis",
    "reductions.Axis": "Axis",
    "memoryview": "memoryview",
    "np.dtype": "_np.dtype[Any]",
    "np.ndarray": "_np.ndarray",
    "_np.ndarray": "_np.ndarray",
    "numpy.ndarray": "_np.ndarray",
    "NamedSharding": "NamedSharding",
    "P": "PartitionSpec",
    "PartitionSpec": "PartitionSpec",
    "os.PathLike": "PathLike",
    "ufunc": "ufunc",
    "Callable": "Callable[..., Any]",
}

#: Generic names that may be subscripted.
GENERIC: dict[str, str] = {
    "tuple": "tuple",
    "list": "list",
    "List": "list",
    "Sequence": "Sequence",
    "Callable": "Callable",
    "IO": "IO",
    "os.PathLike": "PathLike",
}

#: Unions that reach us as objects are known by their members.
_ALIASES: dict[str, frozenset[Any]] = {
    "ArrayLike": frozenset(typing.get_args(jax.typing.ArrayLike)),
    "DTypeLike": frozenset(typing.get_args(jax.typing.DTypeLike)),
}

_CLASSES: dict[Any, str] = {
    Any: ANY,
    type(None): "None",
    jax.Array: "Array",
    np.ndarray: "np.ndarray",
    DuckTypedArray: "DuckTypedArray",
    **{cls: cls.__name__ for cls in (int, float, complex, str, bytes, bool, slice)},
}


class UnknownNameError(Exception):
    """The annotation names something that a stub cannot name."""


def members(annotation: Any, results: dict[str, str] | None = None) -> tuple[str, ...]:
    """The members of the union that `annotation` is; ``("Any",)`` where it is missing or not understood.

    `results` are more names that may appear (result classes that the caller is able to import).
    """
    if annotation is inspect.Parameter.empty:
        return (ANY,)
    try:
        text = annotation if isinstance(annotation, str) else _spell(annotation)
        union = _union(ast.parse(text, mode="eval").body, {**NAMES, **(results or {})})
    except (UnknownNameError, SyntaxError):
        return (ANY,)
    return (ANY,) if ANY in union else tuple(dict.fromkeys(union))


def join(*parts: Iterable[str]) -> tuple[str, ...]:
    """The union of unions."""
    union = tuple(dict.fromkeys(member for part in parts for member in part))
    return (ANY,) if ANY in union else union


def text(members: Sequence[str]) -> str:
    """The annotation for the union `members`, with None last, as people write it."""
    # What JAX calls a dtype it takes in every form; only its results are the real thing.
    left = ["DTypeLike" if member == "DType" else member for member in members if member != "None"]
    none = ["None"] if "None" in members and "Axis" not in left else []  # an Axis may be None
    return " | ".join([*left, *none])


def _union(node: ast.expr, names: dict[str, str]) -> list[str]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_union(node.left, names), *_union(node.right, names)]
    return [_member(node, names)]


def _member(node: ast.expr, names: dict[str, str]) -> str:
    match node:
        case ast.Constant(value=None):
            return "None"
        case ast.Name() | ast.Attribute():
            return _known(ast.unparse(node), names)
        case ast.Subscript(value=head, slice=inner):
            if ast.unparse(head) == "Literal":
                return ast.unparse(node)
            return f"{_known(ast.unparse(head), GENERIC)}[{_arguments(inner, names)}]"
    raise UnknownNameError(ast.unparse(node))


def _arguments(node: ast.expr, names: dict[str, str]) -> str:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return ", ".join(_argument(part, names) for part in parts) or "()"


def _argument(node: ast.expr, names: dict[str, str]) -> str:
    """An argument of a generic class. What JAX passes to a function of the program is an array, whatever it may take itself."""
    match node:
        case ast.Constant(value=value) if value is ...:
            return "..."
        case ast.List(elts=parts):
            return "[" + ", ".join(_argument(part, {**names, "ArrayLike": "Array"}) for part in parts) + "]"
    union = _union(node, names)
    return ANY if ANY in union else text(union)


def _known(name: str, names: dict[str, str]) -> str:
    if name not in names:
        raise UnknownNameError(name)
    return names[name]


def _spell(annotation: Any) -> str:
    """The text for an annotation that is an object."""
    if annotation in _CLASSES:
        return _CLASSES[annotation]
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (Union, types.UnionType):
        return " | ".join(_spell_union(arguments))
    if isinstance(origin, type) and origin.__name__ in GENERIC:
        return f"{origin.__name__}[{', '.join(_spell_argument(part) for part in arguments)}]"
    raise UnknownNameError(repr(annotation))


def _spell_union(arguments: tuple[Any, ...]) -> list[str]:
    left, names = list(arguments), []
    for name, alias in _ALIASES.items():
        if alias <= set(left):
            left = [part for part in left if part not in alias]
            names.append(name)
    return [*names, *(_spell(part) for part in left)]


def _spell_argument(part: Any) -> str:
    if part is ...:
        return "..."
    return f"[{', '.join(map(_spell, part))}]" if isinstance(part, list) else _spell(part)
