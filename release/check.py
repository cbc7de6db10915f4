"""Does all of a release except the upload: ``make release-check``.

It compares the versions, reads the changelog, builds the source distribution, the wheel and the extension for VS Code, has
twine check what an index would show, and tries the wheel in an empty environment and folder. A development version is a
rehearsal: the changelog's section is then `Unreleased`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
VSIX = ROOT / "editors" / "vscode" / "dist" / "jaxtyping-core.vsix"
VERSION = re.compile(r'^__version__ = "(?P<version>[^"]+)"$', re.MULTILINE)
RELEASED = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")
#: What a new user tries first, with what must be in the output.
PROGRAM = "import jax.numpy as jnp\n\nx = jnp.ones((2, 3))\ny = x @ x\n"
TRIED = {
    ("--version",): "jaxtyping-core {version}",
    ("show", "program.py"): "x: float32[2, 3]",
    ("check", "program.py"): "[array-shape]",
    ("doctor",): "jax",
}


class ReleaseError(Exception):
    """A reason not to release, in a line."""


def main() -> int:
    """Check everything; the exit status."""
    version = version_of(ROOT)
    try:
        for title, step in steps(version):
            print(f"{title} ...", flush=True)
            step()
    except ReleaseError as error:
        print(f"release-check: {error}", file=sys.stderr)
        return 1
    files = " ".join(sorted(str(path.relative_to(ROOT)) for path in [*DIST.iterdir(), VSIX]))
    if RELEASED.fullmatch(version):
        print(f"{version} can be released: git tag v{version}, then upload {files}")
    else:
        print(f"Rehearsed: {version} is a development version. Do not upload {files}.")
    return 0


def steps(version: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """The steps, each with its title."""
    yield "Compare the versions", lambda: compare_versions(ROOT, version)
    yield "Read the changelog", lambda: read_changelog(ROOT, version)
    yield (
        "Build the documentation",
        lambda: run(sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"),
    )
    yield "Build the wheel", build
    yield (
        "Check the metadata",
        lambda: run(sys.executable, "-m", "twine", "check", "--strict", *map(str, DIST.iterdir())),
    )
    yield "Try the wheel in an empty environment", lambda: try_wheel(version)
    yield "Build the extension for VS Code", build_extension


def version_of(root: Path) -> str:
    """The version of the package."""
    match = VERSION.search((root / "jaxtyping_core" / "__init__.py").read_text(encoding="utf-8"))
    if match is None:
        raise ReleaseError("jaxtyping_core/__init__.py has no __version__")
    return match["version"]


def compare_versions(root: Path, version: str) -> None:
    """The extension has the version of the package, without what comes after the three numbers."""
    package = json.loads((root / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))[
        "version"
    ]
    if not version.startswith(package):
        raise ReleaseError(f"the package is {version}; editors/vscode/package.json has {package}")


def read_changelog(root: Path, version: str) -> None:
    """The version has a section with a date and entries, and nothing is left as unreleased."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## \[([^\]]+)\][^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    wanted = version if RELEASED.fullmatch(version) else "Unreleased"
    if wanted not in sections:
        raise ReleaseError(f"CHANGELOG.md has no section [{wanted}]")
    if not re.search(r"^- \w", sections[wanted].replace("`", ""), re.MULTILINE):
        raise ReleaseError(f"the section [{wanted}] of CHANGELOG.md has no entries")
    if wanted == version:
        if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", text, re.MULTILINE):
            raise ReleaseError(
                f"the section [{version}] of CHANGELOG.md has no date: ## [{version}] - YYYY-MM-DD"
            )
        if re.search(r"^- ", sections.get("Unreleased", ""), re.MULTILINE):
            raise ReleaseError(f"entries of [Unreleased] belong under [{version}] in CHANGELOG.md")


def build() -> None:
    """Build the source distribution, and the wheel from that."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", str(DIST), ".")


def try_wheel(version: str) -> None:
    """Install the wheel where nothing else is, and do what a new user does, and the demo."""
    (wheel,) = DIST.glob("*.whl")
    with tempfile.TemporaryDirectory(prefix="release-check-") as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv" / "bin" / "python"
        run(
            str(python), "-m", "pip", "install", "--quiet", f"jaxtyping-core[annotate,lsp] @ {wheel.as_uri()}"
        )
        (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
        for arguments, expected in TRIED.items():
            printed = output(str(python.with_name("jaxtyping-core")), *arguments, folder=folder)
            if expected.format(version=version) not in printed:
                raise ReleaseError(f"jaxtyping-core {' '.join(arguments)} printed:\n{printed}")
        shutil.copytree(ROOT / "examples", folder / "examples")
        run(str(python), "examples/demo.py", folder=folder)


def build_extension() -> None:
    """Build the extension, which needs Node.js."""
    if not shutil.which("npm"):
        raise ReleaseError("npm is missing: the extension for VS Code needs Node.js 20 or newer")
    run("make", "vsix")


def run(*command: str, folder: Path = ROOT) -> None:
    """Run a command, quietly unless it fails."""
    output(*command, folder=folder, must_succeed=True)


def output(*command: str, folder: Path, must_succeed: bool = False) -> str:
    """What a command prints, in an environment that names none of our folders."""
    environment = {
        name: text for name, text in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")
    }
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if must_succeed and done.returncode:
        raise ReleaseError(
            f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout + done.stderr


if __name__ == "__main__":
    sys.exit(main())
