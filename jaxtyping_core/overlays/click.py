"""Click: a command line of functions, whose options their decorators declare. Nothing of it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN, AbstractScalar
from ..identity import identity
from ._commands import KINDS, option

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: What makes an option something else than one value.
OF_SEVERAL = ("multiple", "nargs", "count", "callback", "flag_value")


def _namespaces(natives: Natives) -> dict[str, Any]:
    function = natives.function
    #: The options of each function, and the function that each command calls, by the ids of both.
    options: dict[int, dict[str, Any]] = {}
    kept: list[Any] = []

    def declared(*names: Any, **said: Any) -> Any:
        name = _name(names)

        def decorate(of: Any) -> Any:
            if name is not None:
                kept.append(of)
                options.setdefault(identity(of), {})[name] = _value(natives, said)
            return of

        return function(decorate) if name is not None else UNKNOWN

    def command(*_: Any, **__: Any) -> Any:
        def decorate(of: Any) -> Any:
            def run(*_: Any, **__: Any) -> Any:
                values = {**options.get(identity(of), {}), **options.get(identity(made), {})}
                return natives.interpreter.call(of, [], values)

            made = function(run)
            return made

        return function(decorate)

    def argument(*names: Any, **said: Any) -> Any:
        return declared(*names, **{"required": True, **said})

    names = {"command": command, "option": declared, "argument": argument}
    return {"click": Namespace("click", **{name: function(each) for name, each in names.items()})}


def _name(names: tuple[Any, ...]) -> str | None:
    """The parameter that an option is passed for."""
    if not names or not all(type(name) is str for name in names):
        return None
    plain = [name for name in names if name.isidentifier()]
    name = plain[0] if plain else max(names, key=lambda each: len(each) - len(each.lstrip("-")))
    name = name.lstrip("-").partition("/")[0].replace("-", "_").lower()
    return name if name.isidentifier() else None


def _value(natives: Natives, said: dict[str, Any]) -> Any:
    """The value of an option, by what is said of it."""
    default, kind = said.get("default"), said.get("type")
    if any(each in said for each in OF_SEVERAL):
        return UNKNOWN
    if said.get("is_flag"):
        kind, default = bool, default or False
    if default is None and said.get("required") is True:
        return AbstractScalar(kind) if kind in KINDS else UNKNOWN
    return option(natives, kind if kind in KINDS else type(default), default)


OVERLAY = Overlay(library="click", instead=_namespaces)
