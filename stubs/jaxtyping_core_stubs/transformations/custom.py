"""Functions with derivatives of their own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from inspect import Parameter
from typing import Any

import jax

from ..signatures import parameters
from .rows import TYPES, Function, Row

EXPORTS = {f"jax.{name}": name for name in ("custom_jvp", "custom_vjp")}

_TYPES = {
    **TYPES,
    **dict.fromkeys(("self", "args", "kwargs"), ""),
    "fun": "Callable[_Q, T]",
    "jvp": "F",
    "jvps": "Callable[..., Any] | None",
    "fwd": "Callable[..., Any]",
    "bwd": "Callable[..., Any]",
    "nondiff_argnums": "Sequence[int]",
    "nondiff_argnames": "Sequence[str]",
    "symbolic_zeros": "_bool",
    "optimize_remat": "_bool",
}

#: The methods, with their results. zuban loses type variables of the function in ``__init__``.
_METHODS = {"__init__": "{name}[T, _Q]", "defjvp": "F", "defjvps": "None", "defvjp": "None"}


def _annotation(parameter: Parameter) -> str:
    return _TYPES.get(parameter.name, "Any")


def _class(cls: type) -> Iterator[str]:
    """A function with its own derivative is a transformed function that these methods complete."""
    yield f"class {cls.__name__}(Transformed[_P, R_co], Generic[R_co, _P]):"
    yield "    fun: Callable[_P, R_co]"
    for name, result in _METHODS.items():
        method: Callable[..., Any] | None = vars(cls).get(name)
        if method is not None:
            shown = parameters(inspect.signature(method).parameters.values(), _annotation)
            shown, name = (shown.replace("self", "cls"), "__new__") if name == "__init__" else (shown, name)
            yield f"    def {name}({shown}) -> {result.format(name=cls.__name__)}: ..."


def render() -> str:
    """The classes."""
    return "".join(f"{line}\n" for cls in (jax.custom_jvp, jax.custom_vjp) for line in _class(cls))


_CUSTOM_SOLVE = {"has_aux": "Literal[False]", "solve": "Callable[[Any, Any], R]"}

FUNCTIONS = (
    Function(
        "custom_gradient",
        ("jax.custom_gradient",),
        (
            Row("Transformed[P, R]", {"fun": "Callable[P, tuple[R, Any]]"}, required=["fun"]),
            Row("Callable[[Callable[..., Any]], Transformed[..., Any]]", without=["fun"]),
        ),
    ),
    *(
        Function(
            name,
            (f"jax.lax.{name}",),
            (
                Row("R", {function: "Callable[..., Any]", **_CUSTOM_SOLVE}),
                Row("Any", {function: "Callable[..., Any]", "solve": "Callable[[Any, Any], Any]"}),
            ),
        )
        for name, function in (("custom_root", "f"), ("custom_linear_solve", "matvec"))
    ),
)
