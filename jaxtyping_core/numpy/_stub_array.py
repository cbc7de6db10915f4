"""What type checkers read of the layer's array, written from its operators and methods for `_stub`.

To a checker it is a kind of ``jax.Array``. The dtype of what it computes depends on the promotion system in force,
which a checker does not know; the mypy plugin does.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import jax.numpy as jnp

from jaxtyping_core.numpy import FUNCTIONS, _operators
from jaxtyping_core.numpy._array import Array
from jaxtyping_core.numpy._at import UPDATES
from jaxtyping_core.numpy._signatures import SELF, definition, of_method, spread

HEAD = """
class Array(_Array[DT, Sh], Generic[DT, Sh]):
    \"\"\"An array of the layer, with its dtype and shape. Its operations return arrays of the layer.\"\"\"

    __hash__: ClassVar[None]  # type: ignore[assignment]  # not hashable, as no array is
    @property
    def value(self) -> _Array[DT, Sh]: ...
    @property
    def at(self) -> _At[DT, Sh]: ...
    def __getitem__(self, index: Any, /) -> Array[DT, Any]: ...
    def __iter__(self) -> Iterator[Array[DT, Any]]: ...
    def __reversed__(self) -> Iterator[Array[DT, Any]]: ...
"""
AT = """
class _At(Generic[DT, Sh]):
    def __getitem__(self, index: Any, /) -> _AtIndex[DT, Sh]: ...

class _AtIndex(Generic[DT, Sh]):
"""

#: Methods of the value inside whose result is the array itself, as a copy or elsewhere.
_SAME = ("__copy__", "block_until_ready", "copy", "to_device")
_SAME_SHAPE = ("__abs__", "__invert__", "__neg__", "__pos__", "conj", "conjugate", "imag", "real", "round")
_OTHERS = ("astype", "byteswap", "flatten", "view")
_ANY = "Array[Any, Any]"


def text() -> str:
    """The classes of the array and of `x.at`."""
    return f"{HEAD}{''.join(_operators_of())}{''.join(_members())}{AT}{''.join(_updates())}"


def _operators_of() -> Iterator[str]:
    for name in _operators.COMPARISONS:
        # Python compares with everything; anything but an array is not equal.
        other = "object" if name in ("eq", "ne") else "ArrayLike"
        yield f"    def __{name}__(self, other: {other}, /) -> Array[_bool_, Any]: ...\n"
    for name in _operators.REFLECTED:
        result = f"tuple[{_ANY}, {_ANY}]" if name == "divmod" else _ANY
        yield f"    def __{name}__(self, other: ArrayLike, /) -> {result}: ...\n"
        # An array of JAX on the left of one of the layer decides.
        yield f"    @overload\n    def __r{name}__(self, other: _Array[Any, Any], /) -> {result.replace('Array', '_Array')}: ...\n"
        yield f"    @overload\n    def __r{name}__(self, other: ArrayLike, /) -> {result}: ...\n"


def _members() -> Iterator[str]:
    results = {
        **dict.fromkeys((*_operators.METHODS, *_operators.SPREAD, *_OTHERS), _ANY),
        **dict.fromkeys((*_operators.PROPERTIES, *(f"__{name}__" for name in _operators.UNARY)), _ANY),
        "nonzero": f"tuple[{_ANY}, ...]",
        **dict.fromkeys(_SAME_SHAPE, "Array[Any, Sh]"),
        **dict.fromkeys(_SAME, "Array[DT, Sh]"),
    }
    for name, result in results.items():
        if isinstance(getattr(Array, name), property):
            yield f"    @property\n    def {name}(self) -> {result}: ...\n"
        else:
            yield f"    {definition(name, _parameters_of(name), result)}"


def _parameters_of(name: str) -> list[inspect.Parameter]:
    """The parameters of a method of the array: those of the function that it is, or of JAX's method."""
    if name in _operators.SPREAD:
        return spread(FUNCTIONS[name])
    method = getattr(Array, name)
    if name in _operators.METHODS:
        return of_method(method)
    # Operators have no other parameters; JAX's class has no copy and no block_until_ready, which its arrays have without.
    whole = name.startswith("__") or not hasattr(method, "__wrapped__")
    return [SELF] if whole else of_method(method, system=False)


def _updates() -> Iterator[str]:
    """The methods of ``x.at[index]``, with the parameters of JAX's."""
    theirs = type(jnp.zeros(1).at[0])
    results = {"get": "Array[DT, Any]", **dict.fromkeys((*UPDATES, "apply"), "Array[DT, Sh]")}
    for name, result in results.items():
        yield f"    {definition(name, of_method(getattr(theirs, name), system=False), result)}"
