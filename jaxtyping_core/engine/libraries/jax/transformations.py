"""JAX's transformations of the program's functions, where an argument of what they make is not known.

With known arguments JAX itself is asked, and nothing here is needed.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ....domain.values import PYTHON_NUMBERS
from ....identity import identity
from ...control import RaisedException
from ...values import arrays
from ...values.callables import Method
from ...values.conversions import as_array
from ...values.trees import leaves, map_tree, mapped
from ...values.unknowns import UNKNOWN, ConcretizationError, is_scalar, is_unknown
from .. import registry
from . import buffers, tracings
from .axes import row, stacked

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: What each transformation of JAX does to a function, by its path; overlays have those of other libraries.
PATHS = {
    "jax.jit": "traced",
    "jax.checkpoint": "traced",
    "jax.remat": "traced",
    "jax.named_call": "same",
    "jax.custom_vjp": "own",
    "jax.custom_jvp": "own",
    "jax.custom_gradient": "own",
    "jax.grad": "gradient",
    "jax.value_and_grad": "value and gradient",
    "jax.vmap": "batched",
    "jax.pmap": "over devices",
}


#: Those that call the function as it is called; "traced" if JAX always traces it.
KEEPING = ("same", "traced")
#: JAX accepts as many rows as there are devices. Those of this interpreter say nothing about the one that the program is for,
#: so such a call is never made for real.
OVER_DEVICES = "over devices"
#: Those that call the function for rows.
BATCHING = ("batched", OVER_DEVICES)
#: Options of transformations that say how arrays are laid out over devices, by kind.
LAYOUTS = {
    **dict.fromkeys(KEEPING, ("in_shardings", "out_shardings")),
    OVER_DEVICES: ("devices", "backend"),
}


@dataclass
class Made:
    """What a transformation has made of a function."""

    value: Any
    kind: str
    function: Any
    options: dict[str, Any]
    #: The transformation itself.
    by: Any = None


def kinds() -> dict[Any, str]:
    """What each transformation that is imported does, by the function itself."""
    overlays = registry.count()
    return _kinds(overlays, tuple(map(sys.modules.__contains__, _modules(overlays))))


@functools.cache
def _modules(overlays: int) -> list[str]:  # of those of so many overlays
    return list(dict.fromkeys(path.rpartition(".")[0] for path in registry.transforms()))


@functools.cache
def _kinds(overlays: int, imported: tuple[bool, ...]) -> dict[Any, str]:
    """The table of so many overlays; no program has a function of a module that is not imported, and importing takes long."""
    left_out = {module for module, is_there in zip(_modules(overlays), imported, strict=True) if not is_there}
    by_function = {}
    for path, kind in (*PATHS.items(), *registry.transforms().items()):
        module, name = path.rpartition(".")[::2]
        if module not in left_out:
            with contextlib.suppress(ImportError, AttributeError):
                by_function[getattr(importlib.import_module(module), name)] = kind
    return Hashed(by_function)


class Hashed(dict[Any, str]):
    """A table in which what cannot be hashed is not found."""

    def __contains__(self, key: object) -> bool:
        try:
            return super().__contains__(key)
        except Exception:  # what an object of the program says of itself
            return False


def make(interpreter: Interpreter, transformation: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a transformation gives."""
    name = next((name for name in ("fun", "f", "func", "fn") if name in kwargs), None)
    if not args and name is None:
        return functools.partial(transformation, **kwargs)  # a decorator with options
    function = args[0] if args else kwargs[name or ""]
    if is_unknown(function) or type(function) is Method:
        return UNKNOWN
    kind = kinds()[transformation]
    if kind == "partial":
        return functools.partial(function, *args[1:])
    # How arrays are laid out changes nothing.
    kwargs = {name: value for name, value in kwargs.items() if name not in LAYOUTS.get(kind, ())}
    options = dict(kwargs)
    if kind in ("gradient", "value and gradient") and len(args) > 1:
        options["argnums"] = args[1]
    if kind in BATCHING:
        options.update(zip(list(inspect.signature(transformation).parameters)[1:], args[1:], strict=False))
    if arrays.holds_unknown(list(options.values())):
        if kind not in KEEPING:
            interpreter.havoc([function])
            return UNKNOWN
        made: Any = function
    else:
        try:
            made = transformation(
                function,
                *args[1:],
                **{k: v for k, v in kwargs.items() if k != name} if args else {},
                **({} if args else kwargs),
            )
        except Exception as error:  # what real code raises is what the program would meet
            # Something else may stand for what is called: real code does not take it, and would take what it stands for.
            if kind in KEEPING and identity(function) not in interpreter.functions:
                return function
            _refuse(interpreter, function, error)
            return interpreter.failed(error)
    if made is function:
        return made
    record = Made(made, kind, function, options, transformation)
    interpreter.made[identity(made)] = record
    interpreter.rules.transformed(record)
    return made


def _refuse(interpreter: Interpreter, function: Any, error: Exception) -> None:
    """Report options that do not fit the parameters of a function of the program, as static arguments that it does not have."""
    if isinstance(error, ValueError) and identity(function) in interpreter.functions:
        signature = interpreter.functions[identity(function)].signature
        told = " ".join(str(error).split()).rstrip(".")
        parameters = ", ".join(signature.parameters)
        interpreter.refuse("tracing", f'{told}; the parameters of "{function.__name__}" are ({parameters})')


def call(interpreter: Interpreter, made: Made, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of what a transformation has made."""
    if made.kind == OVER_DEVICES:
        return _batched(interpreter, made, args, kwargs)
    if not arrays.holds_unknown(args) and not arrays.holds_unknown(kwargs):
        try:
            with interpreter.within(retrying=True):
                result = interpreter.real(made.value, args, kwargs)
            buffers.donate(interpreter, made, args, kwargs, result)
            return result
        except (RaisedException, ConcretizationError):
            interpreter.may_raise_epoch += 1
    numbers_only = _with_arrays([args, kwargs])
    if made.kind != "own" and not arrays.holds_unknown(numbers_only) and _are_arrays(made, args, kwargs):
        new_args, new_kwargs = numbers_only
        # Numbers that stay what they are, and are no arrays to the function, may be refused as such.
        way = interpreter.within(retrying=True, speculative=numbers_stay(made.value))
        with contextlib.suppress(RaisedException, ConcretizationError), way:
            return interpreter.real(made.value, new_args, new_kwargs)
    return _FALLBACKS[made.kind](interpreter, made, args, kwargs)


def _are_arrays(made: Made, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether what is not known of the arguments is arrays to the function, and nothing static."""
    positions, names = constants_of(made, len(args), kwargs)
    static = [args[i] for i in positions if i < len(args)], [kwargs[name] for name in names if name in kwargs]
    return "gradient" in made.kind or not arrays.holds_unknown(static)


def _with_arrays(value: Any) -> Any:
    """`value` with arrays for numbers and NumPy's arrays that are not known."""
    if type(value) in (list, tuple):
        return type(value)(map(_with_arrays, value))
    if type(value) is dict:
        return {key: _with_arrays(item) for key, item in value.items()}
    return as_array(value)


def traced(
    interpreter: Interpreter, made: Made, args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """The arguments as the function within sees them: numbers are arrays there, but for those that are none to JAX."""
    kept, names = constants_of(made, len(args), kwargs)
    stay = numbers_stay(made.value)

    def change(leaf: Any) -> Any:
        if stay and (is_scalar(leaf) or type(leaf) in PYTHON_NUMBERS):
            return leaf
        return jax.numpy.asarray(leaf) if type(leaf) in PYTHON_NUMBERS else as_array(leaf)

    def changed(value: Any) -> Any:
        try:
            if all(change(leaf) is leaf for leaf, _ in leaves(value)):
                return value  # itself, not a copy: the function may change what an object holds
            return map_tree(change, value)
        except Exception:  # code of objects may raise anything: then no more is known
            return value

    return (
        [arg if i in kept else changed(arg) for i, arg in enumerate(args)],
        {name: arg if name in names else changed(arg) for name, arg in kwargs.items()},
    )


def constants_of(made: Made, count: int, kwargs: dict[str, Any]) -> tuple[set[int], Collection[str]]:
    """The positions and names of arguments that the function gets as they are: static ones, and those by which no gradient is taken."""
    if "gradient" in made.kind:
        positions = _listed(made.options.get("argnums", 0))
        if not all(isinstance(i, int) for i in positions):
            return set(), ()
        return {*range(count)} - {i % count if count else i for i in positions}, kwargs
    numbers, names = made.options.get("static_argnums"), made.options.get("static_argnames")
    static = {i for i in ((numbers,) if isinstance(numbers, int) else numbers or ()) if isinstance(i, int)}
    named = {*((names,) if isinstance(names, str) else names or ())}
    try:
        parameters = list(inspect.signature(made.function).parameters)
    except (TypeError, ValueError):
        parameters = []
    # JAX infers either from the other (jax._src.api_util.infer_argnums_and_argnames).
    if names is None:
        named.update(name for i, name in enumerate(parameters) if {i, i - len(parameters)} & static)
    if numbers is None:
        static.update(i for i, name in enumerate(parameters) if name in named)
    return {i % count for i in static if -count <= i < count}, named


def _same(interpreter: Interpreter, made: Made, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The function itself, for arguments as it gets them."""
    if numbers_stay(made.function):
        return interpreter.call(made.function, args, kwargs)
    args, kwargs = traced(interpreter, made, args, kwargs)
    return interpreter.call(made.function, args, kwargs)


def _traced(interpreter: Interpreter, made: Made, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The function under a trace, as JAX calls it: what the arrays in it hold is not known to the program either."""
    if numbers_stay(made.function):
        return interpreter.call(made.function, args, kwargs)
    is_constant = constants_of(made, len(args), kwargs)

    def within() -> Any:
        new_args, new_kwargs = traced(interpreter, made, args, kwargs)
        kept, names = is_constant
        return interpreter.call(
            made.function,
            [arg if i in kept else tracings.renewed(arg) for i, arg in enumerate(new_args)],
            {name: arg if name in names else tracings.renewed(arg) for name, arg in new_kwargs.items()},
        )

    return tracings.under_trace(interpreter, within)


def _gradient(interpreter: Interpreter, made: Made, args: list[Any], kwargs: dict[str, Any]) -> Any:
    _, slope, aux = _differentiated(interpreter, made, args, kwargs)
    return (slope, aux) if made.options.get("has_aux") else slope


def _value_and_gradient(interpreter: Interpreter, made: Made, args: list[Any], kwargs: dict[str, Any]) -> Any:
    value, slope, aux = _differentiated(interpreter, made, args, kwargs)
    return ((value, aux) if made.options.get("has_aux") else value), slope


def _differentiated(
    interpreter: Interpreter, made: Made, args: list[Any], kwargs: dict[str, Any]
) -> tuple[Any, Any, Any]:
    """The value, the gradient, which is like what it is taken by, and what comes beside it."""
    result = interpreter.call(made.function, *traced(interpreter, made, args, kwargs))
    aux: Any = UNKNOWN
    if made.options.get("has_aux"):
        result, aux = result if isinstance(result, tuple) and len(result) == 2 else (UNKNOWN, UNKNOWN)
    positions = made.options.get("argnums", 0)
    if made.kind and "argnums" not in made.options and made.function is None:
        return result, UNKNOWN, aux
    if not isinstance(positions, (int, tuple, list)) or not all(
        isinstance(i, int) for i in _listed(positions)
    ):
        return result, UNKNOWN, aux
    slopes = [
        _slope(_parameters(made, args[i])) if -len(args) <= i < len(args) else UNKNOWN
        for i in _listed(positions)
    ]
    return result, slopes[0] if isinstance(positions, int) else tuple(slopes), aux


def _listed(positions: Any) -> Sequence[Any]:
    return (positions,) if isinstance(positions, int) else positions


def _parameters(made: Made, value: Any) -> Any:
    """What a gradient is like: the argument, or what a library takes of it."""
    if numbers_stay(made.value):
        return map_tree(lambda leaf: leaf if is_unknown(leaf) or _is_inexact(leaf) else None, value)
    for differentiated in registry.parts("differentiated"):
        value = differentiated(made.value, value)
    return value


def numbers_stay(function: Any) -> bool:
    """Whether a function takes the arrays in its arguments alone for arguments, and Python's numbers for constants."""
    overlay = registry.of(function)
    return overlay is not None and overlay.numbers_stay


def _is_inexact(leaf: Any) -> bool:
    return arrays.is_array(leaf) and jnp.issubdtype(leaf.dtype, jnp.inexact)


def _slope(value: Any) -> Any:
    """A gradient by `value`: of its structure; the arrays in it are of its arrays' dtypes, and not weak."""

    def of_leaf(leaf: Any) -> Any:
        known = arrays.known_of(as_array(leaf))
        if known is None or (known.dtype is not None and "float" not in known.dtype):
            return UNKNOWN
        return arrays.of_known(known)

    return mapped(of_leaf, value)


def _batched(interpreter: Interpreter, made: Made, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``vmap``: the function for one row of each argument; the result has one axis more."""
    axes: Any = made.options.get("in_axes", 0)
    axes = [axes] * len(args) if axes is None or isinstance(axes, int) else list(axes)
    if len(axes) != len(args) or made.options.get("out_axes", 0) != 0:
        with interpreter.within(axis=made.options.get("axis_name")):
            interpreter.call(made.function, [UNKNOWN] * len(args), {})
        return UNKNOWN
    sizes: list[Any] = []
    rows = [row(arg, axis, sizes) for arg, axis in zip(args, axes, strict=True)]
    with interpreter.within(axis=made.options.get("axis_name")):
        named = {name: row(arg, 0, sizes) for name, arg in kwargs.items()}
        result = interpreter.call(made.function, rows, named)
    return stacked(result, sizes[0] if sizes else None)


def _mapped(interpreter: Interpreter, made: Made, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``shard_map``: the function for the part of each argument that one device has, of which nothing is known."""
    interpreter.call(made.function, [UNKNOWN] * len(args), {})
    return UNKNOWN


_FALLBACKS = {
    "same": _same,
    "traced": _traced,
    "own": _same,
    "gradient": _gradient,
    "value and gradient": _value_and_gradient,
    "batched": _batched,
    OVER_DEVICES: _batched,
    "mapped": _mapped,
}
