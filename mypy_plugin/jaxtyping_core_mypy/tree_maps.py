"""Functions of JAX that go over the leaves of trees."""

from __future__ import annotations

from mypy.nodes import ARG_NAMED, ARG_POS, CallExpr, Expression, LambdaExpr, NameExpr, RefExpr

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.arguments import expressions_for, types_for
from jaxtyping_core_mypy.calls import function
from jaxtyping_core_mypy.convert import (
    Type,
    has_open_dtype,
    is_any,
    leaves,
    signatures,
    type_alone,
    with_item,
)
from jaxtyping_core_mypy.generic import applied
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.trees import PARTS, nodes_inside

#: The public names of the functions.
MAPS = ("jax.tree.map", "jax.tree_util.tree_map")
LEAVES = ("jax.tree.leaves", "jax.tree_util.tree_leaves")
NONE = "builtins.None"


def mapping(site: Site) -> Type:
    """The signature of `jax.tree.map` where it is given a lambda: what that takes are the leaves of the trees."""
    signature = site.default
    functions, first, rest, is_leaf = site.ctx.args
    trees = [*first, *rest]
    if not _is_plain(site.ctx.context) or not _is_none(is_leaf) or len(functions) != 1 or not first:
        return signature
    written = functions[0]
    if not isinstance(written, LambdaExpr) or written.arg_kinds != [ARG_POS] * len(trees):
        return signature
    # mypy would check what is in a tree once more for each tree around it.
    if any(isinstance(node, LambdaExpr) for node in nodes_inside(trees, PARTS)):
        return signature
    parameters = leaves.leaves([type_alone(site.api, tree) for tree in trees])
    return signature if all(map(is_any, parameters)) else leaves.calling_with(signature, parameters)


def _is_plain(call: object) -> bool:
    """Whether each argument of a call is given on its own."""
    return isinstance(call, CallExpr) and all(kind in (ARG_POS, ARG_NAMED) for kind in call.arg_kinds)


def _is_none(arguments: list[Expression]) -> bool:
    return all(isinstance(each, NameExpr) and each.fullname == NONE for each in arguments)


def tree_map(site: Site, path: str) -> Type:
    """The hook of `jax.tree.map`: what the function returns, in place of each leaf."""
    typ = function(site, path)
    functions, trees = types_for(site.ctx, "f"), [*types_for(site.ctx, "tree"), *types_for(site.ctx, "rest")]
    is_known = typ is not site.default and not has_open_dtype(typ)
    if is_known or not _are_leaves_all(site) or len(functions) != 1 or not trees:
        return typ
    parameters = leaves.leaves(trees) if _is_plain(site.ctx.context) else []
    leaf = (
        _of_jax(site, parameters)
        or applied(site, functions[0], parameters)
        or signatures.returned(functions[0])
    )
    return leaves.mapped(trees[0], signatures.UNKNOWN if leaf is None else leaf) or typ


def _are_leaves_all(site: Site) -> bool:
    """Whether what JAX takes for a leaf is one."""
    return all(map(signatures.is_none, types_for(site.ctx, "is_leaf")))


def _of_jax(site: Site, parameters: list[Type]) -> Type | None:
    """What a function of JAX's gives for arrays of which at least the types are known."""
    written = expressions_for(site.ctx, "f")[0]
    path = names.public_path(written.fullname) if isinstance(written, RefExpr) else None
    arrays = [array for array in map(site.reader.array_of, parameters) if array is not None]
    if path is None or not arrays or len(arrays) < len(parameters):
        return None
    result = site.ask(path, arrays).result
    return None if result is None else site.writer.value(result, signatures.UNKNOWN)


def tree_leaves(site: Site, path: str) -> Type:
    """The hook of `jax.tree.leaves`: what all leaves are."""
    typ = function(site, path)
    trees = types_for(site.ctx, "tree")
    if typ is not site.default or not _are_leaves_all(site) or len(trees) != 1:
        return typ
    return with_item(typ, leaves.leaves(trees)[0])
