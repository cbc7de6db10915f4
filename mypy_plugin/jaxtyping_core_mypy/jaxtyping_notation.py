"""mypy's own messages about arrays in the form in which a program writes its annotations."""

from __future__ import annotations

import re

from jaxtyping_core.contracts.dtype_names import NAME_OF_CLASS

ARRAY = "Array["
#: Parts of a shape as mypy writes them, each with what jaxtyping calls it.
DIMS = (
    (re.compile(r"Literal\['(.*)'\]"), r"\1"),
    (re.compile(r"Literal\[(-?\d+)\]"), r"\1"),
    (re.compile(r"\*tuple\[Any, \.\.\.\]"), "..."),
    (re.compile(r"Unpack\[(\w+)\]"), r"*\1"),
    (re.compile(r"Any"), "_"),
    (re.compile(r"(\*?\w+)"), r"\1"),
)


def respelled(message: str) -> str:
    """A message in which ``Array[floating, tuple[b, n]]`` is ``Float[Array, 'b n']``: types stand in quotes there."""
    parts, start = [], 0
    while (place := message.find(ARRAY, start)) >= 0:
        end = _end(message, place + len(ARRAY))
        written = _annotation(message[place + len(ARRAY) : end]) if _begins(message, place) else None
        parts += [message[start:place], written or message[place : end + 1]]
        start = end + 1
    return "".join([*parts, message[start:]])


def _begins(message: str, place: int) -> bool:
    """Whether a word begins here."""
    return place == 0 or not (message[place - 1].isalnum() or message[place - 1] in "_.")


def _end(text: str, start: int) -> int:
    """Where the bracket ends that was opened before `start`."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"[": 1, "]": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return len(text)


def _annotation(arguments: str) -> str | None:
    """The annotation of an array with these type arguments; None where jaxtyping has none."""
    dtype, _, shape = arguments.partition(", ")
    name = "Shaped" if dtype == "Any" else NAME_OF_CLASS.get(dtype)
    if name is None:
        return None
    if shape in ("Any", "tuple[Any, ...]"):
        return f"{name}[Array, '...']"
    if not (shape.startswith("tuple[") and shape.endswith("]")):
        return None
    items = [] if shape == "tuple[()]" else _split(shape[len("tuple[") : -1])
    dims = [
        next((pattern.sub(said, item) for pattern, said in DIMS if pattern.fullmatch(item)), None)
        for item in items
    ]
    return None if None in dims else f"{name}[Array, '{' '.join(map(str, dims))}']"


def _split(items: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(items):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(items[start:place].strip())
            start = place + 1
    return [*parts, items[start:].strip()]
