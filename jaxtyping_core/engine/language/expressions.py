"""Expressions."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..control import Exhausted, RaisedException
from ..libraries.calls import captured
from ..libraries.layers import calls as layers
from ..libraries.trust import gate
from ..observed import EXPRESSIONS as OBSERVED
from ..scopes import Scope
from ..values import aliases, arrays, heap
from ..values.callables import STAR_ARGS
from ..values.joins import join_ways
from ..values.paths import KnownPath, text_of
from ..values.unknowns import (
    UNKNOWN,
    AbstractScalar,
    AbstractSequence,
    ConcretizationError,
    is_unknown,
    without_none,
)
from . import comprehensions, contracts, functions, narrowing
from .assignment import bind
from .attributes import attribute
from .comparisons import compared
from .operators import BINARY, MOST_ITEMS, UNARY, get_item
from .sequences import entries_of, items_of, sizes_at
from .tracing import asked, decided, hashed
from .truth import truth
from .unknown_callees import may_be_layer, may_be_object

if TYPE_CHECKING:
    from ..interpreter import Interpreter

Give = Callable[["Interpreter", Any, Scope], Any]


def value(interpreter: Interpreter, node: ast.expr, scope: Scope) -> Any:
    """What an expression gives; unknown where it cannot be told."""
    handler = _GIVES.get(type(node))
    if handler is None:
        return UNKNOWN
    try:
        result = handler(interpreter, node, scope)
    except (RaisedException, Exhausted):
        raise
    except (ConcretizationError, RecursionError, MemoryError):
        result = UNKNOWN
    except Exception as error:  # what real code raises is what the program would meet
        result = interpreter.failed(error)
    if isinstance(node, OBSERVED):
        result = interpreter.observed.seen(scope.module.path, node, result)
    interpreter.see_expression(scope, node, result)
    return result


def constant(interpreter: Interpreter, node: ast.Constant, scope: Scope) -> Any:
    return node.value


def name(interpreter: Interpreter, node: ast.Name, scope: Scope) -> Any:
    holder = scope.holder(node.id)
    if holder is not None:
        variable, sample = holder.variables[node.id], interpreter.context.sample
        if isinstance(variable, type):
            interpreter.unresolved.reads(variable)
        return variable if sample is None else captured.substitute_dims(variable, sample)
    if node.id in interpreter.natives.names:
        return interpreter.natives.names[node.id]
    if hasattr(builtins, node.id):
        return interpreter.opaque(node.id)
    if interpreter.context.is_speculative:
        return UNKNOWN
    return interpreter.failed(NameError(node.id))


def of_attribute(interpreter: Interpreter, node: ast.Attribute, scope: Scope) -> Any:
    return attribute(interpreter, value(interpreter, node.value, scope), node.attr)


def item(interpreter: Interpreter, node: ast.Subscript, scope: Scope) -> Any:
    holder, key = value(interpreter, node.value, scope), value(interpreter, node.slice, scope)
    if holder is UNKNOWN and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        return sizes_at(key)
    interpreter.node = node
    return interpreter.call(get_item, [holder, key], {})


def slices(interpreter: Interpreter, node: ast.Slice, scope: Scope) -> Any:
    return slice(*(part and value(interpreter, part, scope) for part in (node.lower, node.upper, node.step)))


def items(interpreter: Interpreter, nodes: list[ast.expr], scope: Scope) -> list[Any]:
    """The values of a display's or a call's items, with `STAR_ARGS` for an unknown number of them."""
    values: list[Any] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            several = items_of(interpreter, value(interpreter, node.value, scope)).listed
            values += [STAR_ARGS] if several is None else several
        else:
            values.append(value(interpreter, node, scope))
    return values


def sequence(kind: type) -> Give:
    def give(interpreter: Interpreter, node: Any, scope: Scope) -> Any:
        elements = items(interpreter, node.elts, scope)
        if kind is set:
            for each in elements:
                hashed(interpreter, each)
        if any(each is STAR_ARGS for each in elements):
            return AbstractSequence(UNKNOWN, kind=kind) if kind in (list, tuple) else UNKNOWN
        if kind is set and arrays.holds_unknown(elements):
            return UNKNOWN
        if kind is set and not all(map(gate.is_small, elements)):
            return interpreter.too_much()
        return heap.made(kind(elements)) if kind is not tuple else kind(elements)

    return give


def mapping(interpreter: Interpreter, node: ast.Dict, scope: Scope) -> Any:
    made: dict[Any, Any] = {}
    for key, each in zip(node.keys, node.values, strict=True):
        entry = value(interpreter, each, scope)
        if key is None:
            entries = entries_of(entry)
            if entries is None:
                return UNKNOWN
            made.update(entries)
            continue
        made_key = value(interpreter, key, scope)
        hashed(interpreter, made_key)
        if not gate.is_small(made_key):
            return interpreter.too_much()
        if arrays.holds_unknown(made_key):
            return UNKNOWN
        made[made_key] = entry
    return heap.made(made)


def binary(interpreter: Interpreter, node: ast.BinOp, scope: Scope) -> Any:
    left, right = value(interpreter, node.left, scope), value(interpreter, node.right, scope)
    interpreter.node = node
    return interpreter.call(BINARY[type(node.op)], [left, right], {})


def unary(interpreter: Interpreter, node: ast.UnaryOp, scope: Scope) -> Any:
    operand = value(interpreter, node.operand, scope)
    if isinstance(node.op, ast.Not):
        outcome = decided(interpreter, operand, "logical", node.operand)
        return AbstractScalar(bool) if outcome is None else not outcome
    interpreter.node = node
    return interpreter.call(UNARY[type(node.op)], [operand], {})


def logical(interpreter: Interpreter, node: ast.BoolOp, scope: Scope) -> Any:
    stop = isinstance(node.op, ast.Or)
    possible: list[Any] = []
    for each in node.values:
        if possible:  # only one way leads here
            with interpreter.under_condition():
                operand = value(interpreter, each, scope)
        else:
            operand = value(interpreter, each, scope)
        is_asked = each is not node.values[-1]  # of the last one it is only given
        outcome = decided(interpreter, operand, "logical", each) if is_asked else truth(operand)
        if outcome is not None and outcome == stop:
            possible.append(operand)
            break
        if outcome is None or each is node.values[-1]:
            possible.append(without_none(operand) if stop and is_asked else operand)
    return join_ways(possible)


def choice(interpreter: Interpreter, node: ast.IfExp, scope: Scope) -> Any:
    outcome = decided(interpreter, value(interpreter, node.test, scope), "if", node.test)
    if outcome is not None:
        return value(interpreter, node.body if outcome else node.orelse, scope)
    results: list[Any] = []
    sides = [
        lambda each=each: results.append(narrowing.chosen(interpreter, node, each, scope))
        for each in (node.body, node.orelse)
    ]
    interpreter.join_branches(scope, sides)
    return join_ways(results)


def assigned(interpreter: Interpreter, node: ast.NamedExpr, scope: Scope) -> Any:
    result = value(interpreter, node.value, scope)
    bind(interpreter, node.target, result, comprehensions.outside(scope))
    return result


def text(interpreter: Interpreter, node: ast.JoinedStr, scope: Scope) -> Any:
    parts: list[str] = []
    whole, has_path = True, False
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            inserted = value(interpreter, part.value, scope)
            if part.format_spec is not None:
                asked(interpreter, inserted, "format", part.value)
            has_path = has_path or isinstance(inserted, KnownPath)
            inserted = text_of(inserted)
            plain = type(inserted) in (str, int, bool, float)
            whole = whole and plain and part.format_spec is None and part.conversion == -1
            parts.append(str(inserted) if plain else "")
        elif isinstance(part, ast.Constant):
            parts.append(str(part.value))
    if whole and sum(map(len, parts)) > MOST_ITEMS:
        interpreter.too_much()
        whole = False
    made = "".join(parts)
    return AbstractScalar(str) if not whole else KnownPath(made) if has_path else made


def function(interpreter: Interpreter, node: ast.Lambda, scope: Scope) -> Any:
    return functions.make(interpreter, node, scope, "<lambda>")


def call(interpreter: Interpreter, node: ast.Call, scope: Scope) -> Any:
    if isinstance(node.func, ast.Name) and node.func.id == "super" and scope.holder("super") is None:
        return parent(interpreter, node, scope)
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.IfExp):
        return choice(interpreter, of_each_side(node, node.func, node.func.value), scope)
    called = value(interpreter, node.func, scope)
    args = items(interpreter, node.args, scope)
    kwargs: dict[str, Any] = {}
    for word in node.keywords:
        argument = value(interpreter, word.value, scope)
        if word.arg is not None:
            kwargs[word.arg] = argument
        elif (entries := entries_of(argument)) is not None and all(type(key) is str for key in entries):
            kwargs.update(entries)
        else:
            kwargs["**"] = STAR_ARGS
    interpreter.node = node
    if called is UNKNOWN and isinstance(node.func, ast.Attribute):
        interpreter.havoc(aliases.lost(node.func.attr))
    if called is UNKNOWN and may_be_object(node.func, scope):
        interpreter.unresolved.member(called)
    if called is UNKNOWN and (may_be_layer(node.func, scope) or any(map(layers.is_scoped, args))):
        layers.may_be_made()
    return interpreter.call(called, args, kwargs)


def of_each_side(node: ast.Call, func: ast.Attribute, holder: ast.IfExp) -> ast.IfExp:
    """``(a if c else b).m(x)`` as ``a.m(x) if c else b.m(x)``: what a method changes is the one or the other."""
    known: ast.IfExp | None = vars(node).get("sides")
    if known is None:  # one tree for all walks: what is known of nodes goes by their identity
        funcs = (
            ast.copy_location(ast.Attribute(side, func.attr, func.ctx), func)
            for side in (holder.body, holder.orelse)
        )
        sides = (ast.copy_location(ast.Call(each, node.args, node.keywords), node) for each in funcs)
        known = ast.copy_location(ast.IfExp(holder.test, *sides), node)
        vars(node)["sides"] = known
    return known


def parent(interpreter: Interpreter, node: ast.Call, scope: Scope) -> Any:
    """``super()``."""
    if node.args:
        cls, first = (value(interpreter, each, scope) for each in node.args[:2])
    else:
        frame = next((f for f in reversed(interpreter.frames) if f.cls is not None), interpreter.frame)
        cls, first = frame.cls, frame.first
    if cls is None or is_unknown(cls) or is_unknown(first):
        return UNKNOWN
    return super(cls, first)


def yielded(interpreter: Interpreter, node: ast.Yield, scope: Scope) -> Any:
    output = None if node.value is None else value(interpreter, node.value, scope)
    if interpreter.frame.within is not None:
        interpreter.frame.within(output)
        return None
    yields = interpreter.frame.yields
    yields.append(output)
    if interpreter.frame.contract is not None:
        contracts.yielding(interpreter, interpreter.frame.contract, output)
    if len(yields) > 256:
        yields[:] = yields[:64]
        interpreter.frame.open = True
    return UNKNOWN


def yielded_from(interpreter: Interpreter, node: ast.YieldFrom, scope: Scope) -> Any:
    several = items_of(interpreter, value(interpreter, node.value, scope))
    interpreter.frame.yields += several.to_join()
    interpreter.frame.open = interpreter.frame.open or several.listed is None
    return UNKNOWN


_GIVES: dict[type[ast.expr], Give] = {
    ast.Constant: constant,
    ast.Name: name,
    ast.Attribute: of_attribute,
    ast.Subscript: item,
    ast.Slice: slices,
    ast.Tuple: sequence(tuple),
    ast.List: sequence(list),
    ast.Set: sequence(set),
    ast.Dict: mapping,
    ast.BinOp: binary,
    ast.UnaryOp: unary,
    ast.BoolOp: logical,
    ast.Compare: compared,
    ast.IfExp: choice,
    ast.NamedExpr: assigned,
    ast.JoinedStr: text,
    ast.Lambda: function,
    ast.Call: call,
    ast.ListComp: comprehensions.of_list,
    ast.SetComp: comprehensions.of_set,
    ast.GeneratorExp: comprehensions.of_list,
    ast.DictComp: comprehensions.of_dict,
    ast.Yield: yielded,
    ast.YieldFrom: yielded_from,
}
