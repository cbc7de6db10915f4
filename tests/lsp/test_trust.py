"""Opening a folder runs nothing of it, whatever its configurations name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from mypy.main import process_options
from mypy.version import __version__ as mypy_version

sys.path.insert(0, str(Path(__file__).parent))
from editor import Editor
from jaxtyping_core.checking.configuration import write_config
from jaxtyping_core.lsp.options import cache_of, restrict
from jaxtyping_core.lsp.trust import Granted, Named, granted, is_plugin
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python

PROGRAM = """\
import evil
import runpy

evil.plugin("")
ran = runpy.run_path("evil.py")
wrong: int = ""
"""
#: A plugin of mypy, and a script, that leaves a trace in the folder.
EVIL = """\
from pathlib import Path
Path(__file__).with_name("ran").write_text("")
from mypy.plugin import Plugin
def plugin(version):
    return Plugin
"""
#: An interpreter that leaves another one.
INTERPRETER = '#!/bin/sh\ntouch "{trace}"\nexec {python} "$@"\n'


#: What Python, pip, pytest, mypy and editors run of a folder or an environment unasked, elsewhere.
SCRIPTS = (
    *("evil.py", "sitecustomize.py", "usercustomize.py", "conftest.py", "setup.py", "test_evil.py"),
    *("noxfile.py", "__main__.py", "mypy/__init__.py", "jaxtyping_core/__init__.py", mypy_version),
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
    settings = {"diagnostics": "all", "trust": trust}
    editor = Editor(*(program.parent for program in programs), settings=settings, PYTHONPATH=path)
    for program in programs:
        editor.open(program)
    for program in programs:
        diagnostics = editor.until(lambda program=program: editor.diagnostics(program) or [], bool)
        assert "assignment" in [diagnostic.code for diagnostic in diagnostics]
    editor.rest(0.5)
    written = (tmp_path / "outside").exists()
    messages = "\n".join(message.message for message in editor.client.messages)
    editor.close()
    ran = {path.name for path in tmp_path.rglob("ran*")}
    assert ran == ({"ran", "ran_python"} if trust == "yes" else set())
    assert ("to let code of this folder run" in messages) == (trust == "no")
    assert written == (trust == "yes")
    if trust == "no":
        words = (
            "evil.py",
            "python",
            "evil, which the project trusts",
            '".venv"',
            "cache_dir, junit_xml",
            "html_report",
        )
        assert [word for word in words if word not in messages] == []
        assert not list(tmp_path.glob("*/.mypy_cache"))


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
    named = Named("./python", ["evil.py", "jaxtyping_core.mypy"], ["cache_dir"])
    settings = Settings(ignored=("evil",))
    assert granted(named, settings, tmp_path, trusted=True) == Granted(True, named.plugins, [])
    untrusted = granted(named, settings, tmp_path, trusted=False)
    assert (untrusted.python, untrusted.plugins) == (False, ["jaxtyping_core.mypy"])
    words = ("evil.py", "./python", "cache_dir", "evil, which the project trusts")
    assert [word for word, line in zip(words, untrusted.refused, strict=True) if word not in line] == []


#: What a folder may set, and what not, in both forms of mypy's configuration.
OF_A_FOLDER = {
    "strict": "true",
    "no_implicit_optional": "true",
    "show_error_codes": "true",
    "python_version": '"3.12"',
    "cache_dir": '"elsewhere"',
    "junit_xml": '"written.xml"',
    "linecount_report": '"written"',
    "custom_typing_module": '"mine"',
    "custom_typeshed_dir": '"mine"',
    "quickstart_file": '"mine"',
    "no_sqlite_cache": "true",
    "pdb": "true",
    "dump_graph": "true",
    "num_workers": "8",
    "no_such_option": "true",
}
ALLOWED = ("strict", "no_implicit_optional", "show_error_codes", "python_version")
MISSPELT = ("no_such_option",)


@pytest.mark.parametrize("name", ["pyproject.toml", "mypy.ini"])
def test_options_of_an_untrusted_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv("MYPY_CACHE_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    lines = "".join(f"{key} = {value}\n" for key, value in OF_A_FOLDER.items())
    if name == "mypy.ini":
        text = f"[DEFAULT]\nlinecoverage_report = all\n[mypy]\n{lines}[mypy-a]\nstrict_optional = false\ndebug_cache = true\n"
        text = text.replace('"', "")
    else:
        text = f'[tool.mypy]\n{lines}[[tool.mypy.overrides]]\nmodule = "a"\nstrict_optional = false\ndebug_cache = true\n'
    (tmp_path / name).write_text(text)
    (tmp_path / "copy").mkdir()
    written = write_config(tmp_path / name, tmp_path / "copy", with_targets=False)
    left_out = restrict(written, tmp_path)
    expected = {*OF_A_FOLDER, "debug_cache"} - {*ALLOWED, *MISSPELT}
    assert left_out == sorted({*expected, *(["linecoverage_report"] if name == "mypy.ini" else [])})
    _, options = process_options(
        ["--config-file", str(written), "--python-executable", sys.executable], require_targets=False
    )
    assert options.cache_dir == cache_of(tmp_path)
    assert not Path(options.cache_dir).is_relative_to(tmp_path)
    assert (options.junit_xml, options.report_dirs, options.custom_typeshed_dir) == (None, {}, None)
    assert (options.num_workers, options.sqlite_cache, options.pdb) == (0, True, False)
    assert options.disallow_untyped_defs and options.plugins == ["jaxtyping_core.mypy"]
    assert not options.clone_for_module("a").strict_optional


def test_cache_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_of(tmp_path) != cache_of(tmp_path / "other")
    monkeypatch.setenv("JAXTYPING_CORE_CACHE_DIR", "")
    assert cache_of(tmp_path) == os.devnull
