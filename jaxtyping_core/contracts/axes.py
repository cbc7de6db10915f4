"""One axis of an array as an annotation says it, whichever notation the annotation has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from jaxtyping_core.domain.expressions import NotArithmetic
from jaxtyping_core.domain.formulas import substituted, symbols_of

#: ``{self.width}`` in a dim string: Python's expression for a size.
BRACES = re.compile(r"\{([^{}]*)\}")
#: The same where it is a parameter, which stands for its value.
VALUE = re.compile(r"\{\s*([A-Za-z_]\w*)\s*\}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis, or any number of axes (`variadic`): at most one of `name`, `sizes`, `expression` and `by_value` is set.

    Without any of them every size fits.
    """

    name: str | None = None
    #: The only sizes that fit.
    sizes: frozenset[int] | None = None
    #: Arithmetic of names.
    expression: str | None = None
    #: The same with ``{braces}``, whose values are known when the function is called.
    by_value: str | None = None
    variadic: bool = False
    #: Whether an axis of size 1 fits too.
    broadcastable: bool = False
    #: Whether the name stands for another size in each leaf of a tree.
    by_leaf: bool = False
    #: What stands before a size in ``rows=3``, which says nothing; a program may mean the same by ``rows`` elsewhere.
    label: str | None = field(default=None, compare=False)
    #: How the axis is written.
    text: str = field(default="_", compare=False)

    @property
    def size(self) -> int | None:
        """The size, if only one fits."""
        return next(iter(self.sizes)) if self.sizes is not None and len(self.sizes) == 1 else None

    @property
    def fixed_name(self) -> str | None:
        """The name, if the axis has the size that it stands for in every call."""
        return None if self.broadcastable or self.by_leaf else self.name

    @property
    def formula(self) -> str | None:
        """What the size is computed by."""
        return self.expression or self.by_value

    def renamed(self, names: Mapping[str, str]) -> Axis:
        """The axis with other names in place of some."""
        expression = None if self.expression is None else substituted(self.expression, names)
        return replace(self, name=names.get(self.name or "", self.name), expression=expression)

    @property
    def symbols(self) -> set[str]:
        """The dims that are named here, without those of values."""
        if self.formula is not None:
            return _symbols(BRACES.sub("0", self.formula))
        return set() if self.name is None else {self.name}


#: Any number of axes of any sizes, and one axis of any size.
ANY_AXES = Axis(variadic=True, text="...")
ANY_AXIS = Axis()


def names_in(axes: Iterable[Axis]) -> set[str]:
    """The names of sizes that axes mention, those in formulas included."""
    return {name for axis in axes if not axis.variadic for name in axis.symbols}


def is_of_parameters(by_value: str) -> bool:
    """Whether a text with braces is arithmetic once the parameters in its braces are numbers."""
    try:
        symbols_of(VALUE.sub(r"(\1)", by_value))
    except NotArithmetic:
        return False
    return True


def _symbols(formula: str) -> set[str]:
    try:
        return symbols_of(formula)
    except NotArithmetic:
        return set()
