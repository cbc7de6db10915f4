"""The command: what it prints, how it exits, and what it says of modules that cannot be verified."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jaxtyping_core.cli.app import app

RUN = CliRunner()
HEAD = """
from __future__ import annotations
import jax.numpy as jnp
from jaxtyping import Array, Float
"""
WRONG = """
def wrong(x: Float[Array, "n m"]) -> Float[Array, "n m"]:
    print("printed by a function")
    return x.T
"""
RIGHT = """
def right(x: Float[Array, "n m"]) -> Float[Array, "m n"]:
    return x.T
"""
#: Nothing is checked, with this reason.
UNCHECKED = """
def unchecked(x: Float[Array, "n"], of: dict) -> Float[Array, "n"]:
    return x
"""
Write = Callable[[str, str], str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a program, and gives its name; each test takes another, since modules are imported once."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, text: str) -> str:
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        return name

    return write


def verify(*arguments: str) -> Result:
    return RUN.invoke(app, ["verify", *arguments])


def test_a_mistake(write: Write) -> None:
    done = verify(write("mistaken", HEAD + WRONG + RIGHT + UNCHECKED))
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        'mistaken.py:6: error: "wrong" returns float32[2, 1] for x: float32[1, 2]; expected '
        + 'Float[Array, "n m"], here [1, 2] [array-shape]',
        "1 contradicted, 1 proven, 1 not checked; use --all to show them",
    ]


def test_all(write: Write) -> None:
    done = verify("--all", f"{write('shown', HEAD + RIGHT + UNCHECKED)}.py")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        'shown.py:6: note: "right" is proven',
        'shown.py:9: note: "unchecked" is not checked: of: what is in a dict is not declared',
        "1 proven, 1 not checked",
    ]


def test_one_function(write: Write) -> None:
    name = write("chosen", HEAD + WRONG + RIGHT)
    assert verify(f"{name}:right").stdout == "1 proven\n"
    assert verify(f"{name}.py:wrong", f"{name}:right").stdout.endswith("1 contradicted, 1 proven\n")


def test_what_a_program_prints_is_not_among_records(write: Write) -> None:
    done = verify("--output-format", "json", write("noisy", HEAD + 'print("imported")\n' + WRONG))
    (record,) = map(json.loads, done.stdout.splitlines())
    assert (record["file"], record["line"], record["code"]) == ("noisy.py", 7, "array-shape")
    assert done.stderr.splitlines() == ["imported", "1 contradicted"]


def test_github(write: Write) -> None:
    done = verify("--output-format", "github", write("workflow", HEAD + WRONG))
    assert done.stdout.startswith("::error file=workflow.py,line=6,title=array-shape::")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "exits",
            "import sys\nsys.exit(3)\n",
            "exits exits when it is imported (exit status 3); put",
        ),
        ("broken", "def f(:\n", "broken cannot be imported: {folder}/broken.py:1: SyntaxError: "),
        (
            "raises",
            "import json\n\njson.loads('x')\n",
            "raises cannot be imported: {folder}/raises.py:3: JSONDecodeError: ",
        ),
        (
            "circular",
            "from circular import later\n",
            "circular cannot be imported: {folder}/circular.py:1: ImportError: ",
        ),
        (
            "needs",
            "import no_such_package\n",
            "needs cannot be imported: {folder}/needs.py:1: ModuleNotFoundError: ",
        ),
    ],
)
def test_modules_that_cannot_be_imported(
    name: str, text: str, message: str, write: Write, tmp_path: Path
) -> None:
    done = verify(write(name, text))
    assert done.exit_code == 2
    assert done.stderr.startswith(f"jaxtyping-core: {message.format(folder=tmp_path)}")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        (
            "no_such",
            "there is no module 'no_such'; give the name that you import, or a path that ends in .py",
        ),
        ("folder/no_such.py", "folder/no_such.py: no such file"),
        (":f", "':f' has no module; write MODULE or MODULE:FUNCTION"),
        (
            "named:missing",
            "named has no function 'missing' with array annotations; it has right, Held.given",
        ),
        (
            "named:plain",
            "named:plain has no array annotations such as Float32[B, D], so there is nothing to verify",
        ),
    ],
)
def test_names_of_nothing(argument: str, message: str, write: Write) -> None:
    write(
        "named",
        HEAD
        + RIGHT
        + "def plain(x): return x\nclass Held:\n    def given(self, x: Float[Array, 'n']): ...\n",
    )
    done = verify(argument)
    assert (done.exit_code, done.stderr) == (2, f"jaxtyping-core: {message}\n")


def test_a_class_is_its_methods(write: Write) -> None:
    text = "class Held:\n    def given(self, x: Float[Array, 'n']) -> Float[Array, 'n']:\n        return x\n"
    name = write("with_class", HEAD + RIGHT + text)
    assert verify("--all", f"{name}:Held").stdout.startswith('with_class.py:9: note: "Held.given" is ')
    assert verify(f"{name}:Held.given").exit_code == 0


def test_two_modules_of_one_name(write: Write, tmp_path: Path) -> None:
    name = write("namesake", HEAD + RIGHT)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "namesake.py").write_text(HEAD + WRONG)
    done = verify(f"{name}.py", "folder/namesake.py")
    assert done.exit_code == 2
    assert "another module 'namesake' is already imported" in done.stderr


def test_a_folder(write: Write, tmp_path: Path) -> None:
    (tmp_path / "only_a_folder").mkdir()
    assert "only_a_folder is a folder" in verify("only_a_folder").stderr


def test_a_program_in_a_folder_called_jax(tmp_path: Path) -> None:
    """What the program raises itself is not JAX's."""
    (tmp_path / "jax").mkdir()
    text = "def square(x: Float[Array, 'n m']) -> Float[Array, 'n m']:\n    if x.shape[0] != x.shape[1]:\n"
    (tmp_path / "jax" / "in_a_folder.py").write_text(
        f"{HEAD}{text}        raise ValueError('no square')\n    return x.T\n"
    )
    done = verify("--all", str(tmp_path / "jax" / "in_a_folder.py"))
    assert '"square" is tested' in done.stdout


@pytest.mark.parametrize("options", [("--output-format", "xml"), ("--time-limit", "0")])
def test_options_that_mean_nothing(options: tuple[str, ...], write: Write) -> None:
    done = verify(*options, write("optioned", HEAD + RIGHT))
    assert done.exit_code == 2
    assert options[1] in done.stderr


def test_a_module_without_annotations(write: Write) -> None:
    done = verify(write("bare", "def f(x):\n    return x\n"))
    assert (done.exit_code, done.stdout) == (0, "no function has array annotations\n")


def test_functions_that_do_not_end(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaxtyping_core.verifying.evaluating.CALL_LIMIT", 0.2)
    hanging = """
    import time


    def sleeps(x: Float[Array, "n"]) -> Float[Array, "n"]:
        time.sleep(1000)


    def catches_everything(x: Float[Array, "n"]) -> Float[Array, "n"]:
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass
    """
    done = verify("--all", write("hanging", HEAD + textwrap.dedent(hanging)))
    assert [line.partition("is ")[2] for line in done.stdout.splitlines()[:-1]] == [
        "not checked: a call took more than 0.2 seconds",
        "not checked: a call took more than 0.2 seconds",
    ]


def test_functions_that_end_otherwise(write: Write) -> None:
    ending = """
    def recurses(x: Float[Array, "n"]) -> Float[Array, "n"]:
        return recurses(x)


    def exits(x: Float[Array, "n"]) -> Float[Array, "n"]:
        raise SystemExit("done")
    """
    done = verify("--all", write("ending", HEAD + textwrap.dedent(ending)))
    assert [line.partition("is ")[2] for line in done.stdout.splitlines()[:-1]] == [
        "not checked: RecursionError: maximum recursion depth exceeded",
        "not checked: it exits the program (exit status 'done')",
    ]
