"""What `make release-check` refuses, before it builds anything."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.one_python

ROOT = Path(__file__).parents[2]
CHECK: dict[str, Any] = runpy.run_path(str(ROOT / "release" / "check.py"))
HEAD = "# Changelog\n\n## [Unreleased]\n\n"
SECTION = "## [1.2.0] - 2030-01-02\n\n### Added\n\n- Something.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the files that are compared, at version 1.2.0."""
    for name in ("jaxtyping_core/__init__.py", "editors/vscode/package.json"):
        (tmp_path / name).parent.mkdir(parents=True)
        shutil.copy(ROOT / name, tmp_path / name)
    init = tmp_path / "jaxtyping_core" / "__init__.py"
    init.write_text(CHECK["VERSION"].sub('__version__ = "1.2.0"', init.read_text()))
    (tmp_path / "editors" / "vscode" / "package.json").write_text('{"version": "1.2.0"}')
    (tmp_path / "CHANGELOG.md").write_text(HEAD + SECTION)
    return tmp_path


def check(project: Path) -> None:
    version = CHECK["version_of"](project)
    CHECK["compare_versions"](project, version)
    CHECK["read_changelog"](project, version)


def test_a_release_is_accepted(project: Path) -> None:
    check(project)


def test_this_project_can_be_rehearsed() -> None:
    check(ROOT)


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("CHANGELOG.md", HEAD, r"no section \[1.2.0\]"),
        ("CHANGELOG.md", HEAD + "## [1.2.0] - 2030-01-02\n\n### Added\n", "has no entries"),
        ("CHANGELOG.md", HEAD + SECTION.replace(" - 2030-01-02", ""), "has no date"),
        ("CHANGELOG.md", HEAD + "### Fixed\n\n- A mistake.\n\n" + SECTION, r"belong under \[1.2.0\]"),
        ("editors/vscode/package.json", '{"version": "1.1.0"}', "package.json has 1.1.0"),
        ("jaxtyping_core/__init__.py", "", "no __version__"),
    ],
)
def test_a_mistake_is_named(project: Path, file: str, text: str, reason: str) -> None:
    (project / file).write_text(text)
    with pytest.raises(CHECK["ReleaseError"], match=reason):
        check(project)
