"""Checks annotated files, on copies; what brings an error is written less precisely.

Errors are those that the program without the new annotations does not have, where checkers look into all functions.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jaxtyping_core.annotating.agreement import Arrays
from jaxtyping_core.annotating.assigning import with_variables
from jaxtyping_core.annotating.at_line import arguments, calls, mentioned
from jaxtyping_core.annotating.comparing import around, new_errors
from jaxtyping_core.annotating.copies import Copies, Error
from jaxtyping_core.annotating.planning import Level, Plan, Planned
from jaxtyping_core.annotating.spelling.common import Precision
from jaxtyping_core.checking.short import shorten

#: Checks at most; what then still brings errors is left without annotations.
MOST_ROUNDS = 5
#: Checks after which the fields of classes may be at fault in any error.
PATIENT_ROUNDS = 2
#: A function of which nothing is written.
NO_MORE = Level(Precision.NOTHING, Precision.NOTHING)
#: What of a message is a name of a function or a method: what is called, or else the first name.
CALLED = re.compile(r'(?: to | for | in call to )"([\w.]+)"(?: of "(\w+)")?')
NAMED = re.compile(r'"([\w.]+)"(?: of "(\w+)")?')
ARGUMENT = re.compile(
    r'Argument (?:(?P<number>\d+)|"(?P<name>\w+)") to .* has incompatible type "(?P<given>[^"]*)'
)
#: What may be None, and dicts of another class, for a parameter that never was: its function is not at fault in more.
NO_ARRAY = re.compile(r"None$|.* \| None$|(dict|FrozenDict)\[")
RETURNED = ("return-value", "no-any-return")
#: That what gives None is assigned to something.
UNRETURNED = "func-returns-value"
#: That something is assigned to an attribute that is None at first, which only what is unknown fits.
UNSET = 'variable has type "None"'
#: What is given that JAX converts: an array of NumPy or a tuple with one, for which a parameter alone has another annotation.
NUMPY = re.compile(r"(?:tuple\[.*)?ndarray(?:\[|$)")
#: That something which takes a number alone is given what a compiled function takes for one: ``int | Int32[()]``.
NUMBER = re.compile(r'rgument .*has incompatible type "(?:bool|int|float|complex) \| ')
#: The code of errors about sizes.
SHAPES = "array-shape"
#: How mypy spells that something may be an array of NumPy, where a parameter takes both.
CONVERTIBLE = "_NumPyArray["
#: What mypy says of an argument that is something else than an array of JAX.
CONVERTED = re.compile(r'has incompatible type "(?:ndarray|float|int|bool|list|Array\[.*weak)')


@dataclass(slots=True)
class Proven:
    """A file with annotations that bring no error but those that are left, and why some functions have less."""

    content: bytes
    reasons: dict[int, str] = field(default_factory=dict)
    #: Errors that no function is at fault in, or that came up in the last round.
    left: list[Error] = field(default_factory=list)


def prove(
    plans: Mapping[Path, tuple[Plan, bytes]], config_file: Path | None = None, with_pyright: bool = False
) -> tuple[dict[Path, Proven], dict[Path, dict[int, Level]]]:
    """The most precise annotations of some files that bring no error.

    Raises:
        CommandError: a checker is not installed, or its configuration cannot be read.
    """
    levels: dict[Path, dict[int, Level]] = {
        path: dict.fromkeys([*_numbers(plan)], Level()) for path, (plan, _) in plans.items()
    }
    reasons: dict[Path, dict[int, str]] = {path: {} for path in plans}
    with tempfile.TemporaryDirectory(prefix="jaxtyping-core-") as name:
        folder = Path(name).resolve()
        check = Copies(folder, list(plans), config_file, with_pyright)
        before: dict[Path, list[Error]] | None = None
        written: dict[Path, bytes] = {}
        after: dict[Path, list[Error]] = {}
        left: dict[Path, list[Error]] = {}
        for round_ in range(MOST_ROUNDS + 1):
            written = {path: plan.write(content, levels[path]) for path, (plan, content) in plans.items()}
            after = check.errors(written)
            if not any(after.values()):
                left = {}
                break
            if before is None:
                before = check.errors({path: content for path, (_, content) in plans.items()})
            is_last = round_ == MOST_ROUNDS - 1
            left = {
                path: new_errors(content, written[path], before[path], after[path])
                for path, (_, content) in plans.items()
            }
            blamed = [
                blame
                for path, (plan, _) in plans.items()
                for error in left[path]
                for blame in _blame(plans, path, plan, written[path], error, levels[path])
            ]
            if round_ >= PATIENT_ROUNDS:  # what functions say is not at fault in what is left
                blamed += [
                    _Blame(path, owner.number, errors[0], False)
                    for path, errors in left.items()
                    if errors
                    for owner in plans[path][0].owners
                ]
            if round_ == MOST_ROUNDS or not blamed or not _lower(blamed, levels, reasons, is_last):
                break
        if any(plan.assignments for plan, _ in plans.values()):
            written = with_variables(plans, levels, check, written, after)
    return {path: Proven(written[path], reasons[path], left.get(path, [])) for path in plans}, levels


def _numbers(plan: Plan) -> Iterator[int]:
    yield from (planned.number for planned in plan.functions)
    yield from (owner.number for owner in plan.owners)


@dataclass(frozen=True, slots=True)
class _Blame:
    """A function whose annotations may have brought an error, and which of them."""

    path: Path
    number: int
    error: Error
    of_result: bool
    #: The parameter that alone is at fault.
    parameter: str | None = None


def _alone(planned: Planned, error: Error) -> str | None:
    """The parameter that an error says gets what is no array of JAX, such as None."""
    match = ARGUMENT.match(error.message)
    if match is None or not (NO_ARRAY.match(match["given"]) or NUMPY.match(match["given"])):
        return None
    names = [p.name for p in planned.definition.parameters if p.name != planned.definition.receiver]
    return _given(match, names)


def _given(match: re.Match[str], names: Sequence[str]) -> str | None:
    """The parameter that a message is about, by its name or its number."""
    if match["name"]:
        return match["name"] if match["name"] in names else None
    at = int(match["number"]) - 1
    return names[at] if at < len(names) else None


def _blame(
    plans: Mapping[Path, tuple[Plan, bytes]],
    path: Path,
    plan: Plan,
    written: bytes,
    error: Error,
    levels: Mapping[int, Level],
) -> Iterator[_Blame]:
    """The functions whose annotations may have brought an error: first the one around it, if no walk has shown its sizes."""
    if error.code == UNRETURNED and (match := NAMED.search(error.message)):
        name = match[1].rpartition(".")[2]
        for other, (each, _) in plans.items():
            named = [planned for planned in each.functions if planned.definition.name == name]
            yield from (_Blame(other, planned.number, error, True) for planned in named)
        return
    if UNSET in error.message:
        names = set(calls(written, error.line))
        called = [planned for planned in plan.functions if planned.definition.name in names]
        yield from (_Blame(path, planned.number, error, True) for planned in called)
        if called:
            return
    inside = list(around(written, error.line))
    known = {planned.number: planned for planned in plan.functions}
    if NUMBER.search(error.message):
        numbers = [
            _Blame(path, number, error, False, name)
            for number, _ in inside
            if number in known
            for name in _numbers_at(known[number], written, error.line)
        ]
        yield from numbers
        if numbers:
            return
    suspect = _suspect([known[n] for n, _ in reversed(inside) if n in known], levels, error)
    if suspect is not None:
        yield _Blame(path, suspect, error, False)
        return
    if "rgument" in error.message:
        callees = list(_called(plans, path, plan, written, error))
        if callees:
            yield from callees
            return
    for number, node in reversed(inside):
        if number in known and levels[number] == NO_MORE:
            # What it calls gives what does not fit here: it has nothing left to lose itself.
            names = set(calls(written, error.line))
            called = [
                each for each in plan.functions if each.definition.name in names and each.number != number
            ]
            yield from (_Blame(path, each.number, error, True) for each in called)
            if called:
                return
        elif number in known:
            of_result = (
                error.code in (*RETURNED, UNRETURNED)
                or "returns" in error.message
                or "_return" in error.message
            )
            yield _Blame(path, number, error, of_result and node.returns is not None)
            return
    # At the top level: what is named there, or else anything that a function gives.
    names = set(mentioned(written, error.line))
    named = [planned for planned in plan.functions if planned.definition.name in names]
    for planned in named or plan.functions:
        yield _Blame(path, planned.number, error, not named)


def _numbers_at(planned: Planned, written: bytes, line: int) -> Iterator[str]:
    """The parameters of a function that are numbers or arrays, and that something at a line is called with."""
    for name in arguments(written, line):
        kind = planned.agreement.kinds.get(name)
        if isinstance(kind, Arrays) and kind.scalars:
            yield name


def _suspect(around: Sequence[Planned], levels: Mapping[int, Level], error: Error) -> int | None:
    """The function that is at fault in an error in its body, whatever is called there: one of those around it, innermost first.

    A function within others reads what these got, too: its own walk does not show their sizes.
    """
    if CONVERTIBLE in error.message:
        numbers = (each.number for each in around if levels[each.number].converted - levels[each.number].left)
        return next(numbers, None)
    for place, planned in enumerate(around):
        if planned.sizes.dims and levels[planned.number].parameters == Precision.FULL:
            is_outer = place > 0 and error.code == SHAPES
            return planned.number if is_outer or not planned.sizes.proven else None
    return None


def _called(
    plans: Mapping[Path, tuple[Plan, bytes]], path: Path, plan: Plan, written: bytes, error: Error
) -> Iterator[_Blame]:
    """What an error may be about that an argument brings: functions, and classes that are made."""
    match = CALLED.search(error.message) or NAMED.search(error.message)
    names = {match[1].rpartition(".")[2]: match[2]} if match else {}
    imported = {part for root in plan.source.imports.values() for part in root.split(".")}
    near = {other: each for other, (each, _) in plans.items() if other == path or other.stem in imported}
    classes = {name for each in near.values() for name in each.source.classes}
    if any(name.startswith("__") and owner not in classes for name, owner in names.items()):
        # What JAX made of a function is called: it is known by its name in the source.
        names = dict.fromkeys(calls(written, error.line))
    for other, each in near.items():
        for planned in each.functions:
            definition = planned.definition
            made = definition.name == "__init__" and definition.scopes[-1].name in names
            if definition.name in names or made:
                yield _Blame(other, planned.number, error, False, _alone(planned, error))
        for owner in each.owners:
            if owner.name in names:
                argument = ARGUMENT.match(error.message)
                yield _Blame(
                    other, owner.number, error, False, _given(argument, owner.order) if argument else None
                )


def _lower(
    blamed: Sequence[_Blame],
    levels: Mapping[Path, dict[int, Level]],
    reasons: Mapping[Path, dict[int, str]],
    is_last: bool,
) -> bool:
    """Write less of the functions that are blamed; whether that is possible."""
    is_changed = False
    by_function: dict[tuple[Path, int], list[_Blame]] = {}
    for blame in blamed:
        by_function.setdefault((blame.path, blame.number), []).append(blame)
    for (path, number), blames in by_function.items():
        level = levels[path].get(number)
        if level is None:
            continue
        first = blames[0]
        reasons[path].setdefault(number, f"{shorten(first.error.message)} (line {first.error.line})")
        alone = {blame.parameter for blame in blames}
        names = frozenset(name for name in alone if name is not None)
        if None not in alone and not names <= level.left:
            is_numpy = all((m := ARGUMENT.match(b.error.message)) and NUMPY.match(m["given"]) for b in blames)
            again = names & level.converted
            lowered = (
                replace(level, converted=level.converted | names)
                if is_numpy and not again
                else replace(level, left=level.left | (again or names))
            )
        elif level.converted - level.left:  # the body does not work with arrays of NumPy, as mypy sees it
            lowered = replace(level, left=level.left | level.converted)
        elif is_last or number < 0:
            lowered = NO_MORE
        elif all(map(_refuses_results, blames)) and level.result < Precision.NOTHING:
            lowered = replace(level, result=Precision.NOTHING)
        elif all(blame.of_result for blame in blames) and level.result < Precision.NOTHING:
            lowered = replace(level, result=_next(level.result, False))
        elif level.parameters < Precision.NOTHING:
            converted = any(CONVERTED.search(blame.error.message) for blame in blames)
            lowered = replace(level, parameters=_next(level.parameters, converted))
        else:
            lowered = Level(Precision.NOTHING, _next(level.result, False))
        is_changed |= lowered != level
        levels[path][number] = lowered
    return is_changed


def _refuses_results(blame: _Blame) -> bool:
    """Whether an error stays as long as anything is said of the result."""
    return blame.error.code == UNRETURNED or UNSET in blame.error.message


def _next(precision: Precision, is_converted: bool) -> Precision:
    if is_converted and precision < Precision.LIKE:
        return Precision.LIKE
    return Precision(precision + 1) if precision < Precision.DTYPE else Precision.NOTHING
