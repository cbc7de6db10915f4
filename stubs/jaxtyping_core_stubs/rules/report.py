"""``docs/reference/functions.md``: what the stubs say of each function."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from typing import Any

import jax

from . import overloads

HEAD = """\
# Functions

This page lists what the stubs know about each function of JAX {release}: the dtype and the shape of its result.
It is for checkers without a plugin; mypy with the plugin evaluates each call instead.

`stubs/generate.py` generates this page. It evaluates each function abstractly, with all dtypes, Python scalars, several
ranks and sizes, and several values of the other parameters. The rules below agree with every answer of JAX.

Functions that are not listed have the return types that JAX declares.

## Notation

The column *parameters* lists the other parameters that the rules cover. If a call passes any other, its dtype is
unknown.

| dtype | meaning |
| --- | --- |
| `same as x` | the dtype of `x`, weakly typed if `x` is |
| `float32` | this dtype |
| `DefaultFloat`, `DefaultInt` | 32 or 64 bits, depending on whether [64-bit types](settings.md#x64) are on |
| `join(x, y)` | the dtype of `x + y` |
| `divide(x, y)`, `power(x, y)` | the dtype of `x / y`, of `x ** y` |
| `strong(x)` | the dtype of `x`, not weakly typed |
| another name, `inexact(x)` | a mapping of dtypes, often named after a function that has it: `mean(x)` is the dtype of the mean of `x` |
| `...; or dtype` | the dtype that the parameter `dtype` asks for, if it is passed |
| `?` | unknown (`Any`) |

| shape | meaning |
| --- | --- |
| `same as x` | the shape of `x` |
| `rank 1`, `rank of x - 1` | this rank |
| `x and y broadcast` | the broadcast shape |
| `by rank` | dims are known for arrays of rank 4 and less |
| `rank 0 (axis: None)` | holds if the parameters have these types |
| `?` | unknown (`Any`) |

`written down` marks functions whose rules are too complex for these columns. Their overloads are written by hand in
`stubs/jaxtyping_core_stubs/stated/`, and tests compare them with JAX.
"""


def report(modules: Iterable[str]) -> str:
    """The report on the functions of some modules."""
    release = ".".join(jax.__version__.split(".")[:2])
    parts = [HEAD.format(release=release)]
    for name in modules:
        lines = list(_lines(name))
        if lines:
            table = "| function | dtype | shape | parameters |\n| --- | --- | --- | --- |\n"
            parts.append(f"## `{name}`\n\n{table}" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _lines(module: str) -> Iterator[str]:
    for name, function in _functions(module):
        words = overloads.rules(f"{module}.{name}", function).words
        if words != overloads.NOTHING.words:
            cells = (f"`{name}`", *words)
            yield f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _functions(module: str) -> Iterator[tuple[str, Any]]:
    """The functions of a module as its stub defines them."""
    for name, value in sorted(vars(importlib.import_module(module)).items()):
        if not name.startswith("_") and callable(value) and not isinstance(value, type):
            yield name, value
