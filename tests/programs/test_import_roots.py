"""Folders within a package that are none: their files are a part of it, unless they import each other by their bare names."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyping_core.programs.import_roots import project_of
from jaxtyping_core.programs.sources import collect

FILES = {
    ".git/HEAD": "",
    "src/package/__init__.py": "",
    "src/package/sizes.py": "SIZE = 3\n",
    "src/package/tools/run.py": "from package import sizes\n",
    "src/package/tools/deep/relative.py": "from ..run import sizes\n",
    "src/package/tools/script.py": "import beside\nfrom package import sizes\n",
    "src/package/tools/beside.py": "import json\n",
    "examples/run.py": "from package import sizes\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "root", "name", "reached"),
    [
        (
            "src/package/tools/run.py",
            "src",
            "package.tools.run",
            {"package", "package.tools", "package.sizes"},
        ),
        (
            "src/package/tools/deep/relative.py",
            "src",
            "package.tools.deep.relative",
            {"package", "package.tools", "package.tools.deep", "package.tools.run", "package.sizes"},
        ),
        (
            "src/package/tools/script.py",
            "src/package/tools",
            "script",
            {"beside", "package", "package.sizes"},
        ),
        ("src/package/tools/beside.py", "src", "package.tools.beside", {"package", "package.tools"}),
        ("examples/run.py", "examples", "run", {"package", "package.sizes"}),
    ],
)
def test_root_and_modules(project: Path, file: str, root: str, name: str, reached: set[str]) -> None:
    (program,) = collect([Path(file)])
    assert (str(program.root), program.entries) == (root, [name])
    assert program.modules.keys() == reached | {name}


def test_what_a_program_imports_of_libraries(project: Path) -> None:
    Path("uses.py").write_text(
        "import jax\nimport optax\nimport other\nfrom flax import linen as nn\nimport package"
    )
    Path("package.py").write_text("import equinox.nn\nimport numpy\n")
    (program,) = collect([Path("uses.py")])
    assert program.library_modules() == ("equinox", "equinox.nn", "flax", "flax.linen", "optax")


def test_a_project_without_version_control(tmp_path: Path) -> None:
    (tmp_path / "examples" / "first").mkdir(parents=True)
    (tmp_path / ".gitignore").touch()
    assert project_of(tmp_path / "examples" / "first") == tmp_path.resolve()
    (tmp_path / "examples" / "pyproject.toml").touch()
    assert project_of(tmp_path / "examples" / "first") == (tmp_path / "examples").resolve()


WORKSPACE = {
    ".git/HEAD": "",
    "pyproject.toml": "[tool.uv.workspace]\nmembers = ['libs/*', 'command']\nexclude = ['libs/old']\n",
    "libs/nets/pyproject.toml": "[project]\nname = 'nets'\n",
    "libs/nets/src/nets/__init__.py": "import data_sets, old\n",
    "libs/data/pyproject.toml": "[tool.setuptools.packages.find]\nwhere = ['lib']\n",
    "libs/data/lib/data_sets/__init__.py": "",
    "libs/old/pyproject.toml": "",
    "libs/old/old.py": "",
    "libs/no_project/none.py": "",
    "command/pyproject.toml": "[tool.poetry]\npackages = [{ include = 'typed', from = 'python' }]\n",
    "command/python/typed/__init__.py": "",
    "examples/run.py": "import nets, typed, old, none\n",
}


@pytest.mark.parametrize(
    ("file", "reached"),
    [
        ("examples/run.py", {"run", "nets", "data_sets", "typed"}),
        ("libs/nets/src/nets/__init__.py", {"nets", "data_sets"}),
    ],
)
def test_members_of_a_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, reached: set[str]
) -> None:
    for name, text in WORKSPACE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    (program,) = collect([Path(file)])
    assert program.modules.keys() == reached


@pytest.mark.parametrize(
    "text",
    [
        "[tool.pytest.ini_options]\npythonpath = ['lib', '../elsewhere', 3]\n",
        "[tool.pytest.ini_options]\npythonpath = 'lib'\n",
        "[tool.setuptools]\npackage-dir = { '' = 'lib' }\n",
        "[tool.hatch.build.targets.wheel]\npackages = ['lib/typed']\n",
        "[tool.pyright]\nextraPaths = ['lib']\n[tool.uv.workspace]\nmembers = ['/', '../elsewhere', '**[']\n",
    ],
)
def test_folders_that_a_project_declares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    files = {
        "project/pyproject.toml": text,
        "project/lib/typed.py": "",
        "elsewhere/pyproject.toml": "",
        "elsewhere/outside.py": "",
        "project/tests/run.py": "import typed, outside\n",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path / "project")
    (program,) = collect([Path("tests/run.py")])
    assert program.modules.keys() == {"run", "typed"}


def test_a_file_that_is_no_table_declares_nothing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"\xff[tool")
    (tmp_path / "run.py").write_text("import typed\n")
    (program,) = collect([tmp_path / "run.py"])
    assert program.modules.keys() == {"run"}
