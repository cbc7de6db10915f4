"""The rows of functions on trees of arrays."""

from __future__ import annotations

from collections.abc import Iterator

from .rows import Function, Row

#: What a function makes of each leaf, in trees of one level: another tree of it. A tree of anything may be deeper.
_LEVELS = (
    ("Unknown", "Any"),
    ("list[Unknown]", "list[Any]"),
    ("dict[K, Unknown]", "dict[K, Any]"),
    ("Leaf", "R"),
    ("list[Leaf]", "list[R]"),
    ("dict[K, Leaf]", "dict[K, R]"),
)


def _map() -> Iterator[Row]:
    for tree, result in _LEVELS:
        types = {"tree": tree, "is_leaf": "None"}
        if "Leaf" in tree:  # a lambda expression knows its argument
            leaf = "Array[DT2, Any]"
            types_of_one = {"f": f"Callable[[{leaf}], R]", **types, "tree": tree.replace("Leaf", leaf)}
            yield Row(result, types_of_one, operands=())
        yield Row(result, {"f": "Callable[..., R]", **types})
    yield Row("Any", {"f": "Callable[..., Any]"})


def _map_for_mypy() -> Iterator[Row]:
    """A few rows: mypy checks a lambda expression again, with all that is in it, for each row and twice.

    Where nothing is known of the leaves, all of these match, and the result is left open.
    """
    for tree, result in _LEVELS:
        if "Leaf" in tree:
            yield Row(result, {"f": "Callable[..., R]", "tree": tree, "is_leaf": "None"})
    yield Row("Any", {"f": "Callable[..., R]"})


def _names(name: str) -> tuple[str, str]:
    return (f"jax.tree.{name}", f"jax.tree_util.tree_{name}")


FUNCTIONS = (
    Function(
        "tree_map",
        _names("map"),
        tuple(_map()),
        thin=Row("Any", {"f": "Callable[..., Any]"}),
        for_mypy=tuple(_map_for_mypy()),
    ),
    Function("tree_leaves", _names("leaves"), (Row("list[Any]"),)),
    Function("tree_flatten", _names("flatten"), (Row("tuple[list[Any], PyTreeDef]"),)),
    Function("tree_structure", _names("structure"), (Row("PyTreeDef"),)),
    Function(
        "tree_unflatten",
        _names("unflatten"),
        (Row("Any", {"leaves": "Iterable[Any]"}),),
    ),
    Function("tree_all", _names("all"), (Row("_bool"),)),
    Function("tree_transpose", _names("transpose"), (Row("Any"),)),
    Function("tree_reduce", _names("reduce"), (Row("Any", {"function": "Callable[[Any, Any], Any]"}),)),
    Function("stop_gradient", ("jax.lax.stop_gradient",), (Row("T", {"x": "T"}),)),
    Function(
        "optimization_barrier",
        ("jax.lax.optimization_barrier",),
        (
            Row("tuple[A, B]", {"operand": "tuple[A, B]"}),
            Row("Any", {"operand": "Host | Container"}),
            Row("T", {"operand": "T"}),
        ),
    ),
    Function("block_until_ready", ("jax.block_until_ready",), (Row("T", {"x": "T"}),)),
    Function(
        "device_put",
        ("jax.device_put",),
        (
            Row("Any", {"x": "Unknown"}),
            Row("Array", {"x": "Host"}),
            Row("Arrays", {"x": "Arrays"}),
            Row("Any", {"x": "Container"}),
            Row("T", {"x": "T"}),
        ),
    ),
    Function(
        "device_get",
        ("jax.device_get",),
        (Row("Any", {"x": "Unknown"}), Row("np.ndarray[Any, Any]", {"x": "Array"}), Row("Any")),
    ),
    Function(
        "pure_callback",
        ("jax.pure_callback",),
        tuple(
            Row(result, {"callback": "Callable[..., Any]", "result_shape_dtypes": shape})
            for shape, result in (("Unknown", "Any"), ("ShapeDtypeStruct", "Array"), ("Any", "Any"))
        ),
    ),
)
