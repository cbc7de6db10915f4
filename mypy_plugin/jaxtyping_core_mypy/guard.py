"""What stands around each hook: the evaluation of the program is asked first, and a failure of the plugin is never mypy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mypy.plugin import FunctionSigContext, MethodSigContext

from jaxtyping_core_mypy import calls, errors, operators
from jaxtyping_core_mypy.convert import Type, refuses_array, widen
from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.evaluated import known_at, refined
from jaxtyping_core_mypy.site import Callback, Site, default_of

#: The callbacks that only ask JAX what types of operands give: they are not needed where the evaluation of the program knows all.
OF_OPERANDS = frozenset(
    {
        *(calls.function, calls.method, calls.attribute, calls.update, calls.builtin),
        *(operators.of_array, operators.of_numpy, operators.by_union),
    }
)


class Guard:
    """Wraps callbacks for one mypy run; `before` is called before each of them."""

    def __init__(self, engine: Engine, before: Callback) -> None:
        self._engine = engine
        self._before = before
        self._told = False

    def wrap(self, callback: Callback, name: str = "") -> Callable[[Any], Any]:
        """The `callback` for a name as a hook, which gives mypy's type in files whose errors nobody sees, and when it fails."""
        is_of_operands = getattr(callback, "func", callback) in OF_OPERANDS

        def hook(ctx: Any) -> Any:  # runs for every operator and call of the program
            api = ctx.api
            if api.errors.file in api.errors.ignored_files:  # an installed package
                return default_of(ctx)
            try:
                self._engine.line = ctx.context.line
                site = Site(ctx, self._engine)
                self._before(site)
                if isinstance(ctx, (FunctionSigContext, MethodSigContext)):
                    return callback(site)
                known = known_at(site, name)
                is_told = is_of_operands and known is not None and known.is_whole
                result = site.default if is_told else callback(site)
                self._engine.tell(api, ctx.context)
                return _settled(
                    site, result if known is None else refined(site, known, result, is_of_operands)
                )
            # A fault of ours may be any exception. It must not end mypy: the type is that of the stub, and a note asks for a report.
            except Exception as error:
                if api.options.show_traceback:
                    raise
                self._tell(ctx, error)
                return default_of(ctx)

        return hook

    def _tell(self, ctx: Any, error: Exception) -> None:
        if not self._told:
            self._told = True
            what = f"{type(error).__name__}: {error}".rstrip(": ")
            ctx.api.note(errors.PLUGIN_FAULT.format(what=what), ctx.context)


def _settled(site: Site, typ: Type) -> Type:
    """`typ`, as the variable can take it that it is assigned to here."""
    facts, context = site.facts, site.ctx.context
    if not site.api.options.allow_redefinition and not facts.told_of_redefinition:
        statement = facts.assignment_of(context)
        if statement is not None and refuses_array(statement.lvalues[0], typ):
            facts.told_of_redefinition = True
            site.api.note(errors.REDEFINITION, context)
    return widen(typ) if facts.is_first_value_of_global(context) else typ
