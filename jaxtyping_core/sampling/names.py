"""The functions that a request may name: those of ``jax``, of the array layer, and ``operator``'s on arrays."""

from __future__ import annotations

import importlib
import operator
import types
from collections.abc import Callable
from typing import Any

from ..domain.values import LAYER
from .errors import Inconclusive
from .package import module

#: Functions that work on files, even on abstract arguments; loading may also run code in the file.
ON_FILES = frozenset(
    f"jax.numpy.{name}" for name in ("fromfile", "load", "save", "savez", "savetxt", "loadtxt")
)
#: Functions that change what later calls give start like this.
STATEFUL = ("register", "set_", "clear_", "disable_", "enable_", "debug", "print")
#: The functions of Python that arrays answer.
BUILTINS: dict[str, Callable[..., Any]] = {
    **{f.__name__: f for f in (abs, divmod, pow, round, len, float, int, bool, complex, sum, sorted)},
    **{f.__name__: f for f in (tuple, list, dict, max, min)},
    "reversed": lambda x: list(reversed(x)),
    "next": lambda x: x[0],
}
#: The methods of arrays that operators and functions of Python call; other private names are not evaluated.
DUNDERS = frozenset(
    f"__{name}__"
    for name in (
        *("getitem", "len", "iter", "reversed", "abs", "round", "neg", "pos", "invert"),
        *("divmod", "rdivmod", "bool", "int", "float", "complex", "index"),
    )
)


def resolve(function: str) -> Callable[..., Any]:
    """What a request's `function` calls."""
    kind, _, name = function.rpartition(":")
    if kind in ("method", "update", "attribute") and name.startswith("_") and name not in DUNDERS:
        raise Inconclusive(f"{name} is private")
    if kind == "method":
        return lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs)
    if kind == "attribute":
        return lambda x: getattr(x, name)
    if kind == "update":
        return lambda x, index, *args, **kwargs: getattr(x.at[index], name)(*args, **kwargs)
    if kind == "builtin" and name in BUILTINS:
        return BUILTINS[name]
    if function.startswith("operator."):
        called: Callable[..., Any] = getattr(operator, function.removeprefix("operator."))
    else:
        called = jax_object(function)
    return called


def jax_object(path: str) -> Any:
    """The public object of jax, or the function of the array layer, at the dotted `path`."""
    if path.startswith(LAYER):
        return layer_function(path.removeprefix(LAYER))
    first, *rest = path.split(".")
    if first != "jax" or any(part.startswith("_") for part in rest):
        raise Inconclusive(f"{path} is not a public name of jax")
    if path in ON_FILES or rest[-1].startswith(STATEFUL):
        raise Inconclusive(f"{path} works on files, or is more than a function of its arguments")
    named: Any = importlib.import_module(first)
    for i, part in enumerate(rest):
        if not hasattr(named, part):
            try:
                importlib.import_module(".".join([first, *rest[: i + 1]]))
            except ImportError:
                raise Inconclusive(f"the installed jax has no {path}") from None
        named = getattr(named, part)
        # Some modules of jax have those that they import, such as `os`, among their public names.
        if isinstance(named, types.ModuleType) and named.__name__.partition(".")[0] != "jax":
            raise Inconclusive(f"{path} is not a name of jax")
    return named


def layer_function(path: str) -> Any:
    """The function of the array layer that is called `path` below it."""
    module, _, name = path.rpartition(".")
    parent = getattr(layer(), module) if module in ("fft", "linalg") else layer()
    if name in parent.FUNCTIONS or path in ("can_cast", "promote_types", "result_type"):
        return getattr(parent, name)
    raise Inconclusive(f"{path} is no function of the array layer")


class Layer:
    """What the array layer is evaluated under."""

    system = "jax"


def layer() -> Any:
    """The array layer, ``jaxtyping_core.numpy``.

    Raises:
        Inconclusive: the interpreter does not have it.
    """
    try:
        array_layer = module("numpy")
    except ImportError as error:
        raise Inconclusive(str(error)) from None
    array_layer.set_promotion(Layer.system)
    return array_layer
