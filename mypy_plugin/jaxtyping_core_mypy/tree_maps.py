"""Functions of JAX that go over the leaves of trees: what they give where only the types of the trees are known."""

from __future__ import annotations

from jaxtyping_core_mypy.arguments import types_for
from jaxtyping_core_mypy.convert import Type, leaves, signatures, with_item
from jaxtyping_core_mypy.site import Site

#: The public names of the functions.
MAPS = ("jax.tree.map", "jax.tree_util.tree_map")
LEAVES = ("jax.tree.leaves", "jax.tree_util.tree_leaves")


def tree_map(site: Site) -> Type:
    """The hook of `jax.tree.map`: a tree like the first one, with what the function returns in place of each leaf."""
    functions, trees = types_for(site.ctx, "f"), types_for(site.ctx, "tree")
    if not _are_leaves_all(site) or len(functions) != 1 or not trees:
        return site.default
    mapped = leaves.mapped(trees[0], signatures.returned(functions[0]))
    return site.default if mapped is None else mapped


def tree_leaves(site: Site) -> Type:
    """The hook of `jax.tree.leaves`: what all leaves are."""
    trees = types_for(site.ctx, "tree")
    if not _are_leaves_all(site) or len(trees) != 1:
        return site.default
    return with_item(site.default, leaves.leaves(trees[0]))


def _are_leaves_all(site: Site) -> bool:
    """Whether what JAX takes for a leaf is one."""
    return all(map(signatures.is_none, types_for(site.ctx, "is_leaf")))
