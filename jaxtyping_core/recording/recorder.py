"""Turns what happens in a program into facts: which functions begin, with what, and what they give."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

from jaxtyping_core.identity import identity
from jaxtyping_core.programs.sites import Site
from jaxtyping_core.recording.border import Border
from jaxtyping_core.recording.kept import Kept
from jaxtyping_core.recording.observe import Observer, mro, names_of, namespace
from jaxtyping_core.recording.observed import Call, Cut, Function, Observed, Scalar
from jaxtyping_core.recording.sources import Project, Source, is_function, is_module, parameters
from jaxtyping_core.recording.watched import Count, Watched
from jaxtyping_core.recording.written import Written

#: How many different calls of a function are counted at once; the counts are then written.
COUNTED = 4096
#: How many different values of an attribute are kept.
VALUES = 64
#: How many problems are told of at most.
PROBLEMS = 3
#: `dataclasses` makes methods in a file of this name.
_GENERATED = "<string>", "__init__"
_CUT, _INT = Cut(), Scalar("int")

#: Gives the value of a parameter's variable; LookupError or NameError where it has none any more.
Variables = Callable[[str], Any]


class Recorder:
    """Records the calls of a project's functions.

    Args:
        project: whose functions are recorded.
        output: the file of facts.
        with_places: whether assignments to names are recorded as well.

    Raises:
        CommandError: the file cannot be written, or is something else than facts.
    """

    def __init__(self, project: Project, output: Path, with_places: bool = False) -> None:
        self.project = project
        #: Why not all could be recorded.
        self.problems: dict[str, None] = {}
        self._written = Written(output, self.problems)
        self._observer = Observer()
        self._lock = threading.RLock()
        self._watched: dict[tuple[Path, Function, tuple[str, ...]], Watched] = {}
        #: By the identity of a frame: what was called, and with what. A call that raised is found when its frame is gone.
        self._open: dict[int, tuple[Watched, tuple[Observed, ...]]] = {}
        self._with_places = with_places
        #: What came from outside of the program.
        self.border = Border(project, self._came, self.failed)
        #: What attributes and places held.
        self._held: dict[tuple[Path, object], set[Observed]] = {}
        os.register_at_fork(before=self._fork, after_in_parent=self._parent, after_in_child=self._child)

    @property
    def functions(self) -> dict[tuple[Path, Function], int]:
        """The functions that were reached, and how many calls of each were seen."""
        counts: dict[tuple[Path, Function], int] = {}
        for (path, function, _), watched in self._watched.items():
            counts[path, function] = counts.get((path, function), 0) + watched.total
        return counts

    # What the watchers tell

    def watch(self, code: CodeType) -> Watched | None:
        """What to know of code that begins for the first time; None if it is not to be watched."""
        if (code.co_filename, code.co_name) == _GENERATED:
            return Watched(code, None, None) if "__create_fn__" in code.co_qualname else None
        if self._with_places and is_module(code):
            return self._module(code)
        if not is_function(code):
            return None
        source = self.project.source(code.co_filename)
        definition = source.definition(code) if source else None
        if source is None or definition is None:
            return None
        watched = Watched(code, source, definition, self._with_places)
        # Code that is compiled twice is one function.
        return self._watched.setdefault((source.path, definition.function, watched.variables), watched)

    def _module(self, code: CodeType) -> Watched | None:
        source = self.project.source(code.co_filename)
        definition = source.module(code, code in self.border.compiled) if source else None
        return Watched(code, source, definition, True) if definition and definition.places else None

    def begin(self, watched: Watched, frame: int, values: list[Any]) -> None:
        """A function begins, in the frame of this identity, with these values of its parameters."""
        arguments = tuple(map(self._observer.observe, values))
        if watched.varying:
            arguments = tuple(
                _without_number(value) if name in watched.varying else value
                for name, value in zip(watched.names, arguments, strict=True)
            )
        if not watched.ends:
            self._count(watched, arguments, watched.returned)
            return
        if frame in self._open:
            self._raised(frame)
        self._open[frame] = (watched, arguments)
        if watched.kept is None and watched.definition is not None:  # it may never end
            self._write_first(watched, arguments)

    def end(self, watched: Watched, frame: int, variables: Variables | None, value: object) -> None:
        """A function returns a value; its `variables` are those of one that is looked into."""
        begun = self._open.pop(frame, None)
        if begun is not None and begun[0] is not watched:  # it raised, and its frame is now this one
            self._count(*begun, None)
        elif begun is not None and watched.definition is not None:
            returned = self._observer.observe(value)
            if None in watched.varying:
                returned = _without_number(returned)
            self._count(watched, begun[1], returned)
        if variables is not None and watched.sets:
            self._set(watched, variables)
        if variables is not None and watched.places:
            self._assigned(watched, variables)

    def failed(self, error: Exception) -> None:
        """Something could not be recorded; the program must not know."""
        if len(self.problems) < PROBLEMS:
            self.problems[f"the recording is incomplete: {type(error).__name__}: {error}"] = None

    def flush(self) -> None:
        """Write what is counted and not written yet."""
        with self._lock:
            for watched in list(self._watched.values()):
                self._write_counts(watched)

    def finish(self) -> None:
        """Write what is not written yet, calls that have not ended among it."""
        with self._lock:
            for frame in list(self._open):
                self._raised(frame)
            self.flush()
            self._written.close()

    # Calls

    def _count(self, watched: Watched, arguments: tuple[Observed, ...], returned: Observed | None) -> None:
        watched.total += 1
        key = (*map(identity, arguments), identity(returned))
        known = watched.counts.get(key)
        if known is None:
            self._keep(watched, key, arguments, returned)
        else:
            known.unwritten += 1

    def _raised(self, frame: int) -> None:
        watched, arguments = self._open.pop(frame)
        self._count(watched, arguments, None)

    def _keep(
        self,
        watched: Watched,
        key: tuple[int, ...],
        arguments: tuple[Observed, ...],
        returned: Observed | None,
    ) -> None:
        """Count a call that was not seen lately; one that is to be kept is written at once."""
        with self._lock:
            if self._observer.full:
                self._observer = Observer()
            if len(watched.counts) >= COUNTED:
                self._write_counts(watched)
            kept = self._kept(watched)
            call, is_new = kept.keep(_call(watched, arguments, returned))
            watched.counts[key] = Count(call, (arguments, returned), int(not is_new))
            if is_new:
                self._written.calls(watched, [(call, 1)])
                if kept.full:
                    watched.varying = kept.varying()

    def _kept(self, watched: Watched) -> Kept:
        """The calls of a function that are kept, those of earlier runs among them."""
        if watched.kept is None:
            watched.kept = Kept(self._written.known(watched))
        return watched.kept

    def _write_first(self, watched: Watched, arguments: tuple[Observed, ...]) -> None:
        with self._lock:
            self._kept(watched)
            self._written.calls(watched, [(_call(watched, arguments, None), 0)])

    def _write_counts(self, watched: Watched) -> None:
        counts: dict[Call, int] = {}
        for count in watched.counts.values():
            counts[count.call] = counts.get(count.call, 0) + count.unwritten
        watched.counts = {}
        self._written.calls(watched, [(call, count) for call, count in counts.items() if count])

    # Attributes

    def _set(self, watched: Watched, variables: Variables) -> None:
        """Keep what the attributes of a method's instance are, where it has set some."""
        definition = watched.definition
        if definition is None:
            self._made(watched, variables)
        elif definition.owner is not None and watched.source is not None:
            names = None if definition.makes else definition.stores
            self._keep_attributes(watched.source, definition.owner, variables(watched.variables[0]), names)

    def _made(self, watched: Watched, variables: Variables) -> None:
        """Keep the fields of a dataclass's instance."""
        instance = variables(parameters(watched.code)[0])
        for cls in mro(type(instance)):
            if getattr(namespace(cls).get("__init__"), "__code__", None) is watched.code:
                module, name = names_of(cls)
                file = getattr(sys.modules.get(module), "__file__", None)
                source = self.project.source(file) if isinstance(file, str) else None
                if source is not None:
                    self._keep_attributes(source, name, instance, None)
                return

    def _keep_attributes(
        self, source: Source, owner: str, instance: object, names: frozenset[str] | None
    ) -> None:
        for name, value in self._observer.attributes(instance, names).items():
            with self._lock:
                if (held := self._new_value(source, (owner, name), value)) is not None:
                    self._written.attribute(source, owner, name, held)

    def _assigned(self, watched: Watched, variables: Variables) -> None:
        """Keep what the names hold that a function has bound once."""
        assert watched.source is not None
        for place in watched.places:
            try:
                value = self._observer.observe(variables(place.name))
            except (LookupError, NameError):  # the assignment was not reached
                continue
            with self._lock:
                if (held := self._new_value(watched.source, place, value)) is not None:
                    self._written.place(watched.source, place, held)

    def _new_value(self, source: Source, key: object, value: Observed) -> Observed | None:
        """What is to be kept of a value of an attribute or a name; None if that is known."""
        known = self._held.setdefault((source.path, key), set())
        if len(known) > VALUES:
            return None
        value = _CUT if len(known) == VALUES else value
        if len(known) > VALUES // 4:
            value = _without_number(value)
        if value in known:
            return None
        known.add(value)
        return value

    def _came(self, source: Source, site: Site, value: Observed) -> Observed:
        """Keep what came from outside."""
        with self._lock:
            return self._written.border(source, site, value, self.border.sites(source).keys)

    # Forks

    def _fork(self) -> None:
        self._lock.acquire()
        self._written.close()

    def _parent(self) -> None:
        self._lock.release()

    def _child(self) -> None:
        """What the parent counted, it writes itself."""
        self._lock = threading.RLock()
        for watched in self._watched.values():
            for count in watched.counts.values():
                count.unwritten = 0


def _call(watched: Watched, arguments: tuple[Observed, ...], returned: Observed | None) -> Call:
    return Call(tuple(zip(watched.names, arguments, strict=True)), returned)


def _without_number(value: Observed) -> Observed:
    return _INT if type(value) is Scalar and value.kind == "int" else value
