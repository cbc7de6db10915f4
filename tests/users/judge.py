"""The programs, their mistakes, and what checkers say of both."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import checkers
from checkers import Diagnostic, Report
from conformance.scoring import has_arrays
from users.claims import Claim, claims
from users.places import probed, revealing
from users.truth import Failure, failure, observe, quickly_compiled

HERE = Path(__file__).parent
CHECKERS = (checkers.PLUGIN, "pyright", "pyrefly", checkers.PYREFLY_ALONE, "ty")
PROGRAMS = {file.stem: file.read_text() for file in sorted((HERE / "programs").glob("*.py"))}
_EXCUSED = tomllib.loads((HERE / "excused.toml").read_text())["error"]


class Mistake(NamedTuple):
    """A slip that users make."""

    program: str
    old: str  # stands in the program
    new: str  # what stands there in its place

    def source(self) -> str:
        """The program with the mistake."""
        before, *after = PROGRAMS[self.program].split(self.old)
        assert len(after) == 1, f"{self.program} has {self.old!r} {len(after)} times"
        return f"{before}{self.new}{after[0]}"

    def lines(self, failed: Failure) -> set[int]:
        """The lines where an error reports the mistake: of the statement that has it, and of the one that fails."""
        tree = ast.parse(self.source())
        pairs = zip(PROGRAMS[self.program].splitlines(), self.source().splitlines(), strict=False)
        first = next(line for line, (right, wrong) in enumerate(pairs, 1) if right != wrong)
        return {*_statement(tree, first), *_statement(tree, failed.line)}


MISTAKES = {
    name: Mistake(name, **row) for name, row in tomllib.loads((HERE / "mistakes.toml").read_text()).items()
}


class Program:
    """A program that was run, and its copy that reveals the types of its arrays."""

    def __init__(self, name: str) -> None:
        copy = probed(PROGRAMS[name])
        self._places = copy.places
        self._observations = observe(copy)
        arrays: dict[int, bool] = defaultdict(lambda: True)
        for place, _, truth in self._observations:
            arrays[place] &= has_arrays(truth)
        self.source, self._lines = revealing(copy, {place for place, always in arrays.items() if always})

    def claims(self, report: Report) -> list[Claim]:
        """What a checker claims that reports on the copy."""
        revealed = {
            self._lines[line]: text for (_, line), text in report.revealed.items() if line in self._lines
        }
        return claims(revealed, self._places, self._observations)


class Findings:
    """The programs, run and checked; the checkers run beside them.

    Args:
        folder: where the checkers run.
        names: the programs that are run.
        right: further programs that are shown, as they are, to the checkers that take little time.
    """

    def __init__(self, folder: Path, names: Iterable[str] = PROGRAMS, right: Iterable[str] = ()) -> None:
        self.names = tuple(names)
        modules = {name: PROGRAMS[name] for name in self.names}
        modules |= {_mistaken(name): MISTAKES[name].source() for name in self.names}
        more = {name: PROGRAMS[name] for name in right} | modules
        with ThreadPoolExecutor(1) as pool, quickly_compiled():
            reports = [
                pool.submit(
                    _check, checker, modules if checker == checkers.PLUGIN else more, folder / checker
                )
                for checker in CHECKERS
            ]
            programs = {name: Program(name) for name in self.names}
            self.failures = {name: failure(MISTAKES[name].source()) for name in self.names}
        self.reports = {checker: report.result() for checker, report in zip(CHECKERS, reports, strict=True)}
        copies = {_shown(name): program.source for name, program in programs.items()}
        shown = _check(checkers.PLUGIN, copies, folder / checkers.PLUGIN)
        self.claims = {name: program.claims(shown[_shown(name)]) for name, program in programs.items()}

    def right(self, checker: str) -> list[str]:
        """The programs that a checker was shown as they are."""
        return [name for name in PROGRAMS if name in self.reports[checker]]

    def false_errors(self, checker: str, name: str) -> list[Diagnostic]:
        """The errors on a program that is right."""
        return [error for error in self.reports[checker][name].errors if not _is_excused(checker, error)]

    def reported(self, checker: str, name: str) -> bool:
        """Whether a checker reports the mistake in a program."""
        failed = self.failures[name]
        lines = MISTAKES[name].lines(failed) if failed else set()
        return any(error.line in lines for error in self.reports[checker][_mistaken(name)].errors)

    def elsewhere(self, checker: str, name: str) -> list[Diagnostic]:
        """What a checker reports of a program with a mistake."""
        return self.reports[checker][_mistaken(name)].errors


def _mistaken(name: str) -> str:
    return f"{name}_mistaken"


def _shown(name: str) -> str:
    return f"{name}_shown"


def _is_excused(checker: str, error: Diagnostic) -> bool:
    return any(
        checker in row["checkers"] and re.fullmatch(row["message"], error.message, re.DOTALL)
        for row in _EXCUSED
    )


def _statement(tree: ast.Module, line: int) -> range:
    """The lines of the innermost statement around a line; of a compound one, those before its body."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    node = max(around, key=lambda node: node.lineno)
    body: list[ast.stmt] = getattr(node, "body", [])
    return range(node.lineno, body[0].lineno if body else (node.end_lineno or node.lineno) + 1)


def _check(checker: str, sources: Mapping[str, str], folder: Path) -> dict[str, Report]:
    """What a checker says of modules in one run, by module."""
    folder.mkdir(exist_ok=True)
    files = {name: (folder / f"{name}.py").resolve() for name in sources}
    for name, file in files.items():
        file.write_text(sources[name])
    report = checkers.run(checker, files.values(), folder)
    return {
        name: Report(
            [error for error in report.errors if error.file == file],
            {place: text for place, text in report.revealed.items() if place[0] == file},
        )
        for name, file in files.items()
    }
