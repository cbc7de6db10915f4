"""The dims of jaxtyping's annotations: ``"*batch h=8 n+1"`` in ``Float[Array, "*batch h=8 n+1"]``.

The rules are those of jaxtyping's documentation of array annotations. What jaxtyping rejects in an annotation is
an error here too, with its place in the string. A dim string is words, one for each axis:

    word       =  [label "="] ( modifier* name | ["#"] size | ["#"] formula )  |  "..."  |  "_" ...
    modifier   =  "*"  any number of axes: ``*batch``
               |  "#"  the axis may have size 1 instead: ``#n``
               |  "?"  another size in each leaf of a tree: ``?n``
               |  "_"  a name that says nothing: ``_n``; ``_`` alone, and ``...`` for any number of axes
    size       =  an int: ``3``, and ``rows=3``, whose label says nothing
    formula    =  arithmetic of names and ints: ``n+1``, ``2*n``, ``min(a,b)``, without spaces
               |  the same with Python's expressions of the parameters: ``{n}``, ``{self.width}//2``
"""

from __future__ import annotations

import dataclasses
import re

from jaxtyping_core.domain.expressions import NotAnExpression, NotArithmetic
from jaxtyping_core.domain.formulas import symbols_of

from .axes import ANY_AXES, ANY_AXIS, Axis

_FIXED = re.compile(r"[+-]?\d+(_\d+)*")
#: What may stand before a dim.
MODIFIERS = "#*_?"


class DimStringError(ValueError):
    """A dim string that jaxtyping rejects; `offset` is the place in the string."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def parse(text: str) -> tuple[Axis, ...]:
    """The axes that a dim string describes.

    Raises:
        DimStringError: jaxtyping rejects the string.
    """
    axes: list[Axis] = []
    for word in re.finditer(r"\S+", text):
        try:
            axis = _axis(word.group())
        except ValueError as error:
            raise DimStringError(str(error), word.start()) from None
        axis = dataclasses.replace(axis, text=word.group())
        if axis.variadic and any(other.variadic for other in axes):
            raise DimStringError(
                f'"{word.group()}" stands for several axes, but only one axis can, and an earlier one does',
                word.start(),
            )
        axes.append(axis)
    return tuple(axes)


def _axis(word: str) -> Axis:
    if "," in word and "(" not in word:
        raise ValueError(f'"{word}" has a comma; separate axes by spaces')
    if word.endswith("#"):
        raise ValueError(
            f'"{word}" ends with "#"; write "#" before the name of an axis that can be broadcast'
        )
    if "..." in word and word != "...":
        raise ValueError(f'"{word}" contains "..."; write "..." as an axis of its own')
    if word == "...":
        return ANY_AXES
    modifiers, rest = _modified(word)
    return _with_modifiers(word, modifiers, rest)


def _modified(word: str) -> tuple[str, str]:
    """What stands before a dim, and the dim."""
    modifiers, rest = "", word
    while rest:
        if rest[0] in MODIFIERS:
            if rest[0] in modifiers:
                raise ValueError(f'"{word}" has "{rest[0]}" twice; once is enough')
            modifiers, rest = modifiers + rest[0], rest[1:]
        elif rest.count("=") == 1:
            rest = rest.partition("=")[2]
        else:
            break
    return modifiers, rest


def _with_modifiers(word: str, modifiers: str, rest: str) -> Axis:
    anonymous, variadic = "_" in modifiers, "*" in modifiers
    broadcastable, by_leaf = "#" in modifiers, "?" in modifiers
    if not rest or rest.isidentifier():
        if anonymous and broadcastable:
            raise ValueError(f'"{word}" has no name ("_"), so it fits every size and needs no "#"')
        if anonymous or not rest:
            return ANY_AXES if variadic else ANY_AXIS
        return Axis(name=rest, variadic=variadic, broadcastable=broadcastable, by_leaf=by_leaf)
    kind = "a number" if _FIXED.fullmatch(rest) else "an expression"
    for modifier in modifiers:
        if modifier != "#":
            raise ValueError(f'"{word}" has "{modifier}" before {kind}, but it can only stand before a name')
    if kind == "a number":
        label = word.partition("=")[0].lstrip(MODIFIERS) if "=" in word else None
        return Axis(sizes=frozenset([int(rest)]), broadcastable=broadcastable, label=label)
    if "{" in rest:  # what it stands for is known when the function is called
        return Axis(by_value=rest, broadcastable=broadcastable)
    try:
        symbols_of(rest)
    except NotAnExpression:
        raise ValueError(f'"{word}" is not a name, a number or an expression of names and numbers') from None
    except NotArithmetic:
        return ANY_AXIS
    return Axis(expression=rest, broadcastable=broadcastable)
