"""What an assignment assigns to."""

from __future__ import annotations

import ast
import collections
import copy
import inspect
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...identity import identity
from ..libraries import registry
from ..libraries.calls import real_code
from ..libraries.jax import kernels
from ..libraries.numpy.arrays import forget_numbers
from ..libraries.python import records
from ..libraries.trust import gate
from ..libraries.trust.special_names import DESCRIBING, is_closed_name, may_name
from ..scopes import Module, Scope
from ..values import aliases, arrays, heap
from ..values.callables import Cursor
from ..values.joins import join
from ..values.records import Record, RecordList
from ..values.unknowns import UNKNOWN, is_many, is_unknown
from . import attributes, tracing
from .operators import MOST_ITEMS
from .sequences import unpacked

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: Containers whose items are assigned to as Python does it.
CONTAINERS = (dict, list, collections.OrderedDict, collections.defaultdict)


def bind(interpreter: Interpreter, target: ast.expr, value: Any, scope: Scope) -> None:
    """Assign `value` to `target`."""
    if isinstance(target, ast.Name):
        scope.bind(target.id, value)
        scope.assigned[target.id] = (target.lineno, value)
        interpreter.record(scope, target, target.id, value)
    elif isinstance(target, ast.Starred):
        bind(interpreter, target.value, value, scope)
    elif isinstance(target, (ast.Tuple, ast.List)):
        star = next((i for i, item in enumerate(target.elts) if isinstance(item, ast.Starred)), None)
        for item, part in zip(target.elts, unpacked(interpreter, value, len(target.elts), star), strict=True):
            bind(interpreter, item, part, scope)
    elif isinstance(target, ast.Attribute):
        set_attribute(interpreter, interpreter.value(target.value, scope), target.attr, value)
    elif isinstance(target, ast.Subscript):
        holder = interpreter.value(target.value, scope)
        tracing.assigned(interpreter, holder, target)
        set_item(interpreter, holder, interpreter.value(target.slice, scope), value)


def set_attribute(interpreter: Interpreter, holder: Any, name: str, value: Any) -> None:
    """Assign to an attribute."""
    if is_unknown(holder):
        interpreter.havoc(aliases.lost("__setattr__", name))
        interpreter.escape([{name: value}], calls_methods=False)
        return
    if isinstance(holder, Module):
        holder.scope.assign(name, value)
        return
    if isinstance(holder, types.ModuleType):
        interpreter.patched.add((holder.__name__, name))
    if not attributes.may_set(interpreter, holder, name):
        if name in DESCRIBING:
            return
        interpreter.diagnostics.note(
            f"an assignment to the attribute {name} is ignored: the object does not belong to the program"
        )
        return
    if isinstance(holder, Record):
        records.set_entry(interpreter, holder, name, value)
        return
    if isinstance(holder, type):
        value = _of_class(interpreter, name, value)
    setter = getattr(inspect.getattr_static(type(holder), name, None), "fset", None)
    if setter is not None and interpreter.functions.get(identity(setter)) is not None:
        interpreter.call(setter, [holder, value], {})
        return
    try:
        with real_code.writing(holder, value):
            setattr(holder, name, value)
    except Exception as error:  # what real code raises is what the program would meet
        # Something unknown may call the function with another object, which then has the value.
        interpreter.escape([{name: value}], calls_methods=False)
        interpreter.failed(error)


def set_plainly(interpreter: Interpreter, holder: Any, name: Any, value: Any) -> None:
    """What ``object.__setattr__`` does, by which frozen classes set attributes of their own objects."""
    is_known = (
        type(name) is str and not is_unknown(holder) and not isinstance(holder, (type, types.ModuleType))
    )
    if not is_known or not attributes.is_of_program(interpreter, holder):
        interpreter.havoc([holder])
        return
    if isinstance(holder, Record) or not attributes.may_set(interpreter, holder, name):
        set_attribute(interpreter, holder, name, value)
        return
    try:
        with real_code.writing(holder, value):
            object.__setattr__(holder, name, value)
    except (AttributeError, TypeError) as error:  # of slots
        interpreter.failed(error)


def _of_class(interpreter: Interpreter, name: str, value: Any) -> Any:
    """What an attribute of a class becomes: what real code looks up there is seen by the gate."""
    if name in ("__name__", "__doc__"):
        return value if may_name(value) else "named"
    if is_unknown(value) or gate.may_have(interpreter, value):
        return value
    return interpreter.opaque(f"what is assigned to {name}")


def set_item(interpreter: Interpreter, holder: Any, key: Any, value: Any) -> None:
    """Assign to an item."""
    if is_many(holder):
        heap.changing(holder)
        holder.item = join(holder.item, value)
        return
    if is_unknown(holder):
        interpreter.havoc(aliases.lost("__setitem__"))
        return
    if arrays.is_array(holder):
        return
    if kernels.is_reference(holder):
        kernels.store(interpreter, holder, key, value)
        return
    if isinstance(holder, Record):
        records.set_item(interpreter, holder, key, value)
        return
    boxes = registry.box_of("__setitem__", holder)
    if boxes is not None and boxes.set_item(interpreter, holder, key, value):
        return
    if isinstance(holder, RecordList) or type(holder) in CONTAINERS:
        if not isinstance(holder, list):
            tracing.hashed(interpreter, key)
        if (type(key) is str and is_closed_name(key)) or not gate.is_small(key):
            interpreter.opaque(f"an item with the key {key if type(key) is str else 'that is too large'}")
            return
        if arrays.holds_unknown(key):
            forget(interpreter, holder)
            return
        try:
            if isinstance(holder, list) and isinstance(key, slice) and not _replaces(holder, value):
                forget(interpreter, holder)
            else:
                container: Any = holder
                heap.changing(container)
                container[key] = value
        except Exception as error:  # what real code raises is what the program would meet
            interpreter.failed(error)
    elif type(holder) in interpreter.classes:
        setter = getattr(type(holder), "__setitem__", None)
        if setter is not None:
            interpreter.call(setter, [holder, key, value], {})
    else:  # an array of NumPy, say, whose numbers are known no longer
        forget_numbers(interpreter, holder)


def _replaces(holder: list[Any], value: Any) -> bool:
    """Whether a part of a list is replaced by items that are known, and not too many."""
    return isinstance(value, (list, tuple, range, str, Cursor)) and (
        isinstance(value, Cursor) or len(holder) + len(value) <= MOST_ITEMS
    )


def forget(interpreter: Interpreter, holder: Any) -> None:
    """A container has become unknown: wherever it is."""
    interpreter.replace({identity(holder): (holder, UNKNOWN)})


def delete(interpreter: Interpreter, target: ast.expr, scope: Scope) -> None:
    """``del target``."""
    if isinstance(target, ast.Name):
        holder = scope.holder(target.id)
        if holder is not None:
            holder.delete(target.id)
    elif isinstance(target, ast.Subscript):
        holder_value = interpreter.value(target.value, scope)
        key = interpreter.value(target.slice, scope)
        if isinstance(holder_value, Record):
            records.delete(interpreter, holder_value, key)
        elif isinstance(holder_value, (dict, list)):
            heap.changing(holder_value)
            try:
                del holder_value[key]
            except Exception:  # code of objects may raise anything: then no more is known
                forget(interpreter, holder_value)
    elif isinstance(target, ast.Attribute):
        holder_value = interpreter.value(target.value, scope)
        if isinstance(holder_value, Record):
            records.delete(interpreter, holder_value, target.attr)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            delete(interpreter, item, scope)


def loaded(target: ast.expr) -> ast.expr:
    """A target of an assignment, to be read."""
    read = copy.copy(target)
    read.ctx = ast.Load()  # type: ignore[attr-defined]  # typeshed has no such attribute of this kind
    return read


def bind_unknown(statement: ast.AST, scope: Scope) -> None:
    """All names that a statement binds are unknown, if it is not walked."""
    for name in _bound(statement):
        scope.bind(name, UNKNOWN)


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a statement binds, but for those of the functions and classes in it."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield node.id
    elif isinstance(node, ast.alias) and node.name != "*":
        yield node.asname or node.name.partition(".")[0]
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
        return
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
    for child in ast.iter_child_nodes(node):
        yield from _bound(child)
