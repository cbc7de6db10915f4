"""The programs of a folder, and the facts about each: what its places held when it ran."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

_RECORDER = Path(__file__).with_name("recorder.py")
#: The description of a program, in its folder.
DESCRIPTION = "program.toml"
#: How long a program that was told to end may take to write its facts.
_GRACE = 30


@dataclass(frozen=True)
class Program:
    """A program: its main file, below the folder that all its files are in."""

    name: str
    main: Path
    folder: Path
    arguments: tuple[str, ...] = ()
    #: Further folders that its run imports from: packages of its own that are not beside its main file, and made-up ones.
    paths: tuple[Path, ...] = ()


class Array(NamedTuple):
    """What was seen of an array."""

    dtype: str
    weak: bool
    shape: tuple[int | str, ...]

    def __str__(self) -> str:
        return f"{'weak ' * self.weak}{self.dtype}[{', '.join(map(str, self.shape))}]"


class Key(NamedTuple):
    """Which place: `line` counts from 1 and `column` from 0, as in `ast`."""

    file: Path
    line: int
    column: int
    name: str


@dataclass(frozen=True)
class Fact:
    """What a place held: arrays, and the types of what was no array."""

    arrays: tuple[Array, ...]
    others: tuple[str, ...] = ()


class Facts(NamedTuple):
    """What was seen of a program, and how it failed, if it did."""

    places: Mapping[Key, Fact]
    files: tuple[Path, ...]
    failure: str | None
    #: The parameters of its functions, where they are written.
    parameters: Mapping[Key, Fact] = MappingProxyType({})


def programs(target: Path) -> list[Program]:
    """The program that `target` is, or else those in it."""
    if target.is_file():
        return [Program(target.stem, target.resolve(), target.resolve().parent)]
    if alone := _in_folder(target.resolve()):
        return [alone]
    folders = filter(
        None, map(_in_folder, sorted(path for path in target.resolve().iterdir() if path.is_dir()))
    )
    files = [Program(file.stem, file, file.parent) for file in sorted(target.resolve().glob("*.py"))]
    return [*files, *folders]


def _in_folder(folder: Path) -> Program | None:
    """The one program of a folder."""
    if (folder / DESCRIPTION).exists():
        said = tomllib.loads((folder / DESCRIPTION).read_text())
        paths = tuple(folder / path for path in said.get("paths", ()))
        return Program(folder.name, folder / said["main"], folder, tuple(said.get("arguments", ())), paths)
    files = list(folder.glob("*.py"))
    mains = [folder / "main.py", folder / f"{folder.name}.py", *(files if len(files) == 1 else ())]
    return next((Program(folder.name, main, folder) for main in mains if main in files), None)


def facts(program: Program, python: str, seconds: float, kept: Path | None = None) -> Facts:
    """What the places of a program hold, found by running it, or as the folder `kept` has it while its files are the same.

    It is run where its main file is, as its author does, with what it needs beside it; it may write there.
    """
    if kept is None:
        with tempfile.TemporaryDirectory() as folder:
            return _read(_run(program, python, seconds, Path(folder) / "facts.json"))
    command = json.dumps([python, str(program.main), *program.arguments])
    file = kept / f"{program.name}-{hashlib.sha256(command.encode()).hexdigest()[:12]}.json"
    kept.mkdir(parents=True, exist_ok=True)
    return _read(file if _is_current(file) else _run(program, python, seconds, file))


def _run(program: Program, python: str, seconds: float, facts: Path) -> Path:
    """Run a program; the file with its facts."""
    command = [python, str(_RECORDER), str(facts), str(seconds), str(program.folder), str(program.main)]
    facts.unlink(missing_ok=True)
    failure = _failure([*command, *program.arguments], program, seconds + _GRACE)
    if not facts.exists():  # not even the recorder ran to its end
        facts.write_text(json.dumps({"failure": failure, "sources": {}, "places": []}))
    return facts


def _failure(command: Sequence[str], program: Program, seconds: float) -> str:
    """Run a command as a program is; the last that it says on its errors."""
    paths = os.pathsep.join(map(str, program.paths))
    try:
        ended = subprocess.run(
            command,
            cwd=program.main.parent,
            env={"MPLBACKEND": "Agg", "JAX_PLATFORMS": "cpu", **os.environ, "PYTHONPATH": paths},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no end in {seconds:.0f} s"
    return (ended.stderr.strip().splitlines() or [f"exit {ended.returncode}"])[-1]


def _is_current(facts: Path) -> bool:
    """Whether the files of a program are those that its facts are about."""
    if not facts.exists():
        return False
    sources = json.loads(facts.read_text())["sources"]
    return bool(sources) and all(
        Path(file).exists() and hashlib.sha256(Path(file).read_bytes()).hexdigest() == digest
        for file, digest in sources.items()
    )


def _read(facts: Path) -> Facts:
    data = json.loads(facts.read_text())
    places, parameters = (
        {
            Key(Path(os.path.normpath(place["file"])), place["line"], place["column"], place["name"]): Fact(
                tuple(Array(seen["dtype"], seen["weak"], tuple(seen["shape"])) for seen in place["arrays"]),
                tuple(place["others"]),
            )
            for place in data["places"]
            if place["parameter"] == are_parameters
        }
        for are_parameters in (False, True)
    )
    files = tuple(dict.fromkeys(Path(os.path.normpath(file)) for file in data["sources"]))
    return Facts(places, files, data["failure"], parameters)
