"""The programs and their mistakes, and what checkers say of them."""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import checkers
from checkers import Report
from conformance.truth import ArrayOf, Items, Truth
from users.claims import Claim, claims
from users.places import probed, revealing
from users.truth import Failure, Observation, failure, observe

HERE = Path(__file__).parent
PROGRAMS = {file.stem: file.read_text() for file in sorted((HERE / "programs").glob("*.py"))}


class Mistake(NamedTuple):
    """A slip that users make: a text of the program and what stands there in its place."""

    program: str
    old: str
    new: str
    error: str  # the class of what the run raises

    def source(self) -> str:
        before, text, after = PROGRAMS[self.program].partition(self.old)
        assert text, f"the text that the mistake replaces is not in {self.program}: {self.old}"
        assert self.old not in after, f"the text that the mistake replaces is twice in {self.program}"
        return before + self.new + after

    def line(self) -> int:
        """The first line that differs."""
        lines = zip(PROGRAMS[self.program].splitlines(), self.source().splitlines(), strict=False)
        return next(number for number, (right, wrong) in enumerate(lines, 1) if right != wrong)


MISTAKES = {
    name: Mistake(name, **row) for name, row in tomllib.loads((HERE / "mistakes.toml").read_text()).items()
}


def places_of_mistake(mistake: Mistake, failed: Failure) -> set[int]:
    """The lines where a report is one of the mistake: of the statement with it, or of the one that fails."""
    tree = ast.parse(mistake.source())
    return {line for start in (mistake.line(), failed.line) for line in _statement(tree, start)}


def _statement(tree: ast.Module, line: int) -> range:
    """The lines of the innermost statement around a line; of a compound one, up to its body."""
    around = [
        node for node in ast.walk(tree) if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    node = max(around, key=lambda node: node.lineno)
    body = getattr(node, "body", None)
    return range(node.lineno, body[0].lineno if body else (node.end_lineno or node.lineno) + 1)


def write(sources: Mapping[str, str], folder: Path) -> dict[Path, str]:
    """Write modules; the name of each by its file."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {(folder / f"{name}.py").resolve(): name for name in sources}
    for file, name in files.items():
        file.write_text(sources[name])
    return files


def check(checker: str, sources: Mapping[str, str], folder: Path) -> dict[str, Report]:
    """What a checker says of each module, in one run."""
    files = write(sources, folder)
    report = checkers.run(checker, files, folder)
    by_module = {name: Report([], {}) for name in sources}
    for error in report.errors:
        by_module[files[error.file]].errors.append(error)
    for (file, line), text in report.revealed.items():
        by_module[files[file]].revealed[file, line] = text
    return by_module


def has_arrays(truth: Truth) -> bool:
    """Whether a value is an array, or a container of nothing else."""
    if isinstance(truth, Items):
        return bool(truth.items) and all(map(has_arrays, truth.items))
    return isinstance(truth, ArrayOf)


class Shown(NamedTuple):
    """A program that reveals the types of its arrays."""

    source: str
    lines: dict[int, int]
    observations: list[Observation]

    def claims(self, program: str, report: Report) -> list[Claim]:
        revealed = {self.lines[line]: text for (_, line), text in report.revealed.items() if line in self.lines}
        return claims(revealed, probed(PROGRAMS[program]).places, self.observations)


def show(program: str) -> Shown:
    """Run a program, and write it so that it reveals types where all values that were seen are arrays."""
    observations = observe(PROGRAMS[program])
    seen: dict[int, bool] = defaultdict(lambda: True)
    for one in observations:
        seen[one.place] &= has_arrays(one.truth)
    source, lines = revealing(probed(PROGRAMS[program]), {place for place, arrays in seen.items() if arrays})
    return Shown(source, lines, observations)
