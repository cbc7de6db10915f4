"""Runs Python files one after the other, each in a fork of a process that has imported JAX: ``python snippets.py FILE...``.

Prints the name of the exception that each raises, or an empty line; the traceback goes to standard error.
"""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from pathlib import Path

import jax.numpy  # noqa: F401  # what every file imports is imported once


def main(files: list[str]) -> None:
    for file in files:
        sys.stdout.flush()
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
            os.write(writer, raised(file).encode())
            sys.stdout.flush()
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as answer:
            print(answer.read())
        os.waitpid(child, 0)


def raised(file: str) -> str:
    """The name of the exception that a file raises when it is run as a program."""
    sys.argv = [file]
    sys.path[0] = str(Path(file).parent)  # as for `python FILE`
    try:
        runpy.run_path(file, run_name="__main__")
    except BaseException as error:  # whatever the program raises, SystemExit included
        traceback.print_exc()
        return type(error).__name__
    return ""


if __name__ == "__main__":
    main(sys.argv[1:])
