"""tyro: options of a command line that a class or a function declares. Nothing of it is called."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.libraries.command_lines import SCALARS, or_default
from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import STAR_ARGS, Namespace
from ..engine.values.unknowns import UNKNOWN, AbstractScalar

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives


def _of_class(natives: Natives) -> Callable[..., Any]:
    """``tyro.cli``: an object of a dataclass with any values of the declared types, or what a function gives of such."""

    def cli(target: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        interpreter = natives.interpreter
        if not isinstance(target, type):
            return interpreter.call(target, [STAR_ARGS], {"**": STAR_ARGS})
        if not dataclasses.is_dataclass(target) or target not in interpreter.classes:
            return UNKNOWN
        fields = [field for field in dataclasses.fields(target) if field.init]
        return interpreter.call(target, [], {field.name: _of_field(field) for field in fields})

    return cli


def _of_field(field: dataclasses.Field[Any]) -> Any:
    """Any value of a field."""
    if field.type not in SCALARS:
        return UNKNOWN
    kind = field.type
    assert isinstance(kind, type)
    has_default = field.default is not dataclasses.MISSING
    return or_default(AbstractScalar(kind), has_default, field.default, kind)


def _namespaces(natives: Natives) -> dict[str, Any]:
    return {"tyro": Namespace(cli=natives.function(_of_class(natives)))}


OVERLAY = Overlay(library="tyro", instead=_namespaces)
