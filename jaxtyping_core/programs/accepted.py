"""What is believed of what a child says of a program: it can only be about the program, and only of arrays that there may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from jaxtyping_core.domain.values import PYTHON_NUMBERS
from jaxtyping_core.evaluation import accepted
from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.contexts import KINDS, Expression, Fact
from jaxtyping_core.programs.places import Place
from jaxtyping_core.programs.report import Origin, Refusal, Report, Step, with_facts
from jaxtyping_core.programs.sources import Program

#: What a scalar may be of which a call tells.
SCALARS = frozenset({"None", "str", *(kind.__name__ for kind in PYTHON_NUMBERS)})
#: Values within each other.
DEEPEST = 12
#: Bytes that a character takes at most: columns count bytes.
BYTES = 4


def report(told: Report, program: Program) -> Report:
    """A report on a program, with its texts made harmless.

    Raises:
        ValueError, TypeError, LookupError: it says what cannot be.
    """
    lengths = {module.path: _size_of(module.text or "") for module in program.modules.values()}

    def position(file: Any, line: Any, column: Any = 0) -> None:
        lines, columns = lengths[file]
        if not (type(line) is type(column) is int and 0 <= line <= lines and 0 <= column <= columns):
            raise ValueError("a place outside of the program")

    def place(each: Place) -> Place:
        position(each.file, each.line, each.column)
        if not (each.name.isidentifier() and type(each.calls) is int):
            raise ValueError("a place with no name")
        for known in (each.known, *each.seen):
            accepted.array(known)
        return each

    def fact(each: Fact) -> Fact:
        if each.context.kind not in KINDS:
            raise ValueError("a context of no known kind")
        if each.context.file or each.context.line:
            position(each.context.file, each.context.line)
        return replace(each, place=place(each.place))

    def expression(each: Expression) -> Expression:
        facts = [*map(fact, each.facts)]
        for own in facts:
            position(own.place.file, each.end_line, each.end_column)
            if own.tree is not None:
                accepted.check(own.tree)
        return each._replace(facts=facts)

    def step(each: Step) -> Step:
        if each.file:  # what no statement of the program calls comes from nowhere
            position(each.file, each.line)
        return replace(each, arguments=accepted.message(each.arguments), caller=accepted.message(each.caller))

    def origin(each: Origin) -> Origin:
        position(each.file, each.line)
        return replace(each, what=accepted.message(each.what), how=accepted.message(each.how))

    def refusal(each: Refusal) -> Refusal:
        position(each.file, each.line, each.column)
        position(each.file, each.end_line, each.end_column)
        if each.kind not in CODES:
            raise ValueError("an error of no known kind")
        return replace(
            each,
            message=accepted.message(each.message),
            trail=tuple(map(step, each.trail)),
            origins=tuple(map(origin, each.origins)),
        )

    for call in told.calls:
        _call(call)
    for span in told.may_call:
        position(span.file, span.line, span.column)
        position(span.file, span.end_line, span.end_column)
    observed = [*map(place, told.observed)]
    return replace(
        with_facts(told, *([*map(fact, facts)] for facts in (told.facts, told.so_far))),
        expressions=[*map(expression, told.expressions)],
        refusals=[*map(refusal, told.refusals)],
        notes=[*map(accepted.message, told.notes)],
        lost=[*map(accepted.message, told.lost)],
        observed=observed,
    )


def _size_of(text: str) -> tuple[int, int]:
    """The highest numbers of a line and of a column."""
    return 1 + sum(map(text.count, "\n\r\f")), BYTES * len(text)


def _call(call: Mapping[str, Any]) -> None:
    for name, value in call["arguments"]:
        if not name.isidentifier():
            raise ValueError("an argument with no name")
        _observed(value)
    _observed(call["returned"])


def _observed(value: Mapping[str, Any], depth: int = 0) -> None:
    """Look at a value as `recording.observed` encodes it.

    Raises:
        ValueError: there is no such value.
    """
    if depth > DEEPEST:
        raise ValueError("values that are too deep")
    match value:
        case {"tag": "array", "dtype": dtype, "dims": dims, "weak": bool(), "library": "jax"}:
            accepted.dtype(dtype)
            accepted.dims(dims)
        case {"tag": "scalar", "kind": kind, "value": None | bool() | int()} if kind in SCALARS:
            return
        case {"tag": "items", "kind": "tuple" | "list", "items": items, "type": None, "names": []}:
            for item in items:
                _observed(item, depth + 1)
        case {"tag": "dict", "keys": keys, "items": items, "type": None}:
            if not all(isinstance(key, str) and len(key) <= accepted.LONGEST for key in keys):
                raise ValueError("keys that are no texts")
            for item in items:
                _observed(item, depth + 1)
        case {"tag": "cut"}:
            return
        case _:
            raise ValueError("a value of no known kind")
