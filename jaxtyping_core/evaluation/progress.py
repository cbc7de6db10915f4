"""Where a walk through a program is: four numbers in memory that the child and its parent share.

C code that does not end holds the child's interpreter lock, so that the child cannot say what it does. Its parent reads these
numbers in place of that, ends the child, and has the program walked again without the statement.

The child runs this module too.
"""

from __future__ import annotations

import contextlib
import functools
import mmap
import sys
import tempfile
from typing import NamedTuple

#: The argument by which the child learns the number of the shared file.
OPTION = "progress="
#: How many statements were begun; the module of the last one among those of the request, its line and its column.
COUNT, MODULE, LINE, COLUMN = range(4)
NUMBERS, BYTES = 4, 8


class Position(NamedTuple):
    """A statement: the number of its module, its line from 1 and its column from 0."""

    module: int
    line: int
    column: int


class Progress:
    """The parent's view.

    Raises:
        OSError: there is no memory to share.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 -- it is open as long as this is
        try:
            self._file.truncate(NUMBERS * BYTES)
            self._memory = mmap.mmap(self._file.fileno(), NUMBERS * BYTES)
        except (OSError, ValueError):
            self._file.close()
            raise
        self._numbers = memoryview(self._memory).cast("q")

    @property
    def end(self) -> int:
        """The file, for the child."""
        return self._file.fileno()

    @property
    def count(self) -> int:
        """How many statements were begun."""
        return self._numbers[COUNT]

    @property
    def position(self) -> Position:
        """The last one, as far as the child is to be believed."""
        return Position(*self._numbers[MODULE:])

    def close(self) -> None:
        """Give the memory back."""
        self._numbers.release()
        self._memory.close()
        self._file.close()


def at_no_statement() -> None:
    """Tell the parent that the walk is at no statement: what imports take, or the end of a trace, is not the program's."""
    numbers = shared(tuple(sys.argv))
    if numbers is not None:
        numbers[COUNT] = 0


@functools.cache
def shared(arguments: tuple[str, ...]) -> memoryview | None:
    """The child's view; None if its arguments name none. The file is closed, the memory stays."""
    for argument in arguments:
        if argument.startswith(OPTION):
            with contextlib.suppress(OSError, ValueError):
                end = int(argument.removeprefix(OPTION))
                return memoryview(mmap.mmap(end, NUMBERS * BYTES)).cast("q")
    return None
