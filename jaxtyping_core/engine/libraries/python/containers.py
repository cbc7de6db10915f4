"""Methods of lists, dicts, sets and texts, within reason."""

from __future__ import annotations

import collections
import types
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ....identity import identity
from ...language.operators import MOST_ITEMS
from ...language.sequences import items_of
from ...values import arrays, heap
from ...values.callables import Cursor
from ...values.joins import join_all
from ...values.unknowns import UNKNOWN, AbstractSequence, Unknown, has_others, is_endless, is_many, is_unknown
from ..calls.methods import holder_of, of_text
from ..trust import gate
from ..trust.special_names import is_closed_name
from .builtin_iterations import ordered

if TYPE_CHECKING:
    from ...interpreter import Interpreter

PLAIN = (list, dict, set, str, bytes, tuple, frozenset)
#: Methods of texts that make one as long as a number says, or whose result is not looked at.
OF_ANY_LENGTH = frozenset(
    {"ljust", "rjust", "center", "zfill", "expandtabs", "translate", "format", "format_map"}
)
#: Methods of dicts that give all entries.
ENTRIES = frozenset({"keys", "values", "items"})
#: Methods of containers that take all items of what they are given.
TAKING = frozenset(
    {
        *("extend", "extendleft", "update", "__iadd__", "union", "intersection", "difference", "subtract"),
        *("symmetric_difference", "issubset", "issuperset", "isdisjoint", "join"),
        *("difference_update", "intersection_update", "symmetric_difference_update"),
    }
)


def is_method(f: Any) -> bool:
    """Whether `f` is a method of one of Python's own containers or texts."""
    holder = holder_of(f)
    is_plain = isinstance(f, types.BuiltinMethodType) and isinstance(holder, (*PLAIN, property))
    return is_plain or _is_from_keys(f) or type(holder).__module__ == "collections"


def _is_from_keys(f: Any) -> bool:
    return isinstance(f, types.BuiltinMethodType) and holder_of(f) is dict and f.__name__ == "fromkeys"


def call(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What such a method gives."""
    holder, name = holder_of(f), f.__name__
    if _is_from_keys(f):
        return _from_keys(interpreter, *args)
    if name in TAKING:
        args = [_bounded(interpreter, arg) for arg in args]
    if isinstance(holder, (str, bytes)):
        return _of_text(interpreter, f, holder, args, kwargs)
    if name in ("extend", "update", "__iadd__") and any(is_unknown(arg) for arg in args):
        return _grow(interpreter, holder, args)
    if name in ENTRIES and has_others(holder):
        return AbstractSequence(UNKNOWN)
    if name == "get" and isinstance(holder, dict) and not arrays.holds_unknown(args[:1]):
        return holder.get(*args)
    if (
        isinstance(holder, dict)
        and name in ("get", "pop", "setdefault")
        and args
        and arrays.holds_unknown(args[0])
    ):
        interpreter.havoc([holder])
        return UNKNOWN
    if name == "sort" and isinstance(holder, list):
        return _sort(interpreter, holder, **kwargs)
    if isinstance(holder, list) and name in ("pop", "insert") and arrays.holds_unknown(args[:1]):
        interpreter.havoc([holder])
        return UNKNOWN
    if _names_the_closed(name, args, kwargs):
        interpreter.havoc([holder])
        return interpreter.opaque("a special name in a dict")
    if _too_many(holder, name, args):
        interpreter.havoc([holder])
        return interpreter.too_much()
    return interpreter.real(f, args, kwargs)


def _from_keys(interpreter: Interpreter, keys: Any = UNKNOWN, value: Any = None) -> Any:
    """``dict.fromkeys(keys, value)``."""
    listed = items_of(interpreter, keys).listed
    if listed is None or len(listed) > MOST_ITEMS or arrays.holds_unknown(listed):
        interpreter.escape([value], calls_methods=False)
        return UNKNOWN
    try:
        return heap.made(dict.fromkeys(listed, value))
    except TypeError as error:  # an item that cannot be a key
        return interpreter.failed(error)


def _bounded(interpreter: Interpreter, value: Any) -> Any:
    """The items of what may be an iterator without end."""
    if is_endless(value):
        interpreter.too_much()
    if isinstance(value, (Unknown, range, collections.deque, Cursor, *PLAIN)) or not hasattr(
        value, "__next__"
    ):
        return value
    return items_of(interpreter, value).value


def _names_the_closed(name: str, args: Iterable[Any], kwargs: dict[str, Any]) -> bool:
    """Whether a dict, which may be that of an object, would get a special name."""
    if name == "setdefault":
        return any(type(arg) is str and is_closed_name(arg) for arg in args)
    if name != "update":
        return False
    names = [*kwargs, *(key for arg in args if isinstance(arg, dict) for key in dict.keys(arg))]
    return any(type(key) is str and is_closed_name(key) for key in names)


def _too_many(holder: Any, name: str, args: list[Any]) -> bool:
    """Whether a container would become larger than any program needs."""
    if name not in TAKING:
        return not all(map(gate.is_small, args)) if name in ("add", "index", "count", "remove") else False
    return len(holder) + sum(len(arg) for arg in args if hasattr(type(arg), "__len__")) > MOST_ITEMS


def _of_text(
    interpreter: Interpreter, f: Any, holder: str | bytes, args: list[Any], kwargs: dict[str, Any]
) -> Any:
    name = f.__name__
    if name == "join" and args:
        items = items_of(interpreter, args[0])
        args = [UNKNOWN if items.listed is None else items.listed]
    if arrays.holds_unknown(args) or name in OF_ANY_LENGTH:
        return of_text(name) if isinstance(holder, str) else UNKNOWN
    if _length(holder, name, args) > MOST_ITEMS:
        return interpreter.too_much()
    return interpreter.real(f, args, kwargs)


def _length(holder: str | bytes, name: str, args: list[Any]) -> int:
    """How long a text may become at most; 0 where it is no matter."""
    if name == "join" and args and isinstance(args[0], list):
        items = [item for item in args[0] if isinstance(item, (str, bytes))]
        return sum(map(len, items)) + len(holder) * len(items)
    if name == "replace" and len(args) > 1 and isinstance(args[1], (str, bytes)):
        return (len(holder) + 1) * max(1, len(args[1]))
    return 0


def _sort(interpreter: Interpreter, holder: list[Any], key: Any = None, reverse: Any = False) -> None:
    """``list.sort``: by the keys that the program's function gives."""
    if arrays.holds_unknown(holder):
        interpreter.havoc([holder])
        return
    made = ordered(interpreter)(list(holder), key, reverse)
    if is_many(made):
        interpreter.havoc([holder])
    else:
        heap.changing(holder)
        holder[:] = made


def _grow(interpreter: Interpreter, holder: Any, args: list[Any]) -> None:
    """A container takes over items that are unknown, or whose number is unknown."""
    other: Any = UNKNOWN
    if isinstance(holder, list):
        both = [*holder, *items_of(interpreter, args[0]).to_join()]
        other = AbstractSequence(join_all(both) if both else UNKNOWN, bool(holder))
    interpreter.replace({identity(holder): (holder, other)})
