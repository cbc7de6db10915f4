"""The evaluation context: how the walk came to where it is, as an immutable value.

The machine holds the innermost context. `Machine.within` enters another one for a block and restores the outer one at its end,
also after an exception. Nothing else assigns it. A function of the program that a library calls back runs under the context
in force at the time of the call.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypedDict, Unpack


class Changes(TypedDict, total=False):
    """What a block has that the context around it has not."""

    #: It may never happen.
    speculative: bool
    #: Errors in it are caught.
    trying: bool
    #: Errors in it are caught, and the call is walked once more in another way.
    retrying: bool
    #: No handler around catches its errors.
    uncaught: bool


@dataclass(frozen=True, slots=True)
class EvalContext:
    """How the walk came to where it is.

    Attributes:
        is_speculative: whether the walk is under a condition of unknown outcome, or has made-up arguments: what it meets may
            never happen.
        try_depth: the number of handlers around that catch errors: ``try`` statements, calls that are retried, and trials.
        retries: the number of these that walk the call once more in another way after an error.
    """

    is_speculative: bool = False
    try_depth: int = 0
    retries: int = 0

    @property
    def is_retried(self) -> bool:
        """Whether an error here surely leads to another walk of the same call, which sees all that this one leaves."""
        return 0 < self.retries == self.try_depth

    @property
    def is_certain(self) -> bool:
        """Whether the program surely gets to where the walk is."""
        return not self.is_speculative and self.try_depth == self.retries

    def changed(self, **changes: Unpack[Changes]) -> EvalContext:
        """The context of a block in this one."""
        context = replace(self, try_depth=0, retries=0) if changes.get("uncaught") else self
        retrying = changes.get("retrying", False)
        return replace(
            context,
            is_speculative=self.is_speculative or changes.get("speculative", False),
            try_depth=context.try_depth + (retrying or changes.get("trying", False)),
            retries=context.retries + retrying,
        )
