"""Commands, mypy and evaluation children without their imports: processes that have imported everything, and fork.

Importing takes most of what a command costs, and a run of the tests starts thousands. Here each process of the tests keeps two
*nurseries*: one has imported the command line and mypy with the plugin, the other JAX as an evaluation child does. What
is started in place of a new interpreter is a fork of one of them, which has the arguments, the folder, the variables
and the open files that it was to have. All that a command does after its imports is what it does elsewhere: it is a
process with an exit status, it starts mypy, and its child raises its wall.

`install` has ``subprocess`` do that, here and in the nurseries themselves. Tests marked `own_processes` start real processes,
and so do all tests where the variable `SWITCHED_OFF` is set, or on a system that isn't Linux.

============  ==========================================================================
module        what it does
============  ==========================================================================
nursery       the loop of a nursery: a request, a fork, an exit status
commands      runs the nursery of the commands and of mypy
children      runs the nursery of the evaluation children
homes         which commands start in which nursery, and how that is started
popen         ``subprocess.Popen``, which asks a nursery
============  ==========================================================================
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

from forking import homes
from forking.popen import Forked

#: The variable that switches all of this off.
SWITCHED_OFF = "OWN_PROCESSES"


def install() -> None:
    """From now on, have ``subprocess`` fork what nurseries know."""
    if sys.platform == "linux" and SWITCHED_OFF not in os.environ:
        subprocess.Popen = Forked  # type: ignore[misc]  # a class is replaced: all modules look there


@contextlib.contextmanager
def own_processes() -> Iterator[None]:
    """Meanwhile, start processes as they are elsewhere."""
    before, homes.Home.is_off = homes.Home.is_off, True
    try:
        yield
    finally:
        homes.Home.is_off = before
