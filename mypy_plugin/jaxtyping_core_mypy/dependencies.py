"""Which modules' types depend on the evaluation of whole programs, from one run to the next.

mypy checks a module again when the signatures that it uses change; bodies do not count, nor do calls in other modules. A digest of
what was evaluated for a module is therefore kept in the user's file of answers, for each of mypy's caches, and is among the
data that mypy compares.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jaxtyping_core.evaluation.cache import Cache
from jaxtyping_core.programs.import_roots import INSTALLED
from jaxtyping_core_mypy.program_facts import ProgramFacts

#: What a row holds of a module that depends on no evaluation, and of one of which an answer was lost.
NOTHING, LOST = "null", "lost"
#: What mypy keeps of a module.
UNCHANGED = "as evaluated"


class Dependencies:
    """What the modules of a run depend on.

    mypy writes what it keeps of a module before it checks the bodies of its functions, from which most questions come. So it gets
    a word that is always the same, and a row has the digest: it is written again when somebody asks about the module's file.

    Args:
        cache_file: where that is kept; None for nowhere.
        folder: mypy's own cache, which has these modules: another project has others of the same names.
        facts: what is known of the programs.
    """

    def __init__(self, cache_file: Path | None, folder: Path | None, facts: ProgramFacts) -> None:
        self._cache = Cache(cache_file, f"dependencies {folder}") if cache_file else None
        self._facts = facts
        self._lost: set[str] = set()
        facts.when_asked = self._keep_digest

    def data(self, path: str, is_check: bool) -> list[str]:
        """What the types in a module depend on besides what mypy knows of.

        `is_check` is false for what a module gets in mypy's cache. Installed packages change with their versions alone.
        """
        if self._cache is None or any(part in INSTALLED for part in Path(path).parts):
            return []
        if is_check:
            return [UNCHANGED] if self._is_as_before(path) else []
        if self._facts.was_asked_for(path):
            self._keep_digest(path)
        else:
            self._keep(path, NOTHING)
        return [UNCHANGED]

    def lose(self, path: str) -> None:
        """An answer about a file was lost: the next run does not take over the less precise types."""
        self._lost.add(path)
        self._keep(path, LOST)

    def _keep_digest(self, path: str) -> None:
        """Keep the digest of what a file depends on now."""
        if path not in self._lost:
            state = self._state(self._facts.files_of(path))
            self._keep(path, json.dumps([self._facts.of(path).digest, state]))

    def _keep(self, path: str, row: str) -> None:
        if self._cache is not None and self._cache.get(path) != row:
            self._cache.put(path, row)

    def _is_as_before(self, path: str) -> bool:
        """Whether what a file depended on when it was checked last is as it was."""
        row = None if self._cache is None else self._cache.get(path)
        if row is None or row == NOTHING:
            return row == NOTHING
        try:
            digest, (of_run, files) = json.loads(row)
            if [of_run, files] == self._state(name for name, *_ in files):
                return True
        except (LookupError, TypeError, ValueError):  # no row of ours, or an answer was lost
            return False
        return bool(digest == self._facts.of(path).digest)

    def _state(self, files: Iterable[str]) -> list[Any]:
        """What an evaluation began with: the files of the run, and those of the program as they are."""
        return [sorted(map(str, self._facts.files)), [_stamp(Path(file)) for file in sorted(files)]]


def _stamp(path: Path) -> list[Any]:
    """What tells that a file has changed."""
    try:
        stat = path.stat()
    except OSError:
        return [str(path), None, None]
    return [str(path), stat.st_mtime_ns, stat.st_size]
