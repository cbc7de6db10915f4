"""Parameter lists of stubs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from inspect import Parameter
from typing import Any

_STARS: dict[Any, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}


def parameters(listed: Iterable[Parameter], annotate: Callable[[Parameter], str]) -> str:
    """The parameter list, each parameter with the annotation that `annotate` gives it; "" for none."""
    parts: list[str] = []
    kind: Any = None
    for parameter in listed:
        if kind is Parameter.POSITIONAL_ONLY and parameter.kind is not kind:
            parts.append("/")
        if parameter.kind is Parameter.KEYWORD_ONLY and kind not in (
            parameter.kind,
            Parameter.VAR_POSITIONAL,
        ):
            parts.append("*")
        kind = parameter.kind
        parts.append(_parameter(parameter, annotate(parameter)))
    return ", ".join([*parts, *(["/"] if kind is Parameter.POSITIONAL_ONLY else [])])


def _parameter(parameter: Parameter, annotation: str) -> str:
    typed = f"{_STARS.get(parameter.kind, '')}{parameter.name}" + (f": {annotation}" if annotation else "")
    if parameter.default is Parameter.empty:
        return typed
    return (
        f"{typed} = {literal(parameter.default)}" if annotation else f"{typed}={literal(parameter.default)}"
    )


def literal(value: Any) -> str:
    """A default value as a literal; ``...`` for whatever is not a plain one."""
    plain = (
        value is None or type(value) in (bool, int, str) or (type(value) is float and math.isfinite(value))
    )
    return repr(value) if plain else "..."
