"""Functions that libraries call with the options of a command line: each has its default, or any value of its type."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.values.unknowns import UNKNOWN, AbstractScalar
from ..identity import identity

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: Types of the values of options.
KINDS = (bool, int, float, str)


def option(natives: Natives, kind: Any, default: Any) -> Any:
    """The value of an option that has a default."""
    any_value = AbstractScalar(kind) if kind in KINDS and default is not None else UNKNOWN
    return natives.interpreter.option_defaults.value(default, any_value)


def call(natives: Natives, function: Any, default_of: Callable[[Any], Any] = lambda default: default) -> Any:
    """What a function of the program gives if its parameters are options.

    Args:
        natives: the functions that are called in place of others.
        function: the function.
        default_of: the value that an option has by what stands for its default.
    """
    known = natives.interpreter.functions.get(identity(function))
    if known is None:
        return UNKNOWN
    values: dict[str, Any] = {}
    for name, parameter in known.signature.parameters.items():
        if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            continue
        default = parameter.default if parameter.default is parameter.empty else default_of(parameter.default)
        is_required = default is parameter.empty
        values[name] = UNKNOWN if is_required else option(natives, type(default), default)
    return natives.interpreter.call(function, [], values)
