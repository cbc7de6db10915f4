"""Functions of NumPy on numbers that meet an array of JAX: ``q @ k / np.sqrt(d)``, ``x - 0.5 * np.log(2 * np.pi)``.

To NumPy's stubs they give `Any`, and of an operator with such an operand mypy asks nobody. They give a ``float64``, which
JAX takes in with its dtype. Elsewhere they stay what NumPy's stubs say: ``n: int = np.sqrt(4)`` is no business of ours.
"""

from __future__ import annotations

import functools

from mypy.nodes import CallExpr, Context, Expression, FloatExpr, IntExpr, RefExpr

from jaxtyping_core_mypy.convert import Type, is_array, number_dtype, scalar_of, type_of
from jaxtyping_core_mypy.site import Site

#: What NumPy's stubs say of its functions of one argument that give one result, and what that is where it is told.
CALL, RESULT = "numpy._typing._ufunc._UFunc_Nin1_Nout1.__call__", "float64"


def call(site: Site) -> Type:
    """``np.sqrt(d)``: a scalar of NumPy's where an array of JAX is the other operand."""
    expression = site.ctx.context
    if not isinstance(expression, CallExpr) or len(expression.args) != 1:
        return site.default
    other = _met(site, expression)
    if other is None or not isinstance(expression.callee, RefExpr):
        return site.default
    (argument,) = site.ctx.arg_types[0]
    dtype = number_dtype(argument)
    if dtype is None or _result(expression.callee.fullname, dtype) != RESULT or not _is_array(site, other):
        return site.default
    return scalar_of(RESULT, site.engine.find_class) or site.default


def _met(site: Site, expression: Context) -> Expression | None:
    """The operand that a scalar meets, once the numbers beside it are taken in."""
    over = site.facts.operator_over(expression)
    while over is not None and _is_number(site, over[1]):
        over = site.facts.operator_over(over[0])
    return over[1] if over else None


def _is_number(site: Site, operand: Expression) -> bool:
    """Whether an operand is a number: mypy has come to it, or it is written there."""
    if isinstance(operand, (IntExpr, FloatExpr)):
        return True
    typ = site.api.lookup_type_or_none(operand)
    return typ is not None and number_dtype(typ) is not None


def _is_array(site: Site, operand: Expression) -> bool:
    """Whether an operand is an array of JAX; mypy has not come to it yet where it is the right one."""
    typ = site.api.lookup_type_or_none(operand)
    if typ is None and _is_before(operand, site.ctx.context):
        return False  # mypy is at it: as a call of NumPy's as well, it asks what stands beside it
    return is_array(typ or type_of(site.api, operand))


def _is_before(left: Context, right: Context) -> bool:
    return (left.line, left.column) < (right.line, right.column)


@functools.cache
def _result(function: str, dtype: str) -> str | None:
    """The dtype that a function of NumPy gives for a number of this one."""
    import numpy as np  # which takes long, and is not needed by most programs

    name = function.removeprefix("numpy.")
    ufunc = getattr(np, name, None)
    if not isinstance(ufunc, np.ufunc):
        return None
    try:
        return ufunc.resolve_dtypes((np.dtype(dtype), None))[-1].name
    except TypeError:  # of such numbers there is none
        return None
