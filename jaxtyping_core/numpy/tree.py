"""Pytrees whose leaves are arrays of the layer: the functions of ``jax.tree``.

To ``jax.tree``, an array of the layer is a node around a JAX array. So ``jax.tree.map(lambda x, y: x + y, ...)``
adds JAX arrays, which promote as JAX does. Here, the array of the layer is the leaf. A function that is called with
leaves gets arrays of the layer, even if the tree has JAX arrays.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any

import jax

from jaxtyping_core.numpy._array import Array, is_of_jax, made

Function = Callable[..., Any]

#: The functions of ``jax.tree`` here: those that call their first argument with leaves, and the others.
WITH_LEAVES = ("map", "map_with_path", "reduce", "reduce_associative")
OF_LEAVES = ("all", "broadcast", "flatten", "flatten_with_path", "leaves", "leaves_with_path", "structure")


def _of_leaves(name: str) -> Function:
    theirs = getattr(jax.tree, name)
    parameters = inspect.signature(theirs).parameters
    positional = parameters["is_leaf"].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    place = list(parameters).index("is_leaf") if positional else sys.maxsize

    @functools.wraps(theirs)
    def function(*args: Any, **options: Any) -> Any:
        if len(args) > place:
            return theirs(*args[:place], _also_arrays(args[place]), *args[place + 1 :], **options)
        return theirs(*args, **options | {"is_leaf": _also_arrays(options.get("is_leaf"))})

    return _documented(function, name)


def _with_leaves(name: str) -> Function:
    theirs = _of_leaves(name)

    @functools.wraps(theirs)
    def function(function: Function, *args: Any, **options: Any) -> Any:
        return theirs(lambda *leaves: function(*_dressed(leaves)), *args, **options)

    return _documented(function, name)


def _dressed(leaves: tuple[Any, ...]) -> tuple[Any, ...]:
    """`leaves` with arrays of the layer for those of JAX."""
    return tuple([made(leaf) if is_of_jax(leaf) else leaf for leaf in leaves])


def _also_arrays(is_leaf: Function | None) -> Function:
    if is_leaf is None:
        return lambda *path_and_node: type(path_and_node[-1]) is Array
    return lambda *path_and_node: type(path_and_node[-1]) is Array or is_leaf(*path_and_node)


def _documented(function: Function, name: str) -> Function:
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = f"Takes the arguments of ``jax.tree.{name}`` and raises the same errors. Arrays of the layer are leaves."
    return function


def unflatten(treedef: Any, leaves: Any) -> Any:
    """The tree of `treedef` with `leaves`: ``jax.tree.unflatten``."""
    return jax.tree.unflatten(treedef, leaves)


class _Leaf:
    """Keeps an array whole where JAX takes no `is_leaf`."""

    def __init__(self, array: Array) -> None:
        self.array = array


def transpose(outer_treedef: Any, inner_treedef: Any, pytree_to_transpose: Any) -> Any:
    """A tree of trees inside out, as ``jax.tree.transpose``; the tree definitions are those of `structure` here."""
    kept = jax.tree.map(
        lambda leaf: _Leaf(leaf) if type(leaf) is Array else leaf,
        pytree_to_transpose,
        is_leaf=lambda leaf: type(leaf) is Array,
    )
    turned = jax.tree.transpose(outer_treedef, inner_treedef, kept)
    return jax.tree.map(lambda leaf: leaf.array if type(leaf) is _Leaf else leaf, turned)


globals().update({name: _of_leaves(name) for name in OF_LEAVES})
globals().update({name: _with_leaves(name) for name in WITH_LEAVES})
static = jax.tree.static
