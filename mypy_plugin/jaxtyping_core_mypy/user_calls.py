"""Calls of the program's own functions, and of methods of its objects, whose annotations leave something open.

They are evaluated from their source. An object is known by the call that made it, which its type remembers where the
object has one name, or none.
"""

from __future__ import annotations

from mypy.nodes import CallExpr, Expression, MemberExpr, RefExpr, TypeInfo

from jaxtyping_core.domain.values import NONE, Array, Call, Value, inside
from jaxtyping_core_mypy import containers, errors
from jaxtyping_core_mypy.arguments import ask_own, bind_to_own
from jaxtyping_core_mypy.convert import (
    Type,
    declares_shapes,
    has_abstract,
    has_any,
    has_open_dtype,
    iterables,
    refines,
)
from jaxtyping_core_mypy.convert.dim_strings import with_sizes
from jaxtyping_core_mypy.named_dims import report_conflict
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.spelling import spell, spell_arguments

#: The kinds of errors that are of a function that is called, whatever its arrays are.
OF_FUNCTIONS = ("call", "removed")


def call(site: Site) -> Type:
    """What the call of a function gives, where that is more than it declares; of a class, an object that says how it was made."""
    callee = site.ctx.context.callee if isinstance(site.ctx.context, CallExpr) else None
    if not isinstance(callee, RefExpr):
        return site.default
    if isinstance(callee.node, TypeInfo):
        return _made(site, callee)
    function = site.reader.own(callee) or site.reader.of_library(callee) if _is_open(site) else None
    return site.default if function is None else _evaluated(site, function, callee)


def _is_open(site: Site) -> bool:
    """Whether an evaluation may say more of a result than mypy knows: of a dtype, only if an argument has one.

    Where shapes are declared and the dtype of an argument is open, it would say little, and take long: each operation is
    tried with all dtypes. The body is looked at for itself.
    """
    arguments = [typ for types in site.ctx.arg_types for typ in types]
    if declares_shapes(site.default) and any(map(has_open_dtype, arguments)):
        return False
    if has_any(site.default):
        return True
    return has_abstract(site.default) and any(
        array is None or array.dtype is not None for array in map(site.reader.array_of, arguments)
    )


def _made(site: Site, callee: RefExpr) -> Type:
    """The type of a new object."""
    cls = site.reader.own_class(callee)
    if cls is None:
        return site.default
    args, kwargs = bind_to_own(site)
    return site.writer.made_by(site.default, Call("value", (cls, *args), kwargs))


def method(site: Site, name: str) -> Type:
    """The hook of the method `name` of an object of the program's, or of an installed package's."""
    callee = site.ctx.context.callee if isinstance(site.ctx.context, CallExpr) else None
    site.take(with_sizes(site.ctx, site.default, site.writer))
    if report_conflict(site) or callee is None or not _is_open(site):
        return site.default
    is_called = name == "__call__" and not (isinstance(callee, MemberExpr) and callee.name == name)
    if not is_called and not isinstance(callee, MemberExpr):
        return site.default
    receiver = callee.expr if isinstance(callee, MemberExpr) and not is_called else callee
    made = site.reader.own_object(receiver, site.ctx.type)
    if made is None:
        return site.default
    return _evaluated(site, made, callee, "value" if is_called else f"method:{name}")


def attribute(site: Site, name: str) -> Type:
    """The hook of the attribute `name` of an object of the program's, or of an installed package's."""
    default = containers.attribute(site)
    read = site.ctx.context
    if site.ctx.is_lvalue or not isinstance(read, MemberExpr) or not has_any(default):
        return default
    made = site.reader.own_object(read.expr, site.ctx.type)
    if made is None:
        return default
    return _refined(site, site.ask(f"attribute:{name}", [made]).result, default)


def _evaluated(site: Site, called: Value, callee: Expression, function: str = "value") -> Type:
    """What a call gives; `called` comes before its arguments."""
    args, kwargs = bind_to_own(site)
    if not (site.facts.is_used(site.ctx.context) or any(map(_has_arrays, [*args, *kwargs.values()]))):
        return site.default  # such as ``main()``: nothing is done with what it gives
    answer = ask_own(site, function, [called, *args], kwargs)
    values = [*args, *kwargs.values()]
    # Without arguments, it is not the call that is wrong; nor is it in functions that are called within, without arrays.
    if (
        answer.error is not None
        and values
        and (answer.kind not in OF_FUNCTIONS or any(map(_has_arrays, values)))
    ):
        spelled = f"{spell(callee)}({spell_arguments(args, kwargs)})"
        message = errors.REFUSED.format(call=spelled, reason=errors.sentence(answer.error))
        site.fail(message, errors.BY_KIND[str(answer.kind)])
        return iterables.open_member(site.default) or site.default
    return _refined(site, answer.result, site.default)


def _has_arrays(value: Value) -> bool:
    """Whether JAX may refuse a call for this argument: it is, or may hold, an array."""
    return any(isinstance(part, (Array, Call)) for part in inside(value))


def _refined(site: Site, result: Value | None, default: Type) -> Type:
    """The type of a result, where it is one of those that the program declares."""
    if result is None or result == NONE:
        return default
    typ = site.writer.value(result, default)
    return typ if refines(typ, default) else default
