"""The heap that the program's containers make up, and the states of it that a walk goes back to or joins.

Branches share the heap. A `HeapSnapshot` is no copy of it: it has what the containers held that were changed since, so that it
costs what changed, and not what the program can reach. The states that are held are a tree of which the heap as it is now
is the root. Each has the difference to the next one on the way there. To go back to a state turns the differences on that
way around: this is Baker's rerooting of persistent arrays ("Shallow binding makes functional arrays fast", 1991).

So whoever changes a container calls `changing` before, and whoever makes one may call `made`. What real code changes is noted
before it runs: see `real_code`. Nothing is noted while nobody holds a state.

A walk is of one thread, and containers of one program are in no other one: there is one heap in a process.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from ...identity import identity
from . import aliases
from .contents import contents_of, is_container, put

#: What a state has of a container that was made after it.
ABSENT: Any = object()
#: A container, what it held at a state, and whether it is absent from the next one.
Difference = tuple[Any, Any, bool]


class _Heap:
    """How the heap as it is now differs from the state that was taken, or gone back to, last."""

    #: The differences of that state; None if nobody holds it.
    log: dict[int, Difference] | None = None
    latest: weakref.ref[HeapSnapshot] | None = None
    #: Grows whenever another state is the latest.
    epoch = 0
    #: The dicts that the program has of the attributes of objects, and these objects: either by the id of the other.
    same: ClassVar[dict[int, Any]] = {}
    #: The classes of which Python makes objects, the innermost last; None where it has called a method of the object.
    making: ClassVar[list[type | None]] = []


class HeapSnapshot:
    """What all containers held at one moment."""

    __slots__ = ("__weakref__", "changed", "later")

    def __init__(self) -> None:
        #: The next state on the way to the heap as it is now; None for the last.
        self.later: HeapSnapshot | None = None
        self.changed: dict[int, Difference] = {}

    def restore(self) -> None:
        """Everything holds again what it held then."""
        path: list[HeapSnapshot] = [self]
        while path[-1].later is not None:
            path.append(path[-1].later)
        target: dict[int, tuple[Any, Any]] = {
            key: (value, held) for key, (value, held, _) in path[-1].changed.items()
        }
        now, last = path.pop(), None
        now.changed = {}
        while path:
            last, now = now, path.pop()
            last.changed, last.later = _turned(now.changed, target), now
            now.changed, now.later = {}, None
        for value, held in target.values():
            # What did not exist then is out of reach, or it is kept apart from the heap, as modules are.
            if held is not ABSENT:
                put(value, held)
        _begin(now)

    def differences(self) -> dict[int, Difference]:
        """What the containers held that may hold something else now, and whether they are absent now."""
        state: HeapSnapshot | None = self
        if self.later is None:
            return dict(self.changed)
        collected: dict[int, Difference] = {}
        while state is not None:
            for key, (value, held, absent) in state.changed.items():
                earlier = collected.get(key)
                collected[key] = (value, held if earlier is None else earlier[1], absent)
            state = state.later
        return collected


def _turned(changed: dict[int, Difference], target: dict[int, tuple[Any, Any]]) -> dict[int, Difference]:
    """The differences between two states seen from the later one, of which `target` has what was put off; also that goes on."""
    turned: dict[int, Difference] = {}
    for key, (value, held, absent) in changed.items():
        later = ABSENT if absent else target[key][1] if key in target else contents_of(value)
        turned[key] = (value, later, held is ABSENT)
        target[key] = (value, held)
    return turned


def _begin(state: HeapSnapshot) -> None:
    _Heap.log = state.changed
    _Heap.latest = weakref.ref(state, _forget)
    _Heap.epoch += 1


def _forget(gone: Any) -> None:
    if _Heap.latest is gone:
        _Heap.log = None


def now() -> HeapSnapshot:
    """The state of the heap as it is now."""
    latest = None if _Heap.latest is None else _Heap.latest()
    if latest is not None and not latest.changed:
        return latest
    state = HeapSnapshot()
    if latest is not None:
        latest.later = state
    _begin(state)
    return state


def is_held() -> bool:
    """Whether someone may go back to a state from now on."""
    return _Heap.log is not None


def epoch() -> int:
    """A number that is another one whenever what has been noted until then is no longer enough."""
    return _Heap.epoch


def changing(value: Any) -> None:
    """Note what a container holds, which is about to be changed. Of everything else nothing is noted."""
    aliases.may_change(value)
    noting(value)


def noting(value: Any) -> None:
    """The same for one that is put into a state of the program, and not changed by it."""
    log = _Heap.log
    if log is None or identity(value) in log:
        return
    held = contents_of(value)
    if held is not None:
        log[identity(value)] = (value, held, False)
        same = _Heap.same.get(identity(value))
        if same is not None:
            noting(same)


def made(value: Any) -> Any:
    """A value that has just been made: no state that was taken before has it."""
    log = _Heap.log
    if log is not None and identity(value) not in log and is_container(value):
        log[identity(value)] = (value, ABSENT, False)
    return value


@contextmanager
def making(cls: type) -> Iterator[None]:
    """Within, Python makes an object of a class, and calls what the class has to fill it."""
    _Heap.making.append(cls)
    try:
        yield
    finally:
        _Heap.making.pop()


def begins(args: Sequence[Any]) -> None:
    """Python calls a method of the program: the first such call that gets an object of the class fills the one that it makes."""
    if _Heap.making and args and _Heap.making[-1] in type(args[0]).__mro__:
        _Heap.making[-1] = None
        made(args[0])


def is_same(value: Any, fields: dict[str, Any]) -> dict[str, Any]:
    """The program gets the attributes of an object as a dict: what changes one of them changes the other."""
    _Heap.same[identity(value)], _Heap.same[identity(fields)] = fields, value
    return fields


def forget_all() -> None:
    """A program begins that shares nothing with those before it."""
    _Heap.same.clear()
    _Heap.making.clear()
    _Heap.log = _Heap.latest = None
