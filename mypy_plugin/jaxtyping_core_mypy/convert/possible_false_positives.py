"""Errors of mypy's that may be none: what it says of arrays of which it does not know enough.

With `allow_redefinition`, a variable that had an array and has another is of the union of both after a loop or a branch;
and arrays of an abstract dtype may have any of its dtypes. What is not known is no mistake. mypy asks no hook about such
errors. They are judged by their code and their place: what is known of the expression there, and what is asked of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from mypy import errorcodes as codes
from mypy.argmap import map_actuals_to_formals
from mypy.erasetype import erase_typevars
from mypy.errors import ErrorInfo
from mypy.nodes import AssignmentStmt, CallExpr, Expression, FuncDef, ReturnStmt, Statement
from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    TupleType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from jaxtyping_core.domain.formulas import may_be_equal
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert import is_any, is_array, type_of
from jaxtyping_core_mypy.convert.abstract import Symbols, is_abstract_dtype, read_dim
from jaxtyping_core_mypy.convert.equality import EqualDims
from jaxtyping_core_mypy.spans import Span
from jaxtyping_core_mypy.trees import PARTS, nodes_inside

#: The codes of refusals, after which mypy knows nothing of a value.
OURS = frozenset(errors.BY_KIND.values())
CODES = frozenset({codes.RETURN_VALUE, codes.ARG_TYPE, codes.ASSIGNMENT})
#: Finds the type that is asked of an expression, and the one that is better than mypy's for an expression of a type.
Asked = Callable[[], Type | None]
Better = Callable[[Expression, Type], Type]
UNKNOWN = AnyType(TypeOfAny.special_form)
#: How many types within one another are looked at.
DEEPEST = 5


class Expectations:
    """The expressions of a module of which a type is asked, by their places."""

    def __init__(self, api: Any, better: Better) -> None:
        self.statements: list[Statement] = api.tree.defs
        self._api = api
        self._better = better
        self._asked: defaultdict[Span, list[tuple[Expression, Asked]]] = defaultdict(list)
        for expression, asked in _expected(api, self.statements):
            self._asked[_span(expression)].append((expression, asked))

    def is_uncertain(self, info: ErrorInfo, equal: EqualDims) -> bool:
        """Whether what mypy is about to say may be wrong; `equal`: the dims that functions find to be equal."""
        place = Span(info.line, info.column, info.end_line, info.end_column)
        for expression, asked in self._asked.get(place, ()):
            actual, expected = type_of(self._api, expression), asked()
            if expected is None:
                continue
            known = self._better(expression, actual)
            opened = _opened(known, expected, equal, info.line)
            if (known is not actual or opened is not known) and is_subtype(opened, expected):
                return True
        return False


def follows(info: ErrorInfo, reported: Iterable[ErrorInfo]) -> bool:
    """Whether mypy is about to say that a function returns `Any` where what it returns was refused already."""
    if info.code is not codes.NO_ANY_RETURN:
        return False
    lines = range(info.line, (info.end_line or info.line) + 1)
    return any(error.line in lines and error.code in OURS for error in reported)


def _span(expression: Expression) -> Span:
    line, column = expression.line, expression.column
    return Span(line, column, expression.end_line or line, expression.end_column or column + 1)


def _expected(api: Any, statements: list[Statement]) -> Iterator[tuple[Expression, Asked]]:
    """What is returned, assigned or passed, with the type that is asked of it."""
    functions: list[FuncDef] = []
    for node in nodes_inside(statements, PARTS):  # which comes to a function before what is in it
        match node:
            case FuncDef():
                functions.append(node)
            case ReturnStmt(expr=Expression() as value):
                yield value, partial(_returned, _around(functions, node))
            case AssignmentStmt(lvalues=[target], rvalue=value, type=declared):
                yield value, partial(_assigned, api, target, declared)
            case CallExpr():
                for number, argument in enumerate(node.args):
                    yield argument, partial(_formal, api, node, number)


def _around(functions: list[FuncDef], statement: ReturnStmt) -> FuncDef | None:
    """The innermost of some functions that a statement is in."""
    around = (each for each in reversed(functions) if each.line <= statement.line <= (each.end_line or 0))
    return next(around, None)


def _returned(function: FuncDef | None) -> Type | None:
    if function is None or function.is_generator or function.is_coroutine:
        return None
    return function.type.ret_type if isinstance(function.type, CallableType) else None


def _assigned(api: Any, target: Expression, declared: Type | None) -> Type | None:
    typ: Type | None = api.lookup_type_or_none(target)
    return typ if declared is None else declared


def _formal(api: Any, call: CallExpr, number: int) -> Type | None:
    """The type of the parameter that an argument is for, whatever its type variables stand for."""
    callee = get_proper_type(type_of(api, call.callee))
    if not isinstance(callee, CallableType):
        return None
    formals = map_actuals_to_formals(
        call.arg_kinds, call.arg_names, callee.arg_kinds, callee.arg_names, lambda _: UNKNOWN
    )
    types = (typ for typ, actuals in zip(callee.arg_types, formals, strict=True) if number in actuals)
    formal = next(types, None)
    return None if formal is None else erase_typevars(formal, {each.id for each in callee.variables})


def _opened(actual: Type, expected: Type, equal: EqualDims, line: int, depth: int = 0) -> Type:
    """A type without what may as well be as another type says; the same object if nothing may.

    Types that have themselves in them, such as those of trees, have no end: they are looked at to some depth.
    """
    a, b = get_proper_type(actual), get_proper_type(expected)
    if depth > DEEPEST:
        return a
    depth += 1
    if isinstance(a, UnionType):
        if any(map(_is_open, a.items)):
            return UNKNOWN
        items = [_opened(item, b, equal, line, depth) for item in a.items]
        return a if _are_same(items, a.items) else UnionType(items)
    if isinstance(b, UnionType):
        members = ((_opened(a, item, equal, line, depth), item) for item in b.items)
        return next((typ for typ, item in members if typ is not a and is_subtype(typ, item)), a)
    if isinstance(a, TupleType) and isinstance(b, TupleType) and len(a.items) == len(b.items):
        items = [_opened(*pair, equal, line, depth) for pair in zip(a.items, b.items, strict=True)]
        return a if _are_same(items, a.items) else a.copy_modified(items=items)
    if not isinstance(a, Instance) or not isinstance(b, Instance) or len(a.args) != len(b.args):
        return a
    if is_array(a) and is_array(b) and len(a.args) == 2:
        args = [_opened_dtype(a.args[0], b.args[0]), _opened_shape(a.args[1], b.args[1], equal, line)]
    elif a.type is b.type:
        args = [_opened(*pair, equal, line, depth) for pair in zip(a.args, b.args, strict=True)]
    else:
        return a
    return a if _are_same(args, a.args) else a.copy_modified(args=args)


def _are_same(types: Iterable[Type], others: Iterable[Type]) -> bool:
    return all(get_proper_type(a) is get_proper_type(b) for a, b in zip(types, others, strict=True))


def _is_open(member: Type) -> bool:
    """Whether a member of a union is anything, or an array of any shape."""
    proper = get_proper_type(member)
    is_any_shape = isinstance(proper, Instance) and is_array(proper) and is_any(proper.args[-1])
    return is_any(proper) or is_any_shape


def _opened_dtype(actual: Type, expected: Type) -> Type:
    """Any for a class of dtypes of which the other one is."""
    a, b = get_proper_type(actual), get_proper_type(expected)
    if isinstance(a, Instance) and isinstance(b, Instance) and is_abstract_dtype(a.type):
        return UNKNOWN if a.type is not b.type and b.type.has_base(a.type.fullname) else actual
    return actual


def _opened_shape(actual: Type, expected: Type, equal: EqualDims, line: int) -> Type:
    """A shape without the sizes that may be as the other shape says.

    A program that splits D into four knows that it can: ``4*floordiv(D, 4)`` may be D. An int is what mypy makes of a dim
    that a number is passed for: ``def zeros(n: N) -> Float32[N]``, called with 3.
    """
    if equal.are_in(f"{actual} {expected}", line):
        return UNKNOWN
    a, b = get_proper_type(actual), get_proper_type(expected)
    if not isinstance(a, TupleType) or not isinstance(b, TupleType) or len(a.items) != len(b.items):
        return actual
    symbols = Symbols(equal, line)
    pairs = zip(a.items, b.items, strict=True)
    items = [UNKNOWN if _may_be(size, other, symbols) else size for size, other in pairs]
    return actual if _are_same(items, a.items) else a.copy_modified(items=items)


def _may_be(actual: Type, expected: Type, symbols: Symbols) -> bool:
    """Whether a size may be another one, which is not certain."""
    if (
        isinstance(actual, Instance)
        and actual.type.fullname == "builtins.int"
        and not actual.last_known_value
    ):
        return True
    left, right = read_dim(actual, symbols), read_dim(expected, symbols)
    return None not in (left, right) and left != right and may_be_equal(str(left), str(right))
