"""The dims of jaxtyping's annotations: ``"*batch h=8 n+1"`` in ``Float[Array, "*batch h=8 n+1"]``.

The rules are those of jaxtyping's documentation of array annotations. What jaxtyping rejects in an annotation is
an error here too, with its place in the string.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from jaxtyping_core._annotations.arithmetic import NotArithmetic, symbols_of
from jaxtyping_core._annotations.scalars import CLASSES

#: The names of jaxtyping for dtypes, each with the class that has all of them; None for any dtype.
DTYPE_NAMES: dict[str, str | None] = {
    "Float": "floating",
    "Int": "signedinteger",
    "UInt": "unsignedinteger",
    "Integer": "integer",
    "Complex": "complexfloating",
    "Inexact": "inexact",
    "Bool": "bool_",
    "Num": "number",
    "Real": "number",  # which has no class of its own: complex dtypes are no reals
    "Shaped": None,
    "Key": "prng_key",
}
#: jaxtyping's names for concrete dtypes, without case and underscores.
_CONCRETE = {name.replace("_", ""): name for name in CLASSES if re.search(r"\d", name)}
_FIXED = re.compile(r"[+-]?\d+(_\d+)*")
#: A parameter in a text, which stands for its value.
VALUE = re.compile(r"\{\s*([A-Za-z_]\w*)\s*\}", re.ASCII)
#: What may stand before a dim.
MODIFIERS = "#*_?"


class DimStringError(ValueError):
    """A dim string that jaxtyping rejects; `offset` is the place in the string."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a dim string, or several: at most one of `name`, `size` and `expression` is set.

    If none is set, any size fits. That includes sizes that the string alone does not tell (``{n}``). `by_value` has the
    expression of a size that depends on the values of parameters.
    """

    name: str | None = None
    size: int | None = None
    expression: str | None = None
    variadic: bool = False
    broadcastable: bool = False
    by_leaf: bool = False  # another one for each leaf of a tree
    by_value: str | None = None
    #: What stands before a size in ``rows=3``, which says nothing; a program may mean the same by ``rows`` elsewhere.
    label: str | None = field(default=None, compare=False)


#: Any number of axes.
ANY_AXES = Axis(variadic=True)
ANY_AXIS = Axis()


def class_name(name: str) -> str | None:
    """The class of the dtypes that one of jaxtyping's names means; None for any dtype.

    Raises:
        KeyError: it is none of jaxtyping's names.
    """
    if name in DTYPE_NAMES:
        return DTYPE_NAMES[name]
    if not name[:1].isupper():
        raise KeyError(name)
    return _CONCRETE[name.lower()]


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
        return Axis(size=int(rest), broadcastable=broadcastable, label=label)
    if "{" in rest:  # what it stands for is known when the function is called
        return Axis(by_value=rest) if _of_values(rest) else ANY_AXIS
    try:
        symbols_of(rest)
    except SyntaxError:
        raise ValueError(f'"{word}" is not a name, a number or an expression of names and numbers') from None
    except NotArithmetic:
        return ANY_AXIS
    return Axis(expression=rest, broadcastable=broadcastable)


def _of_values(text: str) -> bool:
    """Whether a text with braces is arithmetic once the parameters in it are numbers."""
    try:
        symbols_of(VALUE.sub(r"(\1)", text))
    except (SyntaxError, NotArithmetic):
        return False
    return True
