"""Trees of JAX's with parts that are not wholly known: lists and dicts of unknown length have branches, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax

from .joins import join_all
from .unknowns import UNKNOWN, AbstractSequence, is_many, is_unknown

#: What is a tree whatever its length is.
BRANCHES = (list, tuple, dict)


def is_branch(value: Any) -> bool:
    """Whether a value is a list, a tuple or a dict of unknown length."""
    return is_many(value) and value.kind in BRANCHES


def map_tree(f: Callable[..., Any], tree: Any, *rest: Any, stop: Callable[[Any], bool] | None = None) -> Any:
    """``jax.tree.map``, with a leaf for everything unknown that has no branches; `stop` says what else is a leaf.

    Raises:
        Exception: the trees differ, or what the functions of registered classes raise.
    """

    def of_leaf(leaf: Any, *others: Any) -> Any:
        if not is_branch(leaf):
            return f(leaf, *others)
        items = [_item(other, leaf.kind) for other in others]
        return AbstractSequence(map_tree(f, leaf.item, *items, stop=stop), leaf.some, leaf.kind, leaf.since)

    return jax.tree.map(
        of_leaf,
        tree,
        *rest,
        is_leaf=lambda leaf: is_unknown(leaf) or (stop is not None and stop(leaf)),
    )


def mapped(f: Callable[..., Any], tree: Any, *rest: Any, otherwise: Any = UNKNOWN) -> Any:
    """`map_tree`; `otherwise` where the trees differ, or where the functions of registered classes raise."""
    try:
        return map_tree(f, tree, *rest)
    except Exception:  # code of registered classes may raise anything: then no more is known
        return otherwise


def _item(value: Any, kind: Any) -> Any:
    """What each item is of a tree that stands beside one of unknown length."""
    if is_many(value):
        return value.item if value.kind is kind else UNKNOWN
    if type(value) is not kind or not value:
        return UNKNOWN
    return join_all(list(value.values() if isinstance(value, dict) else value))


def leaves(tree: Any) -> Iterator[tuple[Any, bool]]:
    """The leaves of a tree, each with whether there may be any number of such."""
    for leaf in jax.tree.leaves(tree, is_leaf=is_unknown):
        if is_branch(leaf):
            yield from ((inner, True) for inner, _ in leaves(leaf.item))
        else:
            yield leaf, False


def branches_in(value: Any) -> list[AbstractSequence]:
    """The lists and tuples of unknown length in a value, outermost first."""
    try:
        parts = jax.tree.leaves(value, is_leaf=lambda leaf: is_unknown(leaf))
    except Exception:  # code of registered classes may raise anything: then no more is known
        return []
    return [leaf for leaf in parts if is_branch(leaf) and leaf.kind is not dict]


def with_lengths(value: Any, length: int) -> Any:
    """`value` with this many items in each list and tuple of unknown length."""

    def of_leaf(leaf: Any) -> Any:
        if not is_branch(leaf) or leaf.kind is dict:
            return leaf
        return leaf.kind([with_lengths(leaf.item, length)] * length)

    return jax.tree.map(of_leaf, value, is_leaf=lambda leaf: is_unknown(leaf))
