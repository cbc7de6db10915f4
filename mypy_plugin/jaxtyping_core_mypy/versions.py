"""The releases of mypy that the plugin is tested with: it uses parts of mypy that may change in any release."""

from __future__ import annotations

import re

#: The first release, and the first one that is too new; pyproject.toml has the same bounds.
FIRST, BEYOND = (2, 4), (2, 5)
REMEDY = f"pip install 'mypy>={FIRST[0]}.{FIRST[1]},<{BEYOND[0]}.{BEYOND[1]}'"


def too_old(version: str) -> str | None:
    """What is wrong with a mypy before `FIRST`; None if nothing is."""
    if _numbers(version) >= FIRST:
        return None
    return f"mypy {version} is too old for the plugin, which needs {FIRST[0]}.{FIRST[1]} or newer: {REMEDY}"


def untested(version: str) -> str | None:
    """What is uncertain with a mypy from `BEYOND` on; None if nothing is."""
    if _numbers(version) < BEYOND:
        return None
    return f"mypy {version} is newer than the releases that the plugin is tested with: if types look wrong, {REMEDY}"


def _numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version, which may end in `+dev` or `rc1`."""
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])
