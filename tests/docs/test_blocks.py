"""Every block of the documentation, pasted alone: programs run, commands print what stands below them, configuration is valid."""

from __future__ import annotations

import ast
import configparser
import functools
import itertools
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from docs.pages import ALONE, DOCS, SITE, Block, blocks, name
from jaxtyping_core.settings import KEYS

pytestmark = pytest.mark.one_python  # versions of JAX differ in their words

#: A line of a program that raises on purpose, and the exception.
RAISES = re.compile(r"# raises (\w+)")
#: What may stand in a block that no test runs.
COMMANDS = frozenset(
    [
        "basedpyright",
        "cd",
        "code",
        "conda",
        "export",
        "git",
        "jaxtyping-core",
        "jupytext",
        "jupyter",
        "make",
        "mypy",
        "pip",
        "pipx",
        "pre-commit",
        "pyrefly",
        "pyright",
        "pytest",
        "python",
        "source",
        "ty",
        "uv",
        "zuban",
    ]
)
LANGUAGES = {"python", "console", "sh", "toml", "yaml", "json", "ini", "diff", "text", "lua", "lisp", "html"}
BINARIES = Path(sys.executable).parent
SETTINGS = {*KEYS}
OPTIONS: dict[str, set[str]] = runpy.run_path(str(DOCS / "commands.py"))["option_names"]()


@pytest.mark.sweep("pages")
@pytest.mark.parametrize("page", [*SITE, *ALONE], ids=name)
def test_the_page_is_what_happens(page: Path, tmp_path: Path) -> None:
    folder = tmp_path / "page"
    folder.mkdir()
    wrong: list[str] = []
    programs: list[tuple[Block, Path]] = []
    files: dict[str, str] = {}
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.title:
            save(block, folder / block.title)
            files[block.title] = (folder / block.title).read_text(encoding="utf-8")
        if block.language == "python":
            programs.append((block, pasted(block, tmp_path / "alone" / str(block.line), files)))
        wrong += [f"{name(page)}:{block.line}: {message}" for message in check(block, folder)]
    wrong += [f"{name(page)}:{message}" for message in run_programs(programs)]
    assert not wrong, "\n\n".join(wrong)


def pasted(block: Block, folder: Path, files: dict[str, str]) -> Path:
    """The file of a program in a folder of its own, with the files that stand above it in the page."""
    for title, text in {**files, block.title or "program.py": block.text}.items():
        file = folder / title
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder / (block.title or "program.py")


def save(block: Block, file: Path) -> None:
    """Write the file of a block; that of a diff has its old lines once, which become the new ones."""
    text = block.text
    if block.language == "diff":
        old, new = (
            "".join(f"{line[1:]}\n" for line in text.splitlines() if line[0] != sign) for sign in "+-"
        )
        before = file.read_text(encoding="utf-8")
        assert before.count(old) == 1, f"{block.title} has not the old lines of the diff in line {block.line}"
        text = before.replace(old, new)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def check(block: Block, folder: Path) -> Iterator[str]:
    """What is wrong with a block that is no program."""
    if block.language not in LANGUAGES:
        yield f"unknown language {block.language!r}"
    elif block.language == "console":
        yield from run_commands(block, folder)
    elif block.language == "sh":
        yield from unknown_commands(block.text)
    elif block.language in PARSERS:
        try:
            PARSERS[block.language](block.text)
        except (ValueError, yaml.YAMLError, configparser.Error) as error:
            yield str(error)


def run_programs(programs: list[tuple[Block, Path]]) -> Iterator[str]:
    """The programs that raise something else than what they say."""
    if not programs:
        return
    command = [
        sys.executable,
        str(Path(__file__).with_name("snippets.py")),
        *(str(file) for _, file in programs),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=programs[0][1].parent)
    answers = done.stdout.splitlines()
    assert len(answers) == len(programs), done.stdout + done.stderr
    for (block, _), answer in zip(programs, answers, strict=True):
        expected = RAISES.search(block.text)
        if answer != (expected[1] if expected else ""):
            yield f"{block.line}: raises {answer or 'nothing'}\n{done.stderr}"


def run_commands(block: Block, folder: Path) -> Iterator[str]:
    """The commands that print something else than what stands below them."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        words = shlex.split(command)
        if words[0] not in PROGRAMS:
            yield f"no test runs {words[0]}"
            continue
        done = subprocess.run(
            [
                *(RUNNING if words[0] == "jaxtyping-core" and words[1] in RUNS else PROGRAMS[words[0]]),
                *words[1:],
            ],
            cwd=folder,
            env={**os.environ, "PATH": f"{BINARIES}{os.pathsep}{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        if not fits(done.stdout, expected):
            yield f"$ {command}\nprints\n{done.stdout}\nand not\n{expected}"


#: Commands that run programs, which a fork of a process without the folder of the script on its path can't.
RUNS, RUNNING = {"annotate", "record"}, [sys.executable, "-m", "jaxtyping_core"]
PROGRAMS = {
    "jaxtyping-core": [str(BINARIES / "jaxtyping-core")],
    "python": [sys.executable],
    "mypy": [sys.executable, "-P", "-m", "mypy"],
    "pytest": [sys.executable, "-m", "pytest"],
    "cat": ["cat"],
    "pyright": [str(BINARIES / "pyright"), "--pythonpath", sys.executable],
}


def fits(printed: str, expected: str) -> bool:
    """Whether what was printed is what stands in the page, where a line ``...`` stands for any lines."""
    parts = [re.escape(line) if line != "..." else None for line in clean(expected)]
    pattern = "".join(r"(?:.*\n)*?" if part is None else f"{part}\n" for part in parts)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in clean(printed))) is not None


def clean(text: str) -> list[str]:
    """The lines without spaces at their ends, and without empty lines at the end of all."""
    return [line.rstrip() for line in text.rstrip().splitlines()]


def unknown_commands(text: str) -> Iterator[str]:
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        while words and "=" in words[0]:  # variables of the environment
            del words[0]
        if words and words[0] not in COMMANDS:
            yield f"unknown command {words[0]}"
        elif words and words[0] == "jaxtyping-core":
            yield from unknown_options(words[1:])


def unknown_options(words: list[str]) -> Iterator[str]:
    """The command and the options that the command line doesn't have; what comes after a script is its own."""
    if words and words[0].startswith("-"):
        yield from (f"no option {word}" for word in words if word not in OPTIONS[""])
    elif words and words[0] not in OPTIONS:
        yield f"no command {words[0]}"
    elif words:
        for word in own_words(words):
            if word.startswith("--") and word.partition("=")[0] not in OPTIONS[words[0]]:
                yield f"{words[0]} has no option {word}"


def own_words(words: list[str]) -> list[str]:
    """The words of a command without those that it hands on: to the program that it runs, or to mypy."""
    if words[0] == "check":
        return [word for word in words[1:] if word.partition("=")[0] not in options_of_mypy()]
    if words[0] == "record":
        return list(itertools.takewhile(lambda word: word != "-m" and not word.endswith(".py"), words[1:]))
    return list(itertools.takewhile(lambda word: word != "--run", words[1:]))


@functools.cache
def options_of_mypy() -> set[str]:
    done = subprocess.run([*PROGRAMS["mypy"], "--help"], capture_output=True, text=True, check=True)
    return set(re.findall(r"--[\w-]+", done.stdout))


def read_toml(text: str) -> None:
    ours = tomllib.loads(text).get("tool", {}).get("jaxtyping_core", {})
    if unknown := ours.keys() - SETTINGS:
        raise ValueError(f"unknown settings: {', '.join(sorted(unknown))}")


def read_ini(text: str) -> None:
    parser = configparser.ConfigParser()
    parser.read_string(text)
    ours = set(parser["jaxtyping_core"]) if parser.has_section("jaxtyping_core") else set()
    if unknown := ours - SETTINGS:
        raise ValueError(f"unknown settings: {', '.join(sorted(unknown))}")


def read_json(text: str) -> None:
    without_comments = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE).strip()
    if without_comments.count("\n{"):  # one object a line
        for line in without_comments.splitlines():
            json.loads(line)
    else:
        json.loads(without_comments)


PARSERS = {"toml": read_toml, "ini": read_ini, "json": read_json, "yaml": yaml.safe_load, "python": ast.parse}


@pytest.mark.parametrize(
    ("printed", "expected", "right"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\nc\n", "a\n...\nc\n", True),
        ("a\nb\n", "...\n", True),
        ("a\nb\n", "b\n", False),
        ("a.c\n", "abc\n", False),
    ],
)
def test_fits(printed: str, expected: str, right: bool) -> None:
    assert fits(printed, expected) is right


@pytest.mark.parametrize(
    "text",
    [
        '```python title="a.py"\n1 / 0\n```\n',
        "```python\nimport math  # raises ValueError\n```\n",
        "```console\n$ jaxtyping-core promote int8 float16\nfloat32\n```\n",
        "```sh\njaxtyping-core check --no-such-option-at-all\n```\n",
        "```sh\nrm -r folder\n```\n",
        "```toml\n[tool.jaxtyping_core]\nx46 = true\n```\n",
        '=== "Tab"\n\n    ```json\n    {"a": }\n    ```\n',
    ],
)
def test_a_wrong_block_is_noticed(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.name", str)
    page = tmp_path / "page.md"
    page.write_text(text)
    with pytest.raises(AssertionError, match=r"page\.md:\d+"):
        test_the_page_is_what_happens(page, tmp_path)
