"""Processor seconds of each file of tests, with those of the processes that it starts: a figure that load does not move.

A plugin of pytest, which `conftest` registers. All tests of a file run one after the other in one process (``--dist loadfile``), so
that the time is read where a file begins and where it ends.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest

#: The variable that names a file in which the figures are written.
VARIABLE = "COSTS"
#: Files of tests that a run tells of.
DEAREST = 20


def spent() -> float:
    """Processor seconds of this process, of the processes that it has waited for, and of those that live."""
    total = 0.0
    own = psutil.Process()
    for process in (own, *own.children(recursive=True)):
        try:
            total += sum(process.cpu_times()[:4])
        except psutil.Error:  # it has ended meanwhile, and its parent has its time
            continue
    return total


class Costs:
    """The figures of one process of a run, and in the one that starts the others those of all."""

    def __init__(self) -> None:
        self.of_files: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()
        self._before = spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Any:
        file = _file(item)
        self.tests[file] += 1
        outcome = yield
        if nextitem is None or _file(nextitem) != file:
            now = spent()
            self.of_files[file] += now - self._before
            self._before = now
        return outcome

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["costs"] = [dict(self.of_files), dict(self.tests)]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        of_files, tests = getattr(node, "workeroutput", {}).get("costs", ({}, {}))
        self.of_files.update(of_files)
        self.tests.update(tests)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self.of_files:
            return
        total = sum(self.of_files.values())
        terminalreporter.section(f"processor seconds: {total:.0f}, the {DEAREST} dearest files of tests")
        for file, seconds in self.of_files.most_common(DEAREST):
            terminalreporter.line(f"{seconds:8.1f}  {self.tests[file]:5} tests  {file}")
        if name := os.environ.get(VARIABLE):
            table = {
                file: [round(seconds, 1), self.tests[file]] for file, seconds in self.of_files.most_common()
            }
            Path(name).write_text(json.dumps(table, indent=1), encoding="utf-8")


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]
