"""What programs would save if the answers of abstract calls were remembered from one program to the next.

Each program is evaluated twice in this process, without its walls: once with answers of its own alone, and once with those of
all programs before it. Run it as ``python benchmarks/remembered_calls.py FILE ...``.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Hashable
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from jaxtyping_core.engine import kept_walks, session
from jaxtyping_core.engine.libraries.calls import memo
from jaxtyping_core.evaluation.child import serve
from jaxtyping_core.programs.evaluate import request
from jaxtyping_core.programs.sources import Program, collect
from jaxtyping_core.sampling.memo import Memo
from jaxtyping_core.settings import Settings

SETTINGS = Settings()
#: Processor seconds for one program: nothing is to be left out.
SECONDS = 300.0


class Cost(NamedTuple):
    """What evaluations took.

    Attributes:
        seconds: processor seconds.
        answers: the answers of calls of libraries that were not remembered.
    """

    seconds: float
    answers: int


class Counter:
    """Counts the answers that memos get."""

    def __init__(self) -> None:
        self.count = 0
        remember = Memo.__setitem__

        def counted(answers: Memo, key: Hashable, answer: Any) -> None:
            self.count += 1
            remember(answers, key, answer)

        mock.patch.object(Memo, "__setitem__", counted).start()


def main() -> None:
    serve.start()
    warnings.simplefilter("ignore")
    counter = Counter()
    programs = [
        program for each in collect([*map(Path, sys.argv[1:])], SETTINGS.trusted) for program in each.parts()
    ]
    for program in programs:  # what JAX itself remembers is no matter
        evaluated(program, counter)
    for label, is_shared in (("answers of its own", False), ("answers of all", True)):
        forget()
        costs = []
        for program in programs:
            if not is_shared:
                forget()
            costs.append(evaluated(program, counter))
        seconds, answers = map(sum, zip(*costs, strict=True))
        print(f"{label}: {len(programs)} programs, {seconds:.1f} s, {answers} answers computed")


def forget() -> None:
    """Forget the answers of all programs."""
    memo._of_libraries.clear()
    memo._of_numpy.clear()


def evaluated(program: Program, counter: Counter) -> Cost:
    """What an evaluation of a program costs, but for the walks that it has in common with earlier ones."""
    kept_walks._kept.clear()
    serve.configure(SETTINGS.x64 is True, "standard", "standard")
    asked = request(program, SETTINGS, SECONDS, "")["program"]
    session.prepare(asked)
    start, before = time.process_time(), counter.count
    session.evaluate(asked)
    return Cost(time.process_time() - start, counter.count - before)


if __name__ == "__main__":
    main()
