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
