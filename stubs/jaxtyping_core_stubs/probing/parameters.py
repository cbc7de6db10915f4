"""What the parameters of a function are for: arrays, sequences of arrays, or something else."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import Any, NamedTuple

import jax

from .. import hints, oracle

ARRAY = "array"
SEQUENCE = "sequence of arrays"
STATIC = "static"

#: Parameters that are arrays though their annotations do not say so, or may be left out: rows always have them.
ARRAYS: dict[str, tuple[str, ...]] = {
    "jax.numpy.array": ("object",),
    "jax.numpy.asarray": ("a",),
    "jax.numpy.clip": ("arr",),
    "jax.numpy.cross": ("a", "b"),
    "jax.numpy.where": ("x", "y"),
    "jax.nn.one_hot": ("x",),
    "jax.image.resize": ("image",),
}

#: Parameters that accept arrays but are not what the function computes with.
NOT_ARRAYS: dict[str, tuple[str, ...]] = {
    "jax.numpy.arange": ("start", "stop", "step"),
    "jax.numpy.clip": ("min", "max"),
    "jax.numpy.where": ("condition",),
}
NEVER_ARRAYS = frozenset(
    (
        "key",
        "shape",
        "sizes",
        "axis",
        "k",
        "offset",
        "repeats",
        "indices_or_sections",
        "shift",
        "num",
        "order",
    )
)

#: Functions of any number of arrays: what they do with one.
OF_ONE = ("jax.numpy.atleast_1d", "jax.numpy.atleast_2d", "jax.numpy.atleast_3d")

#: What jax.random calls an array.
ALIASES = frozenset({"RealArray", "IntegerArray"})

_KINDS = {
    "Sequence[ArrayLike]": SEQUENCE,
    "Sequence[Array]": SEQUENCE,
    "Array": ARRAY,
    "ArrayLike": ARRAY,
}


class Argument(NamedTuple):
    """A parameter with its role."""

    name: str
    role: str
    parameter: Parameter
    members: tuple[str, ...]  # of its annotation

    @property
    def required(self) -> bool:
        """Whether every call has it."""
        return self.parameter.default is Parameter.empty and self.parameter.kind not in (
            Parameter.VAR_POSITIONAL,
            Parameter.VAR_KEYWORD,
        )

    @property
    def starred(self) -> bool:
        """Whether it is ``*args`` or ``**kwargs``."""
        return self.parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def arguments(path: str, function: Callable[..., Any]) -> list[Argument]:
    """The parameters of the function that is called `path`."""
    if isinstance(function, jax.numpy.ufunc):
        return [_operand(letter) for letter in ("x", "y")[: function.nin]]
    return [_given(path, parameter) for parameter in inspect.signature(function).parameters.values()]


def _operand(name: str) -> Argument:
    parameter = Parameter(name, Parameter.POSITIONAL_ONLY, annotation="ArrayLike")
    return Argument(name, ARRAY, parameter, ("ArrayLike",))


def _given(path: str, parameter: Parameter) -> Argument:
    module, _, name = path.rpartition(".")
    members = hints.members(parameter.annotation)
    described = next(iter(oracle.functions(module).get(name, [])), None)
    if described and parameter.name in described.parameters:
        members = tuple(
            dict.fromkeys((*members, *hints.members(described.parameters[parameter.name].annotation)))
        )
    if path in OF_ONE:
        return _operand("x")
    if parameter.name in ARRAYS.get(path, ()):
        parameter = parameter.replace(default=Parameter.empty)
    elif str(parameter.annotation) in ALIASES:
        members = ("ArrayLike",)
    return Argument(parameter.name, _role(path, parameter.name, members), parameter, members)


def _role(path: str, name: str, members: tuple[str, ...]) -> str:
    if name in ARRAYS.get(path, ()):
        return ARRAY
    if (name in NEVER_ARRAYS and not (name == "k" and "int" not in members)) or name in NOT_ARRAYS.get(
        path, ()
    ):
        return STATIC
    return next((role for text, role in _KINDS.items() if text in members), STATIC)
