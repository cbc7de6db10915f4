"""What the names in annotations stand for in a call, and whether a shape fits its axes then."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jaxtyping_core._annotations.arithmetic import FUNCTIONS

from .axes import BRACES, Axis

#: An int, or a symbolic size of ``jax.export``.
Size = Any
Shape = tuple[Size, ...]


class AnySize:
    """An unknown size. It may equal any other size."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __str__(self) -> str:
        return "?"


ANY_SIZE = AnySize()


def evaluated(text: str, names: Mapping[str, Any]) -> Any:
    """What Python's expression in an annotation gives."""
    return eval(text, dict(names))


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
    evaluate: Callable[[str, Mapping[str, Any]], Any] = evaluated

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

    def value(self, expression: str) -> Size | None:
        """What an expression comes to; None where that is not known."""
        names = {**FUNCTIONS, **self.sizes}
        known: dict[str, Any] = {}

        def braces(match: re.Match[str]) -> str:
            name = f"_{len(known)}"
            known[name] = self.evaluate(match[1], self.arguments)
            return name

        try:
            return self.evaluate(BRACES.sub(braces, expression), names | known)
        except (NameError, AttributeError, TypeError, ArithmeticError, SyntaxError, KeyError, IndexError):
            return None

    def accepts(self, axes: Sequence[Axis], shape: Shape) -> bool:
        """Whether an array of `shape` fits; names that stood for nothing stand for its sizes then.

        These are jaxtyping's rules: https://docs.kidger.site/jaxtyping/api/array/.
        """
        place = next((i for i, axis in enumerate(axes) if axis.variadic), None)
        if place is None:
            return len(shape) == len(axes) and all(map(self._fits, axes, shape))
        after = len(axes) - place - 1
        if len(shape) < place + after:
            return False
        end = len(shape) - after
        ends = [
            *zip(axes[:place], shape[:place], strict=True),
            *zip(axes[place + 1 :], shape[end:], strict=True),
        ]
        return all(self._fits(axis, size) for axis, size in ends) and self._fit(
            axes[place], tuple(shape[place:end])
        )

    def _fits(self, axis: Axis, size: Size) -> bool:
        if axis.broadcastable and same(size, 1):
            return True
        if axis.formula is not None:
            value = self.value(axis.formula)
            if isinstance(value, int) and value < 0:
                raise Excluded(f"{axis.text} is less than 0")
            return value is None or same(value, size)
        if axis.sizes is not None and not any(same(size, allowed) for allowed in axis.sizes):
            return False
        key = self.key(axis)
        if key is None:
            return True
        if self.sizes.get(key, ANY_SIZE) is ANY_SIZE:
            self.sizes[key] = size
        return same(self.sizes[key], size)

    def _fit(self, axis: Axis, shape: Shape) -> bool:
        key = self.key(axis)
        if key is None:
            return True
        known = self.several.get(key)
        if known is None:
            self.several[key] = (axis.broadcastable, shape)
            return True
        may_broadcast, earlier = known
        if any(size is ANY_SIZE for size in (*earlier, *shape)) and (may_broadcast or axis.broadcastable):
            return True
        if not may_broadcast and not axis.broadcastable:
            return len(earlier) == len(shape) and all(map(same, earlier, shape))
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
            return [axis.text] if known is None else list(map(str, known[1]))
        if axis.formula is not None:
            value = self.value(axis.formula)
            return [axis.text if value is None else str(value)]
        size = self.sizes.get(self.key(axis) or "", ANY_SIZE)
        return [axis.text if size is ANY_SIZE else str(size)]


def same(a: Size, b: Size) -> bool:
    """Whether two sizes are equal; of symbols, for all numbers that they may stand for."""
    return bool(a == b)


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """The shape that two are broadcast to; None where they are not."""
    try:
        if all(isinstance(size, int) for size in (*a, *b)):
            return np.broadcast_shapes(a, b)
    except ValueError:
        return None
    import jax.numpy as jnp

    try:
        return tuple(jnp.broadcast_shapes(a, b))
    except (ValueError, TypeError):
        return None
