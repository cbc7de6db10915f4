"""The rows of control flow."""

from __future__ import annotations

from collections.abc import Iterator

from .rows import Function, Row

#: What a loop carries: the type of its first value, and of what its function gets. A Python or NumPy value becomes an
#: array. The function's result is the carry's type: JAX makes weak types strong where it must.
_CARRIES = (("Host", "Array"), ("C", "C"), ("Any", "Any"))

#: What a loop stacks: what its function returns, and what it becomes.
_STACKED = (("Unknown", "Any"), ("None", "None"), ("Array[DT, Any]", "Array[DT, Any]"), ("Any", "Any"))


def _scan() -> Iterator[Row]:
    for init, carry in _CARRIES:
        for returned, stacked in _STACKED:
            function = f"Callable[[{carry}, Any], tuple[R, {returned}]]"
            yield Row(f"tuple[R, {stacked}]", {"f": function, "init": init})
    yield Row("Any", {"f": "Callable[..., Any]"})


def _while_loop() -> Iterator[Row]:
    for init, carry in _CARRIES:
        types = {"cond_fun": f"Callable[[{carry}], Any]", "init_val": init}
        yield Row("Any", {**types, "body_fun": f"Callable[[{carry}], Host]"})
        yield Row("R", {**types, "body_fun": f"Callable[[{carry}], R]"})


def _fori_loop() -> Iterator[Row]:
    for init, carry in _CARRIES:
        yield Row("Any", {"body_fun": f"Callable[[Any, {carry}], Host]", "init_val": init})
        yield Row("R", {"body_fun": f"Callable[[Any, {carry}], R]", "init_val": init})


#: The operands of a branch.
_OPERANDS: tuple[tuple[str, ...], ...] = ((), ("A",), ("A", "B"), ("A", "B", "C"))


def _cond() -> Iterator[Row]:
    """The result of both branches. A Python or NumPy value takes the other branch's type, which is left open."""
    for operands in (*_OPERANDS, None):
        function = f"Callable[{'...' if operands is None else '[' + ', '.join(operands) + ']'}, {{}}]"
        for true, false, result in (("Host", "Any", "Any"), ("Any", "Host", "Any"), ("R", "R", "R")):
            types = {"true_fun": function.format(true), "false_fun": function.format(false)}
            yield Row(result, types, operands=operands)
    yield Row("Any", {"true_fun": "Callable[..., Any]", "false_fun": "Callable[..., Any]"})


def _switch() -> Iterator[Row]:
    for operands in (*_OPERANDS, None):
        function = f"Sequence[Callable[{'...' if operands is None else '[' + ', '.join(operands) + ']'}, {{}}]]"
        for returned, result in (("Host", "Any"), ("R", "R")):
            yield Row(result, {"branches": function.format(returned)}, operands=operands)
    yield Row("Any", {"branches": "Sequence[Callable[..., Any]]"})


def _map() -> Iterator[Row]:
    for element in ("Array[DT2, Any]", "Any"):
        for returned, stacked in _STACKED:
            yield Row(stacked, {"f": f"Callable[[{element}], {returned}]", "xs": element})


FUNCTIONS = (
    Function("scan", ("jax.lax.scan",), tuple(_scan())),
    Function("while_loop", ("jax.lax.while_loop",), tuple(_while_loop())),
    Function("fori_loop", ("jax.lax.fori_loop",), tuple(_fori_loop())),
    Function("cond", ("jax.lax.cond",), tuple(_cond())),
    Function("switch", ("jax.lax.switch",), tuple(_switch())),
    Function("lax_map", ("jax.lax.map",), tuple(_map())),
    Function(
        "associative_scan",
        ("jax.lax.associative_scan",),
        (Row("Any", {"elems": "Host"}), Row("T", {"fn": "Callable[[Any, Any], Any]", "elems": "T"})),
    ),
)
