"""``jaxtyping-core check`` as its users run it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mypy.config_parser import parse_config_file
from mypy.options import Options

from jaxtyping_core.checking import PLUGIN, run_mypy, write_config
from jaxtyping_core.errors import CommandError

#: The installed command: ``python -m`` would put the current folder on the path.
COMMAND = Path(sys.executable).with_name("jaxtyping-core")

Check = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """Run the command in a folder.

    Runs share mypy's cache, whose entries name the file and the options that they are for. Options that
    mypy would discard the entries of others for have a cache of their own, which is only a matter of time.
    """
    caches, home = tmp_path_factory.mktemp("caches"), tmp_path_factory.mktemp("home")

    def run(
        folder: Path, *arguments: str, cache: str = "plain", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        env = {name: value for name, value in os.environ.items() if not name.startswith(("MYPY", "PYTHON"))}
        env |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "MYPY_CACHE_DIR": str(caches / cache)}
        env |= environment
        command = [str(COMMAND), "check", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=env)
        assert "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
        assert "INTERNAL ERROR" not in done.stdout + done.stderr, done.stdout + done.stderr
        return done

    return run


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)


CLEAN = "import jax.numpy as jnp\nx = jnp.zeros((3, 4)) @ jnp.ones((4, 5))\n"
MISTAKES = """\
import jax.numpy as jnp
x = jnp.zeros((3, 4))
reveal_type(x)
x + jnp.ones((3, 5))
x & 1
"""
REVEALED = '"jax._src.basearray.Array[jax._src.numpy.scalar_types.float32, tuple[Literal[3], Literal[4]]]"'
REPORT = f"""\
mistakes.py:3: note: Revealed type is {REVEALED}
mistakes.py:4: error: float32[3, 4] + float32[3, 5] does not broadcast: axis -1 is 4 on the left and 5 on the \
right; sizes must be equal, or one of them 1  [array-shape]
"""


def test_a_clean_program(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN)
    done = check(tmp_path, "clean.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Success: no issues found in 1 source file\n"


def test_a_dtype_and_a_shape_mistake(check: Check, tmp_path: Path) -> None:
    write(tmp_path, mistakes=MISTAKES)
    done = check(tmp_path, "mistakes.py")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith(REPORT)
    _, _, third, last = done.stdout.splitlines()
    assert third.startswith("mistakes.py:5: error: JAX refuses float32[3, 4] & ")
    assert third.endswith("  [array-dtype]")
    assert last == "Found 2 errors in 1 file (checked 1 source file)"


def test_without_paths_the_current_folder_is_checked(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN, mistakes=MISTAKES)
    for arguments in ((), ("--exclude", "nothing.py")):  # an option's value is no path
        done = check(tmp_path, *arguments)
        assert done.returncode == 1
        assert done.stdout.endswith("Found 2 errors in 1 file (checked 2 source files)\n")


def test_mypy_options_are_passed_on(check: Check, tmp_path: Path) -> None:
    write(tmp_path, untyped=CLEAN + "def f(x):\n    return x\n")
    assert check(tmp_path, "untyped.py").returncode == 0
    for arguments in (("untyped.py", "--strict"), ("--strict", "-m", "untyped")):
        done = check(tmp_path, *arguments, cache="strict")
        assert done.returncode == 1
        assert "untyped.py:3: error: Function is missing a type annotation  [no-untyped-def]" in done.stdout
    assert check(tmp_path, "-c", CLEAN + "x & x").stdout.count("[array-dtype]") == 1


# What of a project's configuration has to keep its meaning, in each of mypy's forms. The project has a plugin
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


def assert_refused(done: subprocess.CompletedProcess[str], *parts: str) -> None:
    """One line on standard error says these things, and the exit status is 2."""
    assert done.returncode == 2, done.stdout
    assert done.stderr.count("\n") == 1, done.stderr
    assert all(part in done.stderr for part in parts), done.stderr
    assert "/jaxtyping-core-" not in done.stdout + done.stderr  # our copy of the configuration


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
            check(tmp_path, "clean.py", "--config-file", name), f"jaxtyping-core: {name}: there is no"
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
    ("arguments", "parts"),
    [
        (["missing.py"], ["missing.py"]),
        (["broken.py"], ["broken.py:", "error: ", "[syntax]"]),
        (["not_text.py"], ["not_text.py", "utf-8"]),
        (["-m", "no_such_module"], ["no_such_module"]),
        (["--no-such-option"], ["--no-such-option"]),
    ],
)
def test_what_cannot_be_checked(check: Check, tmp_path: Path, arguments: list[str], parts: list[str]) -> None:
    """mypy's own words and status."""
    write(tmp_path, broken="x = (\n")
    (tmp_path / "not_text.py").write_bytes(b"x = '\xff'\n")
    done = check(tmp_path, *arguments)
    assert done.returncode == 2
    assert all(part in done.stdout + done.stderr for part in parts), done.stdout + done.stderr


def test_a_file_that_may_not_be_read(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN)
    (tmp_path / "clean.py").chmod(0)
    if os.access(tmp_path / "clean.py", os.R_OK):
        pytest.skip("this user, root perhaps, may read every file")
    done = check(tmp_path, "clean.py")
    assert done.returncode == 2
    assert "clean.py" in done.stdout + done.stderr


MARKING = "open('marker', 'w')\nprint('it runs')\nraise SystemExit(7)\n"


def assert_not_run(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    assert not list(folder.rglob("marker"))
    assert "it runs" not in done.stdout + done.stderr


def test_modules_in_the_current_folder_are_not_imported(check: Check, tmp_path: Path) -> None:
    """Under the names of what the command, mypy and the evaluation import."""
    shadows = ("jaxlib", "jaxtyping_core_mypy", "json", "ml_dtypes", "mypy", "rich", "tomlkit", "typer")
    write(tmp_path, mistakes=MISTAKES, **dict.fromkeys(shadows, MARKING))
    done = check(tmp_path, "mistakes.py", cache="shadows")
    assert_not_run(done, tmp_path)
    assert done.stdout.count("[array-shape]") == done.stdout.count("[array-dtype]") == 1


def test_modules_that_stand_for_the_installed_ones_are_only_read(check: Check, tmp_path: Path) -> None:
    """mypy takes them for the modules, as Python would, and may have errors to report."""
    for names in (("jax", "jaxtyping_core", "numpy"), ("typing",)):
        write(tmp_path, clean=CLEAN, **dict.fromkeys(names, MARKING))
        assert_not_run(check(tmp_path, cache="shadows"), tmp_path)


def test_the_checked_program_is_not_run(check: Check, tmp_path: Path) -> None:
    write(tmp_path, mistakes=MARKING.replace("raise SystemExit(7)", "") + MISTAKES)
    done = check(tmp_path, "mistakes.py")
    assert done.stdout.count("[array-shape]") == done.stdout.count("[array-dtype]") == 1
    assert_not_run(done, tmp_path)


def test_settings(check: Check, tmp_path: Path) -> None:
    program = "import jax.numpy as jnp\nreveal_type(jnp.zeros(3))\njnp.zeros(3) + jnp.arange(3)\n"
    write(tmp_path, program=program)
    done = check(tmp_path, "program.py")
    assert done.returncode == 0
    assert "scalar_types.float32, tuple[Literal[3]]" in done.stdout
    (tmp_path / "pyproject.toml").write_text('[tool.jaxtyping_core]\nx64 = true\npromotion = "strict"\n')
    done = check(tmp_path, "program.py", cache="settings")
    assert done.returncode == 1
    assert "scalar_types.float64, tuple[Literal[3]]" in done.stdout
    assert "program.py:3: error: " in done.stdout
    assert "float64[3] + int64[3]" in done.stdout
    assert "[array-dtype]" in done.stdout


@pytest.mark.parametrize("missing", ["mypy", "tomlkit"])
def test_a_missing_dependency_is_one_line(check: Check, tmp_path: Path, missing: str) -> None:
    write(tmp_path, clean=CLEAN)
    (tmp_path / "pyproject.toml").write_text("[tool.mypy]\n")
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    write(hidden, sitecustomize=f"import sys\nsys.modules[{missing!r}] = None\n")
    done = check(tmp_path, "clean.py", PYTHONPATH=str(hidden))
    assert_refused(done, f"needs {missing}", "pip install 'jaxtyping-core[check]'")


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, where root can be told no: mypy itself ends in a traceback."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(CommandError, match="no permission to read this folder"):
        run_mypy([str(tmp_path)])
