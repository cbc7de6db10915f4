"""A row and a column of one length that meet, and give a square: the difference of each prediction and each target.

Whether a square is meant, the text of the program tells: then something makes the column with its axis of size 1.
"""

from __future__ import annotations

import ast
import operator
import types
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp

from ...domain.arrays import AbstractArray
from ..libraries import registry
from ..scopes import Module
from ..values import arrays
from ..values.unknowns import is_unknown
from .rule import Call, Rule
from .text_flow import TextFlow, imported, names_of

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: What compares the items of two arrays one by one.
COMPARING: tuple[Any, ...] = (
    *(operator.sub, operator.isub, operator.eq, operator.ne),
    *(jnp.subtract, jnp.equal, jnp.not_equal),
)
#: Names in a text of what adds an axis, or makes a square on purpose.
ON_PURPOSE = frozenset(
    {
        *(
            "newaxis",
            "expand_dims",
            "reshape",
            "atleast_2d",
            "column_stack",
            "keepdims",
            "broadcast_to",
            "vmap",
        ),
        *("outer", "meshgrid", "mgrid", "ogrid", "indices", "einsum", "rearrange"),
        *("T", "mT", "transpose", "swapaxes", "moveaxis", "matrix_transpose", "permute_dims"),
    }
)
#: Nodes of a program whose text is looked at: the flow of as many takes two seconds to find.
MOST_NODES = 50_000
MADE = (
    "{left} and {right} give {square}: each item of one meets each item of the other; give both the same shape, as with"
    " jnp.squeeze(x, -1), or write x[:, None] where the square is meant"
)


class OuterBroadcast(Rule):
    """Looks at what is subtracted and compared."""

    KIND = "outer"
    LASTING = frozenset({"_flows"})

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self._flows: dict[frozenset[str], TextFlow | None] = {}

    def _flow(self) -> TextFlow | None:
        """The text that the calls to here have come through, with what it imports, unless that takes long to read."""
        texts = {path: tree for path, tree, _ in self.interpreter.texts.values()}
        paths = {frame.scope.module.path for frame in self.interpreter.frames} & texts.keys()
        todo = [*paths]
        while todo:
            parts = imported(texts[todo.pop()])
            more = {
                path
                for name, (path, _, _) in self.interpreter.texts.items()
                if name.rpartition(".")[2] in parts
            }
            todo += more - paths
            paths |= more
        key = frozenset(paths)
        if key not in self._flows:
            trees = [texts[path] for path in paths]
            is_large = sum(1 for tree in trees for _ in ast.walk(tree)) > MOST_NODES
            self._flows[key] = None if is_large else TextFlow(trees, _adds_axis)
        return self._flows[key]

    def after(self, call: Call, equations: Sequence[Any]) -> None:
        compared = _compared(call)
        if compared is None or not _is_row_and_column(compared):
            return
        node = self.interpreter.node
        if not self.is_followed or self.interpreter.context.is_speculative or node is None:
            return
        if self._is_meant(node):
            return
        left, right, square = map(arrays.spelled_known, compared)
        self.report(MADE.format(left=left, right=right, square=square), origins=None)

    def _is_meant(self, node: ast.AST) -> bool:
        """Whether the text says so: also where both sides are made of one array."""
        sides = _sides(node)
        if len(sides) < 2 or self._are_of_one_array(*sides[:2]):
            return True
        flow = self._flow()
        return flow is None or any(map(flow.has, sides))

    def _are_of_one_array(self, left: ast.expr, right: ast.expr) -> bool:
        """Whether both sides have an array in them, or one has a part of an array of the other."""
        paths = [{path for path in _paths(side) if not self._is_of_module(path[0])} for side in (left, right)]
        return any(a[: len(b)] == b or b[: len(a)] == a for a in paths[0] for b in paths[1])

    def _is_of_module(self, name: Any) -> bool:
        """Whether a name stands for a module, a class or a function, as Python's own names do."""
        holder = self.interpreter.frames[-1].scope.holder(name)
        if holder is None:
            return True
        value = holder.variables[name]
        return isinstance(value, (types.ModuleType, Module)) or (callable(value) and not is_unknown(value))


def _paths(node: ast.AST) -> Iterator[tuple[Any, ...]]:
    """The variables in an expression, each with the attributes and keys that are taken of it: ``self.w``, ``batch["x"]``."""
    path = _path(node)
    if path is not None:
        yield path
        return
    if isinstance(node, ast.Call):
        holder = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        for part in (holder, *node.args, *(keyword.value for keyword in node.keywords)):
            yield from _paths(part)
        return
    for child in ast.iter_child_nodes(node):
        yield from _paths(child)


def _path(node: ast.AST) -> tuple[Any, ...] | None:
    match node:
        case ast.Name(id=name):
            return (name,)
        case ast.Attribute(value=of, attr=last) | ast.Subscript(value=of, slice=ast.Constant(value=last)):
            before = _path(of)
            return None if before is None else (*before, last)
    return None


def _compared(call: Call) -> tuple[AbstractArray, AbstractArray, AbstractArray] | None:
    """The two arrays whose items a call compares, and what that gives; None for other calls."""
    finds = registry.compared().get(f"{getattr(call.f, '__module__', '')}.{getattr(call.f, '__name__', '')}")
    if finds is not None:
        pair = finds(*call.args, **call.kwargs)
        return pair and (*pair, replace(pair[0], shape=2 * (pair[1].shape or ())[:1]))
    is_loss = registry.is_in(getattr(call.f, "__module__", ""), "of_arrays")
    if not is_loss and (len(call.args) != 2 or not any(call.f is each for each in COMPARING)):
        return None
    left, right, made = map(
        arrays.known_of, (*(*call.args, *call.kwargs.values(), None, None)[:2], call.result)
    )
    return None if left is None or right is None or made is None else (left, right, made)


def _is_row_and_column(compared: tuple[AbstractArray, AbstractArray, AbstractArray]) -> bool:
    """Whether (n,) and (n, 1) have become (n, n)."""
    left, right, made = (array.shape for array in compared)
    size = made[0] if made else None
    if type(size) is not int:
        return False
    return size > 1 and made == (size, size) and {left, right} == {(size,), (size, 1)}


def _sides(node: ast.AST) -> list[ast.expr]:
    """The two expressions that meet, and what else a function gets that compares them."""
    match node:
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            return [left, right]
        case ast.Call(args=args, keywords=keywords):
            every = [*args, *(keyword.value for keyword in keywords)]
            return [each for each in every if not isinstance(each, ast.Constant)]
        case ast.AugAssign(target=left, value=right):
            return [left, right]
    return []


def _adds_axis(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg in ON_PURPOSE
    if isinstance(node, ast.Subscript):
        return any(isinstance(part, ast.Constant) and part.value is None for part in ast.walk(node.slice))
    return not ON_PURPOSE.isdisjoint(names_of(node)) and not isinstance(node, ast.Constant)
