"""pytest: what it passes to tests, as their decorators and fixtures say. Nothing of it is called.

https://docs.pytest.org/en/stable/how-to/parametrize.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..engine.control import RaisedException
from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN, is_unknown
from ..identity import identity

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: Marks of tests that are not run, or that are to fail.
NOT_RUN = ("skip", "skipif", "xfail")
#: Functions that end a test.
ENDING = ("skip", "fail", "xfail", "exit", "importorskip")


class Param(tuple[Any, ...]):
    """The arguments of ``pytest.param``."""

    __slots__ = ()


def _namespaces(natives: Natives) -> dict[str, Any]:
    interpreter = natives.interpreter

    def kept(*args: Any, **_: Any) -> Any:
        """A decorator with or without arguments, which keeps its function."""
        if len(args) == 1 and identity(args[0]) in interpreter.functions:
            return args[0]
        return natives.function(lambda function=UNKNOWN, *_, **__: function)

    def fixture(*args: Any, **options: Any) -> Any:
        def keep(function: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
            if (
                known := interpreter.functions.get(identity(function))
            ) is not None and "params" not in options:
                interpreter.cases.fixtures[known.scope.module.path, options.get("name") or known.name] = (
                    function
                )
            return function

        return keep(*args) if args else natives.function(keep)

    def parametrize(names: Any = UNKNOWN, values: Any = UNKNOWN, **options: Any) -> Any:
        def decorate(function: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
            known = interpreter.functions.get(identity(function))
            if known is not None and not options.get("indirect"):
                interpreter.cases.add(known, [*_cases(names, values)])
            return function

        return natives.function(decorate)

    nothing = natives.function(lambda *_, **__: UNKNOWN)

    def left_out(*args: Any, **_: Any) -> Any:
        """A decorator with or without arguments, of a test that nothing may be concluded from. It does not call the test."""
        return UNKNOWN if len(args) == 1 and identity(args[0]) in interpreter.functions else nothing

    left = dict.fromkeys(NOT_RUN, natives.function(left_out))
    mark = Namespace(parametrize=natives.function(parametrize), **left)
    mark.others = natives.function(kept)
    return {
        "pytest": Namespace(
            mark=mark,
            fixture=natives.function(fixture),
            param=natives.function(lambda *values, marks=(), **_: Param(values) if marks == () else UNKNOWN),
            **dict.fromkeys(ENDING, natives.function(_ended)),
        )
    }


def _ended(*_: Any, **__: Any) -> Any:
    raise RaisedException(UNKNOWN)


def _cases(names: Any, values: Any) -> Iterator[Mapping[str, Any]]:
    """The arguments that each of the values of ``parametrize`` gives; none of a value that is not known."""
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",") if name.strip()]
    if not isinstance(names, list | tuple) or not isinstance(values, list | tuple):
        return
    for value in values:
        if is_unknown(value):
            continue
        if type(value) is not Param and len(names) == 1:
            value = (value,)
        if isinstance(value, list | tuple) and len(value) == len(names):
            yield dict(zip(names, value, strict=True))


OVERLAY = Overlay(library="pytest", instead=_namespaces)
