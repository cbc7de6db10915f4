"""What holds for all tests."""

import os

import pytest

import shared

# For every refused call JAX would compare each frame of the traceback with its own folders: three quarters of the
# time of the tests that try all pairs of dtypes. Nobody reads these tracebacks.
os.environ.setdefault("JAX_TRACEBACK_FILTERING", "off")
# What is compiled is small, and runs but once.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
#: The files and folders whose tests take longest, which begin: at the end a single one would keep the others waiting.
LONGEST = (
    *(
        "conformance",
        "users",
        "programs/test_hostile",
        "programs/test_plain",
        "packaging/test_ci",
        "examples",
    ),
    *(
        "stubs/test_idioms",
        "plugin/test_cases",
        "stubs/test_checkers",
        "lsp/test_server",
        "check/test_formats",
    ),
    *("annotated", "plugin/test_bounds", "evaluation/test_client", "packaging/test_wheel", "check"),
)


def pytest_configure() -> None:
    """Make the folder that the processes of the tests share, before they are started."""
    shared.root()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the longest files begin; the others stay in their order."""

    def place(item: pytest.Item) -> int:
        return next((i for i, name in enumerate(LONGEST) if f"tests/{name}" in item.nodeid), len(LONGEST))

    items.sort(key=place)
