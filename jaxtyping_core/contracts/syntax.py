"""Annotations of arrays as they are written, of programs that are read and not run."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from .axes import ANY_AXES, ANY_AXIS, Axis
from .dim_strings import DimStringError, parse


class WrittenArray(NamedTuple):
    """An array as an annotation has it: the name for its dtype, and its axes; None where their number is open."""

    dtype: str
    axes: tuple[Axis, ...] | None

    @property
    def names(self) -> tuple[str | None, ...] | None:
        """The names of its axes, None for those without one; None where the number of axes is open."""
        if self.axes is None or any(axis.variadic for axis in self.axes):
            return None
        return tuple(axis.fixed_name for axis in self.axes)


def written_array(
    annotation: ast.expr | None,
    dtype_of: Callable[[ast.expr], str | None],
    is_dim: Callable[[str], bool] = lambda _: True,
) -> WrittenArray | None:
    """The array of an annotation, or of one that may be None; None for every other annotation.

    Args:
        annotation: the syntax tree.
        dtype_of: what annotations call the dtype that an expression names, None if it names none.
        is_dim: whether a variable is a dim, in our own notation.
    """
    match annotation:
        case ast.Constant(value=str(text)):
            try:
                return written_array(ast.parse(text, mode="eval").body, dtype_of, is_dim)
            except SyntaxError:
                return None
        case ast.BinOp(left, ast.BitOr(), ast.Constant(value=None)):
            return written_array(left, dtype_of, is_dim)
        case ast.Subscript(value=base, slice=ast.Tuple(elts=[_, ast.Constant(value=str(text))])):
            dtype = dtype_of(base)
            return None if dtype is None else WrittenArray(dtype, _parsed(text))
        case ast.Subscript(value=base, slice=inner):
            dtype = dtype_of(base)
            items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            axes = tuple(_axis(item, is_dim) for item in items)
            return None if dtype is None else WrittenArray(dtype, axes)
        case ast.expr() if (dtype := dtype_of(annotation)) is not None:
            return WrittenArray(dtype, None)
    return None


def _parsed(text: str) -> tuple[Axis, ...] | None:
    try:
        return parse(text)
    except DimStringError:
        return None


def _axis(item: ast.expr, is_dim: Callable[[str], bool]) -> Axis:
    match item:
        case ast.Starred():
            return ANY_AXES
        case ast.Name(id=name) if is_dim(name):
            return Axis(name=name, text=name)
    return ANY_AXIS
