"""Full snapshots beside the states of the heap: whatever a state says that a container held is compared with a copy.

A state has what was noted of changes. What was changed and not noted, by a library, say, is a difference here.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

from jaxtyping_core.engine.interpreter import Machine
from jaxtyping_core.engine.values import heap, states
from jaxtyping_core.engine.values.contents import contents_of, is_unchanged
from jaxtyping_core.engine.values.heap import State
from jaxtyping_core.engine.values.states import Snapshot
from jaxtyping_core.identity import identity


class Comparison:
    """Copies of what the functions reach that are walked, for each state; and where the states say something else.

    Attributes:
        compared: how many states were compared.
        faults: what is wrong.
    """

    def __init__(self) -> None:
        self.machine: Machine | None = None
        self.snapshots: weakref.WeakKeyDictionary[State, Snapshot] = weakref.WeakKeyDictionary()
        self.compared = 0
        self.faults: dict[str, None] = {}

    def took(self, state: State) -> State:
        machine = self.machine
        if machine is not None and state not in self.snapshots:
            frames = machine.frames
            roots = [part for frame in frames for part in (frame.scope, *frame.yields, frame.first)]
            self.snapshots[state] = Snapshot(roots, machine.scope_of)
        return state

    def restored(self, state: State) -> None:
        self.compared += 1
        for value, held in self.snapshots.get(state, ()):
            self._compare("restored", value, held, contents_of(value))

    def joined(self, several: Sequence[State], contents: Sequence[states.Contents]) -> None:
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
            machine = self.machine
            assert machine is not None
            where = machine.frames[-1].scope.module.path if machine.frames else ""
            line = getattr(machine.node, "lineno", 0)
            self.faults[f"{where}:{line}: {when}: {type(value).__qualname__}: {held!r} is {now!r}"] = None


@contextmanager
def compared() -> Iterator[Comparison]:
    """The states that are taken within are compared."""
    comparison = Comparison()

    def begun(machine: Machine, *args: Any, **kwargs: Any) -> None:
        begin(machine, *args, **kwargs)
        comparison.machine = machine

    def restored(state: State) -> None:
        restore(state)
        comparison.restored(state)

    def side_by_side(several: Sequence[State]) -> list[dict[int, tuple[Any, Any]]]:
        contents = beside(several)
        comparison.joined(several, contents)
        return contents

    begin, restore, beside = Machine.__init__, State.restore, states._side_by_side
    now: Callable[[], State] = heap.now
    with (
        mock.patch.object(Machine, "__init__", begun),
        mock.patch.object(State, "restore", restored),
        mock.patch.object(states, "_side_by_side", side_by_side),
        mock.patch.object(heap, "now", lambda: comparison.took(now())),
    ):
        yield comparison
