"""What belongs to a library and not to the program: it is read, and never changed.

The program gets a copy of a library's container. It gets a library's object itself, and `Interpreter.foreign` remembers that the
program did not make it.
"""

from __future__ import annotations

import collections
import types
from typing import TYPE_CHECKING, Any

from ...identity import identity
from ..libraries.trust import gate
from ..libraries.trust.tables import CHANGING
from ..values.arrays import object_fields
from ..values.unknowns import UNKNOWN, Unknown

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: Containers that a program could change.
CONTAINERS = (dict, list, set, collections.deque)
#: What cannot be changed by assignments to attributes, or is none of the program's business.
FIXED = (
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodType, type, types.ModuleType, Unknown),
    *(str, bytes, int, float, complex, type(None), tuple, frozenset),
)
#: Special methods that change an object, or leave it changed.
OF_SPECIAL = frozenset(
    {"__enter__", "__exit__", "__init__", "__init_subclass__", "__setattr__", "__setitem__"}
)


def handed_out(interpreter: Interpreter, holder: Any, name: str, member: Any, is_own: bool) -> Any:
    """An attribute of an object, as the program gets it; `is_own` says that the object is of one of its classes."""
    if is_own:
        return member
    if isinstance(member, CONTAINERS):
        return (
            member
            if name in (object_fields(holder) or ()) and not is_foreign(interpreter, holder)
            else _copy(member)
        )
    if is_foreign(interpreter, holder) and not isinstance(member, FIXED):
        interpreter.foreign[identity(member)] = member
    return member


def is_foreign(interpreter: Interpreter, holder: Any) -> bool:
    """Whether an object is a library's own: a module, a class, or what the program has had from one of these."""
    return isinstance(holder, (types.ModuleType, type)) or identity(holder) in interpreter.foreign


def changes(interpreter: Interpreter, holder: Any, name: str) -> bool:
    """Whether a method changes an object that is a library's own."""
    return (name in CHANGING or name in OF_SPECIAL) and is_foreign(interpreter, holder)


def _copy(value: Any) -> Any:
    """A copy of a container, and of those in it."""
    return _copied(value) if gate.is_small(value) else UNKNOWN


def _copied(value: Any) -> Any:
    if isinstance(value, collections.defaultdict):
        return collections.defaultdict(
            value.default_factory, {key: _copied(item) for key, item in value.items()}
        )
    if isinstance(value, dict):
        items = {key: _copied(item) for key, item in value.items()}
        return items if type(value) is not collections.OrderedDict else collections.OrderedDict(items)
    if isinstance(value, (list, collections.deque)):
        return (
            type(value)(map(_copied, value))
            if type(value) in (list, collections.deque)
            else [*map(_copied, value)]
        )
    return set(value) if isinstance(value, set) else value
