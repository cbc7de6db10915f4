"""Which functions' annotations may have brought an error of a checker."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxtyping_core.annotating.at_line import arguments, calls, mentioned
from jaxtyping_core.annotating.comparing import around
from jaxtyping_core.annotating.copies import Error
from jaxtyping_core.annotating.observed_types import Arrays
from jaxtyping_core.annotating.planning import Level, Plan, Planned
from jaxtyping_core.annotating.spelling.common import Precision

#: A function of which nothing is written.
NO_MORE = Level(Precision.NOTHING, Precision.NOTHING)
#: What of a message is a name of a function or a method: what is called, or else the first name.
CALLED = re.compile(r'(?: to | for | in call to )"([\w.]+)"(?: of "(\w+)")?')
NAMED = re.compile(r'"([\w.]+)"(?: of "(\w+)")?')
ARGUMENT = re.compile(
    r'Argument (?:(?P<number>\d+)|"(?P<name>\w+)") to .* has incompatible type "(?P<given>[^"]*)"?'
    r'(?:; expected "(?P<expected>[^"]*))?'
)
#: What may be None, and dicts of another class, for a parameter that never was: its function is not at fault in more.
NO_ARRAY = re.compile(r"None$|.* \| None$|(dict|FrozenDict)\[")
#: What is given that JAX converts: an array of NumPy, or a tuple or list with one, for which a parameter alone has another annotation.
NUMPY = re.compile(r"(?:(?:tuple|list)\[.*)?ndarray(?:\[|$)")
#: What is wanted where a run showed but arrays of NumPy, for a parameter that something else is given for.
ALONE = re.compile(r"ndarray\[")
RETURNED = ("return-value", "no-any-return")
#: That what gives None is assigned to something.
UNRETURNED = "func-returns-value"
#: That something is assigned to an attribute that is None at first, which only what is unknown fits.
UNSET = 'variable has type "None"'
#: That something which takes a number alone is given what a compiled function takes for one: ``int | Int32[()]``.
NUMBER = re.compile(r'rgument .*has incompatible type "(?:bool|int|float|complex) \| ')
#: The code of errors about sizes.
SHAPES = "array-shape"
#: How mypy spells that something may be an array of NumPy, where a parameter takes both.
CONVERTIBLE = "SupportsArrayInterface["


@dataclass(frozen=True, slots=True)
class Blame:
    """A function whose annotations may have brought an error, and which of them."""

    path: Path
    number: int
    error: Error
    of_result: bool
    #: The parameter that alone is at fault.
    parameter: str | None = None


@dataclass(slots=True)
class Blaming:
    """An error that new annotations have brought, and where it came up.

    Attributes:
        plans: what is annotated, with the files as they were.
        path: the file with the error, one of `plans`.
        written: that file with the annotations.
        levels: how precise those of its functions are.
    """

    plans: Mapping[Path, tuple[Plan, bytes]]
    path: Path
    written: bytes
    error: Error
    levels: Mapping[int, Level]
    _known: dict[int, Planned] = field(init=False)
    #: The functions around the line, the outermost first.
    _inside: list[tuple[int, ast.FunctionDef | ast.AsyncFunctionDef]] = field(init=False)

    def __post_init__(self) -> None:
        self._known = {planned.number: planned for planned in self._functions}
        self._inside = list(around(self.written, self.error.line))

    @property
    def _functions(self) -> Sequence[Planned]:
        return self.plans[self.path][0].functions

    def blames(self) -> list[Blame]:
        """The functions at fault: by what the error says, then by where it is."""
        by_turns: tuple[Callable[[], list[Blame] | None], ...] = (
            *(self._of_no_result, self._of_what_was_none, self._of_numbers, self._of_sizes),
            *(self._of_arguments, self._of_functions_around),
        )
        for blamed in by_turns:
            if (blames := blamed()) is not None:
                return blames
        return self._at_the_top_level()

    def _blame(self, number: int, of_result: bool = False) -> Blame:
        return Blame(self.path, number, self.error, of_result)

    def _results_of_calls(self, but: int | None = None) -> list[Blame] | None:
        """The results of functions of this file that are called at the line; None where none are."""
        names = set(calls(self.written, self.error.line))
        numbers = (each.number for each in self._functions if each.definition.name in names)
        return [self._blame(number, of_result=True) for number in numbers if number != but] or None

    def _of_no_result(self) -> list[Blame] | None:
        if self.error.code != UNRETURNED or not (match := NAMED.search(self.error.message)):
            return None
        name = match[1].rpartition(".")[2]
        return [
            Blame(path, planned.number, self.error, of_result=True)
            for path, (plan, _) in self.plans.items()
            for planned in plan.functions
            if planned.definition.name == name
        ]

    def _of_what_was_none(self) -> list[Blame] | None:
        return self._results_of_calls() if UNSET in self.error.message else None

    def _of_numbers(self) -> list[Blame] | None:
        """Where something takes a number alone: the parameters of the functions around that are numbers or arrays."""
        if not NUMBER.search(self.error.message):
            return None
        names = list(arguments(self.written, self.error.line))
        return [
            Blame(self.path, number, self.error, False, name)
            for number, _ in self._inside
            if number in self._known
            for name in names
            if isinstance(kind := self._known[number].agreement.kinds.get(name), Arrays) and kind.scalars
        ] or None

    def _of_sizes(self) -> list[Blame] | None:
        """The function around, whatever is called there, the innermost first, if no walk has shown its sizes.

        A function within others reads what these got, too: its own walk does not show their sizes.
        """
        inside = [self._known[number] for number, _ in reversed(self._inside) if number in self._known]
        if CONVERTIBLE in self.error.message:
            levels = ((each.number, self.levels[each.number]) for each in inside)
            number = next((number for number, level in levels if level.converted - level.left), None)
            return None if number is None else [self._blame(number)]
        for place, planned in enumerate(inside):
            if planned.sizes.dims and self.levels[planned.number].parameters == Precision.FULL:
                is_outer = place > 0 and self.error.code == SHAPES
                return [self._blame(planned.number)] if is_outer or not planned.sizes.proven else None
        return None

    def _of_arguments(self) -> list[Blame] | None:
        """What an error may be about that an argument brings: functions, and classes that are made."""
        if "rgument" not in self.error.message:
            return None
        match = CALLED.search(self.error.message) or NAMED.search(self.error.message)
        names = {match[1].rpartition(".")[2]: match[2]} if match else {}
        near = self._near()
        classes = {name for plan in near.values() for name in plan.source.classes}
        if any(name.startswith("__") and owner not in classes for name, owner in names.items()):
            # What JAX made of a function is called: it is known by its name in the source.
            names = dict.fromkeys(calls(self.written, self.error.line))
        return [
            blame for path, plan in near.items() for blame in self._of_what_is_called(path, plan, names)
        ] or None

    def _near(self) -> dict[Path, Plan]:
        """This file, and those that it may import."""
        roots = self.plans[self.path][0].source.imports.values()
        imported = {part for root in roots for part in root.split(".")}
        plans = ((path, plan) for path, (plan, _) in self.plans.items())
        return {path: plan for path, plan in plans if path == self.path or path.stem in imported}

    def _of_what_is_called(self, path: Path, plan: Plan, names: Mapping[str, object]) -> Iterator[Blame]:
        argument = ARGUMENT.match(self.error.message)
        for planned in plan.functions:
            definition = planned.definition
            made = definition.name == "__init__" and definition.scopes[-1].name in names
            if definition.name in names or made:
                parameter = _alone(planned, argument)
                yield Blame(path, planned.number, self.error, False, parameter)
        for owner in plan.owners:
            if owner.name in names:
                parameter = _named(argument, owner.order) if argument else None
                yield Blame(path, owner.number, self.error, False, parameter)

    def _of_functions_around(self) -> list[Blame] | None:
        for number, node in reversed(self._inside):
            if number not in self._known:
                continue
            if self.levels[number] != NO_MORE:
                of_result = (
                    self.error.code in (*RETURNED, UNRETURNED)
                    or "returns" in self.error.message
                    or "_return" in self.error.message
                )
                return [self._blame(number, of_result and node.returns is not None)]
            # What it calls gives what does not fit here: it has nothing left to lose itself.
            if (blames := self._results_of_calls(but=number)) is not None:
                return blames
        return None

    def _at_the_top_level(self) -> list[Blame]:
        """What is named there, or else anything that a function gives."""
        names = set(mentioned(self.written, self.error.line))
        named = [planned for planned in self._functions if planned.definition.name in names]
        return [self._blame(planned.number, not named) for planned in named or self._functions]


def _alone(planned: Planned, argument: re.Match[str] | None) -> str | None:
    """The parameter that an error says gets what is no array of JAX, such as None."""
    if argument is None or not (NO_ARRAY.match(argument["given"]) or mixes_libraries(argument)):
        return None
    names = [p.name for p in planned.definition.parameters if p.name != planned.definition.receiver]
    return _named(argument, names)


def mixes_libraries(argument: re.Match[str]) -> bool:
    """Whether an array of NumPy is given where one of JAX is wanted, or the other way round."""
    return bool(NUMPY.match(argument["given"]) or ALONE.match(argument["expected"] or ""))


def _named(argument: re.Match[str], names: Sequence[str]) -> str | None:
    """The parameter that a message is about, by its name or its number."""
    if argument["name"]:
        return argument["name"] if argument["name"] in names else None
    at = int(argument["number"]) - 1
    return names[at] if at < len(names) else None
