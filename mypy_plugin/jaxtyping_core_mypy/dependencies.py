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
from jaxtyping_core_mypy.program_facts import ProgramFacts

#: What a row holds of a module that depends on no evaluation.
NOTHING = "null"


class Dependencies:
    """What the modules of a run depend on.

    Args:
        cache_file: where that is kept; None for nowhere.
        folder: mypy's own cache, which has these modules: another project has others of the same names.
        facts: what is known of the programs.
    """

    def __init__(self, cache_file: Path | None, folder: Path | None, facts: ProgramFacts) -> None:
        self._cache = Cache(cache_file, f"dependencies {folder}") if cache_file else None
        self._facts = facts

    def data(self, module: str, path: str, is_check: bool) -> list[str]:
        """What the types in a module depend on besides what mypy knows of.

        `is_check` is false for what a module gets in mypy's cache.
        """
        digest = self._known(module, path) if is_check else self._keep(module, path)
        return [] if digest is None else [digest]

    def _keep(self, module: str, path: str) -> str | None:
        """The digest of what a module depends on now that it has been checked."""
        if not self._facts.was_asked_for(path):
            if self._cache is not None and self._cache.get(module) not in (None, NOTHING):
                self._cache.put(module, NOTHING)
            return None
        digest = self._facts.of(path).digest
        if self._cache is not None:
            self._cache.put(module, json.dumps([digest, self._state(self._facts.files_of(path))]))
        return digest

    def _known(self, module: str, path: str) -> str | None:
        """The digest, as of now, of what a module depended on when it was checked last."""
        text = None if self._cache is None else self._cache.get(module)
        try:
            row = None if text is None else json.loads(text)
            if row is None:
                return None
            digest, (of_run, files) = row
            is_as_before = [of_run, files] == self._state(name for name, *_ in files)
        except (LookupError, TypeError, ValueError):  # no row of ours
            return None
        return str(digest) if is_as_before else self._facts.of(path).digest

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
