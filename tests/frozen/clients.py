"""Asks each client about programs: the engine, mypy with the plugin, `show`, `check`, and the language server."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import mypy_cache
from claims.marks import marks_of
from editor import Editor
from frozen.claims import Error, Said, said
from frozen.programs import Program, programs, put
from inferred.places import infer
from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.places import RETURN, Place, from_json
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

COMMAND = (sys.executable, "-P", "-m", "jaxtyping_core")
#: What the name of a place begins with that is a parameter.
PARAMETER = "parameter "
#: The files that `check` is given at once.
MOST_AT_ONCE = 8


def engine(group: Sequence[Program], folder: Path) -> Iterator[tuple[Program, Said]]:
    """The evaluation of each program."""
    settings = Settings()
    for file, program in put([*group], folder).items():
        collected = collect([file], settings.trusted)
        answer = _of_report(evaluate_programs(collected, settings, cached=False, keep=True), file)
        # The places of a program with a mistake are those of the right one.
        yield program, answer._replace(places={}) if program.group == "mistaken" else answer


def plugin(group: Sequence[Program], folder: Path) -> Iterator[tuple[Program, Said]]:
    """The types that mypy with the plugin infers, in functions without annotations, too."""
    files = put([*group], folder)
    with contextlib.chdir(folder):
        report = Report(infer([*files]))
    for file, program in files.items():
        yield program, _of_report(report, file)


def show(group: Sequence[Program], folder: Path) -> Iterator[tuple[Program, Said]]:
    """What `show` shows."""
    files = put([*group], folder)
    names = [file.name for file in files]
    done = _run(folder, "show", "--output-format", "json", *names)
    records = {record["file"]: record for record in map(json.loads, done.splitlines())}
    for file, program in files.items():
        record = records[file.name]
        places = [(file.name, from_json({**each, "file": file.name})) for each in record["places"]]
        errors = [
            Error(file.name, each["line"], CODES[each["kind"]], each["message"])
            for each in record["refusals"]
        ]
        yield program, said(places, errors)


def check(group: Sequence[Program], folder: Path) -> Iterator[tuple[Program, Said]]:
    """What `check` reports, and all that mypy reports; of a few at a time, so that a busy machine evaluates them all."""
    files = put([*group], folder)
    names = [*files]
    for batch in (names[start : start + MOST_AT_ONCE] for start in range(0, len(names), MOST_AT_ONCE)):
        done = _run(folder, "check", "--mypy", "--output-format", "json", *(file.name for file in batch))
        errors = [
            Error(record["file"], record["line"] or 0, record["code"] or "", record["message"])
            for record in map(json.loads, filter(lambda line: line.startswith("{"), done.splitlines()))
            if record["severity"] == "error"
        ]
        for file in batch:
            yield files[file], said((), [error for error in errors if Path(error.file).name == file.name])


def server(group: Sequence[Program], folder: Path) -> Iterator[tuple[Program, Said]]:
    """The hints and diagnostics of the language server, into one document of which the programs are typed in turn."""
    document = folder / "program.py"
    document.write_text("")
    editor = Editor(folder)
    try:
        editor.open(document)
        for number, program in enumerate(group, 1_000):
            end = f"\nimport jax.numpy as end_of_program\nend = end_of_program.ones({number})\n"
            text = program.text + end
            last, labels = text.count("\n"), [f": float{bits}[{number}]" for bits in (32, 64)]
            ends = {(last, label) for label in labels}
            editor.edit(document, text)
            editor.until(lambda: editor.hints(document), lambda hints: not ends.isdisjoint(hints))  # noqa: B023  # asked at once
            yield program, said(_hinted(editor, document, program), _diagnosed(editor, document))
    finally:
        editor.close()


def _hinted(editor: Editor, document: Path, program: Program) -> Iterator[tuple[str, Place]]:
    lines = program.text.splitlines()
    for hint in editor.inlay_hints(document):
        line, column, label = hint.position.line + 1, hint.position.character, str(hint.label)
        if line > len(lines):
            continue
        before = re.search(r"\w+$", lines[line - 1][:column])
        name = RETURN if label.startswith("-> ") else before[0] if before else ""
        text = label.removeprefix("-> ").removeprefix(": ")
        ((mark, _),), _ = marks_of("hints", line, f"# P: {name}: {text}")
        place = Place.of(document.name, line, column, name, mark.dtype, mark.weak, mark.shape)
        yield document.name, place


def _diagnosed(editor: Editor, document: Path) -> Iterator[Error]:
    for each in editor.diagnostics(document) or ():
        yield Error(document.name, each.range.start.line + 1, str(each.code), each.message)


def _of_report(report: Report, file: Path) -> Said:
    name = str(file)
    parameters = [replace(place, name=f"{PARAMETER}{place.name}") for place in report.parameters]
    places = [(file.name, place) for place in [*report.places, *parameters] if place.file == name]
    errors = [
        Error(file.name, refusal.line, CODES[refusal.kind], refusal.message)
        for refusal in report.refusals
        if refusal.file == name
    ]
    return said(places, errors)


def _run(folder: Path, *arguments: str) -> str:
    mypy_cache.begin(folder / ".mypy_cache", config=mypy_cache.OF_CHECK)
    done = subprocess.run([*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


#: Each client with the groups that it is asked about. mypy takes no two files of a name, so that each group is a run of its own.
CLIENTS: dict[str, Callable[[Sequence[Program], Path], Iterator[tuple[Program, Said]]]] = {
    "engine": engine,
    "plugin": plugin,
    "show": show,
    "check": check,
    "server": server,
}
#: The groups that a client is not asked about. mypy takes no two files of one name, as the pages of the documentation have; their
#: own tests have what commands print. The types of a program with a mistake are those of the right one.
LEFT_OUT: dict[str, set[str]] = {
    "plugin": {"docs", "mistaken"},
    "show": {"docs", "mistaken"},
    "check": {"docs"},
    "server": {"docs", "mistaken", "plain"},
}
#: Of every so many programs one is typed into the server's document: each takes seconds.
STEP_OF_SERVER = 6


def asked(client: str, group: str) -> list[Program]:
    """The programs of a group that a client is asked about."""
    if group in LEFT_OUT.get(client, ()):
        return []
    chosen = [program for program in programs() if program.group == group]
    return chosen[::STEP_OF_SERVER] if client == "server" else chosen
