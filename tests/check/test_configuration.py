"""The configuration of a project, as ``jaxtyping-core check`` follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mypy.config_parser import parse_config_file
from mypy.options import Options

from check_command import CLEAN, Check, assert_refused, write
from jaxtyping_core.checking.configuration import PLUGIN, config_here, find_config, write_config

pytestmark = pytest.mark.one_python

# The parts of a project's configuration that must keep their meaning, in each of mypy's forms. The project has a plugin
# of its own, files of stubs beside the configuration, and a module with its own rules.
PROJECT = {
    "program": """\
import jax.numpy as jnp
import vendored
def hooked() -> object: ...
def untyped(x): ...
reveal_type(hooked())
reveal_type(vendored.NAME)
jnp.zeros(3) + jnp.zeros(4)
""",
    "loose": "def untyped(x): ...\n",
    "own_plugin": """\
from mypy.plugin import Plugin
class Own(Plugin):
    def get_function_hook(self, fullname):
        if fullname == "program.hooked":
            return lambda ctx: ctx.api.named_generic_type("builtins.str", [])
def plugin(version):
    return Own
""",
}
PROJECT_REPORT = """\
program.py:4: error: Function is missing a type annotation  [no-untyped-def]
program.py:5: note: Revealed type is "str"
program.py:6: note: Revealed type is "bytes"
program.py:7: error: float32[3] + float32[4] does not broadcast: axis -1 is 3 on the left and 4 on the right; \
sizes must be equal, or one of them 1  [array-shape]
Found 2 errors in 1 file (checked 2 source files)
"""
INI = """\
[mypy]
; a comment with 100 % of what may be in one
plugins = own_plugin.py, {ours}
mypy_path = $MYPY_CONFIG_FILE_DIR/vendor:${{MYPY_CONFIG_FILE_DIR}}/nothing
disallow_untyped_defs = True
files = program.py, loose.py

[mypy-loose]
disallow_untyped_defs = False
"""
TOML = """\
[project]
name = "x"

[tool.mypy] # a comment
plugins = {plugins}
mypy_path = "$MYPY_CONFIG_FILE_DIR/vendor"
disallow_untyped_defs = true
files = ["program.py", "loose.py"]

[[tool.mypy.overrides]]
module = "loose"
disallow_untyped_defs = false

[[tool.mypy.overrides]]
module = ["other.*"]
ignore_errors = true

[tool.other]
key = "value"
"""
CONFIGURATIONS = {
    "mypy.ini": INI.format(ours="jaxtyping_core.mypy"),
    ".mypy.ini": INI.format(ours=""),
    "setup.cfg": "[metadata]\nname = x\n\n" + INI.format(ours=""),
    "pyproject.toml": TOML.format(plugins='["own_plugin.py"]'),
}


@pytest.fixture
def check(check_with_mypy: Check) -> Check:
    """All of this file is about mypy's messages."""
    return check_with_mypy


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project without a configuration."""
    folder = tmp_path_factory.mktemp("project")
    write(folder, **PROJECT)
    (folder / "vendor").mkdir()
    (folder / "vendor" / "vendored.pyi").write_text("NAME: bytes\n")
    (folder / "below").mkdir()
    return folder


@pytest.fixture
def configured(project: Path) -> Iterator[Callable[[str, str], Path]]:
    """Gives the project a configuration for the time of a test."""
    written: list[Path] = []

    def configure(name: str, text: str) -> Path:
        written.append(project / name)
        written[-1].write_text(text)
        return project

    yield configure
    for file in written:
        file.unlink()


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_users_configuration_keeps_its_meaning(
    check: Check, configured: Callable[[str, str], Path], name: str
) -> None:
    project = configured(name, CONFIGURATIONS[name])
    done = check(project, cache="project")
    assert (spelled(done.stdout), done.stderr, done.returncode) == (PROJECT_REPORT, "", 1)
    assert (project / name).read_text() == CONFIGURATIONS[name]


@pytest.mark.parametrize(("text", "codes"), [(None, ["import-untyped"]), ("[mypy]\n", [])])
def test_libraries_without_types_are_no_errors_where_mypy_is_not_configured(
    tmp_path: Path, text: str | None, codes: list[str]
) -> None:
    source = None if text is None else tmp_path / "setup.cfg"
    if source is not None:
        source.write_text(text or "")
    target = tmp_path / "written"
    target.mkdir()
    options = Options()
    parse_config_file(options, lambda: None, str(write_config(source, target)))
    assert options.disable_error_code == codes


def test_a_named_configuration_file(check: Check, configured: Callable[[str, str], Path]) -> None:
    configured("mypy.ini", "[mypy]\nplugins = no_such_module\n")
    project = configured("other.ini", CONFIGURATIONS["mypy.ini"])
    assert check(project).returncode == 2
    for option in (["--config-file", "other.ini"], ["--config-file=other.ini"]):
        assert spelled(check(project, *option, cache="project").stdout) == PROJECT_REPORT


def test_the_configuration_of_a_folder_above(check: Check, configured: Callable[[str, str], Path]) -> None:
    project = configured("mypy.ini", CONFIGURATIONS["mypy.ini"])
    done = check(project / "below", "../program.py", "../loose.py", cache="project")
    # mypy repeats what it has in its cache under the paths of the run before.
    assert spelled(done.stdout).replace("../", "") == PROJECT_REPORT


def spelled(output: str) -> str:
    """mypy's output, in which some versions say ``builtins``."""
    return output.replace('"builtins.', '"')


@pytest.mark.parametrize(
    ("name", "text", "plugins"),
    [
        ("mypy.ini", "[mypy]\n", []),
        ("mypy.ini", "[mypy]\nplugins = jaxtyping_core.mypy\n", []),
        ("mypy.ini", "[mypy]\nplugins = jaxtyping_core.mypy:plugin\n", []),
        ("mypy.ini", "[mypy]\nplugins = a.b, own.py,\n", ["a.b", "{folder}/own.py"]),
        ("mypy.ini", "[mypy]\nplugins =\n    a.b\n    jaxtyping_core.mypy\n    c\n", ["a.b", "c"]),
        ("setup.cfg", "[mypy]\nplugins = own.py:entry, a:entry\n", ["{folder}/own.py:entry", "a:entry"]),
        ("mypy.ini", "[mypy]\nplugins = /abs/own.py\n", ["/abs/own.py"]),
        ("pyproject.toml", "[tool.mypy]\n", []),
        ("pyproject.toml", "[tool]\nmypy = {}\n", []),
        ("pyproject.toml", "tool.mypy.strict = true\n", []),
        ("pyproject.toml", "[tool.mypy]\nplugins = 'sub/own.py, a'\n", ["{folder}/sub/own.py", "a"]),
        ("pyproject.toml", "[tool.mypy]\nplugins = ['jaxtyping_core.mypy', 'a']\n", ["a"]),
        ("pyproject.toml", "[tool.mypy]\nplugins = [\n  'a', # why\n]\n[tool.x]\n", ["a"]),
    ],
)
def test_plugins(tmp_path: Path, name: str, text: str, plugins: list[str]) -> None:
    """As mypy reads the copy: the user's plugins in their order, then ours once."""
    (tmp_path / name).write_text(text)
    copies = tmp_path / "copies"
    copies.mkdir()
    options = Options()
    parse_config_file(options, lambda: None, str(write_config(tmp_path / name, copies)))
    expected = [plugin.format(folder=tmp_path) for plugin in plugins]
    assert [plugin for plugin in options.plugins if plugin] == [*expected, PLUGIN]


@pytest.mark.parametrize(
    ("name", "text", "parts"),
    [
        ("pyproject.toml", "[tool.mypy\n", ["jaxtyping-core: ", "pyproject.toml", "line 1"]),
        ("pyproject.toml", "[tool.mypy]\nplugins = 3\n", ["pyproject.toml"]),
        ("pyproject.toml", "[tool.mypy]\nstrict = true\nstrict = false\n", ["pyproject.toml"]),
        ("mypy.ini", "not an option\n", ["mypy.ini"]),
        ("mypy.ini", "[mypy]\nplugins = no_such_module\n", ["mypy.ini", "no_such_module"]),
        ("mypy.ini", "[mypy]\nplugins = no_such_file.py\n", ["mypy.ini", "no_such_file.py"]),
        ("pyproject.toml", "[tool.jaxtyping_core]\nx46 = true\n", ["pyproject.toml", "'x46'", "'x64'"]),
        ("pyproject.toml", "[tool.jaxtyping_core]\nx64 = 'yes'\n", ["x64", "'yes'", "'true'"]),
        ("pyproject.toml", "[tool.jaxtyping_core]\nx64 = 1\n", ["x64", "'1'", "'true'"]),
        ("pyproject.toml", "[tool.jaxtyping_core]\npromotion = 'strickt'\n", ["'strickt'", "'strict'"]),
        ("pyproject.toml", "[tool]\njaxtyping_core = 3\n", ["[tool.jaxtyping_core]", "table"]),
    ],
)
def test_a_configuration_that_cannot_be_followed(
    check: Check, tmp_path: Path, name: str, text: str, parts: list[str]
) -> None:
    write(tmp_path, clean=CLEAN)
    (tmp_path / name).write_text(text)
    assert_refused(check(tmp_path, "clean.py"), *parts)


def test_settings_in_a_broken_file_are_not_passed_over(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN)
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    (tmp_path / "pyproject.toml").write_text("[tool.jaxtyping_core]\nx64 = treu\n")
    assert_refused(check(tmp_path, "clean.py"), "pyproject.toml", "line 2")


def test_a_configuration_file_that_is_not_there(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN)
    for name in ("no.ini", "."):
        assert_refused(
            check(tmp_path, "clean.py", "--config-file", name),
            f"jaxtyping-core: {name}: no such configuration file",
        )


def test_a_configuration_file_that_is_not_text(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN)
    for name in ("mypy.ini", "pyproject.toml"):
        (tmp_path / name).write_bytes(b"[tool.mypy]\n# \xff\xfe\n")
        assert_refused(check(tmp_path, "clean.py", "--config-file", name), name)
        assert_refused(check(tmp_path, "clean.py"), "configuration")
        (tmp_path / name).unlink()


def test_an_option_that_mypy_does_not_know_is_named_with_its_file(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN)
    (tmp_path / "mypy.ini").write_text("[mypy]\nno_such_option = 3\n")
    done = check(tmp_path, "clean.py")
    assert done.stderr == "mypy.ini: [mypy]: Unrecognized option: no_such_option = 3\n"
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, None),
        ({"mypy.ini": "", ".mypy.ini": "[mypy]\n"}, "mypy.ini"),
        ({".mypy.ini": "[mypy]\n", "setup.cfg": "[mypy]\n"}, ".mypy.ini"),
        ({"pyproject.toml": "[tool.other]\n", "setup.cfg": "[mypy]\n"}, "setup.cfg"),
        ({"pyproject.toml": "[tool.mypy]\n", "setup.cfg": "[mypy]\n"}, "pyproject.toml"),
        (
            {"pyproject.toml": "", "setup.cfg": "[metadata]\n", "../mypy.ini": "[mypy]\n"},
            "../mypy.ini",
        ),
        ({".git": "", "../mypy.ini": "[mypy]\n"}, None),
        ({".git": "", "home/.mypy.ini": "[mypy]\n"}, "home/.mypy.ini"),
        ({".git": "", "home/.mypy.ini": "[mypy]\n", "xdg/mypy/config": "[mypy]\n"}, "xdg/mypy/config"),
    ],
)
def test_mypys_file_is_known_without_mypy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], expected: str | None
) -> None:
    folder = tmp_path / "project"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "xdg"))
    known = config_here()
    assert (known and known.resolve()) == (expected and (folder / expected).resolve())
    if not {"home", "xdg"}.intersection(Path(expected or "").parts):  # mypy looks once for these
        of_mypy = find_config(None)
        assert (of_mypy and of_mypy.resolve()) == (known and known.resolve())
