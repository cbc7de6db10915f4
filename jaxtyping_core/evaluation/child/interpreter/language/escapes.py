"""Which functions of the program something can call that has some values."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..values.arrays import object_fields
from ..values.unknowns import is_many, is_unknown
from .functions import Function

if TYPE_CHECKING:
    from ..machine import Machine

#: Values that are looked into.
MOST = 400


def reached(machine: Machine, values: Iterable[Any]) -> Iterator[tuple[Function, list[Any]]]:
    """The functions among `values` and within them, with the arguments that are bound to them.

    Of an object of the program, its methods: whatever has it may call them.
    """
    stack: list[tuple[Any, list[Any]]] = [(value, []) for value in values]
    seen: set[int] = set()
    while stack and len(seen) < MOST:
        value, bound = stack.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        function = machine.functions.get(id(value))
        made = machine.made.get(id(value))
        if function is not None:
            yield function, bound
        elif made is not None:
            stack.append((made.function, bound))
        elif isinstance(value, types.MethodType):
            stack.append((value.__func__, [value.__self__]))
            stack.append((value.__self__, []))
        elif isinstance(value, functools.partial):
            stack.append((value.func, list(value.args)))
        elif isinstance(value, dict):
            stack += [(item, []) for item in value.values()]
        elif isinstance(value, (list, tuple, set)):
            stack += [(item, []) for item in value]
        elif is_many(value):
            stack.append((value.item, []))
        elif not is_unknown(value):
            wrapped = vars(value).get("__wrapped__") if isinstance(value, types.FunctionType) else None
            if wrapped is not None:
                stack.append((wrapped, bound))
            stack += _of_object(machine, value)


def _of_object(machine: Machine, value: Any) -> list[tuple[Any, list[Any]]]:
    """The methods of an object of the program, and what it holds."""
    fields = object_fields(value)
    if fields is None:
        return []
    members: list[tuple[Any, list[Any]]] = [(item, []) for item in fields.values()]
    for cls in type(value).__mro__:
        if cls in machine.classes:
            for name, member in vars(cls).items():
                if not name.startswith("__") or name == "__call__":
                    inner = getattr(member, "__wrapped__", member)
                    members.append((inner, [value]))
    return members
