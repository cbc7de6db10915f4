"""Calls of which a part is one of several things: a union, or a list of unknown length.

In the arguments, ``["either", values]`` is one of `values` and ``["many", kind, value]`` a list or tuple of any
number of that value. JAX is asked about each choice. What it refuses of them is left out, as the program may
never come to it; it refuses the call if it refuses every member of the unions.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

from jaxtyping_core.evaluation.protocol import Answer, Value
from jaxtyping_core_mypy.convert import merge_values
from jaxtyping_core_mypy.engine import Engine

#: How many items a list is tried with. None at all may be something else (``jnp.array([])`` is float32), and
#: so may be more than an array has dims (``jnp.tile``).
LENGTHS = (0, 1, 2, 3, 8)
#: More calls than this are not tried in place of one.
MOST_CHOICES = 20


def ask(
    engine: Engine, function: str, args: Sequence[Value], kwargs: Mapping[str, Value] | None = None
) -> Answer:
    """JAX's answer to a call; its result is ``["either", results]`` where unions make several."""
    text = repr((args, kwargs))  # much faster than to look at every part
    if "'either'" not in text and "'many'" not in text:
        return engine.ask(function, args, kwargs, text)
    whole: Value = ["call", function, list(args), dict(kwargs or {})]
    unions = [part for part in _inside(whole) if part[0] == "either"]
    members = list(itertools.islice(_choices(whole, unions), MOST_CHOICES + 1))
    lists = any(part[0] == "many" for part in _inside(whole))
    if len(members) * (len(LENGTHS) if lists else 1) > MOST_CHOICES:
        return Answer(unknown="too many choices")
    answers = [_of_lengths(engine, member) for member in members]
    results = [answer.result for answer in answers if answer.result is not None]
    unknown = _first_unknown(answers)
    if unknown is not None or not results:
        return unknown or answers[0]
    return Answer(result=results[0] if all(r == results[0] for r in results) else ["either", results])


def _first_unknown(answers: list[Answer]) -> Answer | None:
    return next((answer for answer in answers if answer.result is None and answer.error is None), None)


def _of_lengths(engine: Engine, call: Value) -> Answer:
    """The answer to a call without unions: what lists of several lengths agree on."""
    if not any(part[0] == "many" for part in _inside(call)):
        return engine.ask(*call[1:])
    answers = [engine.ask(*_change(call, _with_length(length))[1:]) for length in LENGTHS]
    results = [answer.result for answer in answers if answer.result is not None]
    unknown = _first_unknown(answers)
    if unknown is not None:
        return unknown
    if len(results) < 2:  # what one length gives, others may not
        return Answer(unknown="the length of a list is not known")
    merged = results[0]
    for result in results[1:]:
        merged = merge_values(merged, result)
    return (
        Answer(unknown="it depends on the length of a list")
        if merged == ["unknown"]
        else Answer(result=merged)
    )


def _choices(call: Value, unions: list[Value]) -> Iterator[Value]:
    """The call with each choice of a member for every union."""
    for chosen in itertools.product(*(union[1] for union in unions)):
        yield _change(call, _with_members(iter(chosen)))


def _with_members(members: Iterator[Value]) -> Callable[[Value], Value]:
    return lambda part: next(members) if part[0] == "either" else part


def _with_length(length: int) -> Callable[[Value], Value]:
    return lambda part: [part[1], [part[2]] * length] if part[0] == "many" else part


def _children(value: Value) -> list[Value]:
    tag, *rest = value
    match tag:
        case "tuple" | "list" | "either":
            return list(rest[0])
        case "many":
            return [rest[1]]
        case "dict":
            return [part for pair in rest[0] for part in pair]
        case "slice":
            return rest
        case "call":
            return [*rest[1], *rest[2].values()]
        case "lambda":
            return [rest[1]]
    return []


def _inside(value: Value) -> Iterator[Value]:
    yield value
    for child in _children(value):
        yield from _inside(child)


def _change(value: Value, change: Callable[[Value], Value]) -> Value:
    """`value` with `change` made to every value in it, outermost first and in the order of `_inside`."""
    value = change(value)
    tag, *rest = value
    match tag:
        case "tuple" | "list" | "either":
            return [tag, [_change(item, change) for item in rest[0]]]
        case "many":
            return [tag, rest[0], _change(rest[1], change)]
        case "dict":
            return [tag, [[_change(part, change) for part in pair] for pair in rest[0]]]
        case "slice":
            return [tag, *(_change(part, change) for part in rest)]
        case "call":
            kwargs = {name: _change(part, change) for name, part in rest[2].items()}
            return [tag, rest[0], [_change(part, change) for part in rest[1]], kwargs]
        case "lambda":
            return [tag, rest[0], _change(rest[1], change)]
    return value
