"""The rows of control flow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .rows import Function, Row

#: What a loop carries: the type of its first value, and of what its function gets. A Python or NumPy value becomes an
#: array, also within a container. The result is what the function returns: JAX makes weak types strong where it must.
_CARRIES = (("Host", "Array"), ("Container", "Any"), ("C", "C"), ("Any", "Any"))
#: What the function of a loop returns, and the result. Arrays are first: a lambda expression is checked for each row.
_RETURNED = (("Arrays", "Arrays"), ("Value", "Any"), ("R", "R"))

#: What a loop stacks: what its function returns, and what it becomes.
_STACKED = (("Unknown", "Any"), ("None", "None"), ("Array[DT, Any]", "Array[DT, Any]"), ("Any", "Any"))


#: The same for mypy, which checks a lambda expression again, with all that is in it, for each row and twice, and mostly
#: leaves open what it returns.
_CARRIES_FOR_MYPY = (("Any", "Any"),)

Carries = Sequence[tuple[str, str]]


def _scan(carries: Carries) -> Iterator[Row]:
    for init, carry in carries:
        for returned, carried in _RETURNED:
            # What is stacked beside a carry of which nothing is told is left open, too, for there to be fewer rows.
            for output, stacked in _STACKED if carried != "Any" else _STACKED[-1:]:
                function = f"Callable[[{carry}, Any], tuple[{returned}, {output}]]"
                yield Row(f"tuple[{carried}, {stacked}]", {"f": function, "init": init})
    yield Row("Any", {"f": "Callable[..., Any]"})


def _while_loop(carries: Carries) -> Iterator[Row]:
    for init, carry in carries:
        types = {"cond_fun": f"Callable[[{carry}], Any]", "init_val": init}
        for returned, result in _RETURNED:
            yield Row(result, {**types, "body_fun": f"Callable[[{carry}], {returned}]"})


def _fori_loop(carries: Carries) -> Iterator[Row]:
    for init, carry in carries:
        for returned, result in _RETURNED:
            yield Row(result, {"body_fun": f"Callable[[Any, {carry}], {returned}]", "init_val": init})


#: The operands of a branch: so many arrays, or anything.
_Operands = tuple[str, ...] | None
_OPERANDS: tuple[_Operands, ...] = ((), ("A",), ("A", "B"), None)

#: What a branch returns, and the result. A Python or NumPy value takes the type that it has in the other branches, which
#: is left open, also where it is one of a union.
_BRANCHES = (("Arrays", "Arrays"), ("Value", "Any"), ("Container", "Any"), ("R", "R"))
#: The same of each of two branches.
_TWO_BRANCHES = (
    ("Arrays", "Arrays", "Arrays"),
    ("Value", "Value2", "Any"),
    ("Container", "Container", "Any"),
    ("R", "R", "R"),
)


def _branch(operands: tuple[str, ...] | None, returned: str) -> str:
    return f"Callable[{'...' if operands is None else '[' + ', '.join(operands) + ']'}, {returned}]"


def _cond(each: Sequence[_Operands]) -> Iterator[Row]:
    for operands in each:
        # Of branches that take anything, only arrays are told: a branch without operands is checked against these, too.
        for true, false, result in _TWO_BRANCHES if operands is not None else _TWO_BRANCHES[:1]:
            types = {"true_fun": _branch(operands, true), "false_fun": _branch(operands, false)}
            yield Row(result, types, operands=operands)
    yield Row("Any")  # also for operands that stand before their branches, as JAX still allows


def _switch() -> Iterator[Row]:
    for operands in _OPERANDS:
        for returned, result in _BRANCHES:
            yield Row(result, {"branches": f"Sequence[{_branch(operands, returned)}]"}, operands=operands)
    yield Row("Any", {"branches": "Sequence[Callable[..., Any]]"})


def _map(elements: Sequence[str]) -> Iterator[Row]:
    for element in elements:
        for returned, stacked in _STACKED:
            yield Row(stacked, {"f": f"Callable[[{element}], {returned}]", "xs": element})


def _thin(**counts: int) -> Row:
    """What the mypy plugin wants, which reads the result off the functions: these, of so many arguments."""
    return Row("Any", {name: f"Callable[[{', '.join(['Any'] * n)}], Any]" for name, n in counts.items()})


def _loop(name: str, rows: Callable[[Carries], Iterator[Row]], thin: Row) -> Function:
    return Function(
        name, (f"jax.lax.{name}",), tuple(rows(_CARRIES)), thin, for_mypy=tuple(rows(_CARRIES_FOR_MYPY))
    )


FUNCTIONS = (
    _loop("scan", _scan, _thin(f=2)),
    _loop("while_loop", _while_loop, _thin(cond_fun=1, body_fun=1)),
    _loop("fori_loop", _fori_loop, _thin(body_fun=2)),
    Function("cond", ("jax.lax.cond",), tuple(_cond(_OPERANDS)), _thin(), for_mypy=tuple(_cond((None,)))),
    Function(
        "switch",
        ("jax.lax.switch",),
        tuple(_switch()),
        Row("Any", {"branches": "Sequence[Callable[..., Any]]"}),
    ),
    Function(
        "lax_map",
        ("jax.lax.map",),
        tuple(_map(("Array[DT2, Any]", "Any"))),
        _thin(f=1),
        for_mypy=tuple(_map(("Any",))),
    ),
    Function(
        "associative_scan",
        ("jax.lax.associative_scan",),
        (
            Row("Any", {"elems": "Host"}),
            # weak types become strong, unless there is but one element
            Row("Array", {"elems": "Array[weak_int | weak_float | weak_complex, Any]"}),
            Row("Array[DT, Sh]", {"elems": "Array[DT, Sh]"}),
            Row("Any", {"fn": "Callable[[Any, Any], Any]", "elems": "T"}),
        ),
    ),
)
