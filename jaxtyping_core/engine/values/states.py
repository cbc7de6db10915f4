"""What several states of the program have in common, and what one value is replaced by wherever it is.

The states that a walk takes are `heap.State`s. A `Snapshot` is a copy of what some roots reach: for calls that are tried.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...identity import identity
from ..scopes import Scope
from . import aliases, heap
from .contents import ScopeOf, Seen, contents_of, is_unchanged, put, reached
from .heap import ABSENT, HeapSnapshot
from .joins import join_all, join_within, of_all_ways, preserving_aliases
from .sameness import same
from .unknowns import UNKNOWN, AbstractSequence, Unknown

#: A snapshot of more containers than this is not made.
MOST = 60_000
#: Containers by their ids, with what they hold.
Contents = Mapping[int, tuple[Any, Any]]
#: What takes the place of values, by their ids.
Replaced = dict[int, tuple[Any, Any]]


class TooLarge(Exception):
    """A snapshot would be too large."""


class Snapshot:
    """What the containers that `roots` reach hold now, but for those that are `apart`, and what only they reach."""

    def __init__(self, roots: Iterable[Any], scope_of: ScopeOf, apart: Iterable[Any] = ()) -> None:
        self.contents: dict[int, tuple[Any, Any]] = {}
        for value, _ in reached(roots, scope_of, apart):
            held = contents_of(value)
            if held is not None:
                self.contents[identity(value)] = (value, held)
                if len(self.contents) > MOST:
                    raise TooLarge

    def restore(self) -> None:
        """Everything holds again what it held then."""
        for value, held in self.contents.values():
            if not is_unchanged(held, contents_of(value)):
                heap.noting(value)
                put(value, held)

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(self.contents.values())


def unchanged(earlier: HeapSnapshot, later: HeapSnapshot) -> bool:
    """Whether what the containers of the earlier state hold is the same in the later one."""
    first, second = _side_by_side([earlier, later])
    # What is no longer there makes no difference: what took its place has been compared with it.
    return all(
        key not in second or isinstance(value, Seen) or is_alike(held, second[key][1])
        for key, (value, held) in first.items()
    )


def is_alike(held: Any, now: Any) -> bool:
    """Whether a container that held this holds now what says the same."""
    if held is now:
        return True
    if isinstance(held, dict):
        return held.keys() == now.keys() and all(same(held[key], now[key]) for key in held)
    if isinstance(held, set):
        return bool(held == now)
    return len(held) == len(now) and all(same(a, b) for a, b in zip(held, now, strict=True))


def _side_by_side(states: Sequence[HeapSnapshot]) -> list[dict[int, tuple[Any, Any]]]:
    """What each state has of the containers that differ in some; one that it does not have was made elsewhere."""
    differences = [state.differences() for state in states]
    now: dict[int, tuple[Any, Any]] = {}
    for each in differences:
        for key, (value, _, absent) in each.items():
            if key not in now:
                now[key] = (value, ABSENT if absent else contents_of(value))
    return [
        {
            key: (value, held)
            for key, (value, current) in now.items()
            if (held := each[key][1] if key in each else current) is not ABSENT
        }
        for each in differences
    ]


def merge(states: Sequence[HeapSnapshot]) -> Replaced:
    """Make every container hold what it has in common in all states; what takes the place of some, by their ids."""
    if all(state is states[0] for state in states):
        states[0].restore()
        return {}
    return merge_contents(_side_by_side(states))


def merge_contents(several: Sequence[Contents]) -> Replaced:
    """`merge` of what containers hold on several ways; on those that do not have one, it does not exist."""
    replaced: Replaced = {}
    held: dict[int, tuple[Any, list[Any]]] = {}
    for contents in several:
        for key, (value, each) in contents.items():
            held.setdefault(key, (value, []))[1].append(each)
    differing = []
    for key, (value, ways) in held.items():
        if all(is_unchanged(ways[0], each) for each in ways[1:]):
            _hold(value, ways[0])
        else:
            differing.append((key, value, ways))
    with preserving_aliases():
        # Variables last: where they refer to different containers, these are joined as they are after the branches.
        for key, value, ways in sorted(differing, key=lambda each: isinstance(each[1], Scope)):
            joined = _joined(value, ways)
            if isinstance(joined, Unknown):
                replaced[key] = (value, joined)
            _hold(value, ways[0] if isinstance(joined, Unknown) else joined)
    return replaced


def _hold(value: Any, held: Any) -> None:
    heap.noting(value)
    put(value, held)


def _joined(value: Any, held: list[Any]) -> Any:
    first = held[0]
    if isinstance(value, Seen):
        return value.joined(held)
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
        return [join_all(list(column)) for column in zip(*held, strict=True)]
    items = [item for each in held for item in each]
    is_plain = type(value) in (list, collections.deque)
    return AbstractSequence(join_all(items), all(held), type(value)) if is_plain else UNKNOWN


def spread_changes() -> Replaced:
    """What the program has changed may be changed under the other names that it may have, too: see `aliases`."""
    changed = [value for value, held in aliases.noted() if not is_unchanged(held, aliases.now(value))]
    return spread([(value, value) for value in changed])


def spread(changed: Sequence[tuple[Any, Any]]) -> Replaced:
    """Make what may be a container that has changed hold what both have in common; `changed` has each with what it is now.

    Returns:
        What takes the place of those that cannot hold it.
    """
    replaced = Replaced()
    with of_all_ways():
        for value, now in changed:
            for other in aliases.reached_from(value):
                joined = join_within(replaced.get(identity(other), (other, other))[1], now)
                merged = contents_of(joined)
                if type(joined) is not type(other) or merged is None:
                    replaced[identity(other)] = (other, joined)
                elif not is_alike(contents_of(other), merged):
                    _hold(other, merged)
    return replaced


def substitute(roots: Iterable[Any], replaced: Replaced, scope_of: ScopeOf) -> None:
    """Put others in the place of some values wherever `roots` reach."""
    if not replaced:
        return

    everything = list(reached(roots, scope_of))
    tuples = [(value, parts) for value, parts in everything if type(value) is tuple]
    ids = set(replaced)
    before = 0
    while len(ids) > before:  # a tuple is made anew, and so is one that has it
        before = len(ids)
        ids.update(identity(value) for value, parts in tuples if not ids.isdisjoint(map(identity, parts)))

    def new(value: Any) -> Any:
        if identity(value) not in ids:
            return value
        return replaced[identity(value)][1] if identity(value) in replaced else tuple(map(new, value))

    for value, parts in everything:
        if ids.isdisjoint(map(identity, parts)):
            continue
        held = contents_of(value)
        if isinstance(held, dict):
            _hold(value, {key: new(item) for key, item in held.items()})
        elif isinstance(held, list):
            _hold(value, [*map(new, held)])
