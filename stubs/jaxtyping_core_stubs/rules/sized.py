"""Rows for a shape that is spelled out, and what pyright must not take for one.

The shape of an array of NumPy, and a tuple in which something unknown is unpacked, are tuples of any length. pyright takes
such a tuple for one of each length, and the first row that has a length would tell the rank.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from inspect import Parameter

from .. import switches
from .dim_expressions import UNKNOWN
from .making import Purpose
from .overload_pruning import Overload

#: The parameters that are shapes.
SHAPES = frozenset({"shape", "new_shape", "new_sizes", "slice_sizes"})
#: A type that only a tuple of any length matches.
ANY_LENGTH = "_Unsized"
_RANK = re.compile(rf"(?<=, )tuple\[(?:\(\)|{UNKNOWN}(?:, {UNKNOWN})*)\](?=\])")
#: The names of shapes that are spelled out, and of the ranks that they tell. No other part of the stubs has such names.
NAMES = {
    "int | tuple[int]": "_size",
    **{f"tuple[{', '.join(['int'] * rank) or '()'}]": f"_sizes{rank}" for rank in range(5)},
}
NO_SHAPE = {"None": "_no_sizes"}
RANKS = {f"tuple[{', '.join([UNKNOWN] * rank) or '()'}]": f"_rank{rank}" for rank in range(5)}
#: A class that is given a function of several signatures, such as `staticmethod`, keeps the first of them in pyright. Flax
#: declares the methods of `nnx.Rngs` so: the first one must be right for all shapes.
_KEPT_FIRST = "jax.random."


def guarded(path: str, rows: Sequence[Overload]) -> list[Overload]:
    """The rows, those that spell out a shape after one for tuples of any length."""
    first = next((row for row in rows if any(map(_is_spelled_out, row.parameters))), None)
    if first is None or path.startswith(_KEPT_FIRST) or any(map(_is_guard, rows)):
        return list(rows)
    if not _RANK.search(first.result):  # as of `unravel_index`, which gives an array for each dim
        return list(rows)
    parameters = [
        parameter.replace(annotation=ANY_LENGTH) if _is_spelled_out(parameter) else parameter
        for parameter in first.parameters
    ]
    return [Overload(Purpose.STATED, parameters, _RANK.sub(UNKNOWN, first.result)), *rows]


def open_in_pyright(path: str, row: Overload) -> Overload:
    """The row, which has names for the shape that it spells out and for the rank where pyright must know neither."""
    names = {**NAMES, **NO_SHAPE}
    if not path.startswith(_KEPT_FIRST) or not _RANK.search(row.result):
        return row
    parameters = [
        parameter.replace(annotation=names.get(str(parameter.annotation), parameter.annotation))
        if parameter.name in SHAPES
        else parameter
        for parameter in row.parameters
    ]
    if parameters == row.parameters:
        return row
    return row._replace(parameters=parameters, result=_RANK.sub(lambda rank: RANKS[rank[0]], row.result))


def definitions(path: str) -> list[str]:
    """The names that are open in pyright, as far as a module has rows with them.

    They are imported there, for pyright would print the name of an alias of Any.
    """
    if f"{path}." != _KEPT_FIRST:
        return []
    sizes, ranks = ({name: text for text, name in names.items()} for names in ({**NAMES, **NO_SHAPE}, RANKS))
    exact = [f"{name}: TypeAlias = {text}" for name, text in (sizes | ranks).items()]
    wide = [f"from jax._src.basearray import _ShapeLike as {name}" for name in sizes]
    wide += [f"from typing import Any as {name}" for name in ranks]
    return [
        "import sys",
        "from typing import TypeAlias",
        *switches.if_else(switches.ALL_BUT_PYRIGHT, exact, wide),
    ]


def _is_spelled_out(parameter: Parameter) -> bool:
    return parameter.name in SHAPES and str(parameter.annotation) in NAMES


def _is_guard(row: Overload) -> bool:
    return any(parameter.annotation == ANY_LENGTH for parameter in row.parameters)
