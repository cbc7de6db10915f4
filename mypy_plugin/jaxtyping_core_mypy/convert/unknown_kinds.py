"""What an argument may be of which mypy knows nothing: by the name of its parameter, and by the parameter's type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mypy.types import (
    AnyType,
    Instance,
    NoneType,
    TupleType,
    Type,
    flatten_nested_unions,
    get_proper_type,
)

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import is_array
from jaxtyping_core_mypy.convert.declarations import declared

Kinds = tuple[str, ...]

SHAPE, AXES, NUMBERS = ("int", "ints"), ("none", "int", "ints"), ("int", "float")
#: Parameters whose annotations say less than what JAX takes for them.
BY_NAME: dict[str, Kinds] = {
    **dict.fromkeys(("shape", "newshape", "new_shape", "sample_shape", "reps"), SHAPE),
    **dict.fromkeys(("axis", "axes"), AXES),
    **dict.fromkeys(("dtype", "preferred_element_type"), ("dtype", "none")),
    **dict.fromkeys(("num_classes", "N", "M"), ("int",)),
}
#: ... of single functions and methods.
BY_FUNCTION: dict[str, Kinds] = {
    "jax.numpy.arange": NUMBERS,
    "method:reshape": SHAPE,
    "method:transpose": AXES,
}
#: Where a parameter without a type is one for an array, and no tree.
OF_ARRAYS = ("jax.numpy.", "jax.nn.", "jax.scipy.", "jax.random.")
#: What a part of a tuple or a list may be, for each kind of the whole.
PARTS: dict[str, Kinds] = {"ints": ("int",), "arrays": ("array",), "array": ("array",)}
#: JAX's names for what has a dtype and a shape.
LIKE_ARRAYS = frozenset({"DuckTypedArray", "SupportsShape"})
#: Arrays of NumPy, and what has the interface of one.
OF_NUMPY = ("numpy.", names.CONVERTED)
SEQUENCES = frozenset({"builtins.list", "builtins.tuple", "typing.Sequence"})
#: The kinds of Python's numbers and of None; with an array, numbers are a part of that kind.
NUMBER_KINDS = {f"builtins.{kind}": kind for kind in ("bool", "int", "float", "complex")}


def kinds_for(function: str, parameter: str | None, formal: Type | None) -> Kinds:
    """What may be passed to a function of JAX for a parameter of this name and type; none where that is not known."""
    if parameter in BY_NAME:
        return BY_NAME[parameter]
    if function in BY_FUNCTION:
        return BY_FUNCTION[function]
    if formal is None or isinstance(get_proper_type(formal), AnyType):
        return ("array",) if function.startswith(OF_ARRAYS) else ()
    return _of_type(formal, function) or ()


def kinds_of_parts(kinds: Kinds | None) -> Kinds | None:
    """What the items of a tuple or a list may be that is of one of `kinds`."""
    return kinds and tuple(dict.fromkeys(part for kind in kinds for part in PARTS.get(kind, ())))


def _of_type(formal: Type, function: str) -> Kinds | None:
    kinds: dict[str, None] = {}
    for item in flatten_nested_unions([formal]):
        own = _of_member(get_proper_type(item), function)
        if own is None:
            return None
        kinds.update(dict.fromkeys(own))
    if "array" in kinds:
        return tuple(kind for kind in kinds if kind not in NUMBER_KINDS.values())
    return tuple(kinds)


def _of_member(member: Type, function: str) -> Kinds | None:
    if isinstance(member, NoneType):
        return ("none",)
    if isinstance(member, AnyType):
        return ("array",) if function.startswith(OF_ARRAYS) else None
    if is_array(member):
        return ("array",)
    if isinstance(member, TupleType):
        return _of_items(member.items, function)
    if not isinstance(member, Instance):
        return None
    if member.type.fullname in SEQUENCES and len(member.args) == 1:
        return _of_items(member.args, function)
    if member.type.fullname.startswith(OF_NUMPY) or member.type.name in LIKE_ARRAYS:
        return ("array",)
    kind = NUMBER_KINDS.get(member.type.fullname)
    return None if kind is None else (kind,)


def _of_items(items: Iterable[Type], function: str) -> Kinds | None:
    kinds = {kind for item in items for kind in _of_type(item, function) or ("other",)}
    if kinds == {"int"}:
        return ("ints",)
    return ("arrays",) if kinds == {"array"} else None


def formals(ctx: Any) -> dict[str, Type]:
    """The types of the parameters of what is called, by their names; none where it has overloads."""
    signature = declared(ctx)
    if signature is None:
        return {}
    named = zip(signature.arg_names, signature.arg_types, strict=True)
    return {name: typ for name, typ in named if name is not None}
