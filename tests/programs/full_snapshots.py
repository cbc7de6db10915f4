"""Full snapshots beside the states of the heap: whatever a state says that a container held is compared with a copy.

A state has what was noted of changes. What was changed and not noted, by a library, say, is a difference here.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

from jaxtyping_core.engine.interpreter import Interpreter
from jaxtyping_core.engine.values import heap, states
from jaxtyping_core.engine.values.contents import contents_of, is_unchanged
from jaxtyping_core.engine.values.heap import HeapSnapshot
from jaxtyping_core.engine.values.states import Snapshot
from jaxtyping_core.identity import identity


class Comparison:
    """Copies of what the functions reach that are walked, for each state; and where the states say something else.

    Attributes:
        compared: how many states were compared.
        faults: what is wrong.
    """

    def __init__(self) -> None:
        self.interpreter: Interpreter | None = None
        self.snapshots: weakref.WeakKeyDictionary[HeapSnapshot, Snapshot] = weakref.WeakKeyDictionary()
        self.compared = 0
        self.faults: dict[str, None] = {}

    def took(self, state: HeapSnapshot) -> HeapSnapshot:
        interpreter = self.interpreter
        if interpreter is not None and state not in self.snapshots:
            frames = interpreter.frames
            roots = [part for frame in frames for part in (frame.scope, *frame.yields, frame.first)]
            self.snapshots[state] = Snapshot(roots, interpreter.scope_of)
        return state

    def restored(self, state: HeapSnapshot) -> None:
        self.compared += 1
        for value, held in self.snapshots.get(state, ()):
            self._compare("restored", value, held, contents_of(value))

    def joined(self, several: Sequence[HeapSnapshot], contents: Sequence[states.Contents]) -> None:
        for state, held_there in zip(several, contents, strict=True):
            self.compared += 1
            differences = state.differences()
            for value, held in self.snapshots.get(state, ()):
                key = identity(value)
                if key in held_there:
                    self._compare("joined", value, held, held_there[key][1])
                elif key in differences:
                    self._compare("joined", value, held, None)
                else:
                    self._compare("joined", value, held, contents_of(value))

    def _compare(self, when: str, value: Any, held: Any, now: Any) -> None:
        if now is None or not is_unchanged(held, now):
            interpreter = self.interpreter
            assert interpreter is not None
            where = interpreter.frames[-1].scope.module.path if interpreter.frames else ""
            line = getattr(interpreter.node, "lineno", 0)
            self.faults[f"{where}:{line}: {when}: {type(value).__qualname__}: {held!r} is {now!r}"] = None


@contextmanager
def compared() -> Iterator[Comparison]:
    """The states that are taken within are compared."""
    comparison = Comparison()

    def begun(interpreter: Interpreter, *args: Any, **kwargs: Any) -> None:
        begin(interpreter, *args, **kwargs)
        comparison.interpreter = interpreter

    def restored(state: HeapSnapshot) -> None:
        restore(state)
        comparison.restored(state)

    def side_by_side(several: Sequence[HeapSnapshot]) -> list[dict[int, tuple[Any, Any]]]:
        contents = beside(several)
        comparison.joined(several, contents)
        return contents

    begin, restore, beside = Interpreter.__init__, HeapSnapshot.restore, states._side_by_side
    now: Callable[[], HeapSnapshot] = heap.now
    with (
        mock.patch.object(Interpreter, "__init__", begun),
        mock.patch.object(HeapSnapshot, "restore", restored),
        mock.patch.object(states, "_side_by_side", side_by_side),
        mock.patch.object(heap, "now", lambda: comparison.took(now())),
    ):
        yield comparison
