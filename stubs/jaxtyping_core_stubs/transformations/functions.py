"""The rows of the transformations that give a function of the same parameters, or of batches of them."""

from __future__ import annotations

from collections.abc import Sequence

from .rows import Function, Row

#: The function as it was.
_SAME = (Row("F", {"fun": "F", "f": "F"}),)


def _batching(parameter: str, required: Sequence[str] = ()) -> tuple[Row, ...]:
    """The rows of a function whose arrays gain or lose a dim, or are parts of larger ones: dtypes stay."""
    return (
        Row("Batched[Any]", {parameter: "_OfNumbers[R]"}, required),
        Row("Batched[R]", {parameter: "Callable[..., R]"}, required),
    )


FUNCTIONS = (
    Function("vmap", ("jax.vmap",), _batching("fun"), thin=Row("Any", {"fun": "Callable[..., Any]"})),
    Function(
        "pmap",
        ("jax.pmap",),
        (Row("Compiled[..., Any]", {"fun": "Callable[..., Any]"}),),
        thin=Row("Any", {"fun": "Callable[..., Any]"}),
    ),
    Function(
        "shard_map",
        ("jax.shard_map",),
        (
            *_batching("f", required=["f"]),
            Row("_Batching", without=["f"]),
        ),
        thin=Row("Any", {"f": "Callable[..., Any] | None"}),
    ),
    Function("checkpoint", ("jax.checkpoint",), _SAME),
    Function("remat", ("jax.remat",), _SAME),
    Function("named_call", ("jax.named_call",), _SAME),
    Function(
        "closure_convert",
        ("jax.closure_convert",),
        (Row("tuple[Callable[..., R], list[Any]]", {"fun": "Callable[..., R]"}),),
    ),
    Function(
        "eval_shape",
        ("jax.eval_shape",),
        (
            Row("Any", {"fun": "Callable[..., Unknown]"}),
            Row("ShapeDtypeStruct", {"fun": "Callable[..., Array]"}),
            Row("Any", {"fun": "Callable[..., Any]"}),
        ),
    ),
)
