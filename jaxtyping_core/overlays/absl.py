"""absl: flags, which have any value of their types, the call of a program's main function, and what tests are passed. Nothing of it is called."""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..engine.cases import MOST_CASES
from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import PURE_EXTERNAL, UNKNOWN, AbstractScalar, AbstractSequence
from ..identity import identity

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


def _parameterized(natives: Natives) -> Namespace:
    """``absl.testing.parameterized``: what its decorators pass to tests."""
    interpreter = natives.interpreter

    def passing(cases_of: Callable[..., list[Any]]) -> Callable[..., Any]:
        def decorator(*cases: Any, **grid: Any) -> Any:
            def decorate(function: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
                known = interpreter.functions.get(identity(function))
                if known is not None:
                    names = [arg.arg for arg in known.node.args.args][1:]
                    interpreter.cases.add(known, [_case(names, case) for case in cases_of(*cases, **grid)])
                return function

            return natives.function(decorate)

        return natives.function(decorator)

    testing = Namespace(
        parameters=passing(lambda *cases, **_: _listed(cases)),
        named_parameters=passing(lambda *cases, **_: [*map(_unnamed, _listed(cases))]),
        product=passing(_products),
    )
    testing.others = PURE_EXTERNAL
    return testing


def _listed(cases: Sequence[Any]) -> list[Any]:
    """The cases of a decorator, which are also passed in one list."""
    only = cases[0] if len(cases) == 1 else None
    return [*only] if isinstance(only, list) else [*cases]


def _unnamed(case: Any) -> Any:
    """A case without the name that it is reported under."""
    if isinstance(case, dict):
        return {name: value for name, value in case.items() if name != "testcase_name"}
    return case[1:] if isinstance(case, list | tuple) else UNKNOWN


def _products(*dicts: Any, **grid: Any) -> list[dict[str, Any]]:
    """All combinations of some arguments, each of which has several values."""
    axes: list[list[dict[str, Any]]] = [[*each] if isinstance(each, list | tuple) else [{}] for each in dicts]
    axes += [
        [{name: value} for value in values] if isinstance(values, list | tuple) else [{}]
        for name, values in grid.items()
    ]
    return [
        {name: value for part in parts if isinstance(part, dict) for name, value in part.items()}
        for parts in itertools.islice(itertools.product(*axes), MOST_CASES)
    ]


def _case(names: list[str], case: Any) -> dict[str, Any]:
    """The arguments that a case passes to parameters of these names."""
    if isinstance(case, dict):
        return case
    values = case if isinstance(case, list | tuple) else (case,)
    return dict(zip(names, values, strict=False))


def _namespaces(natives: Natives) -> dict[str, Any]:
    flags, app = _flags(natives), Namespace(run=natives.function(_runner(natives)))
    parameterized = _parameterized(natives)
    testing = Namespace(parameterized=parameterized)
    testing.others = PURE_EXTERNAL
    return {
        "absl": Namespace(flags=flags, app=app),
        "absl.flags": flags,
        "absl.app": app,
        "absl.testing": testing,
        "absl.testing.parameterized": parameterized,
    }


OVERLAY = Overlay(library="absl", is_onlooker=True, instead=_namespaces)
