"""Methods that override others. Of transformed ones, mypy compares what JAX makes of them whole, with ``self`` as a parameter.

To mypy ``jax.jit`` of a method is an object, not a method: the ``self`` of a class is no parameter that any object of a class
above may be passed for, and two functions of all sizes are two different ones. As methods, they are compared here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.expandtype import expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import Decorator, FuncDef, OverloadedFuncDef, TypeInfo
from mypy.subtypes import find_member, is_subtype
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    Type,
    TypeOfAny,
    get_proper_type,
)
from mypy.typevars import fill_typevars

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import type_variables
from jaxtyping_core_mypy.convert.widening import widen

#: How a method of a class above is compared, as objects of a class below have it.
View = Callable[[TypeInfo, TypeInfo, str], Type | None]


class Overriding:
    """What mypy says of methods that override others."""

    def __init__(self) -> None:
        self._notes_of: tuple[str, int] | None = None

    def is_right(self, api: Any, file: str, info: ErrorInfo, has_texts: bool) -> bool:
        """Whether mypy is about to say that a method is incompatible which is not, or to explain it in notes.

        `has_texts`: shapes are written as jaxtyping's texts in this module. They say what a method is called with, and
        nobody has held them against those of the classes above: what differs in dtypes and shapes alone is no error.
        """
        if info.code is not codes.OVERRIDE:
            return False
        if info.severity == "note":
            return self._notes_of == (file, info.line)
        cls = api.scope.active_class()
        method = None if cls is None else _method_at(cls, info.line)
        is_right = cls is not None and method is not None and _is_compatible(cls, method, has_texts)
        self._notes_of = (file, info.line) if is_right else None
        return is_right


def _method_at(cls: TypeInfo, line: int) -> str | None:
    """The name of the method of a class that a line is of; None if it is of none, or of what is no method above."""
    for name, symbol in cls.names.items():
        node = symbol.node
        if _is_method(node) and node.line <= line <= (node.end_line or node.line):
            above = [base.names[name].node for base in cls.mro[1:] if name in base.names]
            return name if all(map(_is_method, above)) else None
    return None


def _is_method(node: object) -> TypeGuard[FuncDef | Decorator | OverloadedFuncDef]:
    """Whether a name of a class is of a method; a property is none, for what is set of it counts as well."""
    if isinstance(node, Decorator):
        return not node.func.is_property
    return isinstance(node, (FuncDef, OverloadedFuncDef)) and not node.is_property


def _is_compatible(cls: TypeInfo, method: str, has_texts: bool) -> bool:
    """Whether a method of `cls` takes all that those of the same name take in the classes above, and gives no more."""
    bases = [base for base in cls.mro[1:] if method in base.names]
    views = [_as_method, _without_shapes] if has_texts else [_as_method]
    return any(_overrides(view, cls, method, bases) for view in views)


def _overrides(view: View, cls: TypeInfo, method: str, bases: list[TypeInfo]) -> bool:
    own, others = view(cls, cls, method), [view(cls, base, method) for base in bases]
    return own is not None and all(
        other is not None and is_subtype(own, other, ignore_pos_arg_names=True) for other in others
    )


def _without_shapes(cls: TypeInfo, base: TypeInfo, method: str) -> Type | None:
    """The type of a method of `base` as objects of `cls` have it, with arrays of any dtype and shape."""
    whole = fill_typevars(cls)
    if not isinstance(whole, Instance):
        return None
    member = find_member(method, map_instance_to_supertype(whole, base), whole)
    return None if member is None else widen(member)


def _as_method(cls: TypeInfo, base: TypeInfo, method: str) -> CallableType | None:
    """The signature of a transformed method of `base` as `cls` has it, for any ``self``; None for all else."""
    symbol = base.names.get(method)
    declared = symbol.node.var.type if symbol is not None and isinstance(symbol.node, Decorator) else None
    whole = fill_typevars(cls)
    if declared is None or not isinstance(whole, Instance):
        return None
    made = get_proper_type(expand_type_by_instance(declared, map_instance_to_supertype(whole, base)))
    if not isinstance(made, Instance) or made.type.module_name != names.TRANSFORMATIONS:
        return None
    called = get_proper_type(find_member("__call__", made, made, is_operator=True))
    # What gives Any may be a decorator to be, too, which is called with a function: that is a second signature.
    call = called.items[0] if isinstance(called, FunctionLike) else None
    if call is None or not call.arg_types:
        return None
    return call.copy_modified(
        arg_types=[AnyType(TypeOfAny.special_form), *call.arg_types[1:]],
        # Those that are its own, and no class's.
        variables=[each for each in dict.fromkeys(type_variables(call)) if each.id.raw_id < 0],
    )
