"""``jaxtyping-core check`` as its users run it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import mypy_cache
from check_command import COMMAND, Check, Environment


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The variables of a run.

    Runs share mypy's cache, whose entries name the file and the options that they are for. Options that
    would make mypy discard the entries of others have a cache of their own, only to save time.
    """
    of_check = mypy_cache.OF_CHECK
    begun = {
        "plain": ((), of_check),
        "formats": ((), of_check),
        "strict": (("--strict",), of_check),
        "own": ((), ""),
    }
    caches, home = tmp_path_factory.mktemp("caches"), tmp_path_factory.mktemp("home")

    def variables(cache: str = "plain", **others: str) -> dict[str, str]:
        if cache in begun:
            options, config = begun[cache]
            mypy_cache.begin(caches / cache, *options, config=config)
        env = {name: value for name, value in os.environ.items() if not name.startswith(("MYPY", "PYTHON"))}
        env |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "MYPY_CACHE_DIR": str(caches / cache)}
        return env | others

    return variables


@pytest.fixture(scope="session")
def check(environment: Environment) -> Check:
    """Run the command in a folder."""
    return _running(environment)


@pytest.fixture(scope="session")
def check_with_mypy(environment: Environment) -> Check:
    """Run the command with ``--mypy`` in a folder."""
    return _running(environment, "--mypy")


def _running(environment: Environment, *options: str) -> Check:
    def run(
        folder: Path, *arguments: str, cache: str = "plain", **others: str
    ) -> subprocess.CompletedProcess[str]:
        command, env = [str(COMMAND), "check", *options, *arguments], environment(cache, **others)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=env)
        assert "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
        assert "INTERNAL ERROR" not in done.stdout + done.stderr, done.stdout + done.stderr
        return done

    return run
