"""Which modules' types depend on the bodies of functions, from one run to the next.

mypy checks a module again when the signatures that it uses change; bodies do not count. What a module's calls were
answered from is therefore kept in the user's file of answers, for each of mypy's caches, and its digest among the data that mypy compares.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxtyping_core.evaluation.cache import Cache

if TYPE_CHECKING:
    from jaxtyping_core.programs.functions import Sources

#: What a row holds of a module that depends on no body.
NOTHING = "null"


class Asked(NamedTuple):
    """What was asked about: functions in some files, by a call in the file `caller`."""

    files: frozenset[str]
    caller: str | None


class Dependencies:
    """What the modules of a run depend on.

    Args:
        cache_file: where that is kept; None for nowhere.
        folder: mypy's own cache, which has these modules: another project has others of the same names.
        find: finds the source of what is asked about.
    """

    def __init__(
        self, cache_file: Path | None, folder: Path | None, find: Callable[[Asked], Sources | None]
    ) -> None:
        self._cache = Cache(cache_file, f"dependencies {folder}") if cache_file else None
        self._find = find
        self._asked: defaultdict[str, set[Asked]] = defaultdict(set)

    def add(self, module: str, asked: Asked) -> None:
        """The types in a module depend on the answer to a question."""
        self._asked[module].add(asked)

    def keep(self, module: str) -> str | None:
        """The digest of what a module depends on now that it has been checked."""
        asked = self._asked.pop(module, None)
        if asked is None:
            if self._cache is not None and self._cache.get(module) not in (None, NOTHING):
                self._cache.put(module, NOTHING)
            return None
        digest, files = self._now(asked)
        if self._cache is not None:
            row = [digest, files, [[sorted(question.files), question.caller] for question in asked]]
            self._cache.put(module, json.dumps(row))
        return digest

    def known(self, module: str) -> str | None:
        """The digest, as of now, of what a module depended on when it was checked last."""
        text = None if self._cache is None else self._cache.get(module)
        try:
            return None if text is None else self._digest(json.loads(text))
        except (LookupError, TypeError, ValueError):  # no row of ours
            return None

    def _digest(self, row: Any) -> str | None:
        if row is None:
            return None
        digest, files, asked = row
        if files == [_stamp(Path(path)) for path, *_ in files]:
            return str(digest)
        return self._now(Asked(frozenset(names), caller) for names, caller in asked)[0]

    def _now(self, asked: Iterable[Asked]) -> tuple[str, list[Any]]:
        digests: set[str] = set()
        files: set[Path] = set()
        for question in asked:
            sources = self._find(question)
            digests.add("none" if sources is None else sources.digest)
            files.update(map(Path, question.files) if sources is None else sources.names)
            files.update(() if question.caller is None else (Path(question.caller),))
        text = " ".join(sorted(digests))
        return hashlib.sha256(text.encode()).hexdigest(), [_stamp(path) for path in sorted(files)]


def _stamp(path: Path) -> list[Any]:
    """What tells that a file has changed."""
    try:
        stat = path.stat()
    except OSError:
        return [str(path), None, None]
    return [str(path), stat.st_mtime_ns, stat.st_size]
