"""Loops and branches of `jax.lax`: their result is what the functions that they call return.

The stubs' overloads for them, on which mypy spends as much as on a hundred operators, are not seen under the plugin.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mypy.plugin import FunctionContext
from mypy.subtypes import find_member
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    NoneType,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    TypeTranslator,
    get_proper_type,
)

from jaxtyping_core.dtypes import WEAK
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.calls import function_callback
from jaxtyping_core_mypy.convert import is_array
from jaxtyping_core_mypy.convert.abstract import read_dtype_class
from jaxtyping_core_mypy.convert.reader import PYTHON_SCALARS
from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.widening import widen

_UNKNOWN = AnyType(TypeOfAny.special_form)


def control_flow_callback(engine: Engine, path: str) -> Callable[[FunctionContext], Type]:
    """The hook of the function at the dotted `path`, one of `FUNCTIONS`."""
    evaluated, function = function_callback(engine, path), FUNCTIONS[path]

    def callback(ctx: FunctionContext) -> Type:
        typ = evaluated(ctx)
        if typ is not ctx.default_return_type:
            return typ
        results = [returned(f) for name in function.parameters for f in _functions(ctx, name)]
        known = [traced(one) for one in results if one is not None]
        return function.result(known) if known and len(known) == len(results) else typ

    return callback


def _functions(ctx: FunctionContext, parameter: str) -> list[Type]:
    """The functions that are given for a parameter, also in a tuple or a list."""
    found: list[Type] = []
    for name, types in zip(ctx.callee_arg_names, ctx.arg_types, strict=True):
        for typ in map(get_proper_type, types if name == parameter else ()):
            if isinstance(typ, TupleType):
                found += typ.items
            elif isinstance(typ, Instance) and typ.args:
                found += typ.args
            else:
                found.append(typ)
    return found


def returned(function: Type) -> Type | None:
    """What a function, or an object that can be called, returns, if that does not depend on how it is called."""
    proper = get_proper_type(function)
    called = (
        get_proper_type(find_member("__call__", proper, proper, is_operator=True))
        if isinstance(proper, Instance)
        else proper
    )
    return called.ret_type if isinstance(called, CallableType) and not called.variables else None


class _Traced(TypeTranslator):
    """What Python and NumPy values become arrays of is left open, and so is what a weak type becomes in a loop."""

    def visit_instance(self, t: Instance) -> Type:
        name = t.type.fullname
        if name in PYTHON_SCALARS or name.startswith("numpy."):
            return _UNKNOWN
        if name == names.ARRAY and len(t.args) == 2 and read_dtype_class(t.args[0]) in WEAK:
            return t.copy_modified(args=[_UNKNOWN, t.args[1]])
        return super().visit_instance(t)

    def visit_literal_type(self, t: LiteralType, /) -> Type:
        return t  # the size of a dim: its fallback is no number that an array replaces

    def visit_type_alias_type(self, t: TypeAliasType) -> Type:
        return t if t.is_recursive else get_proper_type(t).accept(self)


def traced(typ: Type) -> Type:
    """What a value of the type `typ` is after JAX has traced a function that takes or returns it."""
    return typ.accept(_Traced())


def _carried(returned: list[Type]) -> Type:
    return returned[-1]


def _stacked(typ: Type) -> Type:
    """As many values as a loop has steps, along a new axis."""
    proper = get_proper_type(typ)
    if is_array(proper):
        return widen(proper, keep_dtype=True)
    return proper if isinstance(proper, NoneType) else _UNKNOWN


def _scanned(returned: list[Type]) -> Type:
    pair = get_proper_type(returned[0])
    if not isinstance(pair, TupleType) or len(pair.items) != 2:
        return _UNKNOWN
    return pair.copy_modified(items=[pair.items[0], _stacked(pair.items[1])])


def _chosen(returned: list[Type]) -> Type:
    """One of several results: of arrays that differ, an array."""
    first, *others = returned
    if all(other == first for other in others):
        return first
    return widen(first) if all(map(is_array, returned)) else _UNKNOWN


class _Function(NamedTuple):
    """The parameters that take functions, and what follows from what these return."""

    parameters: tuple[str, ...]
    result: Callable[[list[Type]], Type]


FUNCTIONS = {
    "jax.lax.scan": _Function(("f",), _scanned),
    "jax.lax.while_loop": _Function(("body_fun",), _carried),
    "jax.lax.fori_loop": _Function(("body_fun",), _carried),
    "jax.lax.cond": _Function(("true_fun", "false_fun"), _chosen),
    "jax.lax.switch": _Function(("branches",), _chosen),
    "jax.lax.map": _Function(("f",), lambda returned: _stacked(returned[0])),
}
