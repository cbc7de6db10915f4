"""The operands of an operation, as the text of the program writes them, and the lines that they come from."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import numpy as np

from ...domain.arrays import AbstractArray
from ...domain.formatting import spell_array
from ...sampling.symbols import UNKNOWN
from ..libraries.calls.methods import holder_of
from ..origins import origin
from ..values import arrays
from ..values.unknowns import NumpyArray

if TYPE_CHECKING:
    from ..control import Frame
    from .rule import Call

#: Characters of an expression that messages have.
LONGEST = 40


class Operand(NamedTuple):
    """An operand with what it is to JAX; its text is None if it is not known, or long."""

    value: Any
    known: AbstractArray
    node: ast.expr | None

    @property
    def text(self) -> str | None:
        text = None if self.node is None else ast.unparse(self.node)
        return text if text is not None and len(text) <= LONGEST else None

    @property
    def spelled(self) -> str:
        dims = self.known.shape
        return spell_array(
            self.known.dtype, dims and [None if UNKNOWN in str(dim) else str(dim) for dim in dims]
        )

    def cast(self, dtype: str) -> str | None:
        """The text that casts it."""
        is_primary = isinstance(self.node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
        text = self.text
        return text and f"{text if is_primary else f'({text})'}.astype(jnp.{dtype})"


def of_call(call: Call, node: ast.AST | None) -> Iterator[Operand]:
    """The arrays that are passed to a call, also those in lists and tuples."""
    texts = _texts(node, len(call.args))
    pairs = [*zip(call.args, texts, strict=True), *_named(call, node)]
    holder = holder_of(call.f)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        pairs.insert(0, (holder, node.func.value))
    for value, text in pairs:
        parts: Sequence[Any] = value if isinstance(value, (list, tuple)) else [value]
        inner = (
            text.elts if isinstance(text, (ast.List, ast.Tuple)) and len(text.elts) == len(parts) else None
        )
        for i, part in enumerate(parts):
            known = known_of(part)
            if known is not None:
                yield Operand(part, known, inner[i] if inner else text if part is value else None)


def known_of(value: Any) -> AbstractArray | None:
    """What an array is to JAX, also one of NumPy; None for Python's numbers, which are weak, and for all else."""
    if isinstance(value, (np.ndarray, np.generic)):
        return _of_dtype(value.dtype, value.shape)
    if isinstance(value, NumpyArray):
        return None if value.np_dtype is None else _of_dtype(value.np_dtype, value.dims)
    return arrays.known_of(value)


def _of_dtype(dtype: Any, shape: Any) -> AbstractArray | None:
    try:
        return AbstractArray.of(jax.dtypes.canonicalize_dtype(dtype).name, False, shape)
    except TypeError:  # of objects, texts or records
        return None


def _texts(node: ast.AST | None, count: int) -> list[ast.expr | None]:
    """The expressions of the arguments of a call, or of the operands of an operator."""
    each: list[ast.expr] = []
    match node:
        case ast.BinOp(left=left, right=right) | ast.AugAssign(target=left, value=right):
            each = [left, right]
        case ast.Call(args=args) if not any(isinstance(arg, ast.Starred) for arg in args):
            each = args
    return [*each] if len(each) == count else [None] * count


def _named(call: Call, node: ast.AST | None) -> Iterator[tuple[Any, ast.expr | None]]:
    texts = {each.arg: each.value for each in node.keywords} if isinstance(node, ast.Call) else {}
    yield from ((value, texts.get(name)) for name, value in call.kwargs.items())


class Source(NamedTuple):
    """Where an operand comes from: the variable that it was assigned to, with the line."""

    frame: Frame
    name: str
    line: int
    value: Any

    def origin(self) -> dict[str, Any]:
        """The line as findings tell it."""
        known = known_of(self.value) or AbstractArray()
        what = f"{self.name}: {Operand(self.value, known, None).spelled}"
        return origin(self.frame.scope.module.path, self.line, what, "assigned")

    def expression(self, tree: ast.AST) -> ast.expr | None:
        """What is assigned there, in the text of the module."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and node.lineno == self.line and len(node.targets) == 1:
                target = node.targets[0]
                return node.value if isinstance(target, ast.Name) and target.id == self.name else None
        return None


def source_of(operand: Operand, frames: Sequence[Frame]) -> Source | None:
    """What made an operand: in the function, or in the one that passed it as an argument."""
    node, depth = operand.node, len(frames) - 1
    while isinstance(node, ast.Name):
        frame = frames[depth]
        value = frame.scope.variables.get(node.id)
        known = known_of(value)
        if known is None or known.dtype != operand.known.dtype:
            return None
        line, assigned = frame.scope.assigned.get(node.id, (0, None))
        if line and assigned is value:
            return Source(frame, node.id, line, value)
        if node.id not in frame.bound or not depth:
            return None
        node, depth = _passed(frame, node.id), depth - 1
    return None


def _passed(frame: Frame, parameter: str) -> ast.expr | None:
    """The expression that the call of a function passes for a parameter, if the call is one of the function itself."""
    if not isinstance(frame.caller, ast.Call) or frame.node is None:
        return None
    named = [each.value for each in frame.caller.keywords if each.arg == parameter]
    names = [each.arg for each in (*frame.node.args.posonlyargs, *frame.node.args.args)]
    names = names[1:] if names[:1] == ["self"] else names
    texts = frame.caller.args
    if named or parameter not in names or len(texts) + len(frame.caller.keywords) > len(names):
        return named[0] if named else None
    place = names.index(parameter)
    return texts[place] if place < len(texts) else None
