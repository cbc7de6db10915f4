"""Which functions of the program something can call that has some values, and what they do then."""

from __future__ import annotations

import collections
import functools
import types
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from ...identity import identity
from ..control import Break, Continue, RaisedException, Return, Unreachable
from ..facts import CALLED, NEVER_CALLED, Entry
from ..values import heap, states
from ..values.arrays import object_fields
from ..values.callables import STAR_ARGS, Function
from ..values.unknowns import Either, is_many, is_unknown
from .functions import invoke
from .with_statements import from_outside

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: Values that are looked into.
MOST = 400
#: Calls that stand for any number of them, or for none: the second one meets what the first has left.
ROUNDS = 2


def walk(interpreter: Interpreter, values: Iterable[Any], calls_methods: bool) -> None:
    """Walk the functions that whatever has some values can get to, for arguments of which nothing is known.

    Args:
        calls_methods: whether the methods of objects among `values` are surely called as well.
    """
    pending = collections.deque(reached(interpreter, values))
    while pending:
        pending += _walk_new(interpreter, *pending.popleft(), calls_methods)


def _walk_new(
    interpreter: Interpreter, function: Function, part: Reached, calls_methods: bool
) -> Iterator[tuple[Function, Reached]]:
    """Walk a function, if that was not done for what may be done with it; what its object leads to if that has changed."""
    is_called = interpreter.entry.kind == CALLED and (calls_methods or not part.of_object)
    if part.of_object and not is_called and interpreter.entry.kind == CALLED:
        interpreter.unresolved.escapes(function, part.field)
    if is_called:
        interpreter.unresolved.passes(function)
    key = identity(function), CALLED if is_called else NEVER_CALLED
    if key in interpreter.escaped_functions or (key[0], CALLED) in interpreter.escaped_functions:
        return
    interpreter.escaped_functions.add(key)
    entry = None if is_called else Entry(NEVER_CALLED)
    for _ in range(ROUNDS):
        before = heap.now()
        _call(interpreter, function, part, entry)
        after = heap.now()
        if states.unchanged(before, after):
            break
        yield from reached(interpreter, part.bound)
        interpreter.merge([before, after], interpreter.frame.scope)


def _call(interpreter: Interpreter, function: Function, part: Reached, entry: Entry | None) -> None:
    # After an error the walk goes on: what fails here may not fail there.
    with (
        suppress(RaisedException, Unreachable, Break, Continue, Return),
        interpreter.within(speculative=True, uncaught=True),
        from_outside(interpreter, function),
    ):
        invoke(interpreter, function, [*part.bound, STAR_ARGS], {"**": STAR_ARGS}, entry=entry)


class Reached(NamedTuple):
    """Something that a holder of some values can get to.

    Attributes:
        value: what it is.
        bound: the arguments that are bound to it.
        of_object: whether it is a member of an object of the program, and was not passed itself.
        field: the attribute or key by which its holder, or that of the object whose method it is, gets to it; "" if it is none.
    """

    value: Any
    bound: Sequence[Any] = ()
    of_object: bool = False
    field: str = ""


def reached(interpreter: Interpreter, values: Iterable[Any]) -> Iterator[tuple[Function, Reached]]:
    """The functions among `values` and within them.

    Of an object of the program, its methods: whatever has it may call them.
    """
    stack = [Reached(value) for value in values]
    seen: set[tuple[int, bool]] = set()
    while stack and len(seen) < MOST:
        part = stack.pop()
        if not seen.isdisjoint({(identity(part.value), False), (identity(part.value), part.of_object)}):
            continue
        seen.add((identity(part.value), part.of_object))
        function = interpreter.functions.get(identity(part.value))
        if function is not None:
            yield function, part
        else:
            stack += _within(interpreter, part)


def _within(interpreter: Interpreter, part: Reached) -> list[Reached]:
    """What a value leads to that is no function of the program."""
    value, bound, of_object, field = part
    made = interpreter.made.get(identity(value))
    if made is not None:
        return [Reached(made.function, bound, of_object, field)]
    if isinstance(value, types.MethodType):
        return [
            Reached(value.__func__, [value.__self__], of_object, field),
            Reached(value.__self__, (), of_object, field),
        ]
    if isinstance(value, functools.partial):
        return [Reached(value.func, value.args, of_object, field)]
    if isinstance(value, dict):
        return [
            Reached(item, (), of_object, key if isinstance(key, str) else field)
            for key, item in value.items()
        ]
    if isinstance(value, (list, tuple, set)):
        return [Reached(item, (), of_object, field) for item in value]
    if is_many(value):
        return [Reached(value.item, (), of_object, field)]
    if isinstance(value, Either):
        return [Reached(function, bound, of_object, field) for function in value.functions]
    if is_unknown(value):
        return []
    wrapped = vars(value).get("__wrapped__") if isinstance(value, types.FunctionType) else None
    inner = [] if wrapped is None else [Reached(wrapped, bound, of_object, field)]
    return [*inner, *_of_object(interpreter, value, field)]


def _of_object(interpreter: Interpreter, value: Any, field: str) -> list[Reached]:
    """The methods of an object of the program, and what it holds."""
    fields = object_fields(value)
    if fields is None:
        return []
    members = [Reached(item, (), True, name) for name, item in fields.items()]
    for cls in type(value).__mro__:
        if cls in interpreter.classes:
            for name, member in vars(cls).items():
                if not name.startswith("__") or name == "__call__":
                    members.append(Reached(getattr(member, "__wrapped__", member), [value], True, field))
    return members
