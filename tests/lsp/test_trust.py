"""Opening a folder runs nothing of it, whatever its configurations name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from editor import Editor

pytestmark = pytest.mark.one_python

PROGRAM = """\
import evil
import runpy
import jax.numpy as jnp

evil.plugin("")
ran = runpy.run_path("evil.py")
wrong = jnp.ones(3) + jnp.ones(4)
"""
#: A script that leaves a trace in the folder.
EVIL = """\
from pathlib import Path
Path(__file__).with_name("ran").write_text("")
def plugin(version):
    return version
"""
#: An interpreter that leaves another one.
INTERPRETER = '#!/bin/sh\ntouch "{trace}"\nexec {python} "$@"\n'


#: What Python, pip, pytest, mypy and editors run of a folder or an environment unasked, elsewhere.
SCRIPTS = (
    *("evil.py", "sitecustomize.py", "usercustomize.py", "conftest.py", "setup.py", "test_evil.py"),
    *("noxfile.py", "__main__.py", "mypy/__init__.py", "jaxtyping_core/__init__.py"),
)
#: Where the folder's configuration names what it has run.
CONFIGURATIONS = {
    "mypy.ini": """\
[mypy]
plugins = evil.py
python_executable = {interpreter}
packages = package
cache_dir = {outside}/cache
any_exprs_report = {outside}/report
junit_xml = {outside}/junit.xml
""",
    "pyproject.toml": """\
[build-system]
requires = []
build-backend = "evil"
backend-path = ["."]

[tool.mypy]
plugins = ["evil.py"]
python_executable = "{interpreter}"
packages = ["package"]
cache_dir = "{outside}/cache"
html_report = "{outside}/report"
junit_xml = "{outside}/junit.xml"
""",
}


def hostile(folder: Path, configuration: str = "mypy.ini") -> Path:
    """A folder that names its own code to be run wherever something can be named; its program."""
    interpreter = folder / ".venv" / "bin" / "python"
    packages = folder / ".venv" / "lib" / "python{}.{}".format(*sys.version_info) / "site-packages"
    for inner in (
        interpreter.parent,
        packages,
        folder / "package",
        folder / "mypy",
        folder / "jaxtyping_core",
    ):
        inner.mkdir(parents=True)
    for script in [*(folder / name for name in SCRIPTS), packages / "sitecustomize.py"]:
        script.write_text(EVIL)
    for place in (folder, packages):
        (place / "evil.pth").write_text(f"import runpy; runpy.run_path({str(folder / 'evil.py')!r})\n")
    interpreter.write_text(INTERPRETER.format(trace=folder / "ran_python", python=sys.executable))
    interpreter.chmod(0o755)
    (folder / ".venv" / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).parent}\n")
    text = CONFIGURATIONS[configuration].format(interpreter=interpreter, outside=folder.parent / "outside")
    (folder / configuration).write_text(text)
    (folder / "package" / "__init__.py").touch()  # which mypy looks for along the path of that interpreter
    with (folder / "pyproject.toml").open("a") as file:
        file.write('[tool.jaxtyping_core]\ntrust = ["evil"]\n')
    (folder / "program.py").write_text(PROGRAM)
    return folder / "program.py"


@pytest.mark.skipif(sys.platform == "win32", reason="the interpreter of the folder is a shell script")
@pytest.mark.parametrize("trust", ["no", "yes"])
def test_hostile_folder_runs_nothing_unless_it_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trust: str
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    names = CONFIGURATIONS if trust == "no" else ["mypy.ini"]
    programs = [hostile(tmp_path / name.partition(".")[0], name) for name in names]
    # A relative folder on the path of modules would have sitecustomize.py of the folder imported.
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), "."]))
    settings = {"trust": trust}
    editor = Editor(*(program.parent for program in programs), settings=settings, PYTHONPATH=path)
    for program in programs:
        editor.open(program)
    for program in programs:
        diagnostics = editor.until(lambda program=program: editor.diagnostics(program) or [], bool)
        assert "array-shape" in [diagnostic.code for diagnostic in diagnostics]
    editor.rest(0.5)
    written = (tmp_path / "outside").exists()
    messages = "\n".join(message.message for message in editor.client.messages)
    editor.close()
    ran = {path.name for path in tmp_path.rglob("ran*")}
    assert ran == ({"ran_python"} if trust == "yes" else set())
    assert ("to let code of this folder run" in messages) == (trust == "no")
    assert not written
    assert not list(tmp_path.glob("*/.mypy_cache"))
    words = ("evil, which the project trusts", '".venv"')
    assert [word for word in words if (word in messages) != (trust == "no")] == []
