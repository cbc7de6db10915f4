"""`jax.tree.map`: what the function returns, in place of each leaf.

As with loops and branches, the stubs' overloads are not seen under the plugin: mypy would check a lambda expression
again for each of them.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.plugin import FunctionContext
from mypy.types import AnyType, Instance, NoneType, Type, TypeOfAny, get_proper_type

from jaxtyping_core_mypy.calls import function_callback
from jaxtyping_core_mypy.control_flow import returned
from jaxtyping_core_mypy.convert import is_array
from jaxtyping_core_mypy.engine import Engine

#: The public names of the function.
MAP = ("jax.tree.map", "jax.tree_util.tree_map")
#: Containers of one kind of leaf, by which of their type arguments that is.
CONTAINERS = {"builtins.list": 0, "builtins.dict": 1}


def map_callback(engine: Engine, path: str) -> Callable[[FunctionContext], Type]:
    """The hook of the function at the dotted `path`, one of `MAP`."""
    evaluated = function_callback(engine, path)

    def callback(ctx: FunctionContext) -> Type:
        typ = evaluated(ctx)
        given = dict(zip(ctx.callee_arg_names, ctx.arg_types, strict=True))
        is_leaf = [get_proper_type(one) for one in given["is_leaf"]]
        if typ is not ctx.default_return_type or not all(isinstance(one, NoneType) for one in is_leaf):
            return typ
        functions, trees = given["f"], given["tree"]
        if len(functions) != 1 or len(trees) != 1:
            return typ
        result = returned(functions[0])
        return _mapped(trees[0], AnyType(TypeOfAny.special_form) if result is None else result) or typ

    return callback


def _mapped(tree: Type, leaf: Type) -> Type | None:
    """The type of `tree` with `leaf` for that of its leaves; None where its leaves are not known."""
    proper = get_proper_type(tree)
    if is_array(proper):
        return leaf
    if not isinstance(proper, Instance) or proper.type.fullname not in CONTAINERS:
        return None
    index = CONTAINERS[proper.type.fullname]
    mapped = _mapped(proper.args[index], leaf)
    if mapped is None:
        return None
    return proper.copy_modified(args=[*proper.args[:index], mapped, *proper.args[index + 1 :]])
