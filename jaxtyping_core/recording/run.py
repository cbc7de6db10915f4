"""Runs a script or a module as Python itself does."""

from __future__ import annotations

import builtins
import os
import runpy
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any

from jaxtyping_core.errors import CommandError

_OURS = str(Path(__file__).parent) + os.sep


def run_script(
    script: str, arguments: Sequence[str], code_of: Callable[[str], CodeType | None] = lambda _: None
) -> None:
    """Run a file as ``python script ARGUMENTS`` does. `code_of` gives its code, if not what Python makes of it.

    Raises:
        CommandError: there is no such file.
    """
    path = Path(script)
    if path.is_dir():
        raise CommandError(f"{script}: this is a folder; name a script, or a module with -m")
    try:
        source = path.read_bytes()
    except OSError as error:
        raise CommandError(f"{script}: cannot read the script: {error.strerror}") from error
    if not sys.flags.safe_path:
        sys.path[0] = str(path.resolve().parent)
    sys.argv[:] = [script, *arguments]
    main = _main_module()
    file = os.path.join(os.getcwd(), script)  # noqa: PTH109, PTH118 -- as Python spells it: not made shorter
    vars(main).update(__file__=file, __cached__=None, __loader__=SourceFileLoader("__main__", file))
    with _Own():
        code = code_of(file) or compile(source, file, "exec", dont_inherit=True)
        exec(code, vars(main))  # noqa: S102 -- it is what was asked for


def run_module(module: str, arguments: Sequence[str]) -> None:
    """Run a module as ``python -m module ARGUMENTS`` does."""
    if not sys.flags.safe_path:
        sys.path[0] = str(Path.cwd())
    sys.argv[:] = [sys.argv[0], *arguments]
    _main_module()
    run: Any = runpy.__dict__["_run_module_as_main"]  # what Python itself calls for -m
    with _Own():
        run(module)


def _main_module() -> ModuleType:
    """A fresh module `__main__`; the one there was goes on to live, for its functions run."""
    sys.modules["jaxtyping_core.recording.process"] = sys.modules["__main__"]
    main = ModuleType("__main__")
    vars(main).update(__builtins__=builtins, __annotations__={})
    sys.modules["__main__"] = main
    return main


class _Own:
    """Lets an exception end the process as it would without us: with the program's own traceback."""

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or isinstance(error, SystemExit):
            return
        hook = sys.excepthook

        def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
            own = without_ours(trace)
            hook(kind, error.with_traceback(own), own)

        sys.excepthook = show


def without_ours(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without the lines of this package."""
    entries = []
    while trace is not None:
        entries.append(trace)
        trace = trace.tb_next
    below = None
    for entry in reversed(entries):
        if not entry.tb_frame.f_code.co_filename.startswith(_OURS):
            below = TracebackType(below, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return below
