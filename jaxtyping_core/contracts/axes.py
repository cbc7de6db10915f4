"""One axis of an array as an annotation declares it, and what its name stands for in a call."""

from __future__ import annotations

import re
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jaxtyping_core._annotations import dim_strings
from jaxtyping_core._annotations.arithmetic import FUNCTIONS, symbols_of
from jaxtyping_core._annotations.array import Dims
from jaxtyping_core._annotations.shapes import compile_shape
from jaxtyping_core._annotations.sizes import Dim, compile_dim, resolve
from jaxtyping_core._annotations.source import is_unpacked, unpacked

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
#: ``{self.width}`` in a text of jaxtyping: Python's expression for a size.
BRACES = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis, or several (`variadic`). `name`, `sizes` and `expression` say which sizes; without them, any."""

    text: str
    name: str | None = None
    sizes: frozenset[int] | None = None
    expression: str | None = None
    variadic: bool = False
    broadcastable: bool = False
    by_leaf: bool = False


def of_text(text: str) -> tuple[Axis, ...]:
    """The axes of a text of jaxtyping's.

    Raises:
        dim_strings.DimStringError: it is none.
    """
    dim_strings.parse(text)  # which knows what may not stand beside each other
    return tuple(map(_of_word, text.split()))


def _of_word(word: str) -> Axis:
    (axis,) = dim_strings.parse(word)
    expression = word.lstrip(dim_strings.MODIFIERS) if BRACES.search(word) else axis.expression
    return Axis(
        word,
        name=axis.name,
        sizes=None if axis.size is None else frozenset([axis.size]),
        expression=expression,
        variadic=axis.variadic,
        broadcastable=axis.broadcastable,
        by_leaf=axis.by_leaf,
    )


def of_type(shape: Any, variables: Mapping[Any, Any]) -> tuple[Axis, ...]:
    """The axes of a shape parameter of `Array`, with other dims in place of some type variables."""
    shape = resolve(variables.get(shape, shape))
    if typing.get_origin(shape) is not tuple:
        pattern = compile_shape(shape)
        middle = () if pattern.middle is None else (Axis("...", variadic=True),)
        return (*map(_of_dim, pattern.before), *middle, *map(_of_dim, pattern.after))
    return tuple(_of_items(typing.get_args(shape), variables))


def _of_items(items: Sequence[Any], variables: Mapping[Any, Any]) -> Iterator[Axis]:
    if len(items) == 2 and items[1] is ...:
        yield Axis("...", variadic=True)
        return
    for item in items:
        item = resolve(variables.get(item, item))
        if not is_unpacked(item):
            yield _of_dim(compile_dim(item))
            continue
        inside = resolve(unpacked(item))
        inside = variables.get(inside, inside)
        if inside is Dims:  # what ``Float32`` alone stands for, another one each time
            yield Axis("...", variadic=True)
        elif isinstance(inside, typing.TypeVarTuple):
            yield Axis(f"*{inside.__name__}", name=inside.__name__, variadic=True)
        else:
            yield from _of_items(typing.get_args(inside), variables)


def _of_dim(dim: Dim) -> Axis:
    name = None if dim.name is None else dim.name.__name__
    numbers = "|".join(map(str, sorted(dim.sizes or ())))
    return Axis(name or numbers or "?", name=name, sizes=dim.sizes)


def names_in(axes: Sequence[Axis]) -> set[str]:
    """The names of sizes that axes mention, those in expressions included."""
    names = {axis.name for axis in axes if axis.name is not None and not axis.variadic}
    for axis in axes:
        if axis.expression is not None:
            names |= symbols_of(BRACES.sub("0", axis.expression))
    return names


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
        if axis.expression is not None:
            value = self.value(axis.expression)
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
        if axis.expression is not None:
            value = self.value(axis.expression)
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
