"""A recording from its begin to its end, and what is said about it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from types import CodeType

from jaxtyping_core.recording.recorder import Recorder
from jaxtyping_core.recording.report import counted
from jaxtyping_core.recording.sources import Project

if sys.version_info >= (3, 12):
    from jaxtyping_core.recording.monitoring import Monitoring as Watcher
else:
    from jaxtyping_core.recording.profiling import Profiling as Watcher


class Session:
    """A recording of this process.

    Args:
        folders: those of the project.
        output: the file of facts.
        with_places: whether assignments to names are recorded as well.

    Raises:
        CommandError: the file cannot be written, or is something else than facts.
    """

    def __init__(self, folders: Iterable[Path], output: Path, with_places: bool = False) -> None:
        self.output = output
        self._recorder = Recorder(Project(folders), output, with_places)
        self.watcher = Watcher(self._recorder)
        self._is_stopped = False

    def start(self) -> None:
        """Begin to record.

        Raises:
            CommandError: Python has no place for one more tool.
        """
        self.watcher.start()
        self._recorder.border.start()

    def code(self, file: str) -> CodeType | None:
        """The code of a script, with what is needed to record it; None for one that is not the project's."""
        return self._recorder.border.code(file)

    def flush(self) -> None:
        """Write all that was counted until now."""
        self._recorder.flush()

    def stop(self) -> None:
        """End it, once: all is written."""
        if not self._is_stopped:
            self._is_stopped = True
            self._recorder.border.stop()
            self.watcher.stop()
            self._recorder.finish()

    def summary(self) -> list[str]:
        """What was recorded, and what could not be, in lines."""
        reached = self._recorder.functions
        sources = self._recorder.project.sources
        there = sum(len(source.functions) for source in sources)
        seen = self._recorder.border.count
        outside = f", and data from outside at {counted(seen, 'place')}" if seen else ""
        said = [
            (
                f"recorded {counted(sum(reached.values()), 'call')} of {len(reached)} of {counted(there, 'function')} in "
                f"{counted(len(sources), 'file')}{outside}; saved in {self.output}"
            )
        ]
        computed = self._recorder.border.computed
        if not sources and computed:
            said = [f"recorded what was computed at {counted(computed, 'place')}; saved in {self.output}"]
        elif not sources:
            said = [f"nothing was recorded: no code in {self._folders()} ran"]
        said += [
            f"{source.path} changed while the program ran, so its recorded calls are out of date; record the run again"
            for source in sources
            if source.is_changed()
        ]
        ended = self.watcher.ended
        return [*said, *([ended] if ended else ()), *self._recorder.problems]

    def _folders(self) -> str:
        return ", ".join(map(str, self._recorder.project.folders))
