"""Whether the types that a checker reveals at the places of a program hold for all values that were seen there."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from conformance.truth import ArrayOf, Truth
from conformance.verdict import Answer, judge
from users.places import Place
from users.truth import Observation

_NAME = re.compile(r"\b[A-Z]\w*\b")
_ARRAY = re.compile(r"Array\[\w+, tuple\[(?P<shape>[^|]*)\]\]")
_FORMULA = re.compile(r"Literal\['([^']*)'\]")


class Claim(NamedTuple):
    """A revealed type, and whether its dtype, rank and shape hold for all values at its place."""

    place: Place
    revealed: str
    answers: tuple[Answer, Answer, Answer]
    example: Truth  # what the type is worst for

    @property
    def is_wrong(self) -> bool:
        return Answer.WRONG in self.answers

    def __str__(self) -> str:
        return (
            f"{self.place.line}:{self.place.column}: {self.place.name} is {self.example}, not {self.revealed}"
        )


def claims(
    revealed: Mapping[int, str], places: list[Place], observations: Iterable[Observation]
) -> list[Claim]:
    """The claims of a checker, by place; parameters are declared: they only tell which size a name stands for."""
    by_call: dict[int, list[Observation]] = defaultdict(list)
    for observation in observations:
        if observation.place in revealed:
            by_call[id(observation.call)].append(observation)
    by_place: dict[int, list[Claim]] = defaultdict(list)
    for call in by_call.values():
        sizes = _sizes(revealed, call)
        for place, _, truth in call:
            by_place[place].append(_claim(places[place], revealed[place], truth, sizes))
    return [
        _joined(several) for number, several in sorted(by_place.items()) if not places[number].is_parameter
    ]


def _claim(place: Place, revealed: str, truth: Truth, sizes: Mapping[str, int]) -> Claim:
    text = _with_sizes(revealed, sizes)
    dtype, rank = judge(text, truth)
    return Claim(place, revealed, (dtype, rank, judge(text, truth, sizes=True).rank), truth)


def _joined(several: list[Claim]) -> Claim:
    """What holds for all values at a place."""
    worst = max(several, key=lambda claim: max(claim.answers))
    dtype, rank, shape = map(max, zip(*(claim.answers for claim in several), strict=True))
    return worst._replace(answers=(dtype, rank, shape))


def _sizes(revealed: Mapping[int, str], call: Iterable[Observation]) -> dict[str, int]:
    """Which sizes the names in the shapes of arrays stand for in a call, each where it is met first."""
    sizes: dict[str, int] = {}
    for observation in call:
        dims = _dims(revealed[observation.place])
        if isinstance(observation.truth, ArrayOf) and len(dims) == len(observation.truth.shape):
            for dim, size in zip(dims, observation.truth.shape, strict=True):
                if isinstance(dim, ast.Name) and dim.id != "Any":
                    sizes.setdefault(dim.id, size)
    return sizes


def _dims(revealed: str) -> list[ast.expr]:
    """The dims of a type that is an array of known rank."""
    match _ARRAY.fullmatch(revealed):
        case re.Match() as array:
            shape = ast.parse(array["shape"], mode="eval").body
            dims = shape.elts if isinstance(shape, ast.Tuple) else [shape]
            return dims if all(isinstance(dim, ast.Name | ast.Subscript) for dim in dims) else []
    return []


def _with_sizes(revealed: str, sizes: Mapping[str, int]) -> str:
    """A type in the terms of the judge, to whom D3 is a name for the size 3; sizes that no array shows are open."""

    def formula(text: re.Match[str]) -> str:
        return text[0] if set(_NAME.findall(text[1])) <= sizes.keys() else "Any"

    renamed = {name: f"D{size}" for name, size in sizes.items()}
    return _NAME.sub(lambda name: renamed.get(name[0], name[0]), _FORMULA.sub(formula, revealed))
