"""What the source of a program may change after it was made, by names alone: of variables, and of what they hold.

A function is called at any time, and sees its module's variables as they are then. Names that are bound more than once,
and containers that anything may change, are therefore of no use. The same name anywhere counts: that is less precise, and
never wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple


class Passed(NamedTuple):
    """Names that a call passes to a function of the name `callee`."""

    callee: str
    names: frozenset[str]
    #: The parameter that they are for: its number or its name; None where that is not known.
    parameter: int | str | None
    #: Whether a function that is not the program's only reads what it is passed.
    reads: bool


@dataclass
class Body:
    """A function, or the top level of a module: what it changes, and what it passes on."""

    name: str
    parameters: tuple[str, ...]
    changed: set[str] = field(default_factory=set)
    passed: list[Passed] = field(default_factory=list)

    def changes(self, parameter: int | str | None) -> bool:
        """Whether it may change what is passed for a parameter."""
        if isinstance(parameter, str):
            return parameter in self.changed or parameter not in self.parameters
        if parameter is None or parameter >= len(self.parameters):
            return not self.changed.isdisjoint(self.parameters)
        return self.parameters[parameter] in self.changed


@dataclass
class Source:
    """What one module says."""

    rebound: set[str]
    outer: set[str]
    patched: set[str]
    #: Attributes that are assigned to anywhere but where an object is made; None where these may be any.
    assigned: set[str] | None
    bodies: list[Body]
    classes: set[str]
    #: Whether any variable may be changed in a way that names do not show.
    anything: bool


@dataclass(frozen=True)
class Changes:
    """What may change in a program."""

    #: By module, the names that may be bound more than once.
    rebound: Mapping[str, frozenset[str]]
    #: The names under which there may be a container that is changed.
    changed: frozenset[str]
    #: Names that a function declares ``nonlocal``.
    outer: frozenset[str]
    #: Attributes of objects that are assigned to after these were made; None where these may be any.
    assigned: frozenset[str] | None
    #: The modules of which nothing is certain.
    uncertain: frozenset[str]


def changes_in(sources: Mapping[str, Source]) -> Changes:
    """What may change in a program of modules that say this."""
    patched = frozenset(name for source in sources.values() for name in source.patched)
    return Changes(
        {name: frozenset(source.rebound | patched) for name, source in sources.items()},
        _changed(sources.values()),
        frozenset(name for source in sources.values() for name in source.outer),
        _assigned(sources.values()),
        frozenset(name for name, source in sources.items() if source.anything),
    )


def _assigned(sources: Iterable[Source]) -> frozenset[str] | None:
    """The attributes that are assigned to after objects were made."""
    attributes: set[str] = set()
    for source in sources:
        if source.assigned is None:
            return None
        attributes |= source.assigned
    return frozenset(attributes)


def _changed(sources: Iterable[Source]) -> frozenset[str]:
    """The names whose containers are changed, also by a function that they are passed to."""
    sources = list(sources)
    keeping = {name for source in sources for name in source.classes}
    bodies = [replace(body, changed={*body.changed}) for source in sources for body in source.bodies]
    own: defaultdict[str, list[Body]] = defaultdict(list)
    for body in bodies:
        own[body.name].append(body)
    grown = True
    while grown:
        grown = False
        for body in bodies:
            for callee, names, parameter, reads in body.passed:
                known = own.get(callee)
                may_change = (known is None and not reads) or callee in keeping
                if may_change or any(each.changes(parameter) for each in known or ()):
                    grown = grown or not names <= body.changed
                    body.changed |= names
    return frozenset(name for body in bodies for name in body.changed)
