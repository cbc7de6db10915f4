"""Generic functions of the program's in JAX's hands: their type variables are what a call makes of them.

``jax.grad(loss)`` has no type variables of its own: what it returns is found where it is called, as mypy finds what
`loss` itself returns for the same arguments.
"""

from __future__ import annotations

from collections.abc import Sequence

from mypy.nodes import ARG_POS, ArgKind, CallExpr, Expression, IntExpr, NameExpr, RefExpr, TempNode

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert import Type, reopen, signatures, type_of
from jaxtyping_core_mypy.site import Site

#: Transformations that give back the function that they are given.
TRANSPARENT = frozenset({"jax.jit", "jax.checkpoint", "jax.remat"})
#: Those that differentiate, with whether what they make returns the value as well.
GRADIENTS = {"jax.grad": False, "jax.value_and_grad": True}
#: How far functions are followed through transformations and names.
FARTHEST = 4


def applied(
    site: Site,
    function: Type,
    types: Sequence[Type],
    kinds: Sequence[ArgKind] | None = None,
    keywords: Sequence[str | None] | None = None,
) -> Type | None:
    """What a generic function returns for arguments of these types; None where mypy refuses them, or it is not generic."""
    signature = signatures.generic(function)
    if signature is None:
        return None
    context = site.ctx.context
    arguments: list[Expression] = [TempNode(typ, context=context) for typ in types]
    checker = site.api.expr_checker
    checker.type_context.append(None)  # what is expected here is not what this function returns
    with site.api.msg.filter_errors() as watcher:
        result, _ = checker.check_call(
            signature, arguments, list(kinds or [ARG_POS] * len(types)), context, keywords
        )
        refused = watcher.has_new_errors()
    checker.type_context.pop()
    # Sizes that differ where they should not: mypy joins them.
    return None if refused else reopen(result)


def transformed(site: Site, made: Expression, depth: int = 0) -> signatures.Signature | None:
    """The generic signature of what transformations make of a function, as ``jax.grad(f)`` does; None for others."""
    if depth > FARTHEST:
        return None
    if isinstance(made, NameExpr):
        binding = site.facts.only_binding(site.api, made)
        if binding is not None and binding.value is not None and not binding.is_part:
            return transformed(site, binding.value, depth + 1)
    if not isinstance(made, CallExpr):
        return signatures.generic(type_of(site.api, made)) if isinstance(made, RefExpr) else None
    path = names.public_path(made.callee.fullname) if isinstance(made.callee, RefExpr) else None
    if path not in TRANSPARENT and path not in GRADIENTS:
        return None
    options = dict(zip(made.arg_names, made.args, strict=True))
    if not made.args or made.arg_kinds[0] != ARG_POS:
        return None
    function = transformed(site, made.args[0], depth + 1)
    if function is None or path in TRANSPARENT:
        return function
    position = options.get("argnums", IntExpr(0))
    if len(made.args) > len(options) or "has_aux" in options or not isinstance(position, IntExpr):
        return None
    slope = signatures.gradient(function, position.value)
    if slope is None:
        return None
    value = signatures.traced(function.ret_type)
    result = site.writer.tuple_of([value, slope]) if GRADIENTS[path] else slope
    return function.copy_modified(ret_type=result)
