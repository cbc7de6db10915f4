"""Opening a folder runs nothing of it, whatever its configurations name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from mypy.version import __version__ as mypy_version

sys.path.insert(0, str(Path(__file__).parent))
from editor import Editor
from jaxtyping_core.lsp.trust import Granted, Named, granted, is_plugin
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python

PROGRAM = """\
import runpy

ran = runpy.run_path("evil.py")
wrong: int = ""
"""
#: A plugin of mypy, and a script, that leaves a trace in the folder.
EVIL = """\
from pathlib import Path
from mypy.plugin import Plugin
for guard in [module for name, module in __import__("sys").modules.items() if name.endswith(".guard")]:
    guard._State["on"] = False
Path(__file__).with_name("ran").write_text("")
def plugin(version):
    return Plugin
"""
#: An interpreter that leaves another one.
INTERPRETER = '#!/bin/sh\ntouch "{trace}"\nexec {python} "$@"\n'


def hostile(folder: Path, python: bool = False) -> Path:
    """A folder that names its own code to be run wherever something can be named; its program."""
    evil, interpreter = folder / "evil.py", folder / ".venv" / "bin" / "python"
    interpreter.parent.mkdir(parents=True)
    for script in (evil, folder / "sitecustomize.py", folder / mypy_version, folder / "test_evil.py"):
        script.write_text(EVIL)
    interpreter.write_text(INTERPRETER.format(trace=folder / "ran_python", python=sys.executable))
    interpreter.chmod(0o755)
    (folder / "mypy.ini").write_text(
        f"[mypy]\nplugins = evil.py\npython_executable = {interpreter}\npackages = package\n"
    )
    (folder / "package").mkdir()  # which mypy looks for along the path of that interpreter
    (folder / "package" / "__init__.py").touch()
    (folder / "pyproject.toml").write_text('[tool.jaxtyping_core]\ntrust = ["runpy"]\n')
    (folder / "program.py").write_text(PROGRAM)
    return folder / "program.py"


@pytest.mark.skipif(sys.platform == "win32", reason="the interpreter of the folder is a shell script")
@pytest.mark.parametrize("trust", ["no", "yes"])
def test_hostile_folder_runs_nothing_unless_it_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trust: str
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    program = hostile(tmp_path)
    # A relative folder on the path of modules would have sitecustomize.py of the folder imported.
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), "."]))
    editor = Editor(tmp_path, settings={"diagnostics": "all", "trust": trust}, PYTHONPATH=path)
    editor.open(program)
    found = editor.until(lambda: editor.diagnostics(program) or [], bool)
    editor.rest(0.5)
    messages = "\n".join(message.message for message in editor.client.messages)
    editor.close()
    assert "assignment" in [diagnostic.code for diagnostic in found]
    ran = {path.name for path in tmp_path.glob("ran*")}
    assert ran == ({"ran", "ran_python"} if trust == "yes" else set())
    assert ("runs nothing of it" in messages) == (trust == "no")
    if trust == "no":
        assert [name for name in ("evil.py", "python", "runpy", '".venv"') if name not in messages] == []


@pytest.mark.parametrize(
    "name",
    [
        "./evil.py",
        "evil",
        "unittest.__main__",  # importing it runs the tests of the current folder
        "runpy:run_path",  # called with mypy's version, it runs the file of that name
        "no.such.module",
        "a b",
        "",
    ],
)
def test_plugin_is_one_that_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    hostile(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # as an editable installation of the project does
    before = {*sys.modules}
    assert not is_plugin(name, tmp_path)
    assert is_plugin("jaxtyping_core.mypy", tmp_path)
    assert {*sys.modules} == before


def test_plugin_that_is_installed_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, folder = tmp_path / "site" / "package", tmp_path / "folder"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "mypy.py").write_text(EVIL)
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert is_plugin("package.mypy", folder)
    assert not is_plugin("package", folder)


def test_what_is_refused_is_told(tmp_path: Path) -> None:
    named = Named("./python", ["evil.py", "jaxtyping_core.mypy"])
    settings = Settings(trust=("runpy",))
    assert granted(named, settings, tmp_path, trusted=True) == Granted(True, named.plugins, [])
    given = granted(named, settings, tmp_path, trusted=False)
    assert (given.python, given.plugins) == (False, ["jaxtyping_core.mypy"])
    words = ("evil.py", "./python", "runpy")
    assert [word for word, line in zip(words, given.refused, strict=True) if word not in line] == []
