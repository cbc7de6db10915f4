"""The process in which a program is recorded: ``python process.py OPTIONS -- (SCRIPT | -m MODULE) ARGUMENTS``."""

from __future__ import annotations

import argparse
import atexit
import sys
from pathlib import Path

from jaxtyping_core.errors import CommandError
from jaxtyping_core.recording.run import run_module, run_script
from jaxtyping_core.recording.session import Session
from jaxtyping_core.recording.sources import project_of


def main() -> None:
    """Run the program, and write what it showed; exit with status 2 and one line where it cannot be run."""
    at = sys.argv.index("--")
    options, program = _options(sys.argv[1:at]), sys.argv[at + 1 :]
    is_module = program[0] == "-m"
    name, *arguments = program[is_module:]
    folder = Path.cwd() if is_module else Path(name).resolve().parent
    try:
        session = Session(options.root or [project_of(folder)], options.out, options.places)
        session.start()
        # It was registered first, and so is run last.
        atexit.register(_end, session, options.quiet)
        if is_module:
            run_module(name, arguments)
        else:
            run_script(name, arguments, session.code)
    except CommandError as error:
        atexit.unregister(_end)
        print(f"jaxtyping-core: {error}", file=sys.stderr)
        sys.exit(2)


def _end(session: Session, is_quiet: bool) -> None:
    session.stop()
    if not is_quiet and sys.__stderr__ is not None:
        try:
            for line in session.summary():
                print(f"jaxtyping-core: {line}", file=sys.__stderr__)
        except (OSError, ValueError):  # the program has closed it
            return


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("jaxtyping-core record", allow_abbrev=False)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--root", type=Path, action="append")
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
