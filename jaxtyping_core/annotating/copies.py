"""Copies of programs that checkers look at: mypy with the plugin, and pyright if asked.

Each says of a file which errors it has; those of pyright are put as mypy puts them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxtyping_core.checking.configuration import find_config, write_config
from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.import_roots import root_of
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.reading import read_bytes

#: Options that make mypy say what it finds in a form for programs. None of them is one for which mypy would not take what its
#: cache has of JAX and other libraries, so that `check` and this do not both spend the time on these.
OPTIONS = (
    *("--output=json", "--no-pretty", "--no-color-output", "--no-error-summary", "--hide-error-context"),
)
#: Options of the copies alone, at their ends: mypy looks everywhere in them.
OWN_OPTIONS = b"\n# mypy: check-untyped-defs, warn-unused-ignores=False\n"
#: Where pyright is configured, first what it prefers.
PYRIGHT_FILES = ("pyrightconfig.json", "pyproject.toml")
#: How pyright says of an argument, and of a result, that it does not fit.
PYRIGHT_ARGUMENT = re.compile(
    r'Argument of type "(?P<given>.*?)" cannot be assigned to parameter "(?P<name>\w+)" of type "(?P<wanted>.*?)" in '
    r'function "(?P<function>\w+)"'
)
#: What mypy shows where it is asked.
REVEALED = re.compile(r'Revealed type is "(?P<type>.*)"$')
PYRIGHT_RETURN = "reportReturnType"


@dataclass(frozen=True, slots=True)
class Error:
    """An error in a file."""

    line: int
    code: str
    message: str


class Copies:
    """Copies of the programs that some files belong to.

    Raises:
        CommandError: a checker is not installed, or its configuration cannot be read.
    """

    def __init__(
        self, folder: Path, files: Sequence[Path], config_file: Path | None, with_pyright: bool = False
    ) -> None:
        self._copies: dict[Path, Path] = {}
        self._config = write_config(find_config(config_file), folder, with_targets=False)
        self._pyright = _pyright(folder) if with_pyright else None
        for number, program in enumerate(collect(files)):
            root = program.root.resolve()
            for module in program.modules.values():
                path = Path(module.path).resolve()
                if path.is_file() and path.is_relative_to(root):
                    copy = folder / f"program{number}" / path.relative_to(root)
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    copy.write_bytes(read_bytes(path))
                    for parent in path.relative_to(root).parents:
                        if (root / parent / "__init__.py").is_file() and parent != Path():
                            (folder / f"program{number}" / parent / "__init__.py").touch()
                    self._copies[path] = copy

    def errors(self, contents: Mapping[Path, bytes]) -> dict[Path, list[Error]]:
        """What checkers say of the files with other contents."""
        self._write(contents)
        errors: dict[Path, list[Error]] = {path: [] for path in contents}
        by_root: dict[Path, list[Path]] = {}
        for path in contents:
            by_root.setdefault(root_of(self._copies[path]), []).append(path)
        for root, paths in by_root.items():
            for path, record in self._of_mypy(paths):
                if record["severity"] == "error":
                    errors[path].append(Error(record["line"], record["code"], record["message"]))
            if self._pyright is not None:
                self._ask_pyright(root, self._pyright, paths, errors)
        return errors

    def revealed(self, contents: Mapping[Path, bytes]) -> dict[Path, dict[int, str]]:
        """The types that mypy shows where the files with other contents ask for them, by line."""
        self._write(contents)
        revealed: dict[Path, dict[int, str]] = {path: {} for path in contents}
        for path, record in self._of_mypy(list(contents)):
            if match := REVEALED.match(record["message"]):
                revealed[path][record["line"]] = match["type"]
        return revealed

    def _write(self, contents: Mapping[Path, bytes]) -> None:
        for path, content in contents.items():
            self._copies[path].write_bytes(content + OWN_OPTIONS)

    def _of_mypy(self, paths: Sequence[Path]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
        """What mypy says, and of which file."""
        for batch in _batches(paths):
            yield from self._ask_mypy(batch)

    def _ask_mypy(self, paths: Sequence[Path]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
        copies = {self._copies[path]: path for path in paths}
        command = [sys.executable, "-P", "-m", "mypy", "--config-file", str(self._config), *OPTIONS]
        done = subprocess.run([*command, *map(str, copies)], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise _failed("mypy", done)
        for line in done.stdout.splitlines():
            try:
                record = json.loads(line)
                path = copies.get(Path(record["file"]).resolve())
                if path is not None:
                    yield path, record
            except (ValueError, LookupError, TypeError):
                continue

    def _ask_pyright(
        self, root: Path, pyright: tuple[str, Path], paths: Sequence[Path], errors: dict[Path, list[Error]]
    ) -> None:
        copies = {self._copies[path]: path for path in paths}
        command, config = pyright
        (root / config.name).write_bytes(read_bytes(config))
        arguments = [command, "--outputjson", f"--pythonpath={sys.executable}", *map(str, copies)]
        done = subprocess.run(arguments, cwd=root, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1) or not done.stdout.startswith("{"):
            raise _failed("pyright", done)
        for record in json.loads(done.stdout)["generalDiagnostics"]:
            path = copies.get(Path(record["file"]).resolve())
            if path is not None and record["severity"] == "error":
                errors[path].append(_as_mypy(record))


def _pyright(folder: Path) -> tuple[str, Path]:
    """The command, and a configuration with that of the current folder."""
    beside = str(Path(sys.executable).parent)
    path = os.pathsep.join([beside, os.environ.get("PATH", os.defpath)])
    command = shutil.which("pyright", path=path) or shutil.which("basedpyright", path=path)
    if command is None:
        raise CommandError("--pyright needs pyright; pip install pyright")
    config = folder / PYRIGHT_FILES[0]
    parents = (Path.cwd(), *Path.cwd().parents)
    known = next(
        (file for parent in parents for name in PYRIGHT_FILES if (file := parent / name).is_file()), None
    )
    config.write_text(json.dumps({"extends": str(known)} if known else {}))
    return command, config


def _as_mypy(record: Mapping[str, Any]) -> Error:
    message, code = record["message"].partition("\n")[0], record.get("rule", "")
    if match := PYRIGHT_ARGUMENT.match(message):
        message = (
            f'Argument "{match["name"]}" to "{match["function"]}" has incompatible type "{match["given"]}"; '
            f'expected "{match["wanted"]}"'
        )
    return Error(
        record["range"]["start"]["line"] + 1, "return-value" if code == PYRIGHT_RETURN else code, message
    )


def _failed(checker: str, done: subprocess.CompletedProcess[str]) -> CommandError:
    errors = [
        line for line in done.stderr.splitlines() if not line.startswith("jaxtyping-core: ")
    ]  # our notes
    reason = errors or done.stdout.strip().splitlines() or [f"status {done.returncode}"]
    return CommandError(f"cannot check the annotated program: {checker} failed: {reason[-1]}")


def _batches(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """Files that mypy can take at once: two scripts of one name cannot be."""
    waiting = list(paths)
    while waiting:
        batch = {str(path) if (path.parent / "__init__.py").exists() else path.name: path for path in waiting}
        yield list(batch.values())
        waiting = [path for path in waiting if path not in batch.values()]
