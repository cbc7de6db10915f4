"""What holds for all tests."""

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import hypothesis
import pytest

import costs
import forking
import shared
import sweeps
from jaxtyping_core.evaluation.client import Evaluator

# For every refused call JAX would compare each frame of the traceback with its own folders: three quarters of the
# time of the tests that try all pairs of dtypes. Nobody reads these tracebacks.
os.environ.setdefault("JAX_TRACEBACK_FILTERING", "off")
# What is compiled is small, and runs but once.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
# On a busy machine any example may take longer than hypothesis allows by default.
hypothesis.settings.register_profile("tests", deadline=None)
hypothesis.settings.load_profile("tests")
#: The files and folders whose tests take longest, which begin: at the end a single one would keep the others waiting.
LONGEST = (
    *("conformance", "examples", "users", "packaging/test_ci", "programs/test_plain", "annotated"),
    "programs/test_refusing",
    *(
        "stubs/test_checkers",
        "lsp/test_server",
        "claims/test_server",
        "claims/test_true",
        "stubs/test_idioms",
        "plugin/test_cases",
        "check/test_formats",
    ),
    *(
        "cli/test_stubs_command",
        "cli/test_checkers_page",
        "docs/test_blocks",
        "programs/test_hostile",
        "hostile",
    ),
    *(
        "evaluation",
        "plugin/test_bounds",
        "stubs/test_surface",
        "packaging/test_wheel",
        "check",
        "plugin",
        "layer",
    ),
)


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder that the processes of the tests share, before they are started, and count what the tests cost.

    What the user of this machine has set and kept is no business of the tests, nor the other way round.
    """
    own = shared.root() / f"user_{os.getpid()}"
    os.environ["JAXTYPING_CORE_CACHE_DIR"] = str(own / "cache")
    os.environ["JAXTYPING_CORE_DAEMON"] = "0"  # what a test starts ends with it
    os.environ["XDG_CONFIG_HOME"] = str(own / "config")
    for variable in ("JAXTYPING_CORE_TRUST", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"):
        os.environ.pop(variable, None)
    config.pluginmanager.register(costs.Costs(), "costs")
    sweeps.seed()
    forking.install()


def pytest_report_header() -> str:
    """Say which sweeps are whole."""
    return sweeps.told()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Start real processes for the tests that are about processes, and for their fixtures."""
    own = item.get_closest_marker("own_processes") is not None
    with forking.own_processes() if own else contextlib.nullcontext():
        return (yield)


@pytest.fixture(scope="module", autouse=True)
def answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder in which the tests of a module keep answers; where it matters, a test has one of its own."""
    before, folder = os.environ["JAXTYPING_CORE_CACHE_DIR"], tmp_path_factory.mktemp("answers")
    os.environ["JAXTYPING_CORE_CACHE_DIR"] = str(folder)
    yield folder
    os.environ["JAXTYPING_CORE_CACHE_DIR"] = before


@pytest.fixture(scope="module")
def child() -> Iterator[Evaluator]:
    """One evaluation child for the tests of a module."""
    child = Evaluator(sys.executable)
    yield child
    child.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not tried of sweeps and of files; let the longest files begin, the others in their order."""

    def place(item: pytest.Item) -> int:
        return next((i for i, name in enumerate(LONGEST) if f"tests/{name}" in item.nodeid), len(LONGEST))

    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if not sweeps.has_file(item.nodeid.partition("::")[0]):
            continue
        tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    tried = [item for cases in tests.values() for item in _tried(cases)]
    config.hook.pytest_deselected(items=list(set(items).difference(tried)))
    items[:] = sorted(tried, key=place)


def _tried(cases: list[pytest.Item]) -> Sequence[pytest.Item]:
    """The cases of one test that are tried."""
    mark = cases[0].get_closest_marker("sweep")
    return cases if mark is None else sweeps.some(mark.args[0], cases)
