"""Ranks of which no dim is known, for all checkers but mypy.

Without its plugin, mypy keeps the type of a variable's first value, and joins arrays of two ranks to ``object``. So
``x = x.sum()`` and ``{"w": jnp.zeros((3, 4)), "b": jnp.zeros(4)}`` would be errors there, in correct code. To mypy, the
shape of such a result is unknown; dims that have a name stay as they are.
"""

from __future__ import annotations

import re

from . import switches

#: A shape of which no more than the rank is known, at the end of an array.
RANK = re.compile(r"\btuple\[(\(\)|Unk(?:, Unk)*)\]\]")
_RESULT = ") -> "
#: Where the names that an array module uses begin.
_START = re.compile(
    r"^(?=from jax\._(?:src\.basearray|results) import )|(?<=^Unk: TypeAlias = Any\n)", re.MULTILINE
)

# A stub does not export what it imports by another name: each has these lines.
_DEFINITION = "\n".join(
    (
        "import sys",
        "from typing import TypeAlias as _TypeAlias",
        f"if {switches.MYPY}:",
        "    _Ranked: _TypeAlias = Any",
        "else:",
        "    from builtins import tuple as _Ranked",
        "",
    )
)


def left_open_in_mypy(text: str) -> str:
    """The text of a stub in which mypy knows no such rank of a result."""
    found = "\n".join(map(_line, text.split("\n")))
    return _START.sub(_DEFINITION, found, count=1) if found != text else text


def _line(line: str) -> str:
    head, arrow, result = line.partition(_RESULT)
    return head + arrow + RANK.sub(r"_Ranked[\1]]", result)
