"""Containers that may be one object: what two of them are joined to stands for the one or for the other.

``x = a if c else b`` makes a container that holds what `a` and `b` have in common. Each of the three may be one object with it,
so a change of one may be a change of the others: a may-alias relation, with weak updates of what may have changed (L. Andersen,
"Program Analysis and Specialization for the C Programming Language", 1994, chapter 4). `states.spread` makes the updates.

Two containers that have nothing in common are joined to an unknown value. They are lost: whoever changes something unknown may
change them.
"""

from __future__ import annotations

import collections
import dataclasses
import inspect
import sys
from typing import Any, ClassVar

import numpy as np

from ...identity import identity
from .contents import Entries, contents_of
from .unknowns import AbstractSequence

#: Others that a container may be; those of which there are more are few, and the oldest ones are dropped.
MOST = 32
#: What a method of that name changes of a container, it changes of one of Python's own.
READING = frozenset({"copy", "count", "get", "index", "items", "keys", "values"})
#: Methods of Python's that assign to an item.
OF_ITEMS = ("__setitem__", "__delitem__")


class _Aliases:
    """The relation, for one program at a time."""

    #: Containers by their ids, each with those that may be the same object.
    others: ClassVar[dict[int, tuple[Any, list[Any]]]] = {}
    #: Those that are about to be changed, with what they held before.
    before: ClassVar[dict[int, tuple[Any, Any]]] = {}
    lost: ClassVar[dict[int, Any]] = {}
    #: Their classes.
    kinds: ClassVar[set[type]] = set()
    #: Pairs, and how many of them there may be before those are dropped that nothing else refers to.
    pairs, limit = 0, 2_000


def forget_all() -> None:
    """A program begins that shares nothing with those before it."""
    for each in (_Aliases.others, _Aliases.before, _Aliases.lost, _Aliases.kinds):
        each.clear()
    _Aliases.pairs, _Aliases.limit = 0, 2_000


def is_class_of_program(cls: type) -> bool:
    """Whether a class is of the program, and has objects that may be changed."""
    is_frozen = dataclasses.is_dataclass(cls) and cls.__dataclass_params__.frozen  # type: ignore[attr-defined]  # typeshed has none
    return cls.__module__ == "__program__" and not is_frozen and not issubclass(cls, (type, tuple))


def is_plain_container(value: Any) -> bool:
    """Whether a value is a list, a dict or another container of Python's, or an object of the program that may be changed."""
    plain = (list, dict, set, collections.deque, Entries)
    return isinstance(value, plain) or is_class_of_program(type(value))


def _may_change(value: Any) -> bool:
    return isinstance(value, (AbstractSequence, np.ndarray)) or is_plain_container(value)


def tie(joined: Any, first: Any, second: Any) -> Any:
    """A value that two others are joined to, which may be either of them."""
    if not (_may_change(first) and _may_change(second)):
        return joined
    if _may_change(joined):
        for part in (first, second):
            for other in [part, *others(part)]:
                _pair(joined, other)
    elif not isinstance(first, (AbstractSequence, np.ndarray)):
        _Aliases.lost |= {identity(first): first, identity(second): second}
        _Aliases.kinds |= {type(first), type(second)}
    if _Aliases.pairs + len(_Aliases.lost) > _Aliases.limit:
        _sweep()
    return joined


def _pair(value: Any, other: Any) -> None:
    if value is other:
        return
    for one_side, other_side in ((value, other), (other, value)):
        known = _Aliases.others.setdefault(identity(one_side), (one_side, []))[1]
        if all(each is not other_side for each in known):
            known.append(other_side)
            _Aliases.pairs += 1
        if len(known) > MOST:
            del known[0]


def _references(held: dict[int, Any], key: int) -> int:
    """How many references there are to the value of an entry."""
    value = held[key]
    return sys.getrefcount(value[0] if type(value) is tuple else value)


#: As many as an entry alone has: a version of Python may count those of a call or not.
_OF_ENTRY, _OF_LOST = _references({0: ([], [])}, 0), _references({0: []}, 0)


def _sweep() -> None:
    """Drop what only this relation refers to."""
    within: collections.Counter[int] = collections.Counter()
    for _, partners in _Aliases.others.values():
        within.update(map(identity, partners))
    gone = {
        key
        for key in _Aliases.others
        if _references(_Aliases.others, key) <= within[key] + _OF_ENTRY + (key in _Aliases.lost)
    }
    for key in [*_Aliases.lost]:
        is_alone = _references(_Aliases.lost, key) <= within[key] + _OF_LOST
        if key in gone or (key not in _Aliases.others and is_alone):
            del _Aliases.lost[key]
    kept = {
        key: (value, [other for other in partners if identity(other) not in gone])
        for key, (value, partners) in _Aliases.others.items()
        if key not in gone
    }
    _Aliases.others.clear()
    _Aliases.others |= {key: (value, partners) for key, (value, partners) in kept.items() if partners}
    _Aliases.pairs = sum(len(partners) for _, partners in _Aliases.others.values())
    _Aliases.kinds.clear()
    _Aliases.kinds.update(map(type, _Aliases.lost.values()))
    _Aliases.limit = max(2_000, 2 * (_Aliases.pairs + len(_Aliases.lost)))


def others(value: Any) -> list[Any]:
    """The containers that may be the same object as this one."""
    known = _Aliases.others.get(identity(value))
    return [] if known is None else [*known[1]]


def reached_from(value: Any) -> list[Any]:
    """The containers that may be the same object as this one, by way of others, too."""
    seen, waiting = {identity(value): value}, [value]
    while waiting:
        for other in others(waiting.pop()):
            if identity(other) not in seen:
                seen[identity(other)] = other
                waiting.append(other)
    return [*seen.values()][1:]


def may_be(value: Any, other: Any) -> bool:
    """Whether two containers may be one object."""
    return value is other or any(each is other for each in others(value))


def may_change(value: Any) -> None:
    """Note what a container holds, which is about to be changed, if it may be another one."""
    if identity(value) in _Aliases.others and (held := _held(value)) is not None:
        _Aliases.before.setdefault(identity(value), (value, held))


def is_changing() -> bool:
    """Whether something has been noted."""
    return bool(_Aliases.before)


def noted() -> list[tuple[Any, Any]]:
    """What has been noted, with what it held; it is noted no longer."""
    taken = [*_Aliases.before.values()]
    _Aliases.before.clear()
    return taken


def _held(value: Any) -> Any:
    return [value.item] if isinstance(value, AbstractSequence) else contents_of(value)


def now(value: Any) -> Any:
    """What a container that was noted holds now."""
    return _held(value)


def lost(method: str, attribute: str = "") -> list[Any]:
    """The containers that something unknown may be whose method is called, or to whose attribute is assigned."""
    if method in READING:
        return []
    having = {cls for cls in _Aliases.kinds if _has_method(cls, "" if attribute else method)}
    return (
        []
        if not having
        else [
            value
            for value in _Aliases.lost.values()
            if type(value) in having and (not attribute or attribute in (contents_of(value) or {}))
        ]
    )


def _has_method(cls: type, method: str) -> bool:
    """Whether objects of a class have a method; an empty name stands for any attribute of the program's own objects."""
    if not is_class_of_program(cls):
        return bool(method) and hasattr(cls, method)
    return not method or inspect.isfunction(inspect.getattr_static(cls, method, None))
