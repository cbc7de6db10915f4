"""JAX's own stubs, read as data.

For the modules that JAX describes in a ``.pyi`` file, that file says two things that the functions do
not: which result goes with which arguments (overloads), and what type checkers accept for a parameter today.
"""

from __future__ import annotations

import ast
import functools
import inspect
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

import jax


@functools.cache
def tree(module: str) -> ast.Module | None:
    """The syntax tree of JAX's stub for `module`; None where JAX ships none."""
    folder = Path(inspect.getfile(jax)).parent.joinpath(*module.split(".")[1:])
    for path in (folder / "__init__.pyi", folder.with_suffix(".pyi")):
        if path.exists():
            return ast.parse(path.read_text(encoding="utf-8"))
    return None


@functools.cache
def functions(module: str) -> dict[str, list[Signature]]:
    """The functions that JAX's stub for `module` declares, each with its overloads."""
    signatures: dict[str, list[Signature]] = {}
    stub = tree(module)
    for node in stub.body if stub else ():
        if isinstance(node, ast.FunctionDef):
            signatures.setdefault(node.name, []).append(signature(node))
    return signatures


def signature(node: ast.FunctionDef) -> Signature:
    """The signature of a function definition, with annotations as text."""
    spec = node.args
    plain = [*spec.posonlyargs, *spec.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(spec.defaults))
    defaults += spec.defaults
    parameters = [
        _parameter(
            arg,
            Parameter.POSITIONAL_ONLY if arg in spec.posonlyargs else Parameter.POSITIONAL_OR_KEYWORD,
            default,
        )
        for arg, default in zip(plain, defaults, strict=True)
    ]
    if spec.vararg:
        parameters.append(_parameter(spec.vararg, Parameter.VAR_POSITIONAL, None))
    parameters += [
        _parameter(arg, Parameter.KEYWORD_ONLY, default)
        for arg, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    ]
    if spec.kwarg:
        parameters.append(_parameter(spec.kwarg, Parameter.VAR_KEYWORD, None))
    result = ast.unparse(node.returns) if node.returns else Signature.empty
    return Signature(parameters, return_annotation=result)


def _parameter(arg: ast.arg, kind: Any, default: ast.expr | None) -> Parameter:
    return Parameter(
        arg.arg,
        kind,
        default=Parameter.empty if default is None else _value(default),
        annotation=ast.unparse(arg.annotation) if arg.annotation else Parameter.empty,
    )


def _value(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ...
