"""Remembers the answers of abstract calls: the same call is not tried again in another place, round or program.

A key describes all that an answer follows from: the function, the dtypes and weak types, the dims, the options of JAX. Symbols
have numbers in it for their names, so that a call with other names has the same key.

A memo ends with its process. The process has read programs that nobody trusts, so that what it writes must not answer for
other programs; and other programs would save nearly nothing: `benchmarks/remembered_calls.py` measures it.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from .tables.limits import MOST_REMEMBERED

#: A name in a symbolic size.
NAME = re.compile(r"[A-Za-z_]\w*")


class Memo(dict[Hashable, Any]):
    """Answers by keys; the oldest go if there are too many."""

    def __setitem__(self, key: Hashable, answer: Any) -> None:
        if len(self) >= MOST_REMEMBERED:
            del self[next(iter(self))]
        super().__setitem__(key, answer)


def numbered(symbols: Sequence[str]) -> Mapping[str, str]:
    """What symbols are called in a key."""
    return {symbol: f"<{number}>" for number, symbol in enumerate(symbols)}


def renamed(size: str, names: Mapping[str, str]) -> str:
    """A symbolic size with other names; a name that has none stays."""
    return NAME.sub(lambda name: names.get(name[0], name[0]), size)
