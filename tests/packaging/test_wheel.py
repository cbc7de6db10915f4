"""The wheel: what is in it, and that it serves type checkers as the checkout does."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

import mypy_cache
from checkers import as_written

ROOT = Path(__file__).parents[2]
#: Where the packages of the wheel are in the checkout.
PACKAGES = {
    "jaxtyping_core": ROOT / "jaxtyping_core",
    "jaxtyping_core_mypy": ROOT / "mypy_plugin" / "jaxtyping_core_mypy",
    "jaxtyping_core_stubs": ROOT / "stubs" / "jaxtyping_core_stubs",
    "jax-stubs": ROOT / "stubs" / "jax-stubs",
}
#: What the extras of the command line install, and what that installs.
EXTRAS = ("matplotlib", "mypy", "networkx", "pygls", "click", "rich", "tomlkit")

PROGRAM = """\
from typing import Literal
import jax
import jax.numpy as jnp
from jaxtyping_core.typing import Array, float32, int8

def f(x: Array[float32, tuple[Literal[3], Literal[4]]], n: Array[int8, tuple[Literal[4]]]) -> None:
    reveal_type(x)
    reveal_type(-x)
    reveal_type(x + n)
    reveal_type(jnp.sum(x @ x.T, axis=0))
    reveal_type(jax.nn.relu(n))
    x + jnp.zeros((3, 5))
    x & n
    wrong: Array[int8, tuple[Literal[3]]] = x
"""
X = "Array[float32, tuple[Literal[3], Literal[4]]]"
MYPY_REVEALS = [X, X, X, "Array[float32, tuple[Literal[3]]]", "Array[int8, tuple[Literal[4]]]"]


def run(*command: str | Path, folder: Path, statuses: Sequence[int] = (0,)) -> str:
    done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in statuses, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    # Without the build backend here, an isolated build fetches it.
    options = ["--no-isolation"] if importlib.util.find_spec("hatchling") else []
    run(sys.executable, "-m", "build", "--wheel", *options, "--outdir", folder, ROOT, folder=folder)
    (path,) = folder.glob("*.whl")
    return path


def install(wheel: Path, folder: Path, without: Collection[str] = ()) -> Path:
    """The Python of a fresh environment with the wheel, and links to what else is installed here."""
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    site = Path(
        run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=folder).strip()
    )
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        # Not this project, installed in place, nor anything that leads there.
        ours = entry.suffix == ".pth" or entry.name.startswith("jaxtyping_core")
        if not ours and entry.name.partition("-")[0] not in without:
            (site / entry.name).symlink_to(entry)
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index"]
    run(*pip, wheel, folder=folder)
    return python


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(wheel, tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment without any extra."""
    return install(wheel, tmp_path_factory.mktemp("bare"), EXTRAS)


def test_contents(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    info = next(name.partition("/")[0] for name in names if ".dist-info/" in name)
    assert re.fullmatch(r"jaxtyping_core-\d+\.\d+\.\d+(\.dev\d+)?\.dist-info", info)
    assert {name.partition("/")[0] for name in names} == {*PACKAGES, info}
    assert f"{info}/licenses/LICENSE" in names
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(names)
    # Templates of overloads are text, how programs call functions is data, the page of `show` has a style, and editors
    # open the pages about error codes.
    suffixes = {".py", ".pyi", ".txt", ".json", ".typed", ".css", ".md", ".toml"}
    assert {Path(name).suffix for name in names if not name.startswith(info)} == suffixes


def test_contents_are_those_of_the_checkout(wheel: Path) -> None:
    expected = {
        f"{folder.name}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for folder in PACKAGES.values()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    for page in (ROOT / "docs" / "reference" / "codes").iterdir():
        expected[f"jaxtyping_core/docs/codes/{page.name}"] = page.read_bytes()
    archive = zipfile.ZipFile(wheel)
    names = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert {name: archive.read(name) for name in names} == expected


def test_the_description_has_no_relative_links(wheel: Path) -> None:
    """An index shows it outside of the repository."""
    archive = zipfile.ZipFile(wheel)
    (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    targets = re.findall(r"\]\(([^)]+)\)", archive.read(metadata).decode())
    assert len(targets) > 20
    assert not [target for target in targets if not target.startswith("https://")]
    assert not [target for target in targets if "/index/" in target or target.endswith(".md#")]


def test_the_stubs_are_partial(wheel: Path) -> None:
    """Modules without a stub keep JAX's own types (PEP 561)."""
    assert zipfile.ZipFile(wheel).read("jax-stubs/py.typed") == b"partial\n"


def test_the_fresh_environment_has_the_wheel_alone(installed: Path, tmp_path: Path) -> None:
    code = (
        "import jaxtyping_core as a, jaxtyping_core_mypy as b, sys; print(a.__file__, b.__file__, *sys.path)"
    )
    a, b, *path = run(installed, "-P", "-c", code, folder=tmp_path).split()
    environment = installed.parents[1]
    assert all(Path(file).is_relative_to(environment) for file in (a, b))
    assert not any(Path(entry).is_relative_to(ROOT) for entry in path)
    assert run(installed.with_name("jaxtyping-core"), "--version", folder=tmp_path).startswith(
        "jaxtyping-core "
    )


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        (["check"], "check"),
        (["check", "model.py", "--mypy", "--strict"], "check"),
        (["lattice", "--output", "x.svg"], "plot"),
        (["lsp"], "lsp"),
        (["doctor"], "cli"),
        (["promote", "int8", "int8"], "cli"),
    ],
)
def test_without_an_extra_a_command_names_the_one_that_it_needs(
    bare: Path, tmp_path: Path, command: list[str], extra: str
) -> None:
    program = bare.with_name("jaxtyping-core")
    done = subprocess.run([program, *command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(
        rf"jaxtyping-core: .* needs \w+; pip install 'jaxtyping-core\[{extra}\]'\n", done.stderr
    )


def mypy(python: str | Path, folder: Path, cache: str | Path = os.devnull) -> str:
    return run(python, "-P", "-m", "mypy", f"--cache-dir={cache}", "program.py", folder=folder, statuses=(1,))


def pyright(python: str | Path, folder: Path) -> str:
    return run(
        python, "-P", "-m", "pyright", "--pythonpath", python, "program.py", folder=folder, statuses=(1,)
    )


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A folder with the program; the same one for both environments, so that all paths are the same."""
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = jaxtyping_core.mypy\n")
    (tmp_path / "pyrightconfig.json").write_text('{"reportUnusedExpression": false}')
    return tmp_path


@pytest.mark.one_python  # the wheel is the same
def test_mypy(installed: Path, program: Path) -> None:
    output = mypy(installed, program)
    revealed = re.findall(r'Revealed type is "(.*)"', output)
    assert [re.sub(r"jax\._src\.(\w+\.)+", "", text) for text in revealed] == MYPY_REVEALS
    assert re.findall(r":(\d+): error: .*\[([\w-]+)\]", output) == [
        ("12", "array-shape"),
        ("13", "array-dtype"),
        ("14", "assignment"),
    ]
    assert output == mypy(sys.executable, program, mypy_cache.begin(program / "cache"))


@pytest.mark.one_python
def test_pyright(installed: Path, program: Path) -> None:
    output = pyright(installed, program)
    revealed = re.findall(r'information: Type of ".*" is "(.*)"', output)
    declared, negative, *others = map(as_written, revealed)
    assert declared == negative == X
    assert len(others) == 3
    assert all(re.fullmatch(r"Array\[\w+, .+\]", other) for other in others)  # exact only under the plugin
    assert re.findall(r":(\d+):\d+ - error: ", output) == ["13", "14"]
    assert output == pyright(sys.executable, program)
