"""Loops: short ones are walked round by round, long ones until nothing changes any more."""

from __future__ import annotations

import ast
import collections
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...identity import identity
from ..control import Break, Continue, Loop, RaisedException, Return, Unreachable
from ..scopes import Scope
from ..values import arrays, heap
from ..values.contents import Variables, contents_of, put
from ..values.fresh_dims import next_of
from ..values.heap import ABSENT, HeapSnapshot
from ..values.items import Items
from ..values.joins import widen
from ..values.sameness import same
from ..values.states import is_alike, unchanged
from ..values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence, is_unknown
from . import assignment
from .sequences import items_of
from .tracing import decided

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: Rounds that are walked one by one; of the loops within each other together.
MOST_ROUNDS, MOST_TOGETHER = 16, 96
#: ... of those that go through objects, such as the layers of a deep model, or through names, such as those of options: what these
#: have in common says nothing.
MOST_OBJECTS = 80
#: Rounds after which what still changes is widened, after which it is unknown, and after which no more are walked.
PATIENCE, DESPAIR, LAST = 4, 8, 12


def for_loop(interpreter: Interpreter, node: ast.For, scope: Scope) -> None:
    """A ``for``."""
    items = items_of(interpreter, interpreter.value(node.iter, scope))
    listed = items.listed
    frame = interpreter.frame
    loop = Loop()
    frame.loops.append(loop)
    try:
        if listed is not None and len(listed) <= min(
            _most(node, scope, listed), MOST_TOGETHER // frame.rounds
        ):
            frame.rounds *= max(1, len(listed))
            try:
                _unrolled(interpreter, node, scope, loop, listed)
            finally:
                frame.rounds //= max(1, len(listed))
        else:
            _repeated(interpreter, node, scope, loop, items)
    finally:
        frame.loops.pop()
    _leave(interpreter, scope, loop)


def _most(node: ast.For, scope: Scope, items: list[Any]) -> int:
    """How many rounds of a loop are walked one by one."""
    if MOST_ROUNDS < len(items) <= MOST_OBJECTS and (
        _are_objects(items) or _are_names(items) or _are_places_of_objects(node, scope)
    ):
        return MOST_OBJECTS
    return MOST_ROUNDS


def _are_objects(items: Any) -> bool:
    """Whether the items of a list, or parts of them as `enumerate` and `zip` give, are objects with attributes."""
    return isinstance(items, (list, tuple)) and all(
        any(map(_is_object, item)) if type(item) is tuple else _is_object(item) for item in items
    )


def _are_names(items: list[Any]) -> bool:
    """Whether the items of a list are texts, or what a text goes with, as the items of a dict."""
    return all(type(item[0] if type(item) is tuple and item else item) is str for item in items)


def _is_object(value: Any) -> bool:
    return not is_unknown(value) and bool(arrays.object_fields(value))


def _are_places_of_objects(node: ast.For, scope: Scope) -> bool:
    """Whether the body asks a list of objects for the item that the target is the index of."""
    if not isinstance(node.target, ast.Name):
        return False
    for each in (each for statement in node.body for each in ast.walk(statement)):
        if (
            isinstance(each, ast.Subscript)
            and isinstance(each.slice, ast.Name)
            and each.slice.id == node.target.id
        ):
            holder = _plain(each.value, scope)
            if isinstance(holder, (list, tuple)) and len(holder) > MOST_ROUNDS and _are_objects(holder):
                return True
    return False


def _plain(node: ast.expr, scope: Scope) -> Any:
    """What a name or an attribute is, without a call."""
    if isinstance(node, ast.Attribute):
        holder = _plain(node.value, scope)
        return UNKNOWN if is_unknown(holder) else (arrays.object_fields(holder) or {}).get(node.attr, UNKNOWN)
    name = node.id if isinstance(node, ast.Name) else ""
    holder = scope.holder(name)
    return UNKNOWN if holder is None else holder.variables[name]


def _bind(interpreter: Interpreter, node: ast.For, item: Any, scope: Scope) -> None:
    """Assign an item to the target, which is where the walk is again after a round."""
    interpreter.node = node
    item = interpreter.observed.seen(scope.module.path, node.target, item)
    assignment.bind(interpreter, node.target, item, scope)


def _unrolled(interpreter: Interpreter, node: ast.For, scope: Scope, loop: Loop, items: list[Any]) -> None:
    for item in items:
        _bind(interpreter, node, item, scope)
        if not round_of(interpreter, node.body, scope, loop):
            loop.ended = False
            return
    _otherwise(interpreter, node.orelse, scope, loop)


def round_of(interpreter: Interpreter, body: list[ast.stmt], scope: Scope, loop: Loop) -> bool:
    """Walk one round; whether the loop goes on.

    Raises:
        Dead: no way leads on, and none has left the loop.
    """
    loop.continues = []
    interpreter.frame.turns += 1
    alive = True
    try:
        interpreter.block(body, scope)
    except Continue:
        pass
    except Break:
        loop.breaks.append(heap.now())
        alive = False
    except Unreachable:
        alive = False
    except RaisedException:
        if not (loop.continues or loop.breaks):
            raise
        interpreter.may_raise()
        alive = False
    if loop.continues:
        states = [*([heap.now()] if alive else []), *loop.continues]
        interpreter.merge(states, scope)
        return True
    if not alive and not loop.breaks:
        raise Unreachable
    return alive


def _otherwise(interpreter: Interpreter, body: list[ast.stmt], scope: Scope, loop: Loop) -> None:
    """Walk the ``else`` of a loop: where that leads nowhere, the ways that have left the loop before go on."""
    try:
        interpreter.block(body, scope)
    except (RaisedException, Return, Unreachable) as control:
        if not loop.breaks:
            raise
        loop.ended = False
        if isinstance(control, Return):
            interpreter.frame.returned.append((control.value, heap.now()))
        if isinstance(control, RaisedException):
            interpreter.may_raise()


def _leave(interpreter: Interpreter, scope: Scope, loop: Loop) -> None:
    """Go on after a loop from what all ways out of it have in common."""
    if loop.breaks:
        ends = loop.breaks
        if loop.ended:
            ends = [*ends, heap.now()]
        interpreter.merge(ends, scope)


def _repeated(interpreter: Interpreter, node: ast.For, scope: Scope, loop: Loop, items: Items) -> None:
    """A loop of many rounds, or of an unknown number of them."""
    listed = items.listed
    several = listed is not None and len(listed) > 1
    since = arrays.unknown_sizes()
    rest = items if listed is None else AbstractSequence(items.item, True, since=since)

    def body(initial: bool) -> bool:
        item = listed[0] if initial and listed is not None else next_of(rest)
        _bind(interpreter, node, item, scope)
        return round_of(interpreter, node.body, scope, loop)

    fixpoint(interpreter, scope, loop, body, items.some, several, meant=True)
    _otherwise(interpreter, node.orelse, scope, loop)


def while_loop(interpreter: Interpreter, node: ast.While, scope: Scope) -> None:
    """A ``while``."""
    loop = Loop()
    frame = interpreter.frame
    frame.loops.append(loop)
    try:
        for _ in range(MOST_ROUNDS):
            outcome = decided(interpreter, interpreter.value(node.test, scope), "while", node.test)
            if outcome is False:
                _otherwise(interpreter, node.orelse, scope, loop)
                break
            if outcome is None or (isinstance(node.test, ast.Constant) and loop_is_long(loop)):
                _while_unknown(interpreter, node, scope, loop, outcome)
                break
            if not round_of(interpreter, node.body, scope, loop):
                loop.ended = False
                break
            loop.rounds += 1
        else:
            _while_unknown(interpreter, node, scope, loop, None)
    finally:
        frame.loops.pop()
    _leave(interpreter, scope, loop)


def loop_is_long(loop: Loop) -> bool:
    return loop.rounds >= 2


def _while_unknown(
    interpreter: Interpreter, node: ast.While, scope: Scope, loop: Loop, outcome: bool | None
) -> None:
    def body(initial: bool) -> bool:
        going = round_of(interpreter, node.body, scope, loop)
        if going:
            interpreter.value(node.test, scope)
        return going

    endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
    fixpoint(interpreter, scope, loop, body, bool(outcome))
    if endless:  # left by a break alone
        loop.ended = False
        if not loop.breaks:
            raise Unreachable
        return
    _otherwise(interpreter, node.orelse, scope, loop)


def fixpoint(
    interpreter: Interpreter,
    scope: Scope,
    loop: Loop,
    body: Callable[[bool], bool],
    some: bool,
    several: bool = False,
    meant: bool = False,
) -> None:
    """Walk `body` until nothing changes; go on from what its ends have in common.

    Args:
        body: walks a round, the first if it is told so; whether the loop goes on after it.
        some: whether there surely is a round; `several`, if there surely are two.
        meant: whether there is one in every run that the program is written for: what it refuses is an error.
    """
    frame = interpreter.frame
    yielded, was_open = len(frame.yields), frame.open
    entry = heap.now()
    try:
        with arrays.in_loop():
            try:
                going = _walk_first(interpreter, body, some or meant)
            except RaisedException:  # there may be no round
                if some:
                    raise
                interpreter.may_raise()
                going = False
            if going:
                first = heap.now()
                last = _until_stable(interpreter, scope, body)
                if several:
                    last.restore()
                else:
                    interpreter.merge([last, first, *([] if some else [entry])], scope)
        if not going and some:  # no way leads to another round
            loop.ended = False
            if not loop.breaks:
                raise Unreachable
        elif not going:
            entry.restore()
    finally:
        frame.open = was_open or len(frame.yields) > yielded


def _walk_first(interpreter: Interpreter, body: Callable[[bool], bool], some: bool) -> bool:
    """Walk the first round, which happens if `some`; whether the loop goes on."""
    try:
        if some:
            return body(True)
        with interpreter.under_condition():
            return body(True)
    except Unreachable:
        return False


def _until_stable(interpreter: Interpreter, scope: Scope, body: Callable[[bool], bool]) -> HeapSnapshot:
    """Walk rounds from the end of the first one on; the state at the end of any."""
    before = heap.now()
    for count in range(LAST):
        if count:
            before = heap.now()
        try:
            with interpreter.under_condition():
                going = body(False)
        except Unreachable:
            going = False
        except RaisedException:  # there may be no other round
            interpreter.may_raise()
            going = False
        if not going:  # all ways leave the loop: it can only end as the round before did
            return before
        after = heap.now()
        if unchanged(before, after):
            return after
        interpreter.merge([before, after], scope)
        if count >= PATIENCE:
            _replace_changed(interpreter, scope, before, widen if count < DESPAIR else _unknown)
        if unchanged(before, heap.now()):
            return after
    _replace_changed(interpreter, scope, before, _unknown)
    return heap.now()


def _unknown(_before: Any, _now: Any) -> Any:
    return UNKNOWN


def _replace_changed(
    interpreter: Interpreter, scope: Scope, before: HeapSnapshot, instead: Callable[[Any, Any], Any]
) -> None:
    """In place of what is no longer as it was before, put what `instead` gives for both."""
    changed: dict[int, tuple[Any, Any]] = {}
    for value, held, _ in before.differences().values():
        if held is ABSENT:
            continue
        if isinstance(value, (list, dict, set, collections.deque)):
            if not is_alike(held, contents_of(value)):
                changed[identity(value)] = (value, UNKNOWN)
        elif value is scope or not isinstance(value, Variables):
            _replace_fields(value, held, instead)
    interpreter.replace(changed, scope)


def _replace_fields(value: Any, held: dict[str, Any], instead: Callable[[Any, Any], Any]) -> None:
    """Of an object, or of the variables of the function that has the loop."""
    now = contents_of(value)
    if isinstance(now, dict):
        heap.changing(value)
        put(value, {key: _replaced(held.get(key, ABSENT), x, instead) for key, x in now.items()})


def _replaced(before: Any, now: Any, instead: Callable[[Any, Any], Any]) -> Any:
    if before is ABSENT:
        return UNKNOWN
    return now if same(before, now) else instead(before, now)


__all__ = ["AbstractScalar", "for_loop", "while_loop"]
