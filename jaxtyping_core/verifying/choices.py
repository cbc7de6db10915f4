"""What is tried where an annotation leaves a choice: dtypes, numbers of axes, the members of a union, numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jaxtyping_core import dtypes
from jaxtyping_core._annotations.elements import ElementTest
from jaxtyping_core.contracts.forms import ArrayForm, Form, Scalar, Union, Unknown
from jaxtyping_core.promotion import x64_enabled
from jaxtyping_core.sampling.tables.dtypes import of_each_kind
from jaxtyping_core.sampling.tables.limits import MOST_DECLARED_DTYPES


class Choices:
    """Which choice is taken where an annotation leaves one.

    A program is right only if it is right for each choice that it declares (`declared`); what is made up (`assumed`:
    an int, the rank of an array without dims) may be nothing that the program is meant for.
    """

    def __init__(self, picked: Mapping[str, int] | None = None, number: int = 0) -> None:
        self.picked = dict(picked or {})
        self.number = number
        self.points: dict[str, int] = {}
        self.alternatives = 1
        #: Where arrays without dims are: all have one number of axes in a call.
        self.without_dims: set[str] = set()
        #: Keys of dicts that the program asked for.
        self.keys: tuple[Any, ...] = ()

    def declared(self, point: str, count: int) -> int:
        """The choice among `count` that is taken at a point."""
        self.points[point] = max(count, self.points.get(point, 0))
        return self.picked.get(point, 0) % count

    def assumed(self, count: int) -> int:
        """The number among `count` of what is made up."""
        self.alternatives = max(self.alternatives, count)
        return self.number % count


def makeable(form: Union) -> list[Form]:
    """The choices that are tried: a key alone where there is one, and no numbers of NumPy beside arrays."""
    arrays = [choice for choice in form.choices if isinstance(choice, ArrayForm)]
    keys = [choice for choice in arrays if choice.key]
    if keys:
        return [keys[0]]
    of_jax = {choice.text.partition(",")[2] for choice in arrays if choice.library == "jax"}
    numbers = [choice.kind for choice in form.choices if isinstance(choice, Scalar)]
    left = [
        choice
        for choice in form.choices
        if not isinstance(choice, Unknown)
        and not (choice == Scalar(complex) and float in numbers)
        and not (isinstance(choice, ArrayForm) and choice.library == "numpy" and of_jax)
    ]
    return left or list(form.choices)


def dtypes_of(elements: tuple[ElementTest, ...]) -> list[tuple[str, bool]]:
    """The dtypes that are tried, each with whether it is weak; those alone that JAX makes arrays of."""
    x64 = x64_enabled()
    tried: list[tuple[str, bool]] = []
    for test in elements:
        names = [
            name
            for name in dtypes.available()
            if dtypes.DTYPES[name].promotes
            and dtypes.canonical(name, x64) == name
            and (test.names is None or name in test.names)
        ]
        tried += [(name, test.weak) for name in _tried(names)]
    return list(dict.fromkeys(tried))[:MOST_DECLARED_DTYPES]


def _tried(names: list[str]) -> list[str]:
    """Of one kind several; of several kinds one of each, without the complex ones, which few programs mean by numbers."""
    kinds = set(map(dtypes.kind, names))
    meant = [name for name in names if "i" not in kinds or dtypes.kind(name) != "c"]
    return of_each_kind(meant, kinds if len(kinds) == 1 else ())
