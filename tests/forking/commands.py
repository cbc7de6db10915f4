"""The nursery of the commands and of mypy: ``python -P commands.py ADDRESS NURSERIES``."""

from __future__ import annotations

import importlib
import json
import os
import runpy
import sys
from pathlib import Path

from click.testing import CliRunner

TESTS = str(Path(__file__).parents[1])
sys.path.append(TESTS)
import forking
from forking import homes, layers
from forking.nursery import serve

sys.path.remove(TESTS)  # where no command finds modules

#: What they import, whatever they are asked.
MODULES = (
    "jaxtyping_core.cli.app",
    "jaxtyping_core.mypy",
    "jaxtyping_core.programs.evaluate",
    "mypy.main",
)
#: A command that has no effect: what libraries import for their first command is imported with it.
HARMLESS = ("promote", "int8", "float32")


def run(arguments: list[str]) -> None:
    """Run the command line, or a module as ``python -m`` does."""
    if arguments[0] == homes.COMMAND:
        importlib.import_module("jaxtyping_core.cli").main()
    else:
        if arguments[0] == "mypy":
            layers.begin(arguments[1:])
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)


def main() -> None:
    """Import what commands import, and fork."""
    for module in MODULES:
        importlib.import_module(module)
    CliRunner().invoke(importlib.import_module("jaxtyping_core.cli.app").app, HARMLESS)
    address, others = sys.argv[1:]
    homes.know({**json.loads(others), "commands": (address, homes.early(os.environ))})
    forking.install()
    serve(address, run)


if __name__ == "__main__":
    main()
