"""Running the five type checkers over programs, with what they say as data."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

import mypy_cache

CHECKERS = ("mypy", "pyright", "pyrefly", "ty", "zuban")
#: What editors run in place of pyright: the same rules, and more of them.
BASEDPYRIGHT = "basedpyright"
#: mypy with the plugin, which knows more than the stubs.
PLUGIN = "plugin"
#: pyrefly where a project has no configuration, which is less strict.
PYREFLY_ALONE = "pyrefly without a configuration"
#: The programs that run under other names.
_PROGRAMS = {PLUGIN: "mypy", PYREFLY_ALONE: "pyrefly"}
#: The checkers that see 64-bit types when they are told that JAX computes with them; the others cannot be told.
WITH_X64 = ("mypy", "pyright", "zuban", PLUGIN)


class Preset(NamedTuple):
    """Settings that users have: options, and configuration files by their names (None: there is no such file)."""

    options: tuple[str, ...] = ()
    files: Mapping[str, str | None] = {}


USUAL = Preset()
_AGAINST_ANY = ("unsound-assignment", "unsound-return", "unsound-yield")
#: The settings that a checker's users have, beside those of `USUAL`.
PRESETS: dict[str, dict[str, Preset]] = {
    "mypy": {
        "strict": Preset(("--strict",)),
        "configured": Preset(("--config-file=mypy.ini",), {"mypy.ini": "[mypy]\nstrict = true\n"}),
    },
    "pyright": {
        "strict": Preset(files={"pyrightconfig.json": '{"typeCheckingMode": "strict"}'}),
        "unconfigured": Preset(files={"pyrightconfig.json": None}),
    },
    "pyrefly": {
        "strict": Preset(files={"pyrefly.toml": 'preset = "strict"'}),
        "unconfigured": Preset(files={"pyrefly.toml": None}),
        "configured": Preset(files={"pyrefly.toml": None, "pyproject.toml": "[tool.pyrefly]\n"}),
    },
    "ty": {
        # The rules that are left out are against every value of type Any, whoever it comes from.
        "strict": Preset(("--error=all", *(f"--ignore={rule}" for rule in _AGAINST_ANY))),
        "configured": Preset(
            files={
                "ty.toml": "\n".join(
                    ["[rules]", 'all = "error"', *(f'{rule} = "ignore"' for rule in _AGAINST_ANY)]
                )
            }
        ),
    },
    "zuban": {
        "strict": Preset(("--strict",)),
        "configured": Preset(files={"mypy.ini": "[mypy]\nstrict = true\n"}),
    },
    BASEDPYRIGHT: {},
}


class CheckerError(Exception):
    """A checker that stopped half-way, which is not the same as one that found errors."""


class Diagnostic(NamedTuple):
    """An error, and where it stands."""

    file: Path
    line: int
    message: str


class Report(NamedTuple):
    """What a checker says of some files."""

    errors: list[Diagnostic]
    #: The types of ``reveal_type`` calls, as the checker spells them but without the modules of JAX and of
    #: the standard library.
    revealed: dict[tuple[Path, int], str]

    def error_lines(self, file: Path) -> list[int]:
        """The lines of `file` that errors are on."""
        return sorted({error.line for error in self.errors if error.file == file})


class _Message(NamedTuple):
    file: str
    line: int
    is_error: bool
    text: str


def find(checker: str) -> list[str] | None:
    """The start of the command that runs `checker`; None where it is not installed."""
    beside = Path(sys.executable).parent
    module = _PROGRAMS.get(checker, checker)
    if module in ("mypy", "pyright"):  # installed as modules of this interpreter or not at all
        return [sys.executable, "-P", "-m", module] if shutil.which(module, path=str(beside)) else None
    path = shutil.which(module, path=str(beside)) or shutil.which(module)
    return [path] if path else None


def run(
    checker: str,
    files: Iterable[Path],
    folder: Path,
    x64: bool = False,
    python: str = sys.executable,
    preset: Preset = USUAL,
) -> Report:
    """Run `checker` over `files`, which use the packages that `python` has; skip the test if it is missing.

    The checker's configuration and cache go to `folder`, outside any project; "mypy" runs without the plugin.
    """
    command = find(checker)
    if command is None:
        pytest.skip(f"{checker} is not installed: it is in the dependency group `test`")
    if x64 and checker not in WITH_X64:
        raise ValueError(f"{checker} cannot be told that JAX computes with 64-bit types")
    prepare, parse = _CHECKERS[checker]
    files = [file.resolve() for file in files]
    command += [*prepare(folder, python, x64), *preset.options, *map(str, files)]
    for name, text in preset.files.items():
        (folder / name).unlink(missing_ok=True)
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):
        raise CheckerError(f"{checker} failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return _report(folder, parse(done.stdout))


def stock(folder: Path) -> Path:
    """An interpreter in a new environment in `folder`, with all packages of this one but our own."""
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/*/site-packages")
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if entry.suffix != ".pth" and not entry.name.startswith(("jaxtyping_core", "jax-stubs")):
            (site / entry.name).symlink_to(entry)
    return folder / "bin" / "python"


def _report(folder: Path, messages: Iterable[_Message]) -> Report:
    report = Report([], {})
    for message in messages:
        file = (folder / message.file).resolve()
        match = _REVEALED.search(message.text)
        if message.is_error:
            report.errors.append(Diagnostic(file, message.line, message.text))
        elif match:
            report.revealed[file, message.line] = _MODULES.sub("", match["type"])
    return report


#: "Revealed type is "X"" (mypy, zuban), "Type of "x" is "X"" (pyright), "revealed type: X" (pyrefly), "...`X`" (ty).
_REVEALED = re.compile(
    r'^(?:Revealed type is "|Type of ".*" is "|[Rr]evealed type: `?)(?P<type>.*?)["`]?$', re.DOTALL
)
_MODULES = re.compile(
    r"\b(?:builtins|typing|typing_extensions|collections\.abc|jax(?:\.\w+)*)\.(?=[A-Za-z_])"
)

_LINES = {
    "mypy": re.compile(r"^(?P<file>.+?):(?P<line>\d+): (?P<kind>\w+): (?P<text>.*)$"),
    "ty": re.compile(r"^(?P<file>.+?):(?P<line>\d+):\d+: (?P<kind>\w+)\[[\w-]+\] (?P<text>.*)$"),
    "pyrefly": re.compile(
        r"^ *(?P<kind>[A-Z]+) (?P<file>.+?):(?P<line>\d+):[\d:-]+: (?P<text>.*) \[[\w-]+\]$"
    ),
}


def _lines(form: str) -> Callable[[str], Iterator[_Message]]:
    """A parser of messages of one line each."""

    def parse(output: str) -> Iterator[_Message]:
        for line in output.splitlines():
            if match := _LINES[form].match(line):
                yield _Message(
                    match["file"], int(match["line"]), match["kind"].lower() == "error", match["text"]
                )

    return parse


def _json(output: str) -> Iterator[_Message]:
    """Parse pyright's messages."""
    for diagnostic in json.loads(output)["generalDiagnostics"]:
        line = diagnostic["range"]["start"]["line"] + 1 if "range" in diagnostic else 1
        is_error, text = diagnostic["severity"] == "error", as_written(diagnostic["message"])
        yield _Message(diagnostic["file"], line, is_error, text)


def as_written(text: str) -> str:
    """The text with arrays of two parameters: pyright shows their shape twice (docs/explanation/precision.md)."""
    head = re.search(r"\bArray\[", text)
    if head is None:
        return text
    commas, end = [], head.end()
    depth = 1
    for end, letter in enumerate(text[head.end() :], head.end()):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if depth == 0:
            break
        if depth == 1 and letter == ",":
            commas.append(end)
    inner = as_written(text[head.end() : commas[1] if len(commas) > 1 else end])
    return text[: head.end()] + inner + text[end : end + 1] + as_written(text[end + 1 :])


def _mypy(folder: Path, python: str, x64: bool) -> list[str]:
    switches = ["--always-true=JAX_ENABLE_X64"] if x64 else []
    cache = folder / ".mypy_cache"
    if python == sys.executable:
        mypy_cache.begin(cache, *switches, plugin=False)
    return [
        "--config-file=",
        f"--cache-dir={cache}",
        f"--python-executable={python}",
        "--no-error-summary",
        *switches,
    ]


def _plugin(folder: Path, python: str, x64: bool) -> list[str]:
    settings = folder / f"plugin_{64 if x64 else 32}.toml"
    switch = f"[tool.jaxtyping_core]\nx64 = {str(x64).lower()}\n"
    settings.write_text(f'[tool.mypy]\nplugins = ["jaxtyping_core.mypy"]\n{switch}', encoding="utf-8")
    (folder / "pyproject.toml").write_text(
        switch, encoding="utf-8"
    )  # where the plugin reads its own settings
    cache = folder / ".mypy_cache_plugin"
    if python == sys.executable and not x64:  # other tests ask of 32 bits, too
        mypy_cache.begin(cache)
    return [
        f"--config-file={settings}",
        f"--cache-dir={cache}",
        f"--python-executable={python}",
        "--no-error-summary",
    ]


def _pyright(folder: Path, python: str, x64: bool) -> list[str]:
    config = {"defineConstant": {"JAX_ENABLE_X64": True} if x64 else {}}
    (folder / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    return ["--outputjson", "--pythonpath", python]


def _pyrefly(folder: Path, python: str, x64: bool) -> list[str]:
    (folder / "pyrefly.toml").touch()  # which also keeps it from looking for a project above
    return _pyrefly_alone(folder, python, x64)


def _pyrefly_alone(folder: Path, python: str, x64: bool) -> list[str]:
    return ["check", "--output-format=min-text", "--summary=none", f"--python-interpreter-path={python}"]


def _ty(folder: Path, python: str, x64: bool) -> list[str]:
    return ["check", "--output-format=concise", f"--python={python}"]


def _zuban(folder: Path, python: str, x64: bool) -> list[str]:
    switches = ["--always-true=JAX_ENABLE_X64"] if x64 else []
    return ["check", "--no-error-summary", f"--python-executable={python}", *switches]


#: Each checker's configuration and options, and the parser of its output.
_CHECKERS: dict[
    str, tuple[Callable[[Path, str, bool], Sequence[str]], Callable[[str], Iterator[_Message]]]
] = {
    "mypy": (_mypy, _lines("mypy")),
    PLUGIN: (_plugin, _lines("mypy")),
    "pyright": (_pyright, _json),
    BASEDPYRIGHT: (_pyright, _json),
    "pyrefly": (_pyrefly, _lines("pyrefly")),
    PYREFLY_ALONE: (_pyrefly_alone, _lines("pyrefly")),
    "ty": (_ty, _lines("ty")),
    "zuban": (_zuban, _lines("mypy")),
}
