"""The calls of one function that a request asks for, in the form in which `jaxtyping_core.recording` keeps those of a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .described import known_of
from .values.callables import UnknownArguments

if TYPE_CHECKING:
    from .interpreter import Interpreter
    from .values.callables import Function

#: Different calls that are kept, and how deep and how long containers are looked into.
MOST_CALLS, DEEPEST, LONGEST = 32, 6, 64
#: Ints that may be sizes.
SIZES = range(-1, 1 << 31)
CUT = {"tag": "cut"}


class Watched:
    """The function of which calls are kept, by its file and line, and what they pass and give."""

    def __init__(self, function: tuple[str, int] | None = None) -> None:
        self.function = function
        self.calls: dict[str, dict[str, Any]] = {}


def begun(interpreter: Interpreter, function: Function, bound: dict[str, Any]) -> list[Any] | None:
    """What a call passes, if it is one of the function that is asked for and passes what the program does."""
    wanted = (function.scope.module.path, function.node.lineno)
    if (
        interpreter.watched.function != wanted
        or interpreter.context.sample is not None
        or any(isinstance(each, UnknownArguments) for each in bound.values())
    ):
        return None
    return [[name, described(value)] for name, value in bound.items()]


def ended(interpreter: Interpreter, arguments: list[Any] | None, value: Any) -> None:
    """A call has given this."""
    if arguments is not None and len(interpreter.watched.calls) < MOST_CALLS:
        call = {"arguments": arguments, "returned": described(value)}
        interpreter.watched.calls[json.dumps(call)] = call


def described(value: Any, depth: int = 0) -> dict[str, Any]:
    """A value as `recording.observed` encodes it; nothing of what is unknown."""
    known = known_of(value)
    if known is not None:
        if known.dtype is None or known.shape is None:
            return CUT
        dims = [dim if isinstance(dim, int) else None for dim in known.shape]
        return {
            "tag": "array",
            "dtype": known.dtype,
            "dims": dims,
            "weak": bool(known.weak),
            "library": "jax",
        }
    kind = type(value)
    if kind in (type(None), bool, int, float, complex, str):
        is_kept = kind in (type(None), bool) or (kind is int and value in SIZES)
        name = "None" if value is None else kind.__name__
        return {"tag": "scalar", "kind": name, "value": value if is_kept else None}
    if kind in (tuple, list, dict) and depth < DEEPEST and len(value) <= LONGEST:
        if kind is not dict:
            items = [described(each, depth + 1) for each in value]
            return {"tag": "items", "kind": kind.__name__, "items": items, "type": None, "names": []}
        if all(isinstance(key, str) for key in value):
            items = [described(each, depth + 1) for each in value.values()]
            return {"tag": "dict", "keys": [*value], "items": items, "type": None}
    return CUT
