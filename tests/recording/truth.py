"""What the functions of a program get and give, as wrappers see it that stand in its source.

`python truth.py OUT FILE [ARGUMENTS]` runs a script in which every function is wrapped, and writes what each of them saw.
Nothing of recording is used: arrays are asked by their public interface, in containers of Python's own alone.
"""

from __future__ import annotations

import ast
import functools
import inspect
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

WRAP = "__wrapped_by_hand__"


def seen(value: object) -> Any:
    """The arrays in a value, as JSON has them; None for a value that may hold more than is seen."""
    import jax
    import numpy as np

    if value is None or type(value) in (bool, int, float, complex, str):
        return type(value).__name__
    if isinstance(value, (jax.Array, np.ndarray, np.generic)):
        return [str(value.dtype), list(value.shape), bool(getattr(value, "weak_type", False))]
    if type(value) in (tuple, list):
        return {"items": [seen(item) for item in value]}  # type: ignore[attr-defined]
    if type(value) is dict:
        return {str(key): seen(item) for key, item in value.items()}
    return None


class Wrapping(ast.NodeTransformer):
    """Decorates every function, below its other decorators, with its name and line."""

    def __init__(self) -> None:
        self.above: list[str] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        name = ".".join([*self.above, node.name])
        node.args = self.visit(node.args)
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        self.above += [node.name, "<locals>"]
        node.body = [self.visit(statement) for statement in node.body]
        del self.above[-2:]
        node.decorator_list.append(_call(ast.Constant(name), ast.Constant(node.lineno)))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Call:
        name = ".".join([*self.above, "<lambda>"])
        node.args = self.visit(node.args)
        self.above += ["<lambda>", "<locals>"]
        node.body = self.visit(node.body)
        del self.above[-2:]
        return ast.Call(_call(ast.Constant(name), ast.Constant(node.lineno)), [node], [])

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.above.append(node.name)
        self.generic_visit(node)
        self.above.pop()
        return node


def _call(*arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(WRAP, ast.Load()), list(arguments), [])


def run(file: Path, arguments: list[str]) -> Counter[str]:
    """Run a script; each call that was seen, as JSON, and how often."""
    calls: Counter[str] = Counter()

    def wrap(name: str, line: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            if inspect.isgeneratorfunction(function):
                return function
            signature = inspect.signature(function)

            @functools.wraps(function)
            def wrapper(*args: Any, **kwargs: Any) -> Any:
                bound = signature.bind(*args, **kwargs)
                bound.apply_defaults()
                got = {name: seen(value) for name, value in bound.arguments.items()}
                gave = "raised"
                try:
                    result = function(*args, **kwargs)
                    gave = seen(result)
                    return result
                finally:
                    calls[json.dumps([name, line, got, gave], sort_keys=True)] += 1

            return wrapper

        return decorate

    tree = ast.fix_missing_locations(Wrapping().visit(ast.parse(file.read_text())))
    sys.argv[:] = [str(file), *arguments]
    sys.path[0] = str(file.parent)
    exec(compile(tree, str(file), "exec"), {"__name__": "__main__", "__file__": str(file), WRAP: wrap})  # noqa: S102
    return calls


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(run(Path(sys.argv[2]).absolute(), sys.argv[3:])))
