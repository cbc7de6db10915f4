"""The rows of the transformations that differentiate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .rows import Function, Row


class Output(NamedTuple):
    """What a differentiated function returns, from the gradient ``{x}``, the value and the auxiliary output.

    `of_any` is the class of those functions of which the argument is only known when they are called.
    """

    of_any: str
    result: str
    with_aux: str


GRAD = Output("Gradient", "{x}", "tuple[{x}, Aux]")
VALUE_AND_GRAD = Output("ValueAndGradient", "tuple[{value}, {x}]", "tuple[tuple[{value}, Aux], {x}]")

_OF_ANY = '''
class {name}:
    """A differentiated function."""
    @overload
    def __call__(self, x: _Unknown, /, *args: Any, **kwargs: Any) -> {other}: ...
    @overload
    def __call__(self, x: Array[DT, Sh], /, *args: Any, **kwargs: Any) -> {array}: ...
    @overload
    def __call__(self, x: Host, /, *args: Any, **kwargs: Any) -> {host}: ...
    @overload
    def __call__(self, x: Any, /, *args: Any, **kwargs: Any) -> {other}: ...
'''


def classes() -> str:
    """The classes of differentiated functions whose argument is known when they are called."""
    kinds = {"array": "Array[DT, Sh]", "host": "Array", "other": "Any"}
    return "".join(
        _OF_ANY.format(
            name=output.of_any,
            **{kind: output.result.format(x=x, value="Any") for kind, x in kinds.items()},
        )
        for output in (GRAD, VALUE_AND_GRAD)
    )


_ANY_FUNCTION = {"fun": "Callable[..., Any]"}


def _rows(output: Output) -> Iterator[Row]:
    """The rows for the first argument: a number, of which the gradient is an array, or what is like its gradient."""
    flags = {"argnums": "Literal[0]", "has_aux": "Literal[False]"}
    with_aux, required = {**flags, "has_aux": "Literal[True]"}, ["has_aux"]
    yield Row(output.of_any, {"fun": "_OfNumbers[R]", **flags})
    result = output.result.format(x="X", value="R")
    yield Row(f"Transformed[Concatenate[X, P], {result}]", {"fun": "Callable[Concatenate[X, P], R]", **flags})
    yield Row("Transformed[..., tuple[Any, Any]]", {"fun": "_OfNumbers[R]", **with_aux}, required)
    result = output.with_aux.format(x="X", value="R")
    types = {"fun": "Callable[Concatenate[X, P], tuple[R, Aux]]", **with_aux}
    yield Row(f"Transformed[Concatenate[X, P], {result}]", types, required)
    yield Row("Transformed[..., Any]", _ANY_FUNCTION)


#: One array is the argument of these, and its gradient like it. (Of a type variable with a bound, pyright says less.)
_PRIMAL = "Array[DT, Sh]"


def _jvp() -> Iterator[Row]:
    like = Row(
        "tuple[Tangent, Tangent]", {"primals": f"tuple[{_PRIMAL}]", **_flat(f"[{_PRIMAL}]", "Tangent")}
    )
    yield from _of_any(like, "tuple[{}, Any]")


def _linearize() -> Iterator[Row]:
    types = {"primals": _PRIMAL, **_flat(f"[{_PRIMAL}]", "Tangent")}
    yield from _of_any(Row("tuple[Tangent, Callable[..., Tangent]]", types), _WITH_FUNCTION)


def _vjp() -> Iterator[Row]:
    yield Row("Any", {"fun": "_Unknown"})
    of_one = Row(
        f"tuple[Tree, Callable[[Any], tuple[{_PRIMAL}]]]", _flat(f"[{_PRIMAL}]", "Tree"), operands=[_PRIMAL]
    )
    yield from _of_any(of_one, _WITH_FUNCTION)


_WITH_FUNCTION = "tuple[{}, Callable[..., Any]]"


def _flat(parameters: str, returned: str) -> dict[str, str]:
    return {"fun": f"Callable[{parameters}, {returned}]", "has_aux": "Literal[False]"}


def _of_any(of_one: Row, result: str) -> Iterator[Row]:
    """The rows, with one for a function of one array, where nothing is said of the arguments.

    Nor is anything said of what a function of numbers returns.
    """
    yield of_one
    yield Row(result.format("Any"), {**_flat("", ""), "fun": "_OfNumbers[R]"})
    yield Row(result.format("Tree"), _flat("...", "Tree"))
    types = {"fun": "Callable[..., tuple[Tree, Aux]]", "has_aux": "Literal[True]"}
    yield Row(f"{result.format('Tree')[:-1]}, Aux]", types, ["has_aux"])
    yield Row("Any", _ANY_FUNCTION)


#: What the mypy plugin wants, which reads the result off the function.
_OF_ANYTHING = Row("Transformed[..., Any]", _ANY_FUNCTION)

FUNCTIONS = (
    Function("grad", ("jax.grad",), tuple(_rows(GRAD)), _OF_ANYTHING),
    Function("value_and_grad", ("jax.value_and_grad",), tuple(_rows(VALUE_AND_GRAD)), _OF_ANYTHING),
    *(
        Function(name, (f"jax.{name}",), (_OF_ANYTHING,))
        for name in ("hessian", "jacfwd", "jacrev", "jacobian")
    ),
    Function("jvp", ("jax.jvp",), tuple(_jvp())),
    Function("linearize", ("jax.linearize",), tuple(_linearize())),
    Function("vjp", ("jax.vjp",), tuple(_vjp()), Row("Any", _ANY_FUNCTION)),
    Function(
        "linear_transpose",
        ("jax.linear_transpose",),
        (Row("Callable[..., tuple[Any, ...]]", _ANY_FUNCTION),),
    ),
)
