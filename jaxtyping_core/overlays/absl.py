"""absl: flags, which have any value of their types, and the call of a program's main function. Nothing of it is called."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: The functions of `absl.flags` by the type of the flag, a list of which some are.
FLAGS: dict[str, type] = {
    "DEFINE_integer": int,
    "DEFINE_float": float,
    "DEFINE_bool": bool,
    "DEFINE_boolean": bool,
    "DEFINE_string": str,
    "DEFINE_enum": str,
}
LISTS: dict[str, type] = {"DEFINE_list": str, "DEFINE_multi_string": str, "DEFINE_multi_integer": int}


def _flags(natives: Natives) -> Namespace:
    """``absl.flags``: what is defined is seen in ``FLAGS``, which all modules share."""
    values = types.SimpleNamespace()

    def define(kind: type, several: bool) -> Callable[..., Any]:
        def defined(name: Any, default: Any = None, *_: Any, **__: Any) -> Any:
            if not isinstance(name, str):
                return UNKNOWN
            value: Any = AbstractSequence(AbstractScalar(kind)) if several else AbstractScalar(kind)
            if type(default) is (list if several else kind):
                value = natives.interpreter.option_defaults.value(default, value)
            setattr(values, name, UNKNOWN if default is None else value)
            return types.SimpleNamespace(name=name, value=getattr(values, name))

        return natives.function(defined)

    def set_default(holder: Any, default: Any) -> None:
        if isinstance(holder, types.SimpleNamespace) and natives.interpreter.option_defaults.are_assumed:
            holder.value = default
            setattr(values, holder.name, default)

    nothing = natives.function(lambda *_, **__: None)
    return Namespace(
        FLAGS=values,
        set_default=natives.function(set_default),
        mark_flag_as_required=nothing,
        mark_flags_as_required=nothing,
        **{name: define(kind, False) for name, kind in FLAGS.items()},
        **{name: define(kind, True) for name, kind in LISTS.items()},
    )


def _runner(natives: Natives) -> Callable[..., Any]:
    """``absl.app.run``: calls the program's main function with what is left of the command line."""
    return lambda main=UNKNOWN, *_, **__: natives.interpreter.call(
        main, [AbstractSequence(AbstractScalar(str), True)], {}
    )


def _namespaces(natives: Natives) -> dict[str, Any]:
    flags, app = _flags(natives), Namespace(run=natives.function(_runner(natives)))
    return {"absl": Namespace(flags=flags, app=app), "absl.flags": flags, "absl.app": app}


OVERLAY = Overlay(library="absl", is_onlooker=True, instead=_namespaces)
