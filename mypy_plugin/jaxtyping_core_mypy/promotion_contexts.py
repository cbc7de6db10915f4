"""Where in a module which promotion system of the array layer is in force.

The configuration says which one the program runs with. ``with promotion("numpy"):`` changes it for what is written in
the block, ``@promotion("torch")`` for the body of the function. It is not known where a function or lambda is defined
in such a place, which runs later; nor in a module that uses `promotion` in another way, or puts another system in force
for all with `set_promotion`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from mypy.nodes import (
    CallExpr,
    Context,
    Decorator,
    Expression,
    FuncDef,
    MypyFile,
    RefExpr,
    Statement,
    StrExpr,
    WithStmt,
)
from mypy.traverser import NameAndMemberCollector

from jaxtyping_core.systems import SYSTEMS

MODULE = "jaxtyping_core.numpy._context"  # without which no program names the next two
PROMOTION = f"{MODULE}.promotion"
SET_PROMOTION = f"{MODULE}.set_promotion"
Place = tuple[int, int]


class Region(NamedTuple):
    """A block or a decorated function, with the system that it puts in force; None where that is not known."""

    start: Place
    end: Place
    function: FuncDef | None
    system: str | None

    def has(self, place: Place) -> bool:
        return self.start <= place <= self.end


def read_regions(tree: MypyFile, statements: Iterable[Statement], configured: str) -> list[Region] | None:
    """The regions of a module; None where it says in other ways which system is in force."""
    collector = NameAndMemberCollector()
    tree.accept(collector)
    mentions = [*collector.name_exprs, *collector.member_exprs]
    switches = sum(ref.fullname in (PROMOTION, SET_PROMOTION) for ref in mentions)
    regions = list(_regions(statements)) if switches else []
    as_configured = sum(_sets(statement, configured) for statement in statements) if switches else 0
    return regions if switches == len(regions) + as_configured else None


def system_in(regions: list[Region], api: Any, context: Context, configured: str) -> str | None:
    """The system in force at `context`; None if that is not known."""
    around = [region for region in regions if region.has(_place(context))]
    if not around:
        return configured
    function = api.scope.current_function()
    inner = around if function is None else [r for r in around if r.start >= _place(function)]
    decorated = [region for region in around if region.function is function is not None]
    deciding = inner or decorated
    return max(deciding, key=lambda region: region.start).system if deciding else None


def _place(context: Context) -> Place:
    return context.line, context.column


def _end(context: Context) -> Place:
    return context.end_line or context.line, context.end_column or 0


def _regions(statements: Iterable[Statement]) -> Iterator[Region]:
    for statement in statements:
        if isinstance(statement, WithStmt):
            for item in filter(_is_promotion, statement.expr):
                yield Region(_place(item), _end(statement), None, _named(item))
        elif isinstance(statement, Decorator):
            function = statement.func
            later = function.is_generator or function.is_coroutine  # runs when the decorator is done
            for item in filter(_is_promotion, statement.original_decorators):
                system = None if later else _named(item)
                yield Region(_place(function), _end(function), function, system)


def _is_promotion(item: Expression, name: str = PROMOTION) -> bool:
    return isinstance(item, CallExpr) and isinstance(item.callee, RefExpr) and item.callee.fullname == name


def _named(item: Expression) -> str | None:
    """The system that a call names."""
    assert isinstance(item, CallExpr)
    named = item.args[0].value if len(item.args) == 1 and isinstance(item.args[0], StrExpr) else None
    return named if named in SYSTEMS else None


def _sets(statement: Any, system: str) -> bool:
    """Whether this is ``set_promotion(system)``."""
    call = getattr(statement, "expr", None)
    return isinstance(call, CallExpr) and _is_promotion(call, SET_PROMOTION) and _named(call) == system
