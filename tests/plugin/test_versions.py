"""The releases of mypy that the plugin is for."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from mypy.version import __version__ as installed

import jaxtyping_core.mypy
from jaxtyping_core import telling
from jaxtyping_core_mypy import versions
from jaxtyping_core_mypy.plugin import JaxPlugin

ROOT = Path(__file__).parents[2]


def test_the_package_asks_for_the_same_releases() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (requirement,) = (line for line in extras["mypy"] if line.startswith("mypy"))
    first, beyond = (".".join(map(str, release)) for release in (versions.FIRST, versions.BEYOND))
    assert requirement == f"mypy>={first},<{beyond}"
    assert requirement in versions.REMEDY


def test_the_installed_one_is_tested() -> None:
    assert versions.too_old(installed) is None
    assert versions.untested(installed) is None


@pytest.mark.parametrize("version", ["2.5.0", "2.5.0+dev.0a1b", "3.0.0rc1", "10.0"])
def test_a_newer_one_gets_a_note(version: str, capsys: pytest.CaptureFixture[str]) -> None:
    telling._told.clear()
    assert jaxtyping_core.mypy.plugin(version) is JaxPlugin
    note = f"jaxtyping-core: mypy {re.escape(version)} is newer than the releases that the plugin is tested with: .*pip"
    assert re.match(note, capsys.readouterr().err)


@pytest.mark.parametrize("version", ["2.3.9", "1.19.1", "0.991"])
def test_an_older_one_ends_with_a_message(version: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        jaxtyping_core.mypy.plugin(version)
    assert ended.value.code == 2
    note = f"jaxtyping-core: mypy {version} is too old for the plugin, which needs 2.4 or newer: pip install"
    assert capsys.readouterr().err.startswith(note)


@pytest.mark.own_processes
def test_a_user_sees_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = jaxtyping_core.mypy\n")
    (tmp_path / "a.py").write_text("x = 1\n")
    code = "import sys, mypy.version; mypy.version.__version__ = '1.0'; import mypy.__main__; mypy.__main__.console_entry()"
    command = [sys.executable, "-P", "-c", code, "a.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("jaxtyping-core: mypy 1.0 is too old")
