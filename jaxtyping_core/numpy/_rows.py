"""What a row of the table says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Operand(NamedTuple):
    """An argument that takes part in promotion: its place, its name, and whether it stands for several.

    `many` is "*" for all positional arguments from there on, "[]" for one that may be a list of arrays.
    """

    place: int
    name: str
    many: str


class Row(NamedTuple):
    """One function: what it is called, how its arguments promote, what it lowers to, and what it does."""

    name: str
    module: str
    rule: str
    operands: tuple[Operand, ...]
    target: str
    doc: str
    elementwise: bool = False  # one or two arrays and nothing else, in and out an array


def rows(
    rule: str,
    functions: Mapping[str, str],
    *,
    module: str = "numpy",
    source: str = "",
    elementwise: bool = False,
) -> Iterator[Row]:
    """The rows of the functions of one rule.

    Args:
        rule: one of those of `jaxtyping_core.numpy._rules.targets`, or "sum", "create".
        functions: the function, followed by its parameters as far as they matter, with its one line of doc.
            A parameter that takes part in promotion is named; "-" is any other; "*x" and
            "x[]" are as in `Operand`.
        module: the module of the layer with the functions: "numpy", "numpy.linalg", "numpy.fft".
        source: the module of the functions that they lower to, if it is not JAX's of the same name.
    """
    for signature, doc in functions.items():
        name, *parameters = signature.split()
        operands = tuple(
            Operand(place, re.sub(r"\W", "", parameter), re.sub(r"\w", "", parameter))
            for place, parameter in enumerate(parameters)
            if parameter != "-"
        )
        target = f"{source or 'jax.' + module}.{name}"
        yield Row(name, f"jaxtyping_core.{module}", rule, operands, target, doc, elementwise)
