"""What every hook has in common: where it stays out, and that its failure is never mypy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from mypy.plugin import AttributeContext, MethodSigContext

from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.global_names import GlobalNames
from jaxtyping_core_mypy.redefinition import Redefinitions

Context = TypeVar("Context")


class Guard:
    """Wraps callbacks for one mypy run."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._told = False
        self._globals = GlobalNames()
        self._redefinitions = Redefinitions()

    def wrap(self, callback: Callable[[Context], Any]) -> Callable[[Context], Any]:
        """`callback`, which gives the stub's type in files whose errors nobody sees, and when it fails."""

        engine = self._engine

        def guarded(ctx: Any) -> Any:  # runs for every operator and call of the program
            api = ctx.api
            if (
                api.errors.file in api.errors.ignored_files
            ):  # an installed package: mypy shows none of its errors
                return _default(ctx)
            outer = engine.of_layer
            try:
                engine.of_layer = engine.system_at(ctx)
                result = callback(ctx)
                engine.tell(api, ctx.context)
                if isinstance(ctx, MethodSigContext):
                    return result
                self._redefinitions.check(api, ctx.context, result)
                return self._globals.adjust(api.tree, ctx.context, result)
            except Exception as error:  # a fault of the plugin is a less precise type, not a crash of mypy
                if api.options.show_traceback:
                    raise
                self._tell(ctx, error)
                return _default(ctx)
            finally:
                engine.of_layer = outer

        return guarded

    def _tell(self, ctx: Any, error: Exception) -> None:
        if not self._told:
            self._told = True
            what = f"{type(error).__name__}: {error}".rstrip(": ")
            ctx.api.note(
                f"jaxtyping_core could not type this expression ({what}); it keeps its stub's type. "
                "Please report this; later occurrences are not shown",
                ctx.context,
            )


def _default(ctx: Any) -> Any:
    if isinstance(ctx, AttributeContext):
        return ctx.default_attr_type
    return ctx.default_signature if isinstance(ctx, MethodSigContext) else ctx.default_return_type
