"""What is believed of a child's answer: only what an answer may hold. A child that has read a program is not trusted.

Texts are made harmless for terminals: a message cannot move the cursor or change the direction of writing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.domain.expressions import parsed
from jaxtyping_core.domain.values import PYTHON_NUMBERS, Array, DType, Scalar, Size, Value, inside
from jaxtyping_core.dtypes import DTYPES
from jaxtyping_core.evaluation.protocol import CODES, Answer

#: Random keys that have a dtype of their own, ``key<fry>``.
KEYS = re.compile(r"key<\w{1,40}>")
#: What NumPy calls the dtype of gradients by ints.
FLOAT0 = "[('float0', 'V')]"
#: Characters of a message, and of any other text.
LONGEST_MESSAGE, LONGEST = 20_000, 100_000
MOST_DIMS = 64
#: Control characters, those that change the direction of writing, halves of characters, and private ones.
CATEGORIES = ("Cc", "Cf", "Cs", "Co")
PLAIN = "\n\t"


def answer(told: Answer) -> Answer:
    """A child's answer, with its texts made harmless.

    Raises:
        ValueError: it holds what no answer holds.
    """
    if told.result is not None:
        check(told.result)
    if told.kind is not None and told.kind not in CODES:
        raise ValueError("an error of no known kind")
    return told._replace(
        error=None if told.error is None else message(told.error),
        unknown=None if told.unknown is None else message(told.unknown),
    )


def check(value: Value) -> None:
    """Look at a value and all within it.

    Raises:
        ValueError: one is nothing that there is.
    """
    for part in inside(value):
        if isinstance(part, Array):
            array(part)
        elif isinstance(part, DType):
            dtype(part.name)
        elif isinstance(part, Size):
            dim(part.expression)
        elif isinstance(part, Scalar) and part.kind not in {kind.__name__ for kind in PYTHON_NUMBERS}:
            raise ValueError("a scalar of no known kind")
        else:
            _texts(getattr(part, field.name) for field in fields(part))  # type: ignore[arg-type]  # each kind is a dataclass


def _texts(parts: Iterable[Any]) -> None:
    for part in parts:
        if isinstance(part, str) and len(part) > LONGEST:
            raise ValueError("a text that is too long")


def array(known: AbstractArray) -> None:
    """Look at an abstract array.

    Raises:
        ValueError: there is no such array.
    """
    if known.is_bottom or known.weak not in (None, False, True):
        raise ValueError("no array")
    for name in known.dtypes or ():
        dtype(name)
    dims(known.shape)


def dtype(name: Any) -> str | None:
    """The name of a dtype.

    Raises:
        ValueError: there is no such dtype.
    """
    if name is None or (isinstance(name, str) and (name in DTYPES or name == FLOAT0 or KEYS.fullmatch(name))):
        return name
    raise ValueError(f"there is no dtype {message(name)[:80]!r}")


def dims(sizes: Any) -> tuple[int | str | None, ...] | None:
    """The sizes of an array.

    Raises:
        ValueError: one is no size.
    """
    if sizes is None:
        return None
    if not isinstance(sizes, (list, tuple)) or len(sizes) > MOST_DIMS:
        raise ValueError("no sizes")
    return tuple(map(dim, sizes))


def dim(size: Any) -> int | str | None:
    """A size: a number that is not negative, an expression, or None.

    Raises:
        ValueError: it is none.
    """
    if size is None:
        return None
    if type(size) is int and 0 <= size < 1 << 63:
        return size
    if isinstance(size, str):
        parsed(size)
        return size
    raise ValueError(f"{message(size)[:80]!r} is no size")


def message(text: Any) -> str:
    """Escape control characters in a text, and bound its length."""
    whole = str(text)
    if len(whole) > LONGEST_MESSAGE:
        whole = f"{whole[:LONGEST_MESSAGE]} ..."
    if whole.isprintable():
        return whole
    return "".join(map(_shown, whole))


def _shown(character: str) -> str:
    if character in PLAIN or unicodedata.category(character) not in CATEGORIES:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
