"""One call of a hook: the place that mypy asks about, with all that is needed to answer.

`Guard` makes a `Site` for each call of a hook, and sees to it that a failure of the plugin is never mypy's.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from mypy.errorcodes import ErrorCode
from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Context,
    Expression,
    IndexExpr,
    MemberExpr,
    OperatorAssignmentStmt,
    OpExpr,
    UnaryExpr,
)
from mypy.plugin import AttributeContext, FunctionSigContext, MethodContext, MethodSigContext

from jaxtyping_core.domain.values import Value
from jaxtyping_core.evaluation.protocol import OWN_CODES, Answer
from jaxtyping_core.pages import page
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert import Reader, Type, Writer, is_one_of_several_arrays, refuses_array, widen
from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.facts import ModuleFacts
from jaxtyping_core_mypy.loops import Loops

#: What a hook does: mypy's type for the place, or a better one.
Callback = Callable[["Site"], Any]


class Site:
    """The place of one call of a hook."""

    def __init__(self, ctx: Any, engine: Engine) -> None:
        self.ctx = ctx
        #: The checker, whose own attributes are more than mypy's interface for plugins has.
        self.api: Any = ctx.api
        self.engine = engine
        self.facts = engine.module.facts(ctx.api, ctx.context)
        #: The promotion system of the array layer that is in force here; None if that is not known.
        self.system = self.facts.system(ctx.api, ctx.context)
        self._default: Type | None = None
        #: Whether an error was reported here.
        self.has_failed = False

    @functools.cached_property
    def reader(self) -> Reader:
        """Reads what mypy knows of the arguments."""
        return Reader(self.api, self.engine.x64, self.facts, self.ctx.context.line)

    @functools.cached_property
    def writer(self) -> Writer:
        """Writes answers as types."""
        return Writer(self.api, self.reader.symbols, self.engine.find_class, self.facts.noted)

    @property
    def default(self) -> Type:
        """The type that mypy has found."""
        return default_of(self.ctx) if self._default is None else self._default

    def take(self, default: Type) -> None:
        """Go on with a better type in place of the one that mypy has found."""
        self._default = default

    def ask(self, function: str, args: Sequence[Value], kwargs: Mapping[str, Value] | None = None) -> Answer:
        """JAX's answer to a call at this place."""
        return self.engine.ask(self.system, function, args, kwargs)

    def fail(self, message: str, code: ErrorCode, place: Context | None = None) -> None:
        """Report an error here, or at another place whatever mypy tries here, with a link where mypy gives one for its own.

        What one member of a union refuses, another may accept: after ``for w in weights: x = x @ w`` mypy takes `x`
        for the union of what it is after each number of rounds, and asks about each member on its own.
        """
        self.has_failed = True
        if place is not None:
            with _heard(self.api.errors):
                self._fail(message, code, place)
        elif not (isinstance(self.ctx, (MethodContext, AttributeContext)) and self._is_one_of_several()):
            self._fail(message, code, self.ctx.context)

    def _fail(self, message: str, code: ErrorCode, context: Context) -> None:
        options = self.api.options
        self.api.fail(message, context, code=code)
        if options.show_error_code_links and not options.hide_error_codes and code.code in OWN_CODES:
            link = errors.LINK.format(page=page(f"reference/codes/{code.code}"))
            self.api.errors.report(
                context.line, context.column, link, severity="note", only_once=True, code=code
            )

    def _is_one_of_several(self) -> bool:
        """Whether an operand whose operator or method this is may be one of several arrays."""
        types = [self.api.lookup_type_or_none(operand) for operand in _operands(self.ctx.context)]
        return any(typ is not None and is_one_of_several_arrays(typ) for typ in types)


class Guard:
    """Wraps callbacks for one mypy run; `before` is called before each of them."""

    def __init__(self, engine: Engine, before: Callback) -> None:
        self._engine = engine
        self._before = before
        self._told = False
        self._loops: Loops | None = None

    def wrap(self, callback: Callback) -> Callable[[Any], Any]:
        """`callback` as a hook, which gives mypy's type in files whose errors nobody sees, and when it fails."""

        def hook(ctx: Any) -> Any:  # runs for every operator and call of the program
            api = ctx.api
            if api.errors.file in api.errors.ignored_files:  # an installed package
                return default_of(ctx)
            try:
                self._engine.line = ctx.context.line
                site = Site(ctx, self._engine)
                self._before(site)
                result = callback(site)
                self._engine.tell(api, ctx.context)
                if isinstance(ctx, (FunctionSigContext, MethodSigContext)):
                    return result
                of_member = isinstance(ctx, AttributeContext)
                loops = self._loops_of(site.facts)
                return _settled(site, loops.settled(api, ctx.context, result, of_member=of_member))
            except Exception as error:  # a fault of the plugin is a less precise type, not a crash of mypy
                if api.options.show_traceback:
                    raise
                self._tell(ctx, error)
                return default_of(ctx)

        return hook

    def _loops_of(self, facts: ModuleFacts) -> Loops:
        if self._loops is None or self._loops.facts is not facts:
            self._loops = Loops(facts)
        return self._loops

    def _tell(self, ctx: Any, error: Exception) -> None:
        if not self._told:
            self._told = True
            what = f"{type(error).__name__}: {error}".rstrip(": ")
            ctx.api.note(errors.PLUGIN_FAULT.format(what=what), ctx.context)


@contextlib.contextmanager
def _heard(of_mypy: Any) -> Iterator[None]:
    """What is reported within is not dropped, as mypy drops the errors of what it only tries."""
    watchers = of_mypy._watchers[:]
    of_mypy._watchers[:] = []
    try:
        yield
    finally:
        of_mypy._watchers[:] = watchers


def default_of(ctx: Any) -> Type:
    """The type that mypy has found for the place of a hook."""
    name = _DEFAULTS.get(type(ctx), "default_return_type")
    typ: Type = getattr(ctx, name)
    return typ


#: Where contexts have that type which are not of calls.
_DEFAULTS: dict[type, str] = {
    AttributeContext: "default_attr_type",
    FunctionSigContext: "default_signature",
    MethodSigContext: "default_signature",
}


def _settled(site: Site, typ: Type) -> Type:
    """`typ`, as the variable can take it that it is assigned to here."""
    facts, context = site.facts, site.ctx.context
    if not site.api.options.allow_redefinition and not facts.told_of_redefinition:
        statement = facts.assignment_of(context)
        if statement is not None and refuses_array(statement.lvalues[0], typ):
            facts.told_of_redefinition = True
            site.api.note(errors.REDEFINITION, context)
    return widen(typ) if facts.is_first_value_of_global(context) else typ


def _operands(context: Context) -> list[Expression]:
    match context:
        case OpExpr():
            return [context.left, context.right]
        case ComparisonExpr():
            return context.operands
        case OperatorAssignmentStmt():
            return [context.lvalue, context.rvalue]
        case CallExpr(callee=MemberExpr() as callee):
            return [callee.expr]
        case IndexExpr():
            return [context.base]
        case MemberExpr() | UnaryExpr():
            return [context.expr]
    return []
