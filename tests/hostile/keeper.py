"""A process that keeps an evaluation child and puts programs to it: the parent that hostile programs meet.

``python keeper.py FOLDER-OF-THE-CHILD WORDS`` reads ``{"number", "text", "seconds", "fresh", "folder"}`` from its standard
input, a line of JSON for each program, and writes a line with the same number, what the child said, and the signals that came.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import json
import os
import signal
import sys
from inspect import signature
from pathlib import Path

from jaxtyping_core.evaluation import client
from jaxtyping_core.programs.evaluate import ask
from jaxtyping_core.programs.sources import Module, Program
from jaxtyping_core.settings import Settings

#: Signals that a process can be told by, and live.
HEARD = (
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGHUP,
    signal.SIGTERM,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGALRM,
)
SUBREAPER = 36


def main() -> None:
    folder, *words = sys.argv[1:]
    client.CHILD = Path(folder) if folder else client.CHILD
    came: list[int] = []
    for number in HEARD:
        signal.signal(number, lambda number, _: came.append(number))
    if sys.platform == "linux":  # processes whose parents are gone become this one's, and are seen
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    if "no-wall" in words:  # the variables that a child is started with are a part of the wall
        with contextlib.suppress(ImportError):
            from jaxtyping_core.evaluation.wall import environ

            environ.scrubbed = lambda variables: {**variables, **environ.SET}
    packages = (
        {"packages": Settings().trusted} if "packages" in signature(client.Evaluator).parameters else {}
    )
    child = client.Evaluator(sys.executable, arguments=tuple(words), **packages)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for line in sys.stdin:
        question = json.loads(line)
        if question["fresh"]:
            child.close()
        child.renew()  # what others cost the child is no reason to give it up
        modules = {"program": Module(path="program.py", text=question["text"], package=False)}
        program = Program(Path(question["folder"]), entries=["program"], modules=modules)
        report = ask(child, program, Settings(), question["seconds"])
        told = dataclasses.asdict(report) | {"places": [place.as_json() for place in report.places]}
        print(
            json.dumps(
                {
                    "number": question["number"],
                    "report": told,
                    "signals": came,
                    "child": child._child and child._child.pid,
                },
                default=str,
            ),
            file=answers,
            flush=True,
        )
        came.clear()
    child.close()


if __name__ == "__main__":
    main()
