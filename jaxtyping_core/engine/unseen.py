"""What type checkers do not look at, and the few samples that are tried there.

They pass over the bodies of functions without annotations. What such a function is given and gives is followed all the same, for a
function with annotations may be behind it. But where something is unknown there, the calls of libraries with it need not all be tried.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .interpreter import Interpreter

#: Samples that may be tried there; what comes after them is unknown.
MOST_SAMPLES = 24
#: What stands for no part whose samples are counted.
NO_PART = -1


class Unseen:
    """The samples of a walk that are of no use to a type checker, as far as it can be told where they are tried."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        #: The samples of the parts that have ended, and those of the whole walk before the part that it is in.
        self._samples, self._before = 0, NO_PART
        self._was_cut = False

    @property
    def is_cut(self) -> bool:
        """Whether what a call gives here may be known elsewhere, where more samples are tried."""
        return self._was_cut and self._is_here

    @property
    def is_spent(self) -> bool:
        """Whether the walk is at such a place, and no more samples are to be tried there: what they would tell is unknown."""
        return self._cut(self._left == 0 and self._is_here)

    def most(self, samples: int) -> int:
        """How many samples may be tried of a call, where so many may be elsewhere."""
        left = self._left
        return left if self._cut(left < samples and self._is_here) else samples

    def _cut(self, is_cut: bool) -> bool:
        self._was_cut = self._was_cut or is_cut
        self._interpreter.left_out = self._interpreter.left_out or is_cut
        return is_cut

    @property
    def _left(self) -> int:
        of_part = 0 if self._before == NO_PART else self._interpreter.budget.samples - self._before
        return max(MOST_SAMPLES - self._samples - of_part, 0)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """A part of the walk whose samples count, if it is at such a place."""
        if self._before != NO_PART or not self._is_here:
            yield
            return
        self._before = self._interpreter.budget.samples
        try:
            yield
        finally:
            self._samples += self._interpreter.budget.samples - self._before
            self._before = NO_PART

    @property
    def _is_here(self) -> bool:
        """Whether the walk is in functions without annotations alone. A lambda is looked at where it stands."""
        if not self._interpreter.wants_annotated_alone:
            return False
        nodes = [frame.node for frame in self._interpreter.frames]
        functions = [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        return bool(functions) and not any(map(is_annotated, functions))


def is_annotated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether anything is annotated in a function's signature: type checkers look at the bodies of such functions alone."""
    of_all = node.args
    others = filter(None, (of_all.vararg, of_all.kwarg))
    arguments = (*of_all.posonlyargs, *of_all.args, *of_all.kwonlyargs, *others)
    return node.returns is not None or any(argument.annotation is not None for argument in arguments)
