"""The process that knows: ``python -P -m jaxtyping_core.lsp.worker TRUST [PYTHON]``, in the folder of a project.

It reads a request a line from standard input and writes its answers, each a line; TRUST is as in
`lsp.configuration`, and PYTHON the interpreter with the packages of the project, if the user named one. It ends with its input, or when it has become too large.
"""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import select
import sys
from collections.abc import Iterator

from jaxtyping_core.lsp.analysis import Analyst
from jaxtyping_core.lsp.records import Request, read_request, write

INPUT = 0
CHUNK = 1 << 20
#: Seconds without a request after which there is time for other things.
IDLE = 1.0
#: Objects that were made since the last collection, after which one does not wait for a pause.
MOST_OBJECTS = 3_000_000
#: Kilobytes after which a new process is better.
MOST_MEMORY = 3_000_000


def main() -> None:
    """Answer requests until there are no more."""
    # Whatever a library prints must not come between the answers.
    gc.disable()  # a collection in the midst of an answer looks through all syntax trees
    analyst = Analyst(sys.argv[2] if len(sys.argv) > 2 else None, sys.argv[1], _more_waits)
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        for request in _requests():
            for answer in analyst.answers(request):
                answers.write(write(answer))
                answers.flush()
                if _more_waits():  # the rest is wanted no more
                    break
            analyst.prepare()
            if not _more_waits(IDLE) or gc.get_count()[0] > MOST_OBJECTS:
                gc.collect()  # what was made for a text that is no more, and refers to itself
                _give_back()
            if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > MOST_MEMORY:
                return


def _more_waits(seconds: float = 0.0) -> bool:
    """Whether there is more input, or is soon."""
    return bool(select.select([INPUT], [], [], seconds)[0])


def _give_back() -> None:
    """Give the system the memory that is free, where the C library can do that."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _requests() -> Iterator[Request]:
    """The requests as they come: nothing is read that is not looked at next."""
    buffer = b""
    while chunk := os.read(INPUT, CHUNK):
        *lines, buffer = (buffer + chunk).split(b"\n")
        yield from map(read_request, lines)


if __name__ == "__main__":
    main()
