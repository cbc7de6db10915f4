"""What a condition says of the variables in it, where it is true: ``if x is None:``, ``assert x.shape == (b, 3)``.

Only what is not known of an array of JAX or NumPy becomes known: a condition that is never true says nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np

from ...domain.arrays import AbstractArray, meet
from ..libraries import registry
from ..scopes import Scope
from ..values import arrays
from ..values.unknowns import Nullable, NumpyArray, Partial, is_dim, is_scalar, without_none

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: What in an expression computes nothing and calls nothing of the program.
PLAIN = (ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.Subscript, ast.UnaryOp, ast.USub, ast.Load)


def narrow(interpreter: Interpreter, test: ast.expr, scope: Scope, outcome: bool) -> None:
    """Bind the variables that a condition is about to what they are where it has this outcome."""
    match test:
        case ast.UnaryOp(op=ast.Not()):
            narrow(interpreter, test.operand, scope, not outcome)
        case ast.BoolOp(op=ast.And()) if outcome:
            for part in test.values:
                narrow(interpreter, part, scope, outcome)
        case ast.BoolOp(op=ast.Or()) if not outcome:
            for part in test.values:
                narrow(interpreter, part, scope, outcome)
        case ast.Compare(left=ast.Name() as left, ops=[ast.Is() | ast.IsNot() as op], comparators=[right]):
            if isinstance(right, ast.Constant) and right.value is None:
                _none(interpreter, left, scope, is_none=isinstance(op, ast.Is) == outcome)
        case ast.Name() if outcome:
            _none(interpreter, test, scope, is_none=False)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
            if isinstance(op, ast.Eq) == outcome:
                for asked, expected in ((left, right), (right, left)):
                    _equal(interpreter, asked, expected, scope)


def _none(interpreter: Interpreter, name: ast.Name, scope: Scope, is_none: bool) -> None:
    """Bind a variable to None, or to what it is otherwise."""
    if is_none:
        scope.bind(name.id, None)
    elif type(value := scope.variables.get(name.id)) is Nullable:
        scope.bind(name.id, value.value)


def chosen(interpreter: Interpreter, node: ast.IfExp, side: ast.expr, scope: Scope) -> Any:
    """What a side of a conditional expression gives, of which the test says something: ``c.x if c.x is not None else 0``."""
    outcome = side is node.body
    narrow(interpreter, node.test, scope, outcome)
    value = interpreter.value(side, scope)
    match node.test:
        case ast.Compare(
            left=asked, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]
        ):
            is_asked = isinstance(op, ast.IsNot) == outcome and ast.dump(asked) == ast.dump(side)
            return without_none(value) if is_asked and _is_plain(side) else value
    return value


def asserted(interpreter: Interpreter, call: ast.Call, scope: Scope) -> None:
    """What the call of a function that checks arrays, with this and what is expected, says of them.

    The library of the function may not be installed.
    """
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name), args=[inputs, expected]):
            attribute = registry.checks().get(f"{module}.{name}")
            if attribute is None or call.keywords:
                return
            for each, said in _pairs(inputs, expected):
                if isinstance(each, ast.Name):
                    _assume(interpreter, each, attribute, said, scope)


def _pairs(inputs: ast.expr, expected: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each of the arrays, with what is said of it."""
    each = inputs.elts if isinstance(inputs, (ast.List, ast.Tuple)) else [inputs]
    if isinstance(expected, ast.List):
        yield from zip(each, expected.elts, strict=True) if len(each) == len(expected.elts) else ()
    else:
        yield from ((array, expected) for array in each)


def _equal(interpreter: Interpreter, asked: ast.expr, expected: ast.expr, scope: Scope) -> None:
    match asked:
        case ast.Attribute(value=ast.Name() as name, attr="shape" | "ndim" | "dtype" as attribute):
            _assume(interpreter, name, attribute, expected, scope)
        case ast.Subscript(value=ast.Attribute(value=ast.Name() as name, attr="shape"), slice=index):
            _assume(interpreter, name, "axis", expected, scope, index)


def _assume(
    interpreter: Interpreter,
    name: ast.Name,
    attribute: str,
    expected: ast.expr,
    scope: Scope,
    index: ast.expr | None = None,
) -> None:
    """Bind a variable to an array of which an attribute is what an expression says."""
    array = interpreter.value(name, scope)
    if isinstance(array, NumpyArray):
        _said_of_numpy(interpreter, name.id, array, attribute, expected, scope, index)
    if not isinstance(array, Partial):
        return
    known = array.known
    if attribute == "dtype":
        known = meet(known, AbstractArray.of(_dtype(_value(interpreter, expected, scope)), None, None))
    else:
        said = _dims(interpreter, attribute, expected, scope, index, array.dims)
        known = known if said is None else replace(known, shape=_filled(known.shape, said))
    if known != array.known and not known.is_bottom:
        scope.bind(name.id, arrays.of_known(known))


def _said_of_numpy(
    interpreter: Interpreter,
    name: str,
    array: NumpyArray,
    attribute: str,
    expected: ast.expr,
    scope: Scope,
    index: ast.expr | None,
) -> None:
    """Bind a variable to an array of NumPy of which an attribute is what an expression says."""
    if attribute == "dtype":
        dtype = _of_numpy(_value(interpreter, expected, scope))
        if array.np_dtype is None and dtype is not None:
            scope.bind(name, NumpyArray(dtype, array.dims))
        return
    own = None if array.dims is None else arrays.sizes_of(array)
    said = _dims(interpreter, attribute, expected, scope, index, own)
    if said is None or (own is not None and len(said) != len(own)):
        return
    old = array.dims or [None] * len(said)
    new = [each if size is None else size for size, each in zip(old, said, strict=True)]
    narrowed = NumpyArray(array.np_dtype, tuple(size if type(size) is int else None for size in new))
    known = own or [None] * len(said)
    narrowed.sizes = tuple(
        arrays.unknown_size() if size is None and each is None else each if size is None else size
        for size, each in zip(new, known, strict=True)
    )
    scope.bind(name, narrowed)


def _dims(
    interpreter: Interpreter,
    attribute: str,
    expected: ast.expr,
    scope: Scope,
    index: ast.expr | None,
    own: tuple[Any, ...] | None,
) -> Sequence[Any] | None:
    """The sizes that are told, None for each that is not."""
    if attribute == "shape" and isinstance(expected, ast.Tuple):
        return _each(interpreter, expected, scope, own)
    value = _value(interpreter, expected, scope)
    if attribute == "shape":
        return [_size(item) for item in value] if isinstance(value, tuple) else None
    if attribute == "ndim":
        return [None] * value if type(value) is int and value >= 0 else None
    place = None if index is None else _value(interpreter, index, scope)
    if own is None or type(place) is not int or not -len(own) <= place < len(own):
        return None
    return [_size(value) if i == place % len(own) else None for i in range(len(own))]


def _each(
    interpreter: Interpreter, shape: ast.Tuple, scope: Scope, own: tuple[Any, ...] | None
) -> Sequence[Any] | None:
    """The sizes of a shape that is written out, with ``...`` for any number of them."""
    dims: list[Any] = []
    for number, item in enumerate(shape.elts):
        if isinstance(item, ast.Starred):
            return None
        if isinstance(item, ast.Constant) and item.value is ...:
            rest = len(shape.elts) - number - 1
            if own is None or len(own) < number + rest:
                return None
            dims += [None] * (len(own) - number - rest)
        else:
            dims.append(_size(_value(interpreter, item, scope)))
    return dims


def _filled(dims: tuple[Any, ...] | None, said: Sequence[Any]) -> tuple[Any, ...]:
    """Sizes, with those that were not known from what is said; as they were where the rank is another one."""
    if dims is None:
        return tuple(said)
    if len(dims) != len(said):
        return dims
    return tuple(new if old is None else old for old, new in zip(dims, said, strict=True))


def _value(interpreter: Interpreter, expr: ast.expr, scope: Scope) -> Any:
    """What an expression gives that computes nothing; None for others."""
    return interpreter.value(expr, scope) if _is_plain(expr) else None


def _is_plain(expr: ast.expr) -> bool:
    return all(isinstance(node, PLAIN) for node in ast.walk(expr))


def _size(value: Any) -> Any:
    if is_scalar(value, int):
        return arrays.size_of(value)
    return value if is_dim(value) or (type(value) is int and value >= 0) else None


def _of_numpy(value: Any) -> Any:
    """A dtype of NumPy; None for what is none, or not known."""
    try:
        return None if value is None else np.dtype(value)
    except Exception:  # NumPy calls methods of what it is given, and an unknown value raises
        return None


def _dtype(value: Any) -> str | None:
    """The name of a dtype."""
    try:
        return None if value is None else str(jnp.dtype(value))
    except (
        Exception
    ):  # JAX calls methods of what it is given, and an unknown value raises: then it is no known dtype
        return None
