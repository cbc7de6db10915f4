"""The protocol's values (see protocol.py): what is in one, and what it is with parts of it changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

SYMBOL = re.compile(r"[A-Za-z_]\w*")
UNKNOWN = "unknown_"  # prefix of every fresh symbol
UNKNOWN_DIM = f"{UNKNOWN}dim_"  # ... that stands for an unknown dim
UNKNOWN_INT = f"{UNKNOWN}int_"  # ... that stands for a Python int of unknown value
DIM_FUNCTIONS = {
    "max": max,
    "min": min,
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
}
#: The path of the array layer's functions starts like this.
LAYER = "jaxtyping_core.numpy."


def inside(value: Any) -> Iterator[Any]:
    """A value and every value in it."""
    yield value
    tag, *rest = value
    if tag in ("tuple", "list"):
        children = rest[0]
    elif tag == "dict":
        children = [part for pair in rest[0] for part in pair]
    elif tag == "slice":
        children = rest
    elif tag == "call":
        children = [*rest[1], *rest[2].values()]
    elif tag == "lambda":
        children = [rest[1]]
    elif tag == "layer":
        children = rest
    else:
        return
    for child in children:
        yield from inside(child)


def transform(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value with `change` made to every value in it, innermost first."""
    tag, *rest = value
    if tag in ("tuple", "list"):
        value = [tag, [transform(item, change) for item in rest[0]]]
    elif tag == "dict":
        value = [tag, [[transform(part, change) for part in pair] for pair in rest[0]]]
    elif tag == "slice":
        value = [tag, *(transform(part, change) for part in rest)]
    elif tag == "call":
        keywords = {name: transform(part, change) for name, part in rest[2].items()}
        value = [tag, rest[0], [transform(part, change) for part in rest[1]], keywords]
    elif tag == "lambda":
        value = [tag, rest[0], transform(rest[1], change)]
    elif tag == "layer":
        value = [tag, transform(rest[0], change)]
    return change(value)


def symbols_of(value: Any) -> list[str]:
    """The symbols in the dims in `value`, in order of appearance."""
    found: dict[str, None] = {}
    for tag, *rest in inside(value):
        dims = rest[2] if tag == "array" else rest if tag == "dim" else ()
        for dim in dims or ():
            if isinstance(dim, str):
                found.update(dict.fromkeys(s for s in SYMBOL.findall(dim) if s not in DIM_FUNCTIONS))
    return list(found)


def has_unknown(value: Any) -> bool:
    """Whether a part is not known: an error may then be the unknown part's."""
    for tag, *rest in inside(value):
        if tag == "scalar" or (tag == "array" and (None in rest or None in rest[2])):
            return True
    return False


def mentions_layer(value: Any) -> bool:
    """Whether the array layer takes part in a call."""
    return any(
        part[0] == "layer" or (part[0] in ("call", "named") and part[1].startswith(LAYER))
        for part in inside(value)
    )


def name_unknowns(value: Any, ints: bool = False) -> Any:
    """`value` with a fresh symbol for every unknown dim and, if `ints`, for every unknown Python int."""
    counter = iter(range(10**6))

    def change(part: Any) -> Any:
        if part[0] == "array":
            return [*part[:3], [f"{UNKNOWN_DIM}{next(counter)}" if d is None else d for d in part[3]]]
        return ["dim", f"{UNKNOWN_INT}{next(counter)}"] if ints and part == ["scalar", "int"] else part

    return transform(value, change)
