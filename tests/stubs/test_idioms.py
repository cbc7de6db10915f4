"""What checkers say, under each setting that users have, of programs that are written as users write them."""

from __future__ import annotations

import functools
import re
import runpy
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from test_transformations import is_right, parse, spelled

import mypy_cache
import sweeps
from checkers import BASEDPYRIGHT, PRESETS, USUAL, Report, run
from docs.pages import blocks

pytestmark = pytest.mark.one_python  # of the committed stubs, and long

FOLDER = Path(__file__).parents[1] / "programs"
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "annotations.md"
#: The blocks of the page, each of which is a program of its own.
BLOCKS = {
    f"block_{block.line}.py": block.text
    for block in blocks(PAGE.read_text(encoding="utf-8"))
    if block.language == "python"
}
PROGRAMS = (
    *("narrowing.py", "inputs.py", "sizes.py", "lists_of_calls.py", "values_with_names.py", "limits.py"),
    *("parameters.py", "transformed_values.py"),
    *("assigned_parameters.py", "clashes.py", "undeclared_parameters.py", "jitted_functions.py", "masks.py"),
    "generic_functions.py",
)
#: Each checker under each of its settings.
SETTINGS = [
    *((checker, "usual") for checker in PRESETS),
    *sweeps.some("checkers", [(checker, name) for checker, presets in PRESETS.items() for name in presets]),
]
PYRIGHT = ("pyright", BASEDPYRIGHT)


class Waiting(NamedTuple):
    """What checkers say wrongly of a program as long as the stubs are as they are."""

    checkers: tuple[str, ...]
    reason: str


ERRORS = {
    "clashes.py": Waiting(
        PYRIGHT,
        "The last row of an operator takes arrays of any two shapes, for they broadcast where a dim is 1. To refuse "
        "two names it needs rows that are for other ranks only, and for a dim that is Literal[1].",
    ),
    "undeclared_parameters.py": Waiting(
        ("pyrefly", "ty", "zuban", "pyright-strict", BASEDPYRIGHT),
        "Values of a dict of which the ranks are known and differ are of a union, and the parameter takes one of its "
        "members. It needs results of which the rank is open in these, too.",
    ),
}


def cases(waiting: dict[str, Waiting]) -> list[Any]:
    """Every checker under every setting, with every program."""
    return [
        pytest.param(
            *case,
            program,
            marks=[pytest.mark.xfail(strict=True, reason=waiting[program].reason)]
            if program in waiting and concerned(waiting[program].checkers, *case) and case != FEW_ERRORS
            else [],
        )
        for case in SETTINGS
        for program in PROGRAMS
    ]


#: Without a configuration pyrefly reports few kinds of errors, and reveals no types.
FEW_ERRORS = ("pyrefly", "unconfigured")
#: Without its plugin it knows what is declared.
KNOWS_LITTLE = "mypy"
#: A line that asks for a type: the type, and the checkers that may say nothing of the dtype.
CLAIM = re.compile(r"^ +reveal_type\(.*\)  # (?P<type>.*?)(?:, open in (?P<open>[\w, -]+))?$")
#: The function that a type variable is of, which pyright and ty name.
SCOPE = re.compile(r"@\w+")
ERROR = re.compile(r"  # error(?: in (?P<checkers>[\w, -]+))?$")


#: What a checker says of all programs under a setting.
Ask = Callable[[str, str], Report]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Run a checker once for all tests, beside no configuration of a project."""

    @functools.cache
    def report(checker: str, setting: str) -> Report:
        folder = tmp_path_factory.mktemp(f"{checker}-{setting}")
        copies = [Path(shutil.copy(FOLDER / name, folder)) for name in PROGRAMS]
        for name, code in BLOCKS.items():
            copies.append(folder / name)
            copies[-1].write_text(code, encoding="utf-8")
        if checker == "mypy" and setting in ("strict", "configured"):  # the same rules
            mypy_cache.begin(folder / ".mypy_cache", "--strict", plugin=False)
        return run(checker, copies, folder, preset=PRESETS[checker].get(setting, USUAL))

    return report


def lines(program: str) -> list[tuple[int, str]]:
    """The lines of a program with their numbers."""
    return list(enumerate((FOLDER / program).read_text(encoding="utf-8").splitlines(), 1))


def _names(text: str | None) -> list[str]:
    return text.split(", ") if text else []


def concerned(names: Iterable[str], checker: str, setting: str) -> bool:
    """Whether the checker is among those that are named, or the checker under this setting (`mypy-strict`)."""
    return not {checker, f"{checker}-{setting}"}.isdisjoint(names)


@pytest.mark.parametrize(("checker", "setting", "program"), cases(ERRORS))
def test_errors(checker: str, setting: str, program: str, ask: Ask) -> None:
    here = [error for error in ask(checker, setting).errors if error.file.name == program]
    marks = [(number, mark) for number, line in lines(program) if (mark := ERROR.search(line))]
    expected = [
        number
        for number, mark in marks
        if mark["checkers"] is None or concerned(_names(mark["checkers"]), checker, setting)
    ]
    reported = sorted({error.line for error in here})
    if (checker, setting) == FEW_ERRORS or checker == KNOWS_LITTLE:
        assert set(reported) <= set(expected), here
    else:
        assert reported == expected, here


@pytest.mark.parametrize(("checker", "setting", "program"), cases({}))
def test_types(checker: str, setting: str, program: str, ask: Ask) -> None:
    if (checker, setting) == FEW_ERRORS:
        pytest.skip("without a configuration pyrefly reveals no types")
    revealed = {
        line: spelled(SCOPE.sub("", text))
        for (file, line), text in ask(checker, setting).revealed.items()
        if file.name == program
    }
    claims = {number: claim for number, line in lines(program) if (claim := CLAIM.match(line))}
    assert set(revealed) == set(claims)
    wrong = {
        number: text
        for number, text in revealed.items()
        if not is_right(parse(text), parse(spelled(claims[number]["type"])))
        or (
            is_open(text)
            and checker != KNOWS_LITTLE
            and not is_open(claims[number]["type"])
            and not concerned(_names(claims[number]["open"]), checker, setting)
        )
    }
    assert wrong == {}


def is_open(text: str) -> bool:
    """Whether a type says nothing of the dtype."""
    return text == "Any" or "Array[Any" in text


@pytest.mark.parametrize(("checker", "setting"), SETTINGS)
def test_the_page_on_annotations(checker: str, setting: str, ask: Ask) -> None:
    """Its examples have no errors but where they raise."""
    raises = {
        (name, number)
        for name, code in BLOCKS.items()
        for number, line in enumerate(code.splitlines(), 1)
        if "  # raises " in line
    }
    here = [error for error in ask(checker, setting).errors if error.file.name in BLOCKS]
    assert {(error.file.name, error.line) for error in here} <= raises, here


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_runs(program: str) -> None:
    """It is correct but for the lines that are marked, so that another error of a checker would be a false one."""
    runpy.run_path(str(FOLDER / program), run_name="__main__")
