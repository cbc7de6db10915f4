"""What is found out about a function, in words."""

from __future__ import annotations

from typing import NamedTuple

from . import named, shapes
from .claims import Claim
from .function_rules import Study
from .grouping import Group


class Words(NamedTuple):
    """The line of the report on a function."""

    dtype: str
    shape: str
    parameters: str


def words(studies: list[Study]) -> Words:
    """The line of the report on a function, of which there may be several studies."""
    lines = list(map(_words, studies))
    return Words(*(" / ".join(dict.fromkeys(parts)) for parts in zip(*lines, strict=True)))


def _words(study: Study) -> Words:
    names = tuple(argument.name for argument in study.probe.arrays)
    claims = list(dict.fromkeys(_claim(claim, names) for claim in study.claims))
    dtype = ", ".join(claims)
    if study.takes_dtype:
        dtype += f"; or {study.takes_dtype}"
    return Words(dtype, _shape(study, names), ", ".join(_covered(study)))


def _claim(claim: Claim, names: tuple[str, ...]) -> str:
    used = ", ".join(names[index] for index in claim.arguments)
    words = {"constant": claim.table, "same": f"same as {used}", "unknown": "?"}
    said = words.get(claim.kind, f"{claim.table or 'join'}({used})" if len(claim.arguments) > 1 else used)
    said = f"{named.name(claim.results)}({said})" if claim.results else said
    said = f"{said}; {claim.exception} for bools" if claim.exception else said
    return f"{said}, unless bool or weak" if claim.strong else said


def _shape(study: Study, names: tuple[str, ...]) -> str:
    if study.relation == "broadcast":
        return f"{' and '.join(names)} broadcast"
    if study.relation is not None:
        return f"same as {names[0 if study.relation == 'first' else 1]}"
    return "; ".join(dict.fromkeys(_group(group, names) for group in study.groups)) or "?"


def _group(group: Group, names: tuple[str, ...]) -> str:
    """The patterns of a group of calls."""
    by = ", ".join(
        f"{name}: {' | '.join(choice.annotations)}"
        for name, choice in group.choices.items()
        if choice.annotations
    )
    said = _patterns(group, names)
    return f"{said} ({by})" if by else said


def _patterns(group: Group, names: tuple[str, ...]) -> str:
    for index, name in enumerate(names):
        if all(
            pattern == shapes.identity(ranks[index], index)
            for ranks, patterns in group.patterns.items()
            for pattern in patterns
        ):
            return f"same as {name}"
    ranks = {
        len(pattern) if pattern is not None else None
        for patterns in group.patterns.values()
        for pattern in patterns
    }
    if len(ranks) == 1 and None not in ranks:
        return f"rank {ranks.pop()}"
    more = {
        len(pattern) - sum(ranks) if pattern is not None else None
        for ranks, patterns in group.patterns.items()
        for pattern in patterns
    }
    if len(more) == 1 and (difference := more.pop()) is not None:
        total = " + ".join(f"rank of {name}" for name in names)
        return f"{total} {'+' if difference >= 0 else '-'} {abs(difference)}"
    return "by rank" if more - {None} else "?"


def _covered(study: Study) -> list[str]:
    varied = dict.fromkeys(name for group in study.groups for name in group.choices)
    dtype = [study.takes_dtype] if study.takes_dtype else []
    safe = [name for name in study.safe if name not in varied]
    return [*(name for name in varied if name), *safe, *dtype]
