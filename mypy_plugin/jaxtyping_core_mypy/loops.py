"""What changes from one round of a loop to the next: a fixpoint in place of a list of what was seen.

mypy checks the body of a loop again while the types of variables change, four times at most, and takes a variable for
the union of all that it was. ``v = jnp.concatenate([v, w])`` would so have the sizes of the first four rounds. Here a
call whose result is another one in a later round gives what all have in common, a variable is that before a round, and
so is what the last assignment to it in the body gives.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mypy.binder import ConditionalTypeBinder, CurrentType, Frame
from mypy.literals import literal_hash
from mypy.nodes import (
    AssignmentStmt,
    Context,
    ForStmt,
    NameExpr,
    OperatorAssignmentStmt,
    Statement,
    Var,
    WhileStmt,
)

from jaxtyping_core_mypy.convert import (
    Type,
    has_array,
    is_array,
    is_one_of_several,
    union_items,
    united,
    widen,
)
from jaxtyping_core_mypy.facts import ModuleFacts

#: mypy checks the body four times at most: what still changes before this round would go on to change.
ROUND_TO_WIDEN = 3
#: Of so many functions at once it is remembered what their loops gave: of each inside of which another one is defined.
MOST_FUNCTIONS = 8


@dataclass
class Seen:
    """What an expression gave in the rounds of the outermost loop at hand: in earlier ones, and in this one."""

    loop: Frame
    round: Frame
    before: list[Type] = field(default_factory=list)
    now: list[Type] = field(default_factory=list)


@dataclass
class Round:
    """Which round of a loop mypy is at, and what the variables were before it."""

    frame: Frame
    number: int
    before: dict[Any, Type]


class Loops:
    """What the expressions of a module gave in the rounds of loops."""

    def __init__(self, facts: ModuleFacts) -> None:
        self.facts = facts
        #: By expression, and whether it is one whose member is looked up: for ``model(x)`` mypy asks what `__call__` is as well.
        self._seen: dict[tuple[int, bool], Seen] = {}
        self._rounds: dict[Frame, Round] = {}
        self._last: dict[int, bool] = {}

    def settled(self, api: Any, context: Context, typ: Type, *, of_member: bool = False) -> Type:
        """`typ`, the type that a hook found for an expression, or a member, as it holds in every round of the loops around it."""
        binder: ConditionalTypeBinder = api.binder
        if not binder.continue_frames:
            return typ
        loops = self.facts.loops_around(context)
        for number, index in enumerate(binder.continue_frames):
            _join_before_round(binder, index)
            if len(loops) == len(binder.continue_frames):
                self._end(binder, index, loops[number])
        if not has_array(typ):
            return typ
        typ = self._of_all_rounds(binder, (id(context), of_member), typ)
        return self._as_carried(binder, context, typ)

    def _end(self, binder: ConditionalTypeBinder, index: int, loop: ForStmt | WhileStmt) -> None:
        """See to it that the rounds come to an end: copies of what changes are widened where it still does."""
        outer, inner = binder.frames[index], binder.frames[index + 1]
        last = self._rounds.get(outer)
        if last is not None and last.frame is inner:
            return
        if last is None and len(self._rounds) > MOST_FUNCTIONS:
            self._rounds.clear()
        number = 1 if last is None else last.number + 1
        before = {key: current.type for key, current in outer.types.items()}
        if last is not None and number >= ROUND_TO_WIDEN and before != last.before:
            for target in self.facts.copies_in(loop):
                key = literal_hash(target)
                current = None if key is None else binder._get(key, index)
                if key is not None and current is not None and has_array(current.type):
                    outer.types[key] = CurrentType(widen(current.type), True)
                    _declare(binder, key, widen(current.type))
                    binder.version += 1
        self._rounds[outer] = Round(inner, number, before)

    def _of_all_rounds(self, binder: ConditionalTypeBinder, place: tuple[int, bool], typ: Type) -> Type:
        """What an expression gives in this round and the earlier ones, if it is not what it gave in one of them."""
        outermost, innermost = binder.continue_frames[0], binder.continue_frames[-1]
        loop, this_round = binder.frames[outermost], binder.frames[innermost + 1]
        seen = self._seen.get(place)
        if seen is None or seen.loop is not loop:
            seen = self._seen[place] = Seen(loop, this_round)
        if seen.round is not this_round:
            seen.before += [new for new in seen.now if new not in seen.before]
            seen.now, seen.round = [], this_round
        if seen.before and typ not in seen.before:
            typ = united([*seen.before, typ])
        if typ not in seen.now:
            seen.now.append(typ)
        return typ

    def _as_carried(self, binder: ConditionalTypeBinder, context: Context, typ: Type) -> Type:
        """What a variable is before a round, too, if nothing else in the loop's body reads it after this assignment."""
        target = self._last_assigned(context)
        key = None if target is None else literal_hash(target)
        if key is None or not is_array(typ):
            return typ
        before = binder._get(key, binder.continue_frames[-1])
        arrays = [] if before is None else [member for member in _members(before.type) if is_array(member)]
        return united([*arrays, typ]) if arrays else typ

    def _last_assigned(self, context: Context) -> NameExpr | None:
        """The variable that an assignment of the value `context` is the last to mention in the loop around it."""
        statement = (
            context if isinstance(context, OperatorAssignmentStmt) else self.facts.assignment_of(context)
        )
        match statement:
            case AssignmentStmt(lvalues=[NameExpr() as target]):
                pass
            case OperatorAssignmentStmt(lvalue=NameExpr() as target):
                pass
            case _:
                return None
        if id(statement) not in self._last:
            self._last[id(statement)] = self._is_last_to_mention(statement, target)
        return target if self._last[id(statement)] else None

    def _is_last_to_mention(self, statement: Statement, target: NameExpr) -> bool:
        around = self.facts.loops_around(statement)
        if not around:
            return False
        loop = around[-1]
        end = (statement.end_line or statement.line, statement.end_column or 0)
        return all((read.line, read.column) < end for read in self.facts.reads_in(loop, target.name))


def _join_before_round(binder: ConditionalTypeBinder, index: int) -> None:
    """Make one type of what a variable was before a loop and what the rounds so far have left in it."""
    types = binder.frames[index].types
    for key, current in list(types.items()):
        before = binder._get(key, index - 1) if index else None
        if before is None or not is_one_of_several(current.type):
            continue
        joined = united([current.type])
        types[key] = CurrentType(joined, current.from_assignment)
        for end in binder.options_on_return[index - 1]:  # where an earlier round left the loop
            left = end.types.get(key, before)
            end.types[key] = CurrentType(united([joined, left.type]), True)
        _declare(binder, key, joined)
        binder.version += 1


def _declare(binder: ConditionalTypeBinder, key: Any, joined: Type) -> None:
    """Let the variable be of a type: mypy takes what it is at hand for the members of its type that fit."""
    variable = key[1] if isinstance(key[1], Var) else None
    if variable is None or not variable.is_inferred or variable.type is None or not has_array(variable.type):
        return
    variable.type = united([variable.type, joined])
    if key in binder.declarations:
        binder.declarations[key] = variable.type


def _members(typ: Type) -> list[Type]:
    return union_items(typ) or [typ]
