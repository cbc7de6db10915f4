"""What a run of a program showed of its functions: `observed` says what is kept of an object.

`recorder` makes facts of what `monitoring` or `profiling` tell it, and `store` keeps them; `run` runs programs.
"""

from __future__ import annotations

import os
from pathlib import Path

#: The file that Python runs to record a program; by its path, so that no module of the current folder comes before its own.
PROCESS = os.path.join(__path__[0], "process.py")  # noqa: PTH118 -- this is imported wherever pytest runs
#: Where facts are if no other file is named, below the current folder.
DEFAULT = Path(".jaxtyping_core", "facts.sqlite3")
