"""The help of the commands, and what the command line answers without its extras."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

import jaxtyping_core
from check_command import COMMAND
from jaxtyping_core.cli.app import app
from jaxtyping_core.cli.listing import COMMANDS, documentation
from jaxtyping_core.pages import DOCS

#: Runs the command line where a module cannot be imported.
WITHOUT = """
import sys
sys.modules[sys.argv.pop(1)] = None
from jaxtyping_core.cli import main
main()
"""


def help_of(*arguments: str) -> str:
    result = CliRunner().invoke(app, [*arguments, "--help"])
    assert result.exit_code == 0
    return result.stdout


def run_without(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT, module, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_list_has_each_summary_whole_on_its_line() -> None:
    lines = help_of().splitlines()
    for name, command in COMMANDS.items():
        assert any(line.split() == [name, *command.summary.split()] for line in lines), name
    listed = [line.split()[0] for line in help_of().partition("Commands:\n")[2].splitlines() if line.strip()]
    assert listed[:-1] == sorted(COMMANDS) == [*COMMANDS]
    assert {app.get_command(click.Context(app), name).name for name in COMMANDS} == {*COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_the_address_of_the_documentation(name: str) -> None:
    text = help_of(name)
    assert text.splitlines()[-1].strip() == documentation(name)
    assert documentation(name).startswith(f"Documentation: {DOCS}")
    assert text.split("\n\n")[1].strip() == COMMANDS[name].summary
    assert "  Exit status:\n" in text
    assert "<" not in text, "a type of Python"


#: How click would show the types of Python that options have.
TYPES = re.compile(r"(?<![\w\[])(TEXT|PATH|INTEGER|FLOAT|BOOLEAN|FILENAME|<[a-z]+>)(?!\w)")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_no_types_of_python(name: str) -> None:
    options = help_of(name).partition("\nOptions:\n")[2]
    assert options and not TYPES.search(options), options


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("jaxtyping-core sh", ["show"]),
        ("jaxtyping-core check --output-format j", ["json"]),
        ("jaxtyping-core explain array-s", ["array-shape"]),
    ],
)
def test_shells_complete(line: str, offered: list[str]) -> None:
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    env = {**os.environ, **asked, "_JAXTYPING_CORE_COMPLETE": "bash_complete"}
    done = subprocess.run([str(COMMAND)], capture_output=True, text=True, check=False, env=env)
    assert done.stdout.split() == [f"plain,{word}" for word in offered], done


def test_the_script_for_a_shell() -> None:
    script = CliRunner().invoke(app, ["--completion", "bash"])
    assert script.exit_code == 0
    done = subprocess.run(
        ["bash", "-c", f"{script.stdout}\ncomplete -p jaxtyping-core"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split()[-3:] == ["-F", "_jaxtyping_core_completion", "jaxtyping-core"], done


def test_an_unknown_shell() -> None:
    failed = CliRunner().invoke(app, ["--completion", "tcsh"])
    assert failed.exit_code == 2
    assert "'tcsh' is not one of bash, zsh, fish." in failed.output


@pytest.mark.parametrize("module", ["click", "rich"])
def test_help_and_version_need_no_extra(module: str) -> None:
    shown = run_without(module, "--version")
    assert (shown.returncode, shown.stdout) == (0, f"jaxtyping-core {jaxtyping_core.__version__}\n")
    listed = run_without(module, "--help")
    assert (listed.returncode, listed.stderr) == (0, "")
    for name, command in COMMANDS.items():
        before, _, _ = listed.stdout.partition(f"  {name} ")
        assert before.rpartition("pip install ")[2].startswith(f"'jaxtyping-core[{command.extra}]'"), name
        assert command.summary in listed.stdout
    assert listed.stdout.splitlines()[-1].strip() == documentation()


@pytest.mark.parametrize("module", ["click", "rich"])
@pytest.mark.parametrize("name", ["check", "show", "lsp", "lattice"])
def test_a_command_without_its_extra_is_one_line(module: str, name: str) -> None:
    failed = run_without(module, name, "--help")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr == (
        f"jaxtyping-core: `jaxtyping-core {name}` needs {module}; pip install 'jaxtyping-core[{COMMANDS[name].extra}]'\n"
    )


def test_an_unknown_command_without_the_extra() -> None:
    failed = run_without("click", "chekc")
    assert failed.returncode == 2
    assert (
        failed.stderr == "jaxtyping-core: the command line needs click; pip install 'jaxtyping-core[cli]'\n"
    )
