"""The extension for VS Code: it has the server's settings, and is built from what npm has."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import jaxtyping_core
from jaxtyping_core.lsp.configuration import CHOICES, SECTION, Configuration

pytestmark = pytest.mark.one_python

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
#: The settings of the extension itself, which it does not pass on.
OWN = {"command", "trace.server"}
#: What npm says where there is no registry to be reached.
UNREACHABLE = (
    "ENOTFOUND",
    "ECONNREFUSED",
    "ECONNRESET",
    "ETIMEDOUT",
    "EAI_AGAIN",
    "ENETUNREACH",
    "ENOTCACHED",
)


def manifest() -> dict[str, Any]:
    return json.loads((EXTENSION / "package.json").read_text())


def test_settings_are_those_of_the_server() -> None:
    settings = {
        name.removeprefix(f"{SECTION}."): setting
        for name, setting in manifest()["contributes"]["configuration"]["properties"].items()
    }
    assert settings.keys() - OWN == set(Configuration._fields)
    for name, default in Configuration()._asdict().items():
        assert settings[name]["default"] == (default or "")
        assert tuple(settings[name].get("enum", ())) == CHOICES.get(name, ())
    readme = (EXTENSION / "README.md").read_text()
    assert [name for name in settings if f"| `{SECTION}.{name}` |" not in readme] == []


def test_its_version_is_ours() -> None:
    assert jaxtyping_core.__version__.partition(".dev")[0] == manifest()["version"]


def test_it_is_built(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    copy = tmp_path / "vscode"
    shutil.copytree(EXTENSION, copy, ignore=shutil.ignore_patterns("node_modules", "dist"))
    installed = npm(copy, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    if installed.returncode and any(code in installed.stderr for code in UNREACHABLE):
        pytest.skip(f"npm reaches no registry: {installed.stderr.splitlines()[0]}")
    for done in (installed, npm(copy, "run", "check"), npm(copy, "run", "build")):
        assert done.returncode == 0, done.stdout + done.stderr
    assert "onDidChangeActiveEnvironmentPath" in (copy / "dist" / "extension.js").read_text()


def npm(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["npm", *command], cwd=folder, capture_output=True, text=True, check=False)
