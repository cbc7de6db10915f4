"""Parameter lists of stubs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from inspect import Parameter
from typing import Any

_STARS: dict[Any, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}


def parameters(found: Iterable[Parameter], annotate: Callable[[Parameter], str]) -> str:
    """The parameter list, each parameter with the annotation that `annotate` gives it; "" for none."""
    parts: list[str] = []
    kind: Any = None
    for one in found:
        if kind is Parameter.POSITIONAL_ONLY and one.kind is not kind:
            parts.append("/")
        if one.kind is Parameter.KEYWORD_ONLY and kind not in (one.kind, Parameter.VAR_POSITIONAL):
            parts.append("*")
        kind = one.kind
        parts.append(_parameter(one, annotate(one)))
    return ", ".join([*parts, *(["/"] if kind is Parameter.POSITIONAL_ONLY else [])])


def _parameter(one: Parameter, annotation: str) -> str:
    typed = f"{_STARS.get(one.kind, '')}{one.name}" + (f": {annotation}" if annotation else "")
    if one.default is Parameter.empty:
        return typed
    return f"{typed} = {literal(one.default)}" if annotation else f"{typed}={literal(one.default)}"


def literal(value: Any) -> str:
    """A default value as a literal; ``...`` for whatever is not a plain one."""
    plain = (
        value is None or type(value) in (bool, int, str) or (type(value) is float and math.isfinite(value))
    )
    return repr(value) if plain else "..."
