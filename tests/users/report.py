"""What each checker says of each program, as a table: `PYTHONPATH=tests python tests/users/report.py`."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import time
from pathlib import Path

import checkers
from conformance.verdict import Answer
from users import judge

CHECKERS = (checkers.PLUGIN, "pyright", "pyrefly", checkers.PYREFLY_ALONE, "ty")


def main() -> None:
    names = sys.argv[1:] or list(judge.PROGRAMS)
    sources = {name: judge.PROGRAMS[name] for name in names}
    mistakes = {name: judge.MISTAKES[name] for name in names if name in judge.MISTAKES}
    start = time.time()

    def tick(what: str) -> None:
        nonlocal start
        print(f"{what}: {time.time() - start:.1f} s", file=sys.stderr)
        start = time.time()

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with contextlib.redirect_stdout(io.StringIO()):
            shown = {name: judge.show(name) for name in names}
        tick("runs")
        with contextlib.redirect_stdout(io.StringIO()):
            failures = {name: judge.failure(mistake.source()) for name, mistake in mistakes.items()}
        tick("failures")
        right = {}
        for checker in CHECKERS:
            right[checker] = judge.check(checker, sources, folder / checker / "right")
            tick(checker)
        wrong = {}
        for checker in CHECKERS:
            wrong[checker] = judge.check(
                checker, {name: m.source() for name, m in mistakes.items()}, folder / checker / "mistaken"
            )
            tick(checker + " mistakes")
        revealed = judge.check(
            checkers.PLUGIN, {name: one.source for name, one in shown.items()}, folder / checkers.PLUGIN / "shown"
        )
        tick("revealed")
    print("| program | places | dtype | rank | shape | wrong | " + " | ".join(CHECKERS) + " |")
    print("|---|" + "--:|" * (5 + len(CHECKERS)))
    details, totals = [], [0] * 5
    found_by = dict.fromkeys(CHECKERS, 0)
    false = dict.fromkeys(CHECKERS, 0)
    for name in names:
        found = shown[name].claims(name, revealed[name])
        counts = [
            len(found),
            *(sum(getattr(one, part) is Answer.EXACT for one in found) for part in ("dtype", "rank", "shape")),
            sum(Answer.WRONG in (one.dtype, one.rank, one.shape) for one in found),
        ]
        totals = [a + b for a, b in zip(totals, counts, strict=True)]
        for one in found:
            if Answer.WRONG in (one.dtype, one.rank, one.shape):
                details.append(f"WRONG {name}:{one.place.line} {one.place.name}: {one.revealed}; was {one.example.truth}")
        cells = []
        for checker in CHECKERS:
            errors = right[checker][name].errors
            false[checker] += len(errors)
            cell = str(len(errors))
            details += [f"FALSE {checker} {name}:{e.line}: {e.message}" for e in errors]
            if name in mistakes:
                failed = failures[name]
                if failed is None:
                    cell += " ran"
                    details.append(f"NO FAILURE {name}")
                else:
                    if type(failed.error).__name__ != mistakes[name].error:
                        details.append(f"OTHER FAILURE {name}: {failed.error!r}"[:300])
                    lines = judge.places_of_mistake(mistakes[name], failed)
                    hit = [e for e in wrong[checker][name].errors if e.line in lines]
                    found_by[checker] += bool(hit)
                    cell += " found" if hit else " -"
                    if not hit and checker == checkers.PLUGIN:
                        details.append(f"MISSED {name}:{sorted(lines)} (fails at {failed.line}): {failed.error}"[:400])
                        details += [f"       elsewhere {e.line}: {e.message}" for e in wrong[checker][name].errors]
            cells.append(cell)
        print(f"| {name} | " + " | ".join(map(str, counts)) + " | " + " | ".join(cells) + " |")
    print("| all | " + " | ".join(map(str, totals)) + " | " + " | ".join(f"{false[c]}, {found_by[c]} of {len(mistakes)}" for c in CHECKERS) + " |")
    print("\n".join(sorted(details)))


if __name__ == "__main__":
    main()
