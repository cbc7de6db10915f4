"""pyrallis: options of a command line that a dataclass declares, and a file of settings. Nothing of it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.libraries.python.command_lines import parse_dataclass
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN
from ..identity import identity

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives


def _wrap(natives: Natives) -> Callable[..., Any]:
    """``pyrallis.wrap``: a function gets the options of the dataclass that its first parameter is annotated with."""
    parse = parse_dataclass(natives)

    def decorator(*args: Any, **options: Any) -> Callable[..., Any]:
        def decorate(function: Any = UNKNOWN) -> Callable[..., Any]:
            def call(*others: Any, **named: Any) -> Any:
                config = parse(_declared(natives, function), *args, **options)
                return natives.interpreter.call(function, [config, *others], named)

            return natives.function(call)

        return natives.function(decorate)

    return decorator


def _declared(natives: Natives, function: Any) -> Any:
    """What the first parameter of a function of the program is annotated with."""
    known = natives.interpreter.functions.get(identity(function))
    first = next(iter(known.node.args.args), None) if known else None
    if known is None or first is None or first.annotation is None:
        return UNKNOWN
    return natives.interpreter.value(first.annotation, known.scope)


def _namespaces(natives: Natives) -> dict[str, Any]:
    return {
        "pyrallis": Namespace(
            parse=natives.function(parse_dataclass(natives)), wrap=natives.function(_wrap(natives))
        )
    }


OVERLAY = Overlay(library="pyrallis", instead=_namespaces)
