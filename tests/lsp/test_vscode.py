"""The extension for VS Code: it has the server's settings, and is built from what npm has."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import jaxtyping_core
from jaxtyping_core.lsp.configuration import CHOICES, SECTION, Configuration, read

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


@pytest.mark.parametrize("value", ["ours", "all", "on"])
def test_values_of_earlier_versions_are_accepted(value: str) -> None:
    assert read({SECTION: {"diagnostics": value}}).diagnostics == "on"


def test_its_version_is_ours() -> None:
    assert jaxtyping_core.__version__.partition(".dev")[0] == manifest()["version"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the extension with the packages that it needs."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    copy = tmp_path_factory.mktemp("extension") / "vscode"
    shutil.copytree(EXTENSION, copy, ignore=shutil.ignore_patterns("node_modules", "dist"))
    done = npm(copy, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    if done.returncode and any(code in done.stderr for code in UNREACHABLE):
        pytest.skip(f"npm reaches no registry: {done.stderr.splitlines()[0]}")
    assert done.returncode == 0, done.stdout + done.stderr
    return copy


def test_it_is_built(installed: Path) -> None:
    for done in (npm(installed, "run", "check"), npm(installed, "run", "build")):
        assert done.returncode == 0, done.stdout + done.stderr
    assert "onDidChangeActiveEnvironmentPath" in (installed / "dist" / "extension.js").read_text()
    assert "\nvscode-languageclient " in (installed / "dist" / "NOTICES.txt").read_text()


#: Prints why the servers of some commands do not run, a line for each.
REASONS = """
import { ServerProcess } from "./process.ts";
for (const command of JSON.parse(process.argv[2])) {
  const server = new ServerProcess(command);
  await server.start().catch(() => undefined);
  console.log((await server.reason()).message);
}
"""


def test_it_says_why_there_is_no_server(installed: Path) -> None:
    (installed / "src" / "reasons.ts").write_text(REASONS)
    bundle = ("--bundle", "--platform=node", "--format=esm", "--outfile=reasons.mjs")
    assert npm(installed, "exec", "--", "esbuild", "src/reasons.ts", *bundle).returncode == 0
    bare = [sys.executable, "-S", "-P", "-m", "jaxtyping_core", "lsp"]  # without what is installed
    no_server = [sys.executable, "-c", "import sys; sys.exit('a reason')"]
    commands = [["/no/such/python"], bare, no_server, ["false"]]
    node = ["node", "reasons.mjs", json.dumps(commands)]
    said = subprocess.run(node, cwd=installed, capture_output=True, text=True, check=True).stdout
    install = f'Install it: {sys.executable} -m pip install "jaxtyping-core[lsp]"'
    assert said.splitlines() == [
        "Cannot start /no/such/python. Select another Python interpreter.",
        f"The language server is not installed for {sys.executable}. {install}",
        "a reason",
        "false ended without an error message.",
    ]


def npm(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["npm", *command], cwd=folder, capture_output=True, text=True, check=False)
