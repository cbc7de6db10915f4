"""The rows of control flow.

Lambda expressions know their arguments where these are arrays: a Python or NumPy value becomes an array in JAX's hands,
also within a container. Of what functions return, only trees of arrays are told: a number becomes an array.

mypy is told of no result without the plugin, as with it: it checks a lambda expression again, with all that is in it, for
each row and twice, and makes the bound of a type variable of what an overloaded function returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .rows import Function, Row

#: What a loop carries and its function gets. (Of a type variable with a bound, pyright says less.)
_CARRIES = ("Array[DT, Sh]", "Any")

#: An array that the function returns. (An operator on one gives pyright less where a type variable is wanted.)
_RETURNED = "Array[DT2, Sh2]"

#: What the function of a loop returns for each round, and what these are, stacked. The first one takes what is unknown.
_STACKED = (("Other", "Any"), ("Array[DT2, Any]", "Array[DT2, Any]"))


def _scan() -> Iterator[Row]:
    for carry in _CARRIES:
        for output, stacked in _STACKED:
            yield Row(
                f"tuple[Tree, {stacked}]",
                {"f": f"Callable[[{carry}, Any], tuple[Tree, {output}]]", "init": carry},
            )
    yield Row("tuple[Any, Any]", {"f": "Callable[..., Any]"})


def _loop(types: Mapping[str, str]) -> Iterator[Row]:
    """The rows of a loop: its functions take ``{}``, and the one of its body returns ``{result}``."""

    def taking(carry: str, result: str) -> dict[str, str]:
        return {name: text.format(carry, result=result) for name, text in types.items()}

    yield Row(_RETURNED, {**taking(_CARRIES[0], _RETURNED), "init_val": _CARRIES[0]})
    for carry in _CARRIES:
        yield Row("Tree", {**taking(carry, "Tree"), "init_val": carry})
    yield Row("Any", taking("Any", "Any"))


_WHILE = {"cond_fun": "Callable[[{}], Any]", "body_fun": "Callable[[{}], {result}]"}
_FORI = {"body_fun": "Callable[[Any, {}], {result}]"}


_OPERANDS = ("Array[DT, Sh]", "Array[DT2, Sh2]")


def _branches(types: Mapping[str, str]) -> Iterator[Row]:
    """The rows of a choice: branches are functions of one array, of two or of anything."""

    def taking(operands: str) -> dict[str, str]:
        return {name: text.format(f"Callable[{operands}, Tree]") for name, text in types.items()}

    yield Row("Tree", {**taking(f"[{_OPERANDS[0]}]"), "operands": _OPERANDS[0]})
    yield Row("Tree", taking(f"[{', '.join(_OPERANDS)}]"), operands=_OPERANDS)
    yield Row("Tree", taking("..."))
    yield Row("Any")  # also for operands that stand before their branches, as JAX still allows


def _map() -> Iterator[Row]:
    for output, stacked in _STACKED:
        yield Row(stacked, {"f": f"Callable[[Array[DT, Any]], {output}]", "xs": "Array[DT, Any]"})
    yield Row("Any", {"f": "Callable[[Any], Any]"})


def _function(name: str, rows: Iterator[Row], **taken: int) -> Function:
    """A function; the mypy plugin reads its result off what it is given: functions of so many arguments."""
    thin = {name: f"Callable[[{', '.join(['Any'] * n)}], Any]" for name, n in taken.items()}
    in_stub = {"map": "lax_map"}.get(name, name)
    return Function(in_stub, (f"jax.lax.{name}",), tuple(rows), Row("Any", thin))


FUNCTIONS = (
    _function("scan", _scan(), f=2),
    _function("while_loop", _loop(_WHILE), cond_fun=1, body_fun=1),
    _function("fori_loop", _loop(_FORI), body_fun=2),
    _function("cond", _branches({"true_fun": "{}", "false_fun": "{}"})),
    _function("switch", _branches({"branches": "Sequence[{}]"})),
    _function("map", _map(), f=1),
    Function(
        "associative_scan",
        ("jax.lax.associative_scan",),
        (
            Row("Any", {"elems": "_Unknown"}),
            # weak types become strong, unless there is but one element
            Row("Array", {"elems": "Array[weak_int | weak_float | weak_complex, Any]"}),
            Row("Array[DT, Sh]", {"elems": "Array[DT, Sh]"}),
            Row("Any"),
        ),
    ),
)
