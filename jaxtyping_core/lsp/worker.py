"""The process that knows: ``python -P -m jaxtyping_core.lsp.worker [PYTHON]``, in the folder of a project.

It reads a request a line from standard input and writes an answer a line; PYTHON is the interpreter with the packages
of the project, if the user named one. It ends with its input.
"""

from __future__ import annotations

import os
import sys

from jaxtyping_core.lsp.analysis import Analyst
from jaxtyping_core.lsp.records import read_request, write


def main() -> None:
    """Answer requests until there are no more."""
    # Whatever a library prints must not come between the answers.
    with (
        os.fdopen(os.dup(1), "wb") as answers,
        Analyst(sys.argv[1] if len(sys.argv) > 1 else None) as analyst,
    ):
        os.dup2(2, 1)
        for line in sys.stdin.buffer:
            answers.write(write(analyst.answer(read_request(line))))
            answers.flush()
            analyst.prepare()


if __name__ == "__main__":
    main()
