"""A row: one way to call a transformation, with the types that it then has.

The parameters are those of the installed JAX. A row gives some of them a type and names the result.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter
from typing import Any

from .. import switches
from ..signatures import parameters

#: The types of parameters that no row names. Others are ``Any``.
TYPES: dict[str, str] = {
    **dict.fromkeys(("has_aux", "holomorphic", "allow_int", "reverse", "symmetric", "keep_unused"), "_bool"),
    "is_leaf": "Callable[[Any], _bool] | None",
    "length": "int | None",
    "axis": "int",
    "unroll": "int | _bool | None",
}


@dataclass(frozen=True)
class Row:
    """The result, and the types of parameters. Those in `required` have no default in this row.

    `operands` are the types of so many positional arguments in place of the ``*operands``.
    """

    result: str
    types: Mapping[str, str] = field(default_factory=dict)
    required: Sequence[str] = ()
    operands: Sequence[str] | None = None
    without: Sequence[str] = ()

    def define(self, name: str, function: Callable[..., Any]) -> str:
        """The definition of `function` as `name`."""
        listed = [
            parameter
            for parameter in inspect.signature(function).parameters.values()
            if parameter.name not in self.without
        ]
        shown = parameters(self._ordered(self._operands(listed)), self._annotation)
        return f"def {name}({shown}) -> {self.result}: ..."

    def _operands(self, listed: Sequence[Parameter]) -> Iterator[Parameter]:
        """The parameters, with those in place of the ``*operands``; before them, all are positional."""
        positional = self.operands is not None
        for parameter in listed:
            if parameter.kind is not Parameter.VAR_POSITIONAL:
                yield parameter.replace(kind=Parameter.POSITIONAL_ONLY) if positional else parameter
                continue
            if self.operands is None:
                yield parameter
            for index, annotation in enumerate(self.operands or ()):
                yield Parameter(f"{parameter.name}_{index}", Parameter.POSITIONAL_ONLY, annotation=annotation)
            positional = False

    def _ordered(self, listed: Iterable[Parameter]) -> Iterator[Parameter]:
        """The parameters without the defaults of the required ones, which after others with a default need their name."""
        defaults = keywords = False
        for parameter in listed:
            if parameter.name in self.required:
                parameter = parameter.replace(default=Parameter.empty)
                keywords = keywords or defaults
            if keywords and parameter.kind is Parameter.POSITIONAL_OR_KEYWORD:
                parameter = parameter.replace(kind=Parameter.KEYWORD_ONLY)
            defaults = defaults or parameter.default is not Parameter.empty
            yield parameter

    def _annotation(self, parameter: Parameter) -> str:
        known = self.types.get(parameter.name) or TYPES.get(parameter.name)
        return known or (parameter.annotation if parameter.annotation in (self.operands or ()) else "Any")


@dataclass(frozen=True)
class Function:
    """A transformation: its name in the stub, its public names, its rows, and the row that mypy has in their place."""

    name: str
    public: Sequence[str]
    rows: Sequence[Row]
    thin: Row | None = None

    def render(self) -> str:
        """The definitions."""
        module, _, attribute = self.public[0].rpartition(".")
        function = getattr(importlib.import_module(module), attribute, None)
        if function is None:  # this JAX does not have it
            return ""
        optional = {
            parameter.name
            for parameter in inspect.signature(function).parameters.values()
            if parameter.default is not parameter.empty
        }

        def lines(rows: Sequence[Row]) -> list[str]:
            fitting = [row for row in rows if optional.issuperset(row.without)]
            mark = ["@overload"] if len(fitting) > 1 else []
            return [line for row in fitting for line in (*mark, row.define(self.name, function))]

        return "\n".join([*self._by_checker(lines), ""])

    def _by_checker(self, lines: Callable[[Sequence[Row]], list[str]]) -> Iterable[str]:
        if self.thin is None:
            return lines(self.rows)
        return switches.thin_in_mypy(lines(self.rows), lines([self.thin]))
