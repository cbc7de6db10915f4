"""The short spelling of arrays in mypy's messages.

mypy writes ``Array[float32, tuple[B, Literal[3]]]`` where our own messages say ``float32[B, 3]``.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping

from jaxtyping_core.checking.notation import (
    CLOSING,
    QUOTE,
    STRING,
    Bracket,
    Notation,
    NotationError,
    brackets,
    parse,
    split,
    strip,
)
from jaxtyping_core.domain.formatting import ANY_DIMS, ANY_SIZE, spell_array
from jaxtyping_core.dtypes import ABSTRACT, DTYPES, WEAK

#: The classes of arrays, as mypy writes them: in some messages with their modules.
UNQUALIFIED = "Array"
ARRAYS = frozenset({"jax._src.basearray.Array", "jaxtyping_core.numpy.Array", UNQUALIFIED})
#: Modules of the stubs that mean nothing to users.
MODULES = ("jax._src.numpy.scalar_types.", "jax._src.dtypes.")
#: The classes that stand for dtypes, with the names that JAX prints.
DTYPE_NAMES: Mapping[str, str | None] = {
    **{row.class_name: row.name for row in DTYPES.values()},
    **{name: name for name in (*WEAK, *ABSTRACT)},
    "prng_key": "key<fry>",
    "Any": None,
}
#: The classes of what calls give, with the classes of Python that they stand for.
RESULTS = {
    f"{module}{kind.title()}Result": kind
    for module in ("", "jaxtyping_core._results.")
    for kind in ("dict", "list")
}
#: Types of dims that stand for any size.
ANY_SIZES = ("Any", "int", "builtins.int")
#: What looks like the name of a type variable; where mypy needs it, its function follows.
TYPE_VARIABLE = re.compile(r"(?!Never$|None$)_*[A-Z]\w*(@\w+)?")
#: A note that is indented shows a signature or the type of a variable, without quotes.
INDENT = "    "


def shorten(message: str) -> str:
    """A message of mypy's with its arrays in the short spelling.

    It stays as it is where only mypy's spelling tells two of its types apart.
    """
    types = list(types_in(message))
    if len({bracket.name for *_, typ in types for bracket in brackets(typ) if bracket.name in ARRAYS}) > 1:
        return message
    spelled = {message[start:end]: spell(typ) for start, end, typ in types}
    if len(set(spelled.values())) < len(spelled):
        return message
    pieces, position = [], 0
    for start, end, _ in types:
        pieces += [message[position:start], spelled[message[start:end]]]
        position = end
    return "".join(pieces) + message[position:]


def types_in(message: str) -> Iterator[tuple[int, int, Notation]]:
    """The types in a message, each with its start and end: what stands in double quotes."""
    if message.startswith(INDENT) and QUOTE not in message:
        with contextlib.suppress(NotationError, RecursionError):
            typ, end = parse(message)
            yield 0, end, typ
    opening = message.find(QUOTE)
    while opening >= 0:
        try:
            typ, end = parse(message, opening + 1)
        except (NotationError, RecursionError):  # something else that mypy quotes
            end = message.find(QUOTE, opening + 1)
        else:
            if end < len(message):
                yield opening + 1, end, typ
        opening = message.find(QUOTE, end + 1) if end >= 0 else end


def is_own_array(part: Bracket) -> bool:
    """Whether a part of a type is our class of arrays, with a dtype and a shape."""
    return part.name in ARRAYS and len(part.items) == 2


def is_array(part: str | Bracket) -> bool:
    """Whether a part of a type is a class of arrays, in our spelling or jaxtyping's, ``Float[Array, 'b n']``."""
    if not isinstance(part, Bracket) or len(part.items) != 2:
        return False
    first, second = map(spell, part.items)
    return is_own_array(part) or (first in ARRAYS and bool(re.fullmatch(STRING, second.strip())))


def spell(typ: Notation) -> str:
    """A type as mypy writes it, except for the arrays in it."""
    return "".join(map(_spell_part, typ))


def _spell_part(part: str | Bracket) -> str:
    if isinstance(part, str):
        module = next((module for module in MODULES if part.startswith(module)), "")
        return part.removeprefix(module)
    spelled = None
    if is_own_array(part):
        spelled = _spell_array(part.name, *part.items)
    return spelled or RESULTS.get(part.name, part.name) + _spell_items(part.opening, part)


def _spell_items(opening: str, bracket: Bracket) -> str:
    return opening + ",".join(map(spell, bracket.items)) + CLOSING[opening]


def _spell_array(name: str, dtype: Notation, shape: Notation) -> str | None:
    """The short spelling of an array; None if it has none."""
    dtypes, dims = [spell(member) for member in split(dtype, "|")], _dims(strip(shape))
    if dims is None or (name == UNQUALIFIED and not _is_ours(dtypes, shape)):
        return None
    return " | ".join(spell_array(DTYPE_NAMES.get(dtype, dtype), dims) for dtype in dtypes)


def _is_ours(dtypes: Iterable[str], shape: Notation) -> bool:
    """Whether ``Array`` is ours and not a class of the program: it has a dtype or a shape."""
    unknown = [dtype for dtype in dtypes if dtype not in DTYPE_NAMES]
    has_dims = any(brackets(shape))
    return not unknown or (has_dims and all(TYPE_VARIABLE.fullmatch(dtype) for dtype in unknown))


def _dims(shape: Notation) -> list[str] | None:
    """The dims of a shape as they are spelled; None if it is no single shape."""
    text = spell(shape)
    if text == "Any":
        return [ANY_DIMS]
    match shape:
        case (Bracket("tuple", "[", items),):
            texts = [spell(item).strip() for item in items]
            if texts == ["()"]:
                return []
            if texts[-1] != "...":
                return [_dim(strip(item)) for item in items]
            return [ANY_DIMS] if texts[0] in ANY_SIZES else None
    return [f"*{text}"] if TYPE_VARIABLE.fullmatch(text) else None


def _dim(item: Notation) -> str:
    match item:
        case (Bracket("Literal", "[", values),) | (Bracket("Literal", "[", values), "?"):
            return " | ".join(_value(spell(value).strip()) for value in values)
        case ("*", Bracket("tuple", "[", (size, rest))):
            if spell(size) in ANY_SIZES and spell(rest).strip() == "...":
                return ANY_DIMS
        case (Bracket("Unpack", "[", (unpacked,)),):
            return _dim(("*", *unpacked))
    text = spell(item)
    return ANY_SIZE if text in ANY_SIZES else text


def _value(text: str) -> str:
    """The value of a literal; a string is the formula of a size."""
    return text[1:-1] if re.fullmatch(STRING, text) else text
