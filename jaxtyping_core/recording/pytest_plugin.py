"""``pytest --jaxtyping-record``: records the arguments and results of the functions that a test suite calls.

pytest imports this module in every run. The rest is imported only if recording is on.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from jaxtyping_core.recording.session import Session

OPTION = "--jaxtyping-record"
_SESSION: pytest.StashKey[Session] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    group = parser.getgroup("jaxtyping-core")
    group.addoption(
        OPTION,
        nargs="?",
        const="",
        metavar="FILE",
        help="record the dtypes and shapes of calls of the project's functions, as `jaxtyping-core record` does",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Begin before any module of the project is imported."""
    named: str | None = early_config.known_args_namespace.jaxtyping_record
    if named is None:
        return
    from jaxtyping_core.errors import CommandError
    from jaxtyping_core.recording import DEFAULT
    from jaxtyping_core.recording.session import Session
    from jaxtyping_core.recording.sources import project_of

    if "::" in named or named.endswith(".py") or Path(named or DEFAULT).is_dir():
        raise pytest.UsageError(
            f"{OPTION}: {named!r} cannot hold recorded calls; write {OPTION}=FILE, or put the option after the tests"
        )
    try:
        session = Session([early_config.rootpath, project_of(Path.cwd())], Path(named or DEFAULT))
        session.start()
    except CommandError as error:
        raise pytest.UsageError(str(error)) from error
    early_config.stash[_SESSION] = session


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write what was counted: a worker of xdist that has told its results may be ended at any time."""
    recording = session.config.stash.get(_SESSION, None)
    if recording is not None:
        recording.flush()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was recorded."""
    session = config.stash.get(_SESSION, None)
    if session is None:
        return
    session.stop()
    terminalreporter.section("jaxtyping-core")
    if config.pluginmanager.hasplugin("dsession"):  # of xdist, whose workers have run the tests
        terminalreporter.line(f"recorded by the pytest-xdist workers in {session.output}")
        return
    for line in session.summary():
        terminalreporter.line(line)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End, where there was no terminal to tell of it."""
    session = config.stash.get(_SESSION, None)
    if session is not None:
        session.stop()
