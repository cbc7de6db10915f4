"""jax_dataclasses: its ``jit`` reads from annotations which arguments are static, as ``size: jdc.Static[int]``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import jax

from ..engine.libraries.overlay import Overlay
from ..engine.values.unknowns import UNKNOWN
from ..identity import identity

if TYPE_CHECKING:
    from ..engine.interpreter import Interpreter


def _jit(interpreter: Interpreter) -> Callable[..., Any]:
    def decorate(function: Any, options: dict[str, Any]) -> Any:
        known = interpreter.functions.get(identity(function))
        if known is None:
            interpreter.havoc([function])
            return UNKNOWN
        static = {"static_argnames": tuple(_static(known.node))}
        return interpreter.call(jax.jit, [function], {**options, **static})

    def jit(function: Any = None, **options: Any) -> Any:
        if function is None:
            return interpreter.natives.function(lambda later=UNKNOWN: decorate(later, options))
        return decorate(function, options)

    return jit


def _static(node: Any) -> Iterator[str]:
    """The parameters of a function that are annotated as static."""
    if isinstance(node, ast.Lambda):
        return
    for parameter in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        if _is_static(parameter.annotation):
            yield parameter.arg


def _is_static(annotation: ast.expr | None) -> bool:
    if isinstance(annotation, ast.Constant) and type(annotation.value) is str:
        try:
            return _is_static(ast.parse(annotation.value, mode="eval").body)
        except SyntaxError:
            return False
    if not isinstance(annotation, ast.Subscript):
        return False
    kind = annotation.value
    return getattr(kind, "attr", getattr(kind, "id", "")) == "Static"


OVERLAY = Overlay(library="jax_dataclasses", functions={"jax_dataclasses.jit": _jit})
