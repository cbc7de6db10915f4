"""Scripts that put folders on Python's path find the modules there, as they do when they run."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyping_core.programs.path_changes import folders_added
from jaxtyping_core.programs.sources import collect

HEAD = "import os\nimport sys\nfrom pathlib import Path\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("scripts", "lib/deep", ".git"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "lib" / "helper.py").write_text("def two():\n    return 2\n")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'lib'))", ["lib"]),
        ("sys.path.append('../lib')", ["lib"]),
        ("sys.path.append(str(Path(__file__).resolve().parent.parent / 'lib'))", ["lib"]),
        ("sys.path.insert(0, str(Path(__file__).parents[1]))", ["."]),
        (
            "HERE = os.path.dirname(os.path.abspath(__file__))\nsys.path.append(os.path.join(HERE, os.pardir, 'lib'))",
            ["lib"],
        ),
        (
            "ROOT = Path(__file__).parent.parent\nsys.path += [str(ROOT / 'lib'), str(ROOT / 'lib' / 'deep')]",
            ["lib", "lib/deep"],
        ),
        ("sys.path.extend([os.path.join(os.getcwd(), '..', 'lib')])", ["lib"]),
        ("if True:\n    sys.path.append('../lib')", ["lib"]),
        ("sys.path.append('../absent')", []),
        ("sys.path.append(os.environ['LIB'])", []),
        ("sys.path.insert(0, Path(__file__).parents[99])", []),
        ("ROOT = '../lib'\nROOT = input()\nsys.path.append(ROOT)", []),
        ("sys.path.remove('../lib')", []),
        ("x = 'sys.path'", []),
    ],
)
def test_folders_added(project: Path, text: str, expected: list[str]) -> None:
    script = project / "scripts" / "run.py"
    assert folders_added(script, HEAD + text) == [(project / name).resolve() for name in expected]


def test_modules_of_such_folders_are_evaluated(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "scripts" / "run.py").write_text(HEAD + "sys.path.append('../lib')\nimport helper\n")
    monkeypatch.chdir(project)
    (program,) = collect([Path("scripts/run.py")])
    assert program.modules["helper"].path == "lib/helper.py"


def test_a_module_of_the_root_stands_before_them(project: Path) -> None:
    (project / "scripts" / "helper.py").write_text("")
    (project / "scripts" / "run.py").write_text(HEAD + "sys.path.append('../lib')\nimport helper\n")
    (program,) = collect([project / "scripts" / "run.py"])
    assert Path(program.modules["helper"].path).parent.name == "scripts"
