"""The rows of the transformations that differentiate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .rows import Function, Row


class Output(NamedTuple):
    """What a differentiated function returns, for the gradient ``{x}``.

    `of_any` is the class of those functions that take anything as the argument: it is only known when they are called.
    """

    of_any: str
    result: str


#: By whether the function has an auxiliary output.
GRAD = {
    False: Output("Gradient[P]", "{x}"),
    True: Output("GradientAndAux[P, Aux]", "tuple[{x}, Aux]"),
}
VALUE_AND_GRAD = {
    False: Output("ValueAndGradient[P, R]", "tuple[R, {x}]"),
    True: Output("ValueAndGradientAndAux[P, R, Aux]", "tuple[tuple[R, Aux], {x}]"),
}

#: The values of `argnums`, with what stands at these places, and the gradients. A function that takes any array-like
#: value there, or has no annotation, says nothing of what it will get; a number's gradient is an array.
PLACES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("Literal[0]", ("float",), "Array"),
    ("Literal[0]", ("X",), "X"),
    ("Literal[1]", ("A", "ArrayLike"), "Any"),
    ("Literal[1]", ("A", "float"), "Array"),
    ("Literal[1]", ("A", "X"), "X"),
    ("Literal[2]", ("A", "B", "float"), "Any"),
    ("Literal[2]", ("A", "B", "X"), "X"),
    ("tuple[Literal[0], Literal[1]]", ("float", "A"), "tuple[Any, Any]"),
    ("tuple[Literal[0], Literal[1]]", ("A", "float"), "tuple[Any, Any]"),
    ("tuple[Literal[0], Literal[1]]", ("X", "Y"), "tuple[X, Y]"),
)

#: What a call may give for a parameter of this kind.
_ACCEPTED = {"float": "ArrayLike"}

_OF_ANY = '''
class {head}(Generic[{parameters}]):
    """A differentiated function."""
    @overload
    def __call__(self, x: Array[DT, Sh], /, *args: P.args, **kwargs: P.kwargs) -> {array}: ...
    @overload
    def __call__(self, x: Host, /, *args: P.args, **kwargs: P.kwargs) -> {host}: ...
    @overload
    def __call__(self, x: Any, /, *args: P.args, **kwargs: P.kwargs) -> {other}: ...
'''


def classes() -> str:
    """The classes of differentiated functions whose argument is known when they are called."""
    found = ""
    for of_any, result in (*GRAD.values(), *VALUE_AND_GRAD.values()):
        name, _, parameters = of_any.rstrip("]").partition("[")
        kinds = {"array": "Array[DT, Sh]", "host": "Array", "other": "Any"}
        results = {kind: result.format(x=gradient) for kind, gradient in kinds.items()}
        found += _OF_ANY.format(head=name, parameters=parameters, **results)
    return found


def takes(first: Sequence[str], result: str) -> str:
    """A function that takes these and more."""
    return f"Callable[Concatenate[{', '.join((*first, 'P'))}], {result}]"


def _rows(outputs: Mapping[bool, Output]) -> Iterator[Row]:
    for aux, (of_any, result) in outputs.items():
        returned = "tuple[R, Aux]" if aux else "R"
        flag, given = {"has_aux": f"Literal[{aux}]"}, ("has_aux",) * aux
        first = takes(["ArrayLike"], returned)
        yield Row(of_any, {"fun": first, "argnums": "Literal[0]", **flag}, given)
        for argnums, kinds, gradient in PLACES:
            accepted = ", ".join(_ACCEPTED.get(kind, kind) for kind in (*kinds, "P"))
            yield Row(
                f"Transformed[Concatenate[{accepted}], {result.format(x=gradient)}]",
                {"fun": takes(kinds, returned), "argnums": argnums, **flag},
                given if argnums == "Literal[0]" else ("argnums", *given),
            )
    yield Row("Transformed[..., Any]", {"fun": "Callable[..., Any]"})


#: A Jacobian of one array with respect to one array is an array.
_JACOBIAN = (
    Row("Transformed[..., Any]", {"fun": takes(["ArrayLike"], "Any")}),
    Row(
        "Transformed[Concatenate[A, P], Any]",
        {"fun": takes(["A"], "_Unknown"), "argnums": "Literal[0]", "has_aux": "Literal[False]"},
    ),
    Row(
        "Transformed[Concatenate[Array[DT, Sh], P], Array]",
        {"fun": takes(["Array[DT, Sh]"], "Array"), "argnums": "Literal[0]", "has_aux": "Literal[False]"},
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
    """The rows where nothing is said of the arguments. Of a function's overloads, the one for all array-likes counts."""
    for function in ("Callable[Concatenate[ArrayLike, ...], {}]", "Callable[..., {}]"):
        yield Row(result, {"fun": function.format("R"), "has_aux": "Literal[False]"})
        returned = function.format("tuple[R, Aux]")
        yield Row(with_aux, {"fun": returned, "has_aux": "Literal[True]"}, ["has_aux"])
    yield Row("Any", {"fun": "Callable[..., Any]"})


FUNCTIONS = (
    Function("grad", ("jax.grad",), tuple(_rows(GRAD))),
    Function("value_and_grad", ("jax.value_and_grad",), tuple(_rows(VALUE_AND_GRAD))),
    *(Function(name, (f"jax.{name}",), _JACOBIAN) for name in ("hessian", "jacfwd", "jacrev", "jacobian")),
    Function("jvp", ("jax.jvp",), tuple(_jvp())),
    Function("linearize", ("jax.linearize",), tuple(_linearize())),
    Function("vjp", ("jax.vjp",), tuple(_vjp())),
    Function(
        "linear_transpose",
        ("jax.linear_transpose",),
        (Row("Callable[..., tuple[Any, ...]]", {"fun": "Callable[..., Any]"}),),
    ),
)
