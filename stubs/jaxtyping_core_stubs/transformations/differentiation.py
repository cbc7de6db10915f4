"""The rows of the transformations that differentiate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .rows import Function, Row


class Output(NamedTuple):
    """What a differentiated function returns, from the gradient ``{x}``, the value and the auxiliary output.

    `of_any` is the class of those functions that take anything as the argument: it is only known when they are called.
    """

    of_any: str
    result: str


#: By whether the function has an auxiliary output.
GRAD = {
    False: Output("Gradient", "{x}"),
    True: Output("GradientAndAux", "tuple[{x}, {aux}]"),
}
VALUE_AND_GRAD = {
    False: Output("ValueAndGradient", "tuple[{value}, {x}]"),
    True: Output("ValueAndGradientAndAux", "tuple[tuple[{value}, {aux}], {x}]"),
}

_KNOWN, _OPEN = {"value": "R", "aux": "Aux"}, {"value": "Any", "aux": "Any"}


class Place(NamedTuple):
    """A value of `argnums`: the functions that take it, what such a function's derivative takes, and the gradient."""

    argnums: str
    function: str
    accepted: str
    gradient: str


_FIRST, _SECOND, _BOTH = "Literal[0]", "Literal[1]", "tuple[Literal[0], Literal[1]]"

#: A function that takes any array-like value, or has no annotation, says nothing of what it will get; a number's
#: gradient is an array.
PLACES = (
    Place(_FIRST, "_OfNumbers[R]", "ArrayLike, ...", "Array"),
    Place(_FIRST, "Callable[Concatenate[X, P], {}]", "X, P", "X"),
    Place(_SECOND, "_ThenArrays[R]", "Any, ArrayLike, ...", "Any"),
    Place(_SECOND, "_ThenNumbers[R]", "Any, ArrayLike, ...", "Array"),
    Place(_SECOND, "Callable[Concatenate[W, X, P], {}]", "W, X, P", "X"),
    Place(_BOTH, "_OfNumbers[R]", "Any, ...", "tuple[Any, Any]"),
    Place(_BOTH, "_ThenNumbers[R]", "Any, ...", "tuple[Any, Any]"),
    Place(_BOTH, "Callable[Concatenate[X, Y, P], {}]", "X, Y, P", "tuple[X, Y]"),
)

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
        _OF_ANY.format(name=name, **{kind: result.format(x=x, **_OPEN) for kind, x in kinds.items()})
        for name, result in (*GRAD.values(), *VALUE_AND_GRAD.values())
    )


def _rows(outputs: Mapping[bool, Output]) -> Iterator[Row]:
    yield Row("Transformed[..., Any]", {"fun": "_Unknown"})
    for aux, (of_any, result) in outputs.items():
        returned = "tuple[R, Aux]" if aux else "R"
        flag, given = {"has_aux": f"Literal[{aux}]"}, ("has_aux",) * aux
        yield Row(of_any, {"fun": "_OfArrays[R]", "argnums": _FIRST, **flag}, given)
        for place in PLACES:
            known = _KNOWN if "{}" in place.function else _OPEN
            yield Row(
                f"Transformed[Concatenate[{place.accepted}], {result.format(x=place.gradient, **known)}]",
                {"fun": place.function.format(returned), "argnums": place.argnums, **flag},
                given if place.argnums == _FIRST else ("argnums", *given),
            )
    yield Row("Transformed[..., Any]", {"fun": "Callable[..., Any]"})


_FLAGS = {"argnums": _FIRST, "has_aux": "Literal[False]"}

#: A Jacobian of one array with respect to one array is an array.
_JACOBIAN = (
    Row("Transformed[..., Any]", {"fun": "_OfArrays[R]"}),
    Row("Transformed[..., Any]", {"fun": "Callable[..., Unknown]"}),
    Row(
        "Transformed[Concatenate[Array[DT, Sh], P], Array]",
        {"fun": "Callable[Concatenate[Array[DT, Sh], P], Array]", **_FLAGS},
    ),
    Row("Transformed[..., Any]", {"fun": "Callable[..., Any]"}),
)


#: Functions of so many arrays, with what these are.
_ARRAYS = ("Array[DI, Sh]", "Array[DI2, Sh2]")


def _of_arrays(count: int, result: str) -> str:
    return f"Callable[[{', '.join(_ARRAYS[:count])}], {result}]"


def _jvp() -> Iterator[Row]:
    for count in (1, 2):
        primals = {"primals": f"tuple[{', '.join(_ARRAYS[:count])}]", "has_aux": "Literal[False]"}
        yield Row("tuple[Tangent, Tangent]", {"fun": _of_arrays(count, "Tangent"), **primals})
        yield Row("tuple[R, Any]", {"fun": _of_arrays(count, "R"), **primals})
    yield from _of_any("tuple[R, Any]", "tuple[R, Any, Aux]")


def _linearize() -> Iterator[Row]:
    for count in (1, 2):
        flag, operands = {"has_aux": "Literal[False]"}, _ARRAYS[:count]
        linear = "tuple[Tangent, Callable[..., Tangent]]"
        yield Row(linear, {"fun": _of_arrays(count, "Tangent"), **flag}, operands=operands)
        yield Row("tuple[R, Callable[..., Any]]", {"fun": _of_arrays(count, "R"), **flag}, operands=operands)
    yield from _of_any("tuple[R, Callable[..., Any]]", "tuple[R, Callable[..., Any], Aux]")


def _vjp() -> Iterator[Row]:
    for count in (1, 2):
        flag, operands = {"has_aux": "Literal[False]"}, _ARRAYS[:count]
        back = f"Callable[[Any], tuple[{', '.join(operands)}]]"
        yield Row(f"tuple[R, {back}]", {"fun": _of_arrays(count, "R"), **flag}, operands=operands)
    yield from _of_any("tuple[R, Callable[..., Any]]", "tuple[R, Callable[..., Any], Aux]")


def _of_any(result: str, with_aux: str) -> Iterator[Row]:
    """The rows where nothing is said of the arguments. Nor is anything of the result of a function for any of them."""
    for fun, returned in (("_OfArrays[R]", "Any"), ("Callable[..., {}]", "R")):
        aux = returned.replace("R", "Aux")
        known = result.replace("R", returned)
        yield Row(known, {"fun": fun.format(returned), "has_aux": "Literal[False]"})
        known = with_aux.replace("R", returned).replace("Aux", aux)
        flag = {"fun": fun.format(f"tuple[{returned}, {aux}]"), "has_aux": "Literal[True]"}
        yield Row(known, flag, ["has_aux"])
    yield Row("Any", {"fun": "Callable[..., Any]"})


#: What the mypy plugin wants, which reads the result off the function.
_OF_ANYTHING = Row("Transformed[..., Any]", {"fun": "Callable[..., Any]"})

FUNCTIONS = (
    Function("grad", ("jax.grad",), tuple(_rows(GRAD)), _OF_ANYTHING),
    Function("value_and_grad", ("jax.value_and_grad",), tuple(_rows(VALUE_AND_GRAD)), _OF_ANYTHING),
    *(Function(name, (f"jax.{name}",), _JACOBIAN) for name in ("hessian", "jacfwd", "jacrev", "jacobian")),
    Function("jvp", ("jax.jvp",), tuple(_jvp())),
    Function("linearize", ("jax.linearize",), tuple(_linearize())),
    Function("vjp", ("jax.vjp",), tuple(_vjp()), Row("Any", {"fun": "Callable[..., Any]"})),
    Function(
        "linear_transpose",
        ("jax.linear_transpose",),
        (Row("Callable[..., tuple[Any, ...]]", {"fun": "Callable[..., Any]"}),),
    ),
)
