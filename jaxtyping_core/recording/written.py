"""What a recording has written, until that fails."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.sites import Site
from jaxtyping_core.recording.fact_writer import Writer
from jaxtyping_core.recording.observed import Call, Observed
from jaxtyping_core.recording.sources import Source
from jaxtyping_core.recording.store import Place
from jaxtyping_core.recording.watched import Watched


class Written:
    """What is written, until that fails. A file is opened when it is needed; several processes may write the same one."""

    def __init__(self, output: Path, problems: dict[str, None]) -> None:
        self.output = output.absolute()  # the program may change the current folder
        self._writer: Writer | None = Writer(output)
        self._failed = False
        self._problems = problems
        self._files: dict[Path, int] = {}
        #: The files of which only what is still there is kept of what came from outside.
        self._borders: set[Path] = set()

    def known(self, watched: Watched) -> dict[Call, int]:
        """The calls of a function that were written before."""
        assert watched.source is not None and watched.definition is not None
        read: list[dict[Call, int]] = []
        function = watched.definition.function
        self._use(watched.source, lambda writer, file: read.append(writer.calls(file, function)))
        return read[0] if read else {}

    def calls(self, watched: Watched, calls: list[tuple[Call, int]]) -> None:
        """Write how often calls were seen."""
        assert watched.source is not None and watched.definition is not None
        function = watched.definition.function
        if calls:
            self._use(watched.source, lambda writer, file: writer.add_calls(file, function, calls))

    def attribute(self, source: Source, owner: str, name: str, value: Observed) -> None:
        """Write what an attribute of an instance was."""
        self._use(source, lambda writer, file: writer.add_attribute(file, owner, name, value))

    def place(self, source: Source, place: Place, value: Observed) -> None:
        """Write what was assigned."""
        self._use(source, lambda writer, file: writer.add_place(file, place, value))

    def border(self, source: Source, site: Site, value: Observed, keys: Callable[[], set[str]]) -> Observed:
        """Write what an expression gave; what all runs have in common of it. `keys` are what the statements of the file are known by."""
        joined = [value]

        def write(writer: Writer, _file: int) -> None:
            if source.path not in self._borders:
                self._borders.add(source.path)
                writer.keep_borders(source.path, keys())
            joined[0] = writer.add_border(source.path, site, value)

        self._use(source, write)
        return joined[0]

    def close(self) -> None:
        """Close the file; it is opened again if more is written."""
        if self._writer is not None:
            self._writer.close()
        self._writer = None

    def _use(self, source: Source, write: Callable[[Writer, int], None]) -> None:
        if self._failed:
            return
        try:
            if self._writer is None:
                self._writer = Writer(self.output)
            if source.path not in self._files:
                self._files[source.path] = self._writer.file(source.path, source.digest, source.bodies)
            write(self._writer, self._files[source.path])
        except (sqlite3.Error, CommandError) as error:
            self._failed = True
            self._problems[f"later calls are not in {str(self.output)!r}: {error}"] = None
