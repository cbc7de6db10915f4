"""``jaxtyping-core check`` as its users run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from check_command import Check

#: The installed command: ``python -m`` would put the current folder on the path.
COMMAND = Path(sys.executable).with_name("jaxtyping-core")


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """Run the command in a folder.

    Runs share mypy's cache, whose entries name the file and the options that they are for. Options that
    mypy would discard the entries of others for have a cache of their own, which is only a matter of time.
    """
    caches, home = tmp_path_factory.mktemp("caches"), tmp_path_factory.mktemp("home")

    def run(
        folder: Path, *arguments: str, cache: str = "plain", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        env = {name: value for name, value in os.environ.items() if not name.startswith(("MYPY", "PYTHON"))}
        env |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "MYPY_CACHE_DIR": str(caches / cache)}
        env |= environment
        command = [str(COMMAND), "check", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=env)
        assert "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
        assert "INTERNAL ERROR" not in done.stdout + done.stderr, done.stdout + done.stderr
        return done

    return run
