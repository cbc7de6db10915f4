"""Findings that are known: a file has them, and `check` leaves them out."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from jaxtyping_core import reading
from jaxtyping_core.checking.fingerprints import Key, Texts
from jaxtyping_core.checking.formats import Diagnostic
from jaxtyping_core.errors import CommandError
from jaxtyping_core.showing.listing import plural

VERSION = 1


class Baseline:
    """The known findings of a file, of which each is left out as often as it is there."""

    def __init__(self, file: Path) -> None:
        """Read a file.

        Raises:
            CommandError: it cannot be read, or is no baseline.
        """
        self._file = file
        self._left = _read(file)
        self._texts = Texts()
        self._known = 0

    def knows(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is known; then it is known once less."""
        key = key_in(self._file, diagnostic, self._texts)
        if self._left[key] <= 0:
            return False
        self._left[key] -= 1
        self._known += 1
        return True

    def summary(self, checked: Collection[Path]) -> list[str]:
        """How many findings were left out, and how many of those in the files that were checked are no more."""
        folder, name = self._file.absolute().parent, os.path.relpath(self._file)
        gone = sum(
            count
            for key, count in self._left.items()
            if (folder / key.file).resolve() in checked or not (folder / key.file).exists()
        )
        lines = [f"{plural(self._known, 'known finding')} in {name} left out"] if self._known else []
        if gone:
            no_more = "no longer occurs" if gone == 1 else "no longer occur"
            lines.append(
                f"{plural(gone, 'finding')} in {name} {no_more}; update it with --write-baseline {name}"
            )
        return lines


def key_in(file: Path, diagnostic: Diagnostic, texts: Texts) -> Key:
    """The key of a finding in a baseline, which has paths from its own folder."""
    key = texts.key(diagnostic)
    path = os.path.relpath(Path(diagnostic.file).absolute(), file.absolute().parent)
    return key._replace(file=Path(path).as_posix())


def content(file: Path, diagnostics: Iterable[Diagnostic]) -> bytes:
    """What a baseline file has for some findings: an entry in a line, in an order that changes as little as possible."""
    texts = Texts()
    counts = Counter(key_in(file, each, texts) for each in diagnostics)
    entries = [
        json.dumps({**key._asdict(), "count": count}, ensure_ascii=False)
        for key, count in sorted(counts.items())
    ]
    listed = ",".join(f"\n    {entry}" for entry in entries)
    end = "\n  " if entries else ""
    return f'{{\n  "version": {VERSION},\n  "findings": [{listed}{end}]\n}}\n'.encode()


def _read(file: Path) -> Counter[Key]:
    try:
        document: Any = json.loads(reading.read_text(file))
        if document["version"] != VERSION:
            raise ValueError(f"version {document['version']!r} instead of {VERSION}")
        counts: Counter[Key] = Counter()
        for entry in document["findings"]:
            counts[Key(str(entry["file"]), str(entry["code"]), str(entry["text"]))] += int(entry["count"])
        return counts
    except FileNotFoundError:
        raise CommandError(
            f"{file}: no such baseline; run jaxtyping-core check --write-baseline {file}"
        ) from None
    except OSError as error:
        raise CommandError(f"{file}: cannot read the baseline: {error.strerror or error}") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise CommandError(
            f"{file}: not a baseline of this version ({error}); write it again with --write-baseline"
        ) from None
