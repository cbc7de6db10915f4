"""The evaluation context: how the walk came to where it is, as an immutable value.

The interpreter holds the innermost context. `Interpreter.within` enters another one for a block and restores the outer one at its end,
also after an exception. Nothing else assigns it. A function of the program that a library calls back runs under the context
in force at the time of the call.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

if TYPE_CHECKING:
    from .libraries.calls.captured import DimSubstitution

#: The changes that come with a value.
VALUES = frozenset({"sample", "axis", "condition"})


class Changes(TypedDict, total=False):
    """What a block has that the context around it has not."""

    #: It may never happen.
    speculative: bool
    #: It is under a condition of unknown outcome, or in a ``try``, which has this number.
    condition: int
    #: Errors in it are caught.
    trying: bool
    #: Errors in it are caught, and the call is walked once more in another way.
    retrying: bool
    #: No handler around catches its errors.
    uncaught: bool
    #: It is the body of a ``with`` of an unknown context.
    opaque: bool
    #: These numbers are tried for unknown sizes.
    sample: DimSubstitution
    #: It is walked for one row of this axis.
    axis: Any
    #: JAX computes at once what it would trace.
    at_once: bool
    #: What functions declare is compared with what is known, and believed where nothing else is known.
    believing: bool


@dataclass(frozen=True, slots=True)
class EvalContext:
    """How the walk came to where it is.

    Attributes:
        is_speculative: whether the walk is under a condition of unknown outcome, or has made-up arguments: what it meets may
            never happen.
        try_depth: the number of handlers around that catch errors: ``try`` statements, calls that are retried, and trials.
        retries: the number of these that walk the call once more in another way after an error.
        opaque_depth: the number of ``with`` statements around whose contexts are unknown.
        sample: the numbers that the innermost trial tries for unknown sizes, none of which may be the program's.
        axes: the names of the axes over which functions are walked for one row.
        is_at_once: whether JAX computes at once what it would trace.
        compares: whether annotations are compared with what they are about. Where sizes are tried, another one may fit.
        is_believing: whether what functions declare stands for what the walk does not tell, although errors are reported.
        conditions: the numbers of the conditions around whose outcome is not known.
        is_made_up: whether the walk may be where no run of the program comes to with what it has there.
    """

    is_speculative: bool = False
    try_depth: int = 0
    retries: int = 0
    opaque_depth: int = 0
    sample: DimSubstitution | None = None
    axes: tuple[Any, ...] = ()
    is_at_once: bool = False
    compares: bool = True
    is_believing: bool = False
    conditions: tuple[int, ...] = ()
    is_made_up: bool = False
    #: The contexts that were made of this one, by the changes.
    _inner: dict[Any, EvalContext] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def is_retried(self) -> bool:
        """Whether an error here surely leads to another walk of the same call, which sees all that this one leaves."""
        return 0 < self.retries == self.try_depth

    @property
    def is_certain(self) -> bool:
        """Whether the program surely gets to where the walk is, with what it has there."""
        is_caught = self.try_depth > self.retries
        return self.compares and not (self.is_speculative or is_caught or self.sample is not None)

    @property
    def is_followed(self) -> bool:
        """Whether some run of the program gets to where the walk is, with what it has there, for all that is known."""
        return self.compares and not self.is_made_up and self.sample is None

    @property
    def believes(self) -> bool:
        """Whether what functions and variables declare stands for what the walk does not tell: where errors are reported, it may be wrong."""
        return self.is_believing or not self.is_certain

    def changed(self, **changes: Unpack[Changes]) -> EvalContext:
        """The context of a block in this one: the same object for the same changes, but for those that come with a value."""
        if not VALUES.isdisjoint(changes):
            return self._made(changes)
        key = (*changes.items(),)
        if key not in self._inner:
            self._inner[key] = self._made(changes)
        return self._inner[key]

    def _made(self, changes: Changes) -> EvalContext:
        context = replace(self, try_depth=0, retries=0) if changes.get("uncaught") else self
        retrying = changes.get("retrying", False)
        return replace(
            context,
            is_speculative=self.is_speculative or changes.get("speculative", False),
            try_depth=context.try_depth + (retrying or changes.get("trying", False)),
            retries=context.retries + retrying,
            opaque_depth=self.opaque_depth + changes.get("opaque", False),
            sample=changes.get("sample", self.sample),
            axes=(*self.axes, changes["axis"]) if "axis" in changes else self.axes,
            is_at_once=self.is_at_once or changes.get("at_once", False),
            compares=self.compares or changes.get("believing", False),
            conditions=(*self.conditions, changes["condition"])
            if "condition" in changes
            else self.conditions,
            is_made_up=self.is_made_up or (changes.get("speculative", False) and "condition" not in changes),
            is_believing=self.is_believing or changes.get("believing", False),
        )
