"""The rows of functions on trees of arrays."""

from __future__ import annotations

from .rows import Function, Row

#: Dicts of which nothing is known but that they are some: they may be nested.
_OPEN = "_Unknown | dict[Any, Unknown]"
#: Dicts of arrays. A lambda expression of one parameter knows it.
_DICTS = (
    Row("Any", {"tree": _OPEN}),
    Row(
        "dict[K, R]",
        {"f": "Callable[[Array[DT, Any]], R]", "tree": "_Dict[K, Array[DT, Any]]", "is_leaf": "None"},
        operands=(),
    ),
    Row("dict[K, R]", {"f": "Callable[..., R]", "tree": "_Dict[K, Array]", "is_leaf": "None"}),
    Row("Any", {"f": "Callable[..., Any]"}),
)


def _names(name: str) -> tuple[str, str]:
    return (f"jax.tree.{name}", f"jax.tree_util.tree_{name}")


def _any_tree(name: str, result: str, **types: str) -> Function:
    return Function(f"tree_{name}", _names(name), (Row(result, types),))


FUNCTIONS = (
    Function("tree_map", _names("map"), _DICTS, thin=Row("Any", {"f": "Callable[..., Any]"})),
    _any_tree("leaves", "list[Any]"),
    _any_tree("flatten", "tuple[list[Any], PyTreeDef]"),
    _any_tree("structure", "PyTreeDef"),
    _any_tree("unflatten", "Any", leaves="Iterable[Any]"),
    _any_tree("all", "_bool"),
    _any_tree("transpose", "Any"),
    _any_tree("reduce", "Any", function="Callable[[Any, Any], Any]"),
    Function("stop_gradient", ("jax.lax.stop_gradient",), (Row("T", {"x": "T"}),)),
    Function(
        "optimization_barrier",
        ("jax.lax.optimization_barrier",),
        (Row("Tree", {"operand": "Tree"}), Row("Any")),
    ),
    Function("block_until_ready", ("jax.block_until_ready",), (Row("T", {"x": "T"}),)),
    Function(
        "device_put",
        ("jax.device_put",),
        (Row("Tree", {"x": "Tree"}), Row("Array", {"x": "Host"}), Row("Any")),
    ),
    Function(
        "device_get",
        ("jax.device_get",),
        (Row("Any", {"x": "_Unknown"}), Row("np.ndarray[Any, Any]", {"x": "Array"}), Row("Any")),
    ),
    Function(
        "pure_callback",
        ("jax.pure_callback",),
        tuple(
            Row(result, {"callback": "Callable[..., Any]", "result_shape_dtypes": shape})
            for shape, result in (("_Unknown", "Any"), ("ShapeDtypeStruct", "Array"), ("Any", "Any"))
        ),
    ),
)
