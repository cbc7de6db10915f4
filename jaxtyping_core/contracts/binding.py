"""What the names in annotations stand for in a call, and whether a shape fits its axes then."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jaxtyping_core.domain import dims
from jaxtyping_core.domain.expressions import FUNCTIONS, NotArithmetic
from jaxtyping_core.domain.formatting import ANY_SIZE
from jaxtyping_core.domain.formulas import substituted, symbols_of

from .axes import BRACES, Axis
from .verdicts import Clash, any_fit, every_fit

#: An int, a symbol of the domain (text) or of ``jax.export``, or None where it is unknown.
Size = Any
Shape = tuple[Size, ...]


#: What is raised by a formula of which some part is not known.
_UNKNOWN = (NameError, AttributeError, TypeError, ArithmeticError, SyntaxError, KeyError, IndexError)


def not_evaluated(text: str, names: Mapping[str, Any]) -> Any:
    """What Python's expression in an annotation gives: nothing is known of it, for no text of a program is run.

    Raises:
        NameError: always.
    """
    raise NameError(text)


class Excluded(Exception):
    """The annotations themselves exclude a call: a size would be less than 0."""


@dataclass(slots=True)
class Environment:
    """What the names of a call's annotations stand for."""

    sizes: dict[str, Size] = field(default_factory=dict)
    #: Of a name for several axes whether it may be broadcast, and its sizes.
    several: dict[str, tuple[bool, Shape]] = field(default_factory=dict)
    dtypes: dict[str, str] = field(default_factory=dict)
    trees: dict[str, Any] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)
    #: The leaf that is looked at of a tree whose structure has a name.
    leaf: str = ""
    #: How Python's expressions in annotations are evaluated, with these names.
    evaluate: Callable[[str, Mapping[str, Any]], Any] = not_evaluated
    #: Why a shape did not fit, if a name was the reason.
    clash: Clash | None = None

    def copy(self) -> Environment:
        """One that may be changed on its own."""
        return Environment(
            dict(self.sizes),
            dict(self.several),
            dict(self.dtypes),
            dict(self.trees),
            dict(self.arguments),
            self.leaf,
            self.evaluate,
        )

    def take(self, other: Environment) -> None:
        """Become what a copy has become."""
        self.sizes, self.several, self.dtypes = other.sizes, other.several, other.dtypes
        self.trees, self.arguments = other.trees, other.arguments

    def key(self, axis: Axis) -> str | None:
        """Under which name the size of an axis is known; None where it has none."""
        if not axis.by_leaf:
            return axis.name
        return f"{axis.name} of {self.leaf}" if self.leaf else None

    def bind(self, key: str, size: Size) -> Size:
        """The size that a name stands for: `size`, if it stood for nothing."""
        return self.sizes.setdefault(key, size)

    def value(self, formula: str) -> Size:
        """What a formula comes to, a number or a symbol; None where that is not known.

        Arithmetic is not evaluated by Python, only what stands in braces and is no int, and what is computed of such.
        """
        names = dict(self.sizes)
        held: list[Any] = []

        def braces(match: re.Match[str]) -> str:
            held.append(self._argument(match[1]))
            names[f"_{len(held)}"] = held[-1]
            return f"_{len(held)}"

        try:
            text = BRACES.sub(braces, formula)
            if all(type(each) is int for each in held):
                with suppress(NotArithmetic):
                    known = {name: names[name] for name in symbols_of(text)}
                    if all(type(size) in (int, str) for size in known.values()):
                        return _number_or_text(substituted(text, known))
            size = self.evaluate(text, {**FUNCTIONS, **names})
        except _UNKNOWN:
            return None
        return None if isinstance(size, str) else size  # braces that hold the name of another dim

    def _argument(self, text: str) -> Any:
        """What stands in braces: most often a parameter."""
        held = self.arguments.get(text.strip())
        return held if type(held) is int else self.evaluate(text, self.arguments)

    def accepts(self, axes: Sequence[Axis], shape: Shape | None) -> bool | None:
        """Whether an array of `shape` fits, None where that is open; names that stood for nothing stand for its sizes then.

        These are jaxtyping's rules: https://docs.kidger.site/jaxtyping/api/array/.

        Raises:
            Excluded: the annotations themselves exclude the call.
        """
        if shape is None:
            return None
        place = next((i for i, axis in enumerate(axes) if axis.variadic), None)
        if place is None:
            return every_fit(map(self._fits, axes, shape)) if len(shape) == len(axes) else False
        after = len(axes) - place - 1
        if len(shape) < place + after:
            return False
        end = len(shape) - after
        ends = [
            *zip(axes[:place], shape[:place], strict=True),
            *zip(axes[place + 1 :], shape[end:], strict=True),
        ]
        fits = itertools.starmap(self._fits, ends)
        middle = (self._fit(axes[place], tuple(shape[place:end])) for _ in range(1))
        return every_fit(itertools.chain(fits, middle))

    def _fits(self, axis: Axis, size: Size) -> bool | None:
        if axis.broadcastable and (is_one := same(size, 1)) is not False:
            return is_one
        if axis.formula is not None:
            value = self.value(axis.formula)
            if isinstance(value, int) and value < 0:
                raise Excluded(f"{axis.text} is less than 0")
            return same(value, size)
        is_allowed = True if axis.sizes is None else any_fit(same(size, allowed) for allowed in axis.sizes)
        key = self.key(axis)
        if key is None or is_allowed is False:
            return is_allowed
        if key not in self.sizes:
            self.sizes[key] = size
            return is_allowed
        known = self.sizes[key]
        if known is None:
            self.sizes[key] = size
        is_same = same(known, size)
        if is_same is False:
            self.clash = Clash(axis.text, known, size)
        return every_fit([is_allowed, is_same])

    def _fit(self, axis: Axis, shape: Shape) -> bool | None:
        key = self.key(axis)
        if key is None:
            return True
        known = self.several.get(key)
        if known is None:
            self.several[key] = (axis.broadcastable, shape)
            return True
        may_broadcast, earlier = known
        if not may_broadcast and not axis.broadcastable:
            is_same = every_fit(map(same, earlier, shape)) if len(earlier) == len(shape) else False
            if is_same is False:
                self.clash = Clash(axis.text, earlier, shape)
            return is_same
        if any(size is None or isinstance(size, str) for size in (*earlier, *shape)):
            return None
        together = broadcast(earlier, shape)
        if together is None:
            return False
        self.several[key] = (may_broadcast and axis.broadcastable, together)
        return (may_broadcast or together == earlier) and (axis.broadcastable or together == shape)

    def expected(self, axes: Sequence[Axis]) -> str:
        """The axes with the sizes that are known of them: ``[2, 3, k]``."""
        return f"[{', '.join(text for axis in axes for text in self._expected(axis))}]"

    def _expected(self, axis: Axis) -> list[str]:
        if axis.variadic:
            known = self.several.get(self.key(axis) or "")
            return [axis.text] if known is None else [ANY_SIZE if s is None else str(s) for s in known[1]]
        if axis.formula is not None:
            value = self.value(axis.formula)
            return [axis.text if value is None else str(value)]
        size = self.sizes.get(self.key(axis) or "")
        return [axis.text if size is None else str(size)]


def _number_or_text(size: str) -> int | str:
    try:
        return int(size)
    except ValueError:
        return size


def same(a: Size, b: Size) -> bool | None:
    """Whether two sizes are equal, of symbols for all numbers that they may stand for; None where that is open."""
    if a is None or b is None:
        return None
    if not isinstance(a, str) and not isinstance(b, str):
        return bool(a == b)
    if dims.equal(a, b):
        return True
    # Arithmetic may be equal in disguise.
    return False if all(type(size) is int or str(size).isidentifier() for size in (a, b)) else None


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """The shape that two are broadcast to; None where they are not."""
    try:
        if all(isinstance(size, int) for size in (*a, *b)):
            return np.broadcast_shapes(a, b)
    except ValueError:
        return None
    import jax.numpy as jnp  # only for its symbols: the plugin's process has no JAX

    try:
        return tuple(jnp.broadcast_shapes(a, b))
    except (ValueError, TypeError):
        return None
