"""The state of the program: what its variables, containers and objects hold, to go back to and to join.

Everything that a walk may change is a container: the variables of a scope, a list, a dict, a set, the attributes of an
object. A `State` has what each of those within reach held at one moment.
"""

from __future__ import annotations

import collections
import functools
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..scopes import Module, Scope
from .arrays import holds_nothing, object_fields
from .joins import join_all, same, sharing
from .unknowns import UNKNOWN, Many, Unknown, is_many, is_unknown

#: More containers than this are not kept track of.
MOST = 60_000


#: The classes of objects that hold nothing of the program's, as they are met: these are most of what a program has.
_HOLD_NOTHING: set[type] = {int, float, str, bytes, complex, type(None)}


class TooLarge(Exception):
    """The program's state is too large to be kept track of."""


class State:
    """What the containers that `roots` reach hold now, but for those that are `apart`, and what only they reach.

    With `steady`, also those that the program does not change by its source: a library may, such as a layer that counts.
    """

    def __init__(
        self,
        roots: Iterable[Any],
        scope_of: Callable[[Any], Iterable[Any]],
        apart: Iterable[Any] = (),
        steady: bool = False,
    ) -> None:
        self.contents: dict[int, tuple[Any, Any]] = {}
        seen = {id(value) for value in apart}
        stack = list(roots)
        while stack:
            value = stack.pop()
            if type(value) in _HOLD_NOTHING or id(value) in seen:
                continue
            seen.add(id(value))
            held = contents_of(value, steady)
            if held is not None:
                self.contents[id(value)] = (value, held)
                if len(self.contents) > MOST:
                    raise TooLarge
                if isinstance(value, Scope):
                    stack += held.values()
            elif holds_nothing(value):
                _HOLD_NOTHING.add(type(value))
                continue
            stack += parts_of(value, scope_of)

    def restore(self) -> None:
        """Everything holds again what it held then."""
        for value, held in self.contents.values():
            put(value, held)

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(self.contents.values())


def contents_of(value: Any, steady: bool = False) -> Any:
    """A copy of what a container holds; None for everything else."""
    if isinstance(value, Scope):
        return value.held(steady)
    if isinstance(value, (dict, list, set, collections.deque)):
        return value.copy()
    fields = None if isinstance(value, (tuple, frozenset, Unknown)) else object_fields(value)
    return None if fields is None else dict(fields)


def parts_of(value: Any, scope_of: Callable[[Any], Iterable[Any]]) -> Iterable[Any]:
    """What a value refers to; of a scope, but for what its variables hold."""
    if isinstance(value, Scope):
        return [value.parent] if value.parent else []
    if isinstance(value, Module):
        return [value.scope]
    if isinstance(value, dict):
        return [*value.values()]
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        return list(value)
    if isinstance(value, functools.partial):
        return [value.func, *value.args, *value.keywords.values()]
    if isinstance(value, types.MethodType):
        return [value.__self__, value.__func__]
    if is_many(value):
        return [value.item]
    if is_unknown(value):
        return ()
    fields = object_fields(value)
    return [*(fields or {}).values(), *scope_of(value)]


def put(value: Any, held: Any) -> None:
    """Make a container hold this."""
    if isinstance(value, Scope):
        value.put(held)
    elif isinstance(value, (dict, set)):
        value.clear()
        value.update(held)
    elif isinstance(value, list):
        value[:] = held
    elif isinstance(value, collections.deque):
        value.clear()
        value.extend(held)
    else:
        fields = object_fields(value)
        assert fields is not None
        if not hasattr(value, "__dict__"):
            for name, item in held.items():
                object.__setattr__(value, name, item)
        elif fields.keys() != held.keys() or any(fields[name] is not item for name, item in held.items()):
            fields.clear()
            fields.update(held)


def unchanged(earlier: State, later: State) -> bool:
    """Whether what the containers of the earlier state hold is the same in the later one."""
    for key, (value, held) in earlier.contents.items():
        now = later.contents.get(key)
        # What is no longer within reach makes no difference: what took its place has been compared with it.
        if now is not None and not _same_contents(value, held, now[1]):
            return False
    return True


def _same_contents(value: Any, held: Any, now: Any) -> bool:
    if held is now:
        return True
    if isinstance(held, dict):
        return held.keys() == now.keys() and all(same(held[key], now[key]) for key in held)
    if isinstance(held, set):
        return bool(held == now)
    return len(held) == len(now) and all(same(a, b) for a, b in zip(held, now, strict=True))


def merge(states: list[State]) -> dict[int, tuple[Any, Any]]:
    """Make every container hold what it has in common in all states; what takes the place of some, by their ids."""
    replaced: dict[int, tuple[Any, Any]] = {}
    seen: dict[int, Any] = {}
    for state in states:
        for key, (value, _) in state.contents.items():
            seen.setdefault(key, value)
    with sharing():
        _merge(states, seen, replaced)
    return replaced


def _merge(states: list[State], seen: dict[int, Any], replaced: dict[int, tuple[Any, Any]]) -> None:
    for key, value in seen.items():
        held = [state.contents[key][1] for state in states if key in state.contents]
        if len(held) == 1:
            put(value, held[0])
            continue
        joined = _joined(value, held)
        if is_unknown(joined):
            replaced[key] = (value, joined)
            put(value, held[0])
        else:
            put(value, joined)


def _joined(value: Any, held: list[Any]) -> Any:
    first = held[0]
    if isinstance(value, Scope) or not isinstance(value, (dict, list, set, collections.deque)):
        keys = dict.fromkeys(key for each in held for key in each)
        # Without a value on one way, a use after it is an error there: what the other ways give is right.
        of_scope = isinstance(value, Scope)
        return {
            key: join_all([each[key] for each in held if key in each])
            if of_scope or all(key in each for each in held)
            else UNKNOWN
            for key in keys
        }
    if isinstance(value, dict):
        if all(each.keys() == first.keys() for each in held):
            return {key: join_all([each[key] for each in held]) for key in first}
        return UNKNOWN
    if isinstance(value, set):
        return first if all(each == first for each in held) else UNKNOWN
    if all(len(each) == len(first) for each in held):
        joined = [join_all(list(column)) for column in zip(*held, strict=True)]
        return collections.deque(joined, value.maxlen) if isinstance(value, collections.deque) else joined
    items = [item for each in held for item in each]
    return Many(join_all(items), all(held), list) if type(value) is list else UNKNOWN


def substitute(roots: Iterable[Any], replaced: dict[int, tuple[Any, Any]], scope_of: Any) -> None:
    """Put others in the place of some values wherever `roots` reach."""
    if not replaced:
        return

    def new(value: Any) -> Any:
        if id(value) in replaced:
            return replaced[id(value)][1]
        if type(value) is tuple and any(id(item) in replaced for item in value):
            return tuple(map(new, value))
        return value

    for value, held in State(roots, scope_of):
        if isinstance(held, dict):
            changed = {key: new(item) for key, item in held.items()}
            if any(changed[key] is not held[key] for key in held):
                put(value, changed)
        elif isinstance(held, (list, collections.deque)):
            items = [new(item) for item in held]
            if any(a is not b for a, b in zip(items, held, strict=True)):
                put(value, items)
