"""Signatures as text, for what type checkers read of the layer."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

import jax.numpy as jnp

from jaxtyping_core.numpy._rows import Operand

SYSTEM = inspect.Parameter(
    "system", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="str | Lattice | None"
)
SELF = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
#: The types of defaults that a checker can read.
_READABLE = (int, float, str, bool, type(None))


def parameters(function: Any, operands: Iterable[Operand] = ()) -> list[inspect.Parameter]:
    """The public parameters of `function`, without types; for a ufunc, which has none, its `operands`."""
    if isinstance(function, jnp.ufunc):
        return [
            inspect.Parameter(operand.name, inspect.Parameter.POSITIONAL_ONLY, annotation=Any)
            for operand in operands
        ]
    return [
        parameter.replace(annotation=Any, default=_default(parameter.default))
        for parameter in inspect.signature(function).parameters.values()
        if not parameter.name.startswith("_")
    ]


def _default(value: Any) -> Any:
    return value if value is inspect.Parameter.empty or type(value) in _READABLE else ...


def with_system(own: Iterable[inspect.Parameter]) -> list[inspect.Parameter]:
    """The parameters of a function of the layer: those of JAX, and the system."""
    return sorted([*own, SYSTEM], key=lambda parameter: parameter.kind)


def of_method(function: Any, *, system: bool = True) -> list[inspect.Parameter]:
    """The parameters of a method that is a function of the array."""
    rest = parameters(function)[1:]
    return [SELF, *(with_system(rest) if system else rest)]


def spread(function: Any) -> list[inspect.Parameter]:
    """The parameters of a method whose first one may be given item by item: what follows has a name."""
    items, *rest = parameters(function)[1:]
    items = items.replace(kind=inspect.Parameter.VAR_POSITIONAL, default=inspect.Parameter.empty)
    named = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in rest]
    return [SELF, items, *with_system(named)]


def definition(name: str, arguments: Iterable[inspect.Parameter], result: str, doc: str = "") -> str:
    """A line of a stub, with a docstring if there is `doc`."""
    text = str(inspect.Signature(list(arguments))).replace("typing.", "").replace("Ellipsis", "...")
    text = text.replace(f"'{SYSTEM.annotation}'", str(SYSTEM.annotation))
    return f"def {name}{text} -> {result}:" + (f'\n    """{doc}"""\n' if doc else " ...\n")


def indented(text: str) -> str:
    """`text` as a part of a class."""
    return "".join(f"    {line}\n" for line in text.splitlines())
