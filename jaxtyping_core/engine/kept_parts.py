"""Parts of an evaluation that leave nothing behind but findings, kept for the next one: scripts, and tests.

Each begins with the state after the imports, and none sees what another has done. So after an edit of bodies a part gives the same
again if it has read none of these bodies, and if all that is in no part has not either. `bodies` tells who reads what. An edit of
anything else has all parts walked.

The parent keeps what `as_json` gives, for this child reads what nobody trusts.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import jax

from ..identity import identity
from .bodies import Bodies, Lines, bits, read_by
from .diagnostics import Diagnostics
from .libraries.calls.memo import keeping_options
from .values import heap

if TYPE_CHECKING:
    from .interpreter import Interpreter
    from .values.callables import Function

#: How a message says where something is: that is not moved.
WITH_LINE = re.compile(r":\d+|\blines? \d")
#: How a part has ended that was cut off: it had taken its time, or its steps.
WHOLE, OF_TIME, OF_STEPS = "whole", "time", "steps"
#: What stands for a check for which there was no time: no evaluation has it.
NOT_WALKED = ""
#: How much more time than it had then has a part walked again that was cut off.
MUCH_MORE = 1.5
#: What is kept of `Diagnostics`, all by keys.
KEPT = ("refusals", "remarks", "notes", "lost")


class Contradiction(Exception):
    """What was taken from an earlier evaluation is not as it is now: all is to be evaluated anew."""


class KeptParts:
    """The parts of one evaluation.

    Args:
        interpreter: what walks them.
        bodies: the bodies of the program; None if no parts are kept.
        earlier: what an earlier evaluation gave as `as_json`; None for nothing.

    Attributes:
        may_be_kept: whether all that is in no part was walked to its end.
    """

    def __init__(
        self, interpreter: Interpreter, bodies: Bodies | None = None, earlier: Mapping[str, Any] | None = None
    ) -> None:
        self._interpreter, self._bodies = interpreter, bodies
        self.may_be_kept = bodies is not None
        self.around: set[int] = set()
        #: The number of the part that is walked; 0 for none. And whether a library has called a function in it that was made before.
        self.number = self._count = 0
        self._has_called_back = False
        self._parts: dict[str, dict[str, Any]] = {}
        self._lasting: list[str] = []
        self._earlier: Mapping[str, Any] = {}
        self._lines = Lines({})
        self._changed = 0
        self._scripts: set[str] = set()
        self._checks: dict[str, list[str]] = {}
        self._walked_scripts: dict[str, str] = {}
        #: The checks of functions that are not there, since their scripts were taken as they were, by the files of these.
        self.absent: dict[str, list[str]] = {}
        if bodies is None or earlier is None or earlier.get("frames") != bodies.frames:
            return
        self._changed = bodies.changed(earlier["bodies"])
        self._lines = bodies.lines_since(earlier["bodies"])
        if not self._changed & int(earlier["around"], 16):
            self._earlier = earlier
            self._scripts = self._scripts_as_before()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """All that is walked within: what is in no part is around the parts."""
        with read_by(None if self._bodies is None else self.around):
            yield

    def take_script(self, name: str, path: str, seconds: float, walk: Callable[[], bool]) -> bool:
        """As `take`, of a script: the functions that it makes are not there if it is taken as it was, nor those that check them.

        So it is taken only if all that checks them can be taken too, and if some script is surely cut off: then nothing else is
        asked of the functions.
        """
        unresolved = self._interpreter.unresolved
        named = f"script {name}"
        assert self._bodies is not None
        is_taken = named in self._scripts and not self._has_much_more(self.of_earlier(named), seconds)
        if is_taken:
            part = self.of_earlier(named)
            is_whole = self._replay(named)
            unresolved.reached |= {self._bodies.node(number) for number in part["reached"]}
            self.absent[path] = part["checks"]
            return is_whole
        is_whole = self._walked(named, walk)
        numbers = (self._bodies.number(node) for node in unresolved.reached)
        self.note(named, reached=sorted({number for number in numbers if number is not None}))
        self._walked_scripts[path] = named
        return is_whole

    def _scripts_as_before(self) -> set[str]:
        """The scripts of an earlier evaluation that may be taken as they were."""
        scripts = {
            name
            for name, part in self._earlier.get("parts", {}).items()
            if "checks" in part and self.is_known(name) and all(map(self.is_known, part["checks"]))
        }
        is_cut_off = any(self.of_earlier(name)["end"] != WHOLE for name in scripts)
        return scripts if is_cut_off else set()

    @property
    def are_kept(self) -> bool:
        """Whether parts are kept."""
        return self._bodies is not None

    def number_of(self, function: Function) -> int | None:
        """The number of a function of a module's top level, or of a class there."""
        return None if self._bodies is None else self._bodies.number(identity(function.node))

    def is_known(self, name: str) -> bool:
        """Whether an earlier evaluation has this part, and it is the same now."""
        part = self._earlier.get("parts", {}).get(name)
        return (
            part is not None and not self._changed & int(part["reads"], 16) and self._moved(part) is not None
        )

    def of_earlier(self, name: str) -> Mapping[str, Any]:
        """What an earlier evaluation has of a part."""
        part: Mapping[str, Any] = self._earlier["parts"][name]
        return part

    def take(self, name: str | None, seconds: float, walk: Callable[[], bool]) -> bool:
        """What a part gives, in which nobody else has a part: as it was, or walked; whether it comes to its end.

        Args:
            name: the name of the part; None if it is walked as what is around parts.
            seconds: what it may take.
            walk: walks it, and tells whether that was to its end.
        """
        if self._bodies is None or name is None:
            return walk()
        if self.is_known(name) and not self._has_much_more(self.of_earlier(name), seconds):
            return self._replay(name)
        return self._walked(name, walk)

    def called_back(self, function: Function) -> None:
        """A library calls a function of the program, in the place of which JAX takes what it has traced when it comes again."""
        self._has_called_back |= function.part != self.number

    def note(self, name: str, **more: Any) -> None:
        """Keep more of a part, if it is kept."""
        if name in self._parts:
            self._parts[name] |= more

    def checked(self, path: str, name: str | None) -> None:
        """A part checks a function in a file."""
        if name is not None:
            self._checks.setdefault(path, []).append(name)

    def as_json(self) -> dict[str, Any] | None:
        """What is kept for the next evaluation; None if that is nothing."""
        interpreter = self._interpreter
        if self._bodies is None or not self.may_be_kept or interpreter.has_x64_choice:
            return None
        for path, name in self._walked_scripts.items():
            # Functions of a script that is imported as well are there whether it is run or not.
            if path not in {module.path for module in interpreter.modules.values()}:
                self.note(name, checks=self._checks.get(path, []))
        return {
            "frames": self._bodies.frames,
            "bodies": self._bodies.as_json(),
            "around": f"{bits(self.around):x}",
            "lasting": self._lasting,
            "parts": self._parts,
        }

    def _has_much_more(self, part: Mapping[str, Any], seconds: float) -> bool:
        return bool(part["end"] == OF_TIME and seconds > MUCH_MORE * part["seconds"])

    def _replay(self, name: str) -> bool:
        part = self._moved(self.of_earlier(name))
        assert part is not None
        self._parts[name] = part
        diagnostics = self._interpreter.diagnostics
        for error in part["refusals"]:
            diagnostics.refusals.setdefault(_key(error), error)
        for error in part["remarks"]:
            diagnostics.remarks.setdefault(_key(error), error)
        for text, untrusted in part["notes"]:
            diagnostics.note(text, untrusted)
        diagnostics.lost |= dict.fromkeys(part["lost"])
        self._interpreter.option_defaults.are_there |= part["has_defaults"]
        self._interpreter.budget.charge(part["seconds"])
        return bool(part["end"] == WHOLE)

    def _walked(self, name: str, walk: Callable[[], bool]) -> bool:
        interpreter, reads = self._interpreter, set[int]()
        outer, own = interpreter.diagnostics, Diagnostics()
        own.contradicted |= outer.contradicted
        before, state, start = heap.now(), self._state(), time.process_time()
        self._count += 1
        self.number, self._has_called_back = self._count, False
        budget, defaults = interpreter.budget, interpreter.option_defaults
        outer_defaults, defaults.are_there = defaults.are_there, False
        is_whole = False
        interpreter.diagnostics = own
        try:
            with read_by(reads), interpreter.rules.apart(), keeping_options():
                is_whole = walk()
        finally:
            interpreter.diagnostics, self.number = outer, 0
            if self._has_called_back:  # the next part is to come to what is in it, too
                jax.clear_caches()
            before.restore()
            _merge(outer, own)
            has_defaults, defaults.are_there = defaults.are_there, defaults.are_there or outer_defaults
        end = WHOLE if is_whole else OF_TIME if budget.was_over else OF_STEPS
        if self._state() == state:
            self._parts[name] = {
                "reads": f"{bits(reads):x}",
                "end": end,
                "seconds": time.process_time() - start,
                "refusals": [*own.refusals.values()],
                "remarks": [*own.remarks.values()],
                "notes": [*own.notes.items()],
                "lost": [*own.lost],
                "has_defaults": has_defaults,
            }
        else:
            self.around |= reads
            self._lasting.append(name)
            if name not in self._earlier.get("lasting", ()):
                self._earlier = {}  # others were walked without what it leaves
        return is_whole

    def _moved(self, part: Mapping[str, Any]) -> dict[str, Any] | None:
        """A part whose findings are where they are now; None if it is not known where."""
        told = [*(text for text, _ in part["notes"]), *part["lost"]]
        told += (error["message"] for error in (*part["refusals"], *part["remarks"]))
        if self._lines.are_moved and any(map(WITH_LINE.search, told)):
            return None
        moved = {name: [*map(self._moved_error, part[name])] for name in ("refusals", "remarks")}
        if None in [*moved["refusals"], *moved["remarks"]]:
            return None
        return {**part, **moved}

    def _moved_error(self, error: Mapping[str, Any]) -> dict[str, Any] | None:
        rows = {name: [*map(self._moved_row, error[name])] for name in ("trail", "origins")}
        own = self._moved_row(error)
        end = self._lines.now(error["file"], error["end_line"])
        if own is None or end is None or None in [*rows["trail"], *rows["origins"]]:
            return None
        return {**own, **rows, "end_line": end}

    def _moved_row(self, row: Mapping[str, Any]) -> dict[str, Any] | None:
        line = self._lines.now(row["file"], row["line"])
        return None if line is None else {**row, "line": line}

    def _state(self) -> Any:
        """What a walk may leave that is not on the heap."""
        interpreter = self._interpreter
        return (
            {name: identity(module) for name, module in interpreter.modules.items()},
            len(interpreter.patched),
            interpreter.has_unknown_libraries,
            interpreter.has_x64_choice,
            identity(interpreter.mesh),
            interpreter.observed.taken,
        )


def _merge(diagnostics: Diagnostics, part: Diagnostics) -> None:
    for key, error in part.refusals.items():
        diagnostics.refusals.setdefault(key, error)
    for key, error in part.remarks.items():
        diagnostics.remarks.setdefault(key, error)
    for note in part.notes.items():
        diagnostics.note(*note)
    diagnostics.lost |= part.lost


def _key(error: Mapping[str, Any]) -> tuple[str, int, int, str]:
    return error["file"], error["line"], error["column"], error["message"]
