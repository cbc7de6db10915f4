"""From a function of JAX to its definitions in a stub."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable
from inspect import Parameter, Signature
from typing import Any

import jax

from . import declared, hints, oracle, requests, switches
from .rules import overloads

#: Results that are known whatever the arguments are, by the function's full name.
RESULTS: dict[str, str] = {
    **{
        f"jax.numpy.{name}": "Array[_bool_, Any]"
        for name in (
            *("all", "any", "allclose", "array_equal", "array_equiv", "isclose", "isin"),
            *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
            *("iscomplex", "isreal", "isfinite", "isinf", "isnan", "isneginf", "isposinf"),
            *("logical_not", "signbit"),
        )
    },
    # As the dtype of an array, which programs reduce a list of with these functions.
    **dict.fromkeys(("jax.numpy.promote_types", "jax.numpy.result_type"), "DTypeObject[Any]"),
    "jax.numpy.linalg.cond": "Array",  # JAX declares no result
    "jax.numpy.linalg.cross": "Array",
}


#: Functions of which JAX declares the shape to be Any. That is narrowed (for pyright): what the size of a dim is computed
#: with is often a division that gives a float. mypy reads JAX's own, and the plugin has better words for it.
SHAPED = frozenset(f"jax.numpy.{name}" for name in ("zeros", "ones", "empty", "full"))
_WIDE_SHAPE = re.compile(r"\bshape: (?:Any|object)(?=,)")


def overloaded(plain: list[str]) -> list[str]:
    """The definition as the last of a group of overloads."""
    return plain if "@overload" in plain else ["@overload", *plain]


class Renderer:
    """Renders the functions of one module, and remembers the result classes that it must import."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.imports: dict[str, str] = {}  # class -> the module that it comes from
        self._switched = False
        self._exact: list[str] = []  # definitions for all checkers, and for the mypy plugin
        self._thin: list[str] = []

    def function(self, name: str, function: Callable[..., Any]) -> list[str]:
        """The lines that define `function` as `name`; none for one that goes into `definitions`."""
        plain = self._plain(name, function)
        exact = self._overloads(f"{self.module}.{name}", function, overloaded(plain))
        if not exact:
            return plain
        self._exact += exact
        self._thin += plain
        return []

    def definitions(self) -> list[str]:
        """The functions that have overloads, in one switch: ty gives up on a module with hundreds of them."""
        if not self._exact:
            return []
        return [*self.switch(), *switches.without_plugin(self._exact, self._thin)]

    def switch(self) -> list[str]:
        """The definitions that the first switch of a module needs."""
        first, self._switched = not self._switched, True
        self.imports["Final"] = "typing"
        return ["import sys", "JAXTYPING_CORE_PLUGIN: Final = False"] if first else []

    def _overloads(
        self, path: str, function: Callable[..., Any], last: list[str], first: str = ""
    ) -> list[str]:
        """The overloads of a function, with the `last` after them; none where nothing is known of it."""
        rows = overloads.overloads(path, function)
        more = _left_out(function)
        name = path.rpartition(".")[2]
        lines = [
            line
            for row in rows
            for line in (
                "@overload",
                f"def {name}({_written([*row.parameters, *more], first)}) -> {row.result}: ...",
            )
        ]
        lines += _beside(lines, last)
        if path in SHAPED:
            lines = [_WIDE_SHAPE.sub("shape: _ShapeLike", line) for line in lines]
        found_names = dict(overloads.vocabulary("\n".join(lines)))
        self.imports = {**found_names, **self.imports}  # a named tuple may be called like a type variable
        return lines

    def call(self, name: str, function: Callable[..., Any], plain: str) -> list[str]:
        """The lines that define calls of an instance which is the function `name`; `plain` is the simplest one."""
        exact = self._overloads(f"{self.module}.{name}", function, ["@overload", plain], "self")
        exact = [line.replace(f"def {name}(", "def __call__(", 1) for line in exact]
        return list(switches.without_plugin(exact, [plain])) if exact else [plain]

    def _plain(self, name: str, function: Callable[..., Any]) -> list[str]:
        inner = inspect.unwrap(function)
        own = inspect.signature(function)
        if overloads := declared.overloads(f"{self.module}.{name}", function):
            written = [self._define(name, with_defaults(overload, own), inner) for overload in overloads]
            return [line for definition in written for line in ("@overload", definition)]
        return [self._define(name, widened(own, oracle.functions(self.module).get(name, [])), inner)]

    def _define(self, name: str, signature: Signature, inner: Callable[..., Any]) -> str:
        known = RESULTS.get(f"{self.module}.{name}")
        self.imports |= dict(overloads.vocabulary(known or ""))
        result = known or self._result(signature.return_annotation, inner)
        return f"def {name}({parameters(signature.parameters.values())}) -> {result}: ..."

    def _result(self, annotation: Any, inner: Callable[..., Any]) -> str:
        """The result as JAX declares it. A union would make every use of it an error: ``Any`` instead.

        ``ArrayLike`` is one; no function gives anything but an array for it.
        """
        classes = _result_classes(annotation, inner)
        members = hints.members(annotation, {cls: cls for cls in classes})
        only, *more = members
        if more:
            return hints.ANY
        if only == "ArrayLike":
            return "Array"
        self.imports.update({cls: module for cls, module in classes.items() if cls == only})
        return only


def _beside(lines: list[str], last: list[str]) -> list[str]:
    """The function's own signature beside overloads; none where the last of them takes the same arguments."""
    taken = [line.rpartition(" -> ")[0] for line in lines[-1:]]
    repeated = [line.rpartition(" -> ")[0] for line in last if not line.startswith("@")] == taken
    return [] if not lines or (repeated and len(lines) > 2) else last


def with_defaults(overload: Signature, own: Signature) -> Signature:
    """The overload with the defaults that the function has: it also holds for calls that leave an argument out.

    JAX's overloads often require the argument that tells them apart, even where it is the default.
    """
    return overload.replace(
        parameters=[
            _with_default(parameter, own.parameters.get(parameter.name))
            for parameter in overload.parameters.values()
        ]
    )


def _with_default(parameter: Parameter, own: Parameter | None) -> Parameter:
    if own is None or own.default is Parameter.empty or parameter.kind is Parameter.POSITIONAL_ONLY:
        return parameter
    switch = str(parameter.annotation).startswith("Literal[")
    if switch:
        matches = (
            parameter.kind is Parameter.KEYWORD_ONLY and parameter.annotation == f"Literal[{own.default!r}]"
        )
        return parameter.replace(default=own.default) if matches else parameter
    return parameter if parameter.default is Parameter.empty else parameter.replace(default=own.default)


def widened(signature: Signature, described: list[Signature]) -> Signature:
    """`signature`, where each parameter accepts what the function or JAX's stub says that it accepts."""
    if not described:
        return signature
    other = described[0].parameters
    return signature.replace(
        parameters=[
            wider(parameter, other.get(parameter.name)) for parameter in signature.parameters.values()
        ],
        return_annotation=_first_given(signature.return_annotation, described[0].return_annotation),
    )


def wider(parameter: Parameter, other: Parameter | None) -> Parameter:
    """`parameter`, where it also accepts what `other` accepts."""
    if other is None or other.annotation is Parameter.empty:
        return parameter
    if parameter.annotation is Parameter.empty:
        return parameter.replace(annotation=other.annotation)
    members = hints.join(hints.members(parameter.annotation), hints.members(other.annotation))
    return parameter.replace(annotation=Members(members))


class Members(tuple[str, ...]):
    """An annotation that is already a tuple of union members."""


def _first_given(*values: Any) -> Any:
    return next((value for value in values if value is not Signature.empty), Signature.empty)


def parameters(listed: Iterable[Parameter], first: str = "") -> str:
    """The parameter list, after the parameter `first`."""
    parts: list[str] = [first] if first else []
    kind: Any = Parameter.POSITIONAL_ONLY if first else None
    for parameter in listed:
        if kind is Parameter.POSITIONAL_ONLY and parameter.kind is not kind and (not first or len(parts) > 1):
            parts.append("/")
        if parameter.kind is Parameter.KEYWORD_ONLY and kind not in (
            Parameter.KEYWORD_ONLY,
            Parameter.VAR_POSITIONAL,
        ):
            parts.append("*")
        kind = parameter.kind
        parts.append(_parameter(parameter))
    if kind is Parameter.POSITIONAL_ONLY and len(parts) > bool(first):
        parts.append("/")
    return ", ".join(parts)


STARS: dict[Any, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}


def _parameter(parameter: Parameter) -> str:
    """One parameter, with its stars, annotation and default."""
    stars = STARS.get(parameter.kind, "")
    stated = annotation(parameter)
    default = literal(parameter.default)
    if parameter.default is None:
        default = requests.default_of(stated) or default
    return f"{stars}{parameter.name}: {stated}" + (
        "" if parameter.default is Parameter.empty else f" = {default}"
    )


def _left_out(function: Callable[..., Any]) -> list[Parameter]:
    """The keywords of a ufunc, which may be None: a call that says so is one that leaves them out."""
    if not isinstance(function, jax.numpy.ufunc):
        return []
    parameters = inspect.signature(function).parameters.values()
    return [
        parameter.replace(annotation="None")
        for parameter in parameters
        if parameter.kind is Parameter.KEYWORD_ONLY
    ]


def _written(listed: Iterable[Parameter], first: str) -> str:
    """The parameter list of an overload, of which the annotations are text already."""
    return parameters(
        [parameter.replace(annotation=Written(parameter.annotation)) for parameter in listed], first
    )


class Written(str):
    """An annotation as it is to be written, but for ``Any``: pyright takes a tuple that is given for it for unknown."""


def annotation(parameter: Parameter) -> str:
    """The annotation of a parameter. A default of None means that None is accepted."""
    stated = parameter.annotation
    if isinstance(stated, Written):
        return "object" if stated == hints.ANY else str(stated)
    members = stated if isinstance(stated, Members) else hints.members(stated)
    return hints.text(hints.join(members, ("None",)) if parameter.default is None else members)


def literal(value: Any) -> str:
    """A default value as a literal; ``...`` for whatever is not a plain one."""
    plain = (
        value is None or type(value) in (bool, int, str) or (type(value) is float and math.isfinite(value))
    )
    return repr(value) if plain else "..."


def _result_classes(annotation: Any, inner: Callable[..., Any]) -> dict[str, str]:
    """The class that `annotation` names (a named tuple, a protocol), with the module that defines it."""
    scope = getattr(inner, "__globals__", {})
    named = scope.get(annotation) if isinstance(annotation, str) else None
    return {annotation: str(scope["__name__"])} if _is_result_class(named) else {}


def _is_result_class(value: Any) -> bool:
    return isinstance(value, type) and (issubclass(value, tuple) or getattr(value, "_is_protocol", False))
