"""Which modules belong to a program: those that Python would import from the project."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs import console_scripts
from jaxtyping_core.programs.callers import callers
from jaxtyping_core.programs.files import python_files
from jaxtyping_core.programs.imports import imported
from jaxtyping_core.programs.sources import MOST_TEXT, Program, collect
from jaxtyping_core.scripts import is_script
from jaxtyping_core.settings import TRUSTED

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Writes files into a project, in whose folder the test then is."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()

    def write(**files: str) -> Path:
        for name, text in files.items():
            path = Path(name.replace("__in__", "/") + ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write


def program(*files: str) -> Program:
    (only,) = collect(list(map(Path, files)))
    return only


def names(*files: str) -> set[str]:
    return set(program(*files).modules)


def paths(*files: str) -> dict[str, str]:
    return {name: module.path for name, module in program(*files).modules.items()}


@pytest.mark.parametrize(
    ("text", "package", "modules"),
    [
        ("import a.b.c as d, e", "", ["a", "a.b", "a.b.c", "e"]),
        ("from a.b import c, d", "", ["a", "a.b", "a.b.c", "a.b.d"]),
        ("from a import *", "", ["a"]),
        ("def f():\n    if x:\n        import a", "", ["a"]),
        ("from . import a", "p.q", ["p", "p.q", "p.q.a"]),
        ("from .. import a", "p.q", ["p", "p.a"]),
        ("from ..r.s import a", "p.q", ["p", "p.r", "p.r.s", "p.r.s.a"]),
        ("from ... import a", "p.q", []),
        ("from . import a", "", []),
    ],
)
def test_imports(text: str, package: str, modules: list[str]) -> None:
    assert list(imported(ast.parse(text), package)) == modules


def test_modules_beside_a_script(make: Make) -> None:
    make(
        scripts__in__train="import model, os, jax", scripts__in__model="import layers", scripts__in__layers=""
    )
    assert paths("scripts/train.py") == {name: f"scripts/{name}.py" for name in ("train", "model", "layers")}
    assert program("scripts/train.py").entries == ["train"]


def test_packages_and_relative_imports(make: Make) -> None:
    make(
        app__in____init__="from . import config",
        app__in__config="",
        app__in__nets__in____init__="",
        app__in__nets__in__mlp="from ..config import size\nfrom . import layers",
        app__in__nets__in__layers="",
        app__in__unused="",
    )
    expected = {"app", "app.config", "app.nets", "app.nets.mlp", "app.nets.layers"}
    collected = program("app/nets/mlp.py")
    assert (collected.entries, set(collected.modules)) == (["app.nets.mlp"], expected)
    assert {name for name, module in collected.modules.items() if module.package} == {"app", "app.nets"}
    assert program("app/__init__.py").entries == ["app"]


def test_source_layout_and_current_folder(make: Make) -> None:
    make(src__in__lib__in____init__="", src__in__lib__in__net="", helpers="")
    make(examples__in__mnist__in__train="import lib.net\nimport helpers")
    assert paths("examples/mnist/train.py")["lib.net"] == "src/lib/net.py"
    assert paths("examples/mnist/train.py")["helpers"] == "helpers.py"


def test_packages_without_files(make: Make) -> None:
    make(train="import a.b.c\nimport empty", a__in__b__in__c="")
    Path("empty").mkdir()
    modules = program("train.py").modules
    assert set(modules) == {"train", "a", "a.b", "a.b.c"}
    assert (modules["a.b"].path, modules["a.b"].text, modules["a.b"].package) == ("a/b", "", True)


def test_a_regular_package_goes_first(make: Make) -> None:
    make(train="import lib.a", lib__in__a="", src__in__lib__in____init__="", src__in__lib__in__a="")
    assert paths("train.py")["lib.a"] == "src/lib/a.py"


@pytest.mark.parametrize("name", ["random", "optax", "jax"])
def test_a_module_of_the_name_of_a_library(make: Make, name: str) -> None:
    """In the folder of the script it shadows the library, as for Python; elsewhere it does not."""
    make(**{"train": f"import {name}", name: ""})
    assert names("train.py") == {"train", name}
    make(**{"scripts__in__eval": f"import {name}", f"src__in__{name}": ""})
    assert names("scripts/eval.py") == {"eval"}


def test_what_never_shadows(make: Make) -> None:
    make(train="import jax.numpy\nimport sys", sys="", jax__in__numpy="")
    assert names("train.py") == {"train"}


def test_a_file_in_a_package_that_is_run_as_a_script(make: Make) -> None:
    make(
        app__in____init__="",
        app__in__train="import model\nimport random",
        app__in__model="",
        app__in__random="",
    )
    assert names("app/train.py") == {"app", "app.train", "model"}


def test_installed_packages_are_no_part(make: Make) -> None:
    site = "venv__in__lib__in__site-packages__in__"
    make(**{f"{site}one__in____init__": "import two\nfrom one import three", f"{site}two": ""})
    make(**{f"{site}one__in__three": ""})
    assert names("venv/lib/site-packages/one/__init__.py") == {"one", "one.three"}
    make(train="import two\nimport numpy")
    assert names("train.py") == {"train"}


def test_programs_and_their_parts(make: Make) -> None:
    make(a="import common", b="import common", c="import other", common="", other="", inner__in__a="import d")
    make(inner__in__d="")
    programs = collect([Path(name) for name in ("a.py", "c.py", "b.py", "inner/a.py")])
    assert [program.entries for program in programs] == [["a", "c", "b"], ["a"]]
    parts = [(sorted(part.entries), sorted(part.modules)) for part in programs[0].parts()]
    assert sorted(parts) == [(["a", "b"], ["a", "b", "common"]), (["c"], ["c", "other"])]


def test_cycles_end(make: Make) -> None:
    make(a="import b", b="import a")
    assert [sorted(part.modules) for part in program("a.py").parts()] == [["a", "b"]]


def test_reached_modules_that_cannot_be_read(make: Make) -> None:
    make(train="import broken, latin", broken="def f(:\n")
    Path("latin.py").write_bytes(b"x = '\xff'\n")
    collected = program("train.py")
    assert collected.modules["broken"].text is collected.modules["latin"].text is None
    assert [note.partition(":")[0] for note in collected.notes] == ["broken.py", "latin.py"]
    assert all(note.endswith("nothing in this file is known") for note in collected.notes)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"x = (\n", "line 1: not valid Python: '(' was never closed"),
        (b"x = '\xff'\n", "not valid Python"),
        (b"# coding: nonsense\n", "not valid Python: unknown encoding: nonsense"),
        (b"x = 1\0\n", "not valid Python"),
        (b"(" * 100_000, "x.py: "),
        (None, "no such file"),
    ],
)
def test_given_files_that_cannot_be_read(make: Make, content: bytes | None, words: str) -> None:
    make()
    if content is not None:
        Path("x.py").write_bytes(content)
    with pytest.raises(CommandError) as caught:
        collect([Path("x.py")])
    assert str(caught.value).startswith("x.py: ") and words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_text_is_decoded_as_python_does(make: Make) -> None:
    make()
    Path("x.py").write_bytes("\ufeffx = 'é'\r\ny = 1\r\n".encode())
    Path("y.py").write_bytes("# coding: latin-1\nx = 'é'\n".encode("latin-1"))
    modules = program("x.py", "y.py").modules
    assert modules["x"].text == "x = 'é'\ny = 1\n"
    assert modules["y"].text == "# coding: latin-1\nx = 'é'\n"


def test_a_strange_escape_is_not_told(make: Make, recwarn: pytest.WarningsRecorder) -> None:
    make(train="x = '\\d'")
    assert names("train.py") == {"train"}
    assert not recwarn.list


def test_too_much_text(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaxtyping_core.programs.sources.MOST_TEXT", 10)
    make(train="import a  # long enough", a="")
    assert MOST_TEXT > 10 and names("train.py") == {"train"}
    assert "too large" in program("train.py").notes[0]


def test_folders(make: Make) -> None:
    make(a="", inner__in__b="", broken="(")
    for passed_over in (".git", "__pycache__", "site-packages", "node_modules", "env"):
        Path(passed_over).mkdir()
        Path(passed_over, "x.py").touch()
    Path("env", "pyvenv.cfg").touch()
    files = python_files([Path()])
    assert list(files.texts) == [Path("a.py"), Path("inner/b.py")]
    assert files.notes == ["broken.py: line 1: not valid Python: '(' was never closed; the file is left out"]
    Path("empty").mkdir()
    with pytest.raises(CommandError, match=r"the folder has no \.py files"):
        python_files([Path("empty")])


MODEL = "def f(x):\n    return x\n"


def called_from(*files: str) -> list[str]:
    return list(map(str, callers(collect(list(map(Path, files))), TRUSTED)))


def test_a_module_is_known_by_the_scripts_that_import_it(make: Make) -> None:
    make(
        package__in____init__="",
        package__in__model=MODEL,
        package__in__layers="from package import model\n",
        package__in__other=MODEL,
        scripts__in__train="import package.layers\npackage.layers.model.f(1)\nprint()\n",
        scripts__in__unrelated="print()\n",
        tests__in__test_model="from package.model import f\n\ndef test_f():\n    f(1)\n",
        broken="print(",
    )
    assert called_from("package/model.py") == ["scripts/train.py"]
    assert called_from("package/other.py") == []
    assert called_from("package/model.py", "scripts/train.py") == []


def test_without_a_script_a_module_is_known_by_its_tests(make: Make) -> None:
    make(model=MODEL, tests__in__test_model="from model import f\n\ndef test_f():\n    f(1)\n")
    assert called_from("model.py") == ["tests/test_model.py"]


def test_a_script_may_call_in_an_assignment_alone(make: Make) -> None:
    make(
        lib="def f(n):\n    return n\n",
        of_lib="from lib import f\nk = f(2)\n",
        of_another="from other import f\nk = f(2)\n",
        other=MODEL,
        names="import lib\nf = lib.f\n",
    )
    assert called_from("lib.py") == ["of_lib.py"]
    assert called_from("other.py") == ["of_another.py"]


NOTEBOOK = """\
{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
  {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": ["import lib\\n", "lib.f(2)"]}
]}
"""


def test_notebooks_come_after_scripts(make: Make) -> None:
    folder = make(lib=MODEL, run="import lib\nlib.f(1)\nprint()\n")
    (folder / "a.ipynb").write_text(NOTEBOOK)
    assert called_from("lib.py") == ["run.py", "a.ipynb"]


COMMANDS = """\
[project]
name = "lib"
gui-scripts = { window = "lib:Window.open" }

[project.scripts]
run = "lib:main"
wrong = "lib main; import os"

[tool.poetry.scripts]
other = "package.module:run"
"""


def test_commands_of_a_project_are_calls(make: Make) -> None:
    folder = make(lib=MODEL)
    (folder / "pyproject.toml").write_text(COMMANDS)
    assert called_from("lib.py") == ["pyproject.toml"]
    lines = console_scripts.program_of(COMMANDS.encode()).splitlines()
    assert {number: line for number, line in enumerate(lines, 1) if line} == {
        3: "from lib import Window as _; _.open()",
        6: "from lib import main as _; _()",
        10: "from package.module import run as _; _()",
    }


@pytest.mark.parametrize(
    "content", [b"", b"[project]\nscripts = 3\n", b"not toml", b"\xff", b"[tool]\npoetry = []\n"]
)
def test_a_project_without_commands(content: bytes) -> None:
    assert console_scripts.program_of(content) == ""


def test_scripts_are_looked_for_in_so_many_folders_and_files(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(
        package__in____init__="",
        package__in__model=MODEL,
        z__in__train="import package.model\nprint()\n",
        a__in__b="",
    )
    assert called_from("package/model.py") == ["z/train.py"]
    monkeypatch.setattr("jaxtyping_core.programs.callers.MOST_FOLDERS", 2)
    assert called_from("package/model.py") == []
    monkeypatch.setattr("jaxtyping_core.programs.callers.MOST_FOLDERS", 100)
    monkeypatch.setattr("jaxtyping_core.programs.callers.MOST_FILES", 3)
    assert called_from("package/model.py") == []


@pytest.mark.parametrize(
    ("text", "script"),
    [
        (MODEL, False),
        ("import jax\njax.config.update('jax_enable_x64', True)\nx = f()", False),
        ("if __name__ == '__main__':\n    pass", True),
        ("main()", True),
        ("for i in range(3):\n    print(i)", True),
    ],
)
def test_a_script_does_something(text: str, script: bool) -> None:
    assert is_script(ast.parse(text)) == script
