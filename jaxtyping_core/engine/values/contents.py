"""Containers: all that a walk may change, what one holds, and what it refers to.

A container is the variables of a scope, a list, a dict, a set, a deque, or the attributes of an object.
"""

from __future__ import annotations

import collections
import functools
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ...identity import identity
from .arrays import holds_nothing, object_fields
from .unknowns import AbstractSequence, Either, Unknown

#: The scopes that a function of the program sees.
ScopeOf = Callable[[Any], Iterable[Any]]
#: The classes of objects that hold nothing of the program's, as they are met: these are most of what a program has.
_HOLD_NOTHING: set[type] = {int, float, str, bytes, complex, bool, type(None)}


class Variables(ABC):
    """The variables of a scope: the one container that is none of Python's."""

    variables: dict[str, Any]

    @abstractmethod
    def outside(self) -> Iterable[Any]:
        """What a scope refers to, but for what its variables hold."""


class Seen(Variables):
    """What the walk has seen on its way, and no values of the program: there is always more of it."""

    @abstractmethod
    def joined(self, ways: Sequence[dict[Any, Any]]) -> dict[Any, Any]:
        """What has been seen on any of several ways."""


class Entries:
    """A container with entries that a program may change, as it may those of a dict, although it is none of Python's own."""


def no_scopes(_: Any) -> tuple[Any, ...]:
    """For code of libraries: it changes what the program's functions see only by calling them."""
    return ()


def contents_of(value: Any) -> Any:
    """A copy of what a container holds; None for everything else.

    The methods are Python's own: a class of the program may have others.
    """
    if isinstance(value, Variables):
        return value.variables.copy()
    if isinstance(value, dict):
        return value.copy() if type(value) is dict else dict(_dict_of(value).items(value))
    if isinstance(value, list):
        return list.copy(value)
    if isinstance(value, set):
        return set.copy(value)
    if isinstance(value, collections.deque):
        return list(collections.deque.__iter__(value))
    fields = _fields(value)
    return None if fields is None else dict(fields)


def is_container(value: Any) -> bool:
    """Whether a value is a container."""
    kinds = (Variables, dict, list, set, collections.deque)
    return isinstance(value, kinds) or _fields(value) is not None


def _fields(value: Any) -> dict[str, Any] | None:
    return None if isinstance(value, (tuple, frozenset, Unknown)) else object_fields(value)


def put(value: Any, held: Any) -> None:
    """Make a container hold this. Nothing is noted of it: see `heap.changing`."""
    if isinstance(value, Variables):
        value.variables.clear()
        value.variables.update(held)
    elif isinstance(value, dict):
        kind = _dict_of(value)
        kind.clear(value)
        kind.update(value, held)
    elif isinstance(value, set):
        set.clear(value)
        set.update(value, held)
    elif isinstance(value, list):
        list.__setitem__(value, slice(None), held)
    elif isinstance(value, collections.deque):
        collections.deque.clear(value)
        collections.deque.extend(value, held)
    else:
        _put_fields(value, held)


def _dict_of(value: dict[Any, Any]) -> Any:
    """The class of Python's own whose methods keep a dict whole."""
    return collections.OrderedDict if isinstance(value, collections.OrderedDict) else dict


def _put_fields(value: Any, held: dict[str, Any]) -> None:
    fields = object_fields(value)
    assert fields is not None
    if not hasattr(value, "__dict__"):
        for name, item in held.items():
            object.__setattr__(value, name, item)
    elif fields.keys() != held.keys() or any(fields[name] is not item for name, item in held.items()):
        fields.clear()
        fields.update(held)


def is_unchanged(held: Any, now: Any) -> bool:
    """Whether a container that held this holds the very same things now."""
    if len(held) != len(now):
        return False
    if isinstance(held, dict):
        # The order is a part of it: JAX and annotations look at it.
        return all(map(_is_same_pair, held.items(), now.items()))
    if isinstance(held, set):
        return set(map(identity, held)) == set(map(identity, now))
    return all(a is b for a, b in zip(held, now, strict=True))


def _is_same_pair(first: tuple[Any, Any], second: tuple[Any, Any]) -> bool:
    return first[1] is second[1] and (first[0] is second[0] or first[0] == second[0])


def parts_of(value: Any, scope_of: ScopeOf) -> Iterable[Any]:
    """What a value refers to."""
    if isinstance(value, Variables):
        return [*value.outside(), *value.variables.values()]
    if isinstance(value, dict):
        return dict.values(value)
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        return value
    if isinstance(value, functools.partial):
        return [value.func, *value.args, *value.keywords.values()]
    if isinstance(value, types.MethodType):
        return [value.__self__, value.__func__]
    if isinstance(value, AbstractSequence):
        return [value.item]
    if isinstance(value, Either):
        return value.functions
    if isinstance(value, Unknown):
        return ()
    fields = object_fields(value)
    return [*(fields or {}).values(), *scope_of(value)]


def may_hold(value: Any) -> bool:
    """Whether a value may have containers within, or be one."""
    if type(value) in _HOLD_NOTHING:
        return False
    if holds_nothing(value):
        _HOLD_NOTHING.add(type(value))
        return False
    return True


def reached(
    roots: Iterable[Any], scope_of: ScopeOf, apart: Iterable[Any] = ()
) -> Iterator[tuple[Any, Iterable[Any]]]:
    """What `roots` reach that may hold something, each with its parts, but for what is `apart`, and what only that reaches."""
    seen = {identity(value) for value in apart}
    stack = list(roots)
    while stack:
        value = stack.pop()
        # Most of what a program has is numbers, strings and arrays.
        if type(value) in _HOLD_NOTHING or identity(value) in seen or not may_hold(value):
            continue
        seen.add(identity(value))
        parts = parts_of(value, scope_of)
        stack += parts
        yield value, parts
