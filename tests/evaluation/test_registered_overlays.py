"""Overlays that other packages register: the example of the documentation, and what goes wrong with one."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

from docs.pages import DOCS, blocks
from jaxtyping_core.engine.libraries import entry_points

pytestmark = pytest.mark.one_python
PAGE = {block.title: block.text for block in blocks((DOCS / "how-to" / "overlays.md").read_text("utf-8"))}
OVERLAY = "shoplib_overlay.py"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the packages of this one, in which no package registers an overlay."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/*/site-packages")
    here = Path(sysconfig.get_path("purelib"))
    paths = [here, *(Path(line) for file in here.glob("*.pth") for line in _folders(file))]
    (site / "here.pth").write_text("".join(f"{path}\n" for path in paths))
    return folder


def _folders(file: Path) -> list[str]:
    return [line for line in file.read_text().splitlines() if Path(line).is_dir()]


def installed(environment: Path, overlay: str, version: str) -> Path:
    """The interpreter of the environment, with a package that registers the text of an overlay."""
    (site,) = environment.glob("lib/*/site-packages")
    (site / OVERLAY).write_text(overlay)
    table = tomllib.loads(PAGE["pyproject.toml"])["project"]["entry-points"]
    for old in site.glob("shoplib_overlay-*.dist-info"):
        old.rename(site / f"shoplib_overlay-{version}.dist-info")
    info = site / f"shoplib_overlay-{version}.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: shoplib-overlay\nVersion: {version}\n")
    rows = [f"[{group}]\n" + "\n".join(f"{k} = {v}" for k, v in row.items()) for group, row in table.items()]
    (info / "entry_points.txt").write_text("\n".join(rows))
    return environment / "bin" / "python"


def shown(python: Path, folder: Path, text: str) -> tuple[dict[str, str], str]:
    """What `show` says of the arrays of a program, by their names, and the notes."""
    (folder / "program.py").write_text(text)
    command = [
        sys.executable,
        "-P",
        "-m",
        "jaxtyping_core",
        "show",
        "--output-format",
        "json",
        "--python",
        str(python),
        "program.py",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    places = json.loads(done.stdout.splitlines()[0])["places"]
    return {place["name"]: _text(place) for place in places}, done.stderr


def _text(place: dict[str, object]) -> str:
    shape = place["shape"]
    dims = ", ".join("?" if dim is None else str(dim) for dim in shape) if isinstance(shape, list) else "..."
    return f"{place['dtype']}[{dims}]"


def test_the_example_of_the_documentation(environment: Path, tmp_path: Path) -> None:
    python = installed(environment, PAGE[OVERLAY], "1.0")
    known, notes = shown(python, tmp_path, PAGE["train.py"])
    expected = dict(line.split(": ") for line in PAGE["show"].splitlines())
    assert {name: known.get(name) for name in expected} == expected
    assert "shoplib" not in notes


#: Overlays that go wrong, and what a note says of each.
WRONG = {
    "raise OSError('no data')": "cannot be loaded: OSError: no data",
    "OVERLAY = 3": "cannot be loaded: TypeError: shoplib_overlay:OVERLAY is no Overlay",
    "from jaxtyping_core.overlays import Overlay\nOVERLAY = Overlay(library='other')": "it is the overlay of 'other'",
    "from jaxtyping_core.overlays import *\n"
    "OVERLAY = Overlay(library='shoplib', instead=in_place_of({'shoplib.make': lambda: array('float33')}))": (
        "the overlay's shoplib.make ends with ValueError: 'float33' is no dtype"
    ),
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_overlay_is_told(environment: Path, tmp_path: Path, text: str) -> None:
    python = installed(environment, text, f"2.{list(WRONG).index(text)}")
    program = "import shoplib, jax.numpy as jnp\nx = shoplib.make()\ny = jnp.zeros(3)\n"
    known, notes = shown(python, tmp_path, program)
    assert known == {"y": "float32[3]"}
    assert WRONG[text] in notes


def test_nothing_else_is_read_of_the_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are no entry points, or of other groups, register nothing and raise nothing."""
    monkeypatch.setattr(entry_points, "_registered", {})
    texts = [
        b"\xff\xfe" + entry_points.GROUP.encode(),
        b"[console_scripts]\na = b:c\n",
        b"jaxtyping_core.overlays =",
    ]
    for number, text in enumerate(texts):
        info = tmp_path / f"p{number}-1.dist-info"
        info.mkdir()
        (info / "entry_points.txt").write_bytes(text)
    entry_points.find([str(tmp_path), str(tmp_path / "nowhere"), ""])
    assert not entry_points.registered()


def test_names_of_libraries_may_have_capitals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_points, "_registered", {})
    (tmp_path / "p-1.dist-info").mkdir()
    (tmp_path / "p-1.dist-info" / "entry_points.txt").write_text(f"[{entry_points.GROUP}]\nPIL = a.b:C\n")
    entry_points.find([str(tmp_path)])
    assert dict(entry_points.registered()) == {"PIL": "a.b:C"}
    assert entry_points.modules() == ["a"]


def test_a_project_registers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if Python has the current folder on its path."""
    monkeypatch.setattr(entry_points, "_registered", {})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p-1.dist-info").mkdir()
    (tmp_path / "p-1.dist-info" / "entry_points.txt").write_text(f"[{entry_points.GROUP}]\nlib = evil:C\n")
    entry_points.find(["", "."])
    assert not entry_points.registered()
