"""`checked`: the annotations of a function verified while it is called or traced."""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

from jaxtyping_core._annotations.array import Array, ArrayMeta
from jaxtyping_core._annotations.elements import dtype_name
from jaxtyping_core._annotations.source import is_union, is_unpacked, source, unpacked
from jaxtyping_core.errors import AnnotationError

P = ParamSpec("P")
R = TypeVar("R")

#: What the type variables of a call stand for so far: sizes, tuples of sizes, names of dtypes.
Bindings = dict[Any, Any]
#: Why a value does not fit; None where it does.
Reason = str | None


class _Argument(NamedTuple):
    """One value of a call, with the annotation that it must fit."""

    name: str
    annotation: Any
    value: Any


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """`function`, with the annotations of its arrays verified at every call: dtypes, shapes, named dims.

    A type variable has one meaning in all arguments and the result: a dim, any number of dims (`*Bs`) or a dtype.
    Arrays are looked for in unions, tuples, lists and dicts too; annotations without arrays are not checked. Inside
    ``jax.jit`` the check is done while tracing, so that it costs nothing in compiled code.

    What a coroutine returns is verified when it does; what a generator yields is not.

    Raises:
        TypeError: `function` is no function: a class, a partial, a class method.
        AnnotationError: when called, an argument or the result does not fit. The message shows every argument with
            its annotation and what came, and the dims so far.
        NameError: when called, an annotation names something that does not exist.

    Example:
        >>> from typing import TypeVar
        >>> from jaxtyping_core.typing import Float32
        >>> B, D = TypeVar("B"), TypeVar("D")
        >>> @checked
        ... def project(x: Float32[B, D], w: Float32[D, B]) -> Float32[B, B]:
        ...     return x @ w
    """
    if not _is_function(function):
        raise TypeError(_no_function(function))
    signature = inspect.signature(function)
    returns_later = any(kind(function) for kind in _LATER)

    @functools.cache
    def hints() -> dict[str, Any]:
        annotations = typing.get_type_hints(function, include_extras=True)
        return {name: hint for name, hint in annotations.items() if _mentions_arrays(hint)}

    def verify(args: Any, kwargs: Any) -> tuple[list[_Argument], Bindings]:
        bindings: Bindings = {}
        arguments = list(_arguments(signature, hints(), args, kwargs))
        for place in range(len(arguments)):
            _verify(function, arguments, place, bindings)
        return arguments, bindings

    def verified(result: Any, arguments: list[_Argument], bindings: Bindings) -> Any:
        if "return" in hints():
            arguments.append(_Argument("return", hints()["return"], result))
            _verify(function, arguments, len(arguments) - 1, bindings)
        return result

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def later(*args: P.args, **kwargs: P.kwargs) -> Any:
            found = verify(args, kwargs)
            return verified(await cast(Any, function)(*args, **kwargs), *found)

        return cast(Callable[P, R], later)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        found = verify(args, kwargs)
        result: Any = function(*args, **kwargs)
        return cast(R, result if returns_later else verified(result, *found))

    return call


#: Functions whose call gives an iterator: what it yields is not checked.
_LATER = (inspect.isgeneratorfunction, inspect.isasyncgenfunction)


def _is_function(value: Any) -> bool:
    return inspect.isfunction(value) or inspect.ismethod(value) or hasattr(value, "lower")  # of ``jax.jit``


def _no_function(value: Any) -> str:
    kind = type(value).__name__
    remedy = {
        "classmethod": "Write @checked below @classmethod, next to the function.",
        "staticmethod": "Write @checked below @staticmethod, next to the function.",
        "property": "Write @checked below @property, next to the function.",
        "partial": "Decorate the function inside of it.",
    }.get(
        kind,
        "Decorate its methods one by one." if isinstance(value, type) else "Decorate its __call__ method.",
    )
    return f"@checked is for functions, got {'the class ' + value.__name__ if isinstance(value, type) else f'a {kind}'}. {remedy}"


def _arguments(
    signature: inspect.Signature, hints: Mapping[str, Any], args: Any, kwargs: Any
) -> Iterator[_Argument]:
    """The arguments that have annotations with arrays, in the order of the parameters."""
    for name, value in signature.bind(*args, **kwargs).arguments.items():
        if name not in hints:
            continue
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            yield from (_Argument(f"{name}[{i}]", hints[name], item) for i, item in enumerate(value))
        elif kind is inspect.Parameter.VAR_KEYWORD:
            yield from (_Argument(key, hints[name], item) for key, item in value.items())
        else:
            yield _Argument(name, hints[name], value)


def _mentions_arrays(hint: Any) -> bool:
    return isinstance(hint, ArrayMeta) or any(map(_mentions_arrays, typing.get_args(hint)))


def _verify(function: Any, arguments: Sequence[_Argument], place: int, bindings: Bindings) -> None:
    argument = arguments[place]
    before = dict(bindings)
    reason = _misfit(argument.annotation, argument.value, bindings)
    if reason is None:
        return
    what = "the result" if argument.name == "return" else f"argument {argument.name!r}"
    lines = [f"{function.__name__}(): {what} does not fit its annotation: {reason}"]
    for other in arguments:
        mark = "  <-" if other is argument else ""
        lines.append(f"  {other.name}: {source(other.annotation)}, got {describe(other.value)}{mark}")
    known = ", ".join(f"{source(name)} = {_shown(value)}" for name, value in before.items())
    lines.append(f"  so far: {known or 'nothing'}")
    raise AnnotationError("\n".join(lines))


def _misfit(hint: Any, value: Any, bindings: Bindings) -> Reason:
    """Why `value` does not fit `hint`; what its type variables stand for goes into `bindings`."""
    if isinstance(hint, ArrayMeta):
        return _array_misfit(hint, value, bindings)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _misfit(args[0], value, bindings)
    if is_union(hint):
        return _union_misfit(args, value, bindings)
    if not args or not _mentions_arrays(hint):
        return (
            None if _is_instance(value, origin or hint) else f"expected {source(hint)}, got {describe(value)}"
        )
    if not _is_instance(value, origin):
        return f"expected {source(origin)}, got {describe(value)}"
    if origin is tuple:
        args = tuple(_spread(args, len(value)))
        if len(args) != len(value):
            return f"expected a tuple of {len(args)}, got one of {len(value)}"
    for place, item_hint, item in _items(origin, args, value):
        reason = _misfit(item_hint, item, bindings)
        if reason:
            return f"at [{place!r}]{'' if reason.startswith('at [') else ': '}{reason.removeprefix('at ')}"
    return None


def _spread(args: Sequence[Any], count: int) -> Sequence[Any]:
    """The annotation of each item of a tuple of `count` items; as many as there must be if there are fewer items."""
    if len(args) == 2 and args[1] is ...:
        return [args[0]] * count
    place = next((place for place, arg in enumerate(args) if is_unpacked(arg)), None)
    if place is None:
        return () if args == ((),) else args
    inner = typing.get_args(unpacked(args[place]))
    rest = max(count - len(args) + 1, 0)
    middle = _spread(inner, rest) if inner else [Any] * rest  # a type variable for several types
    return [*args[:place], *middle, *args[place + 1 :]]


def _items(origin: Any, args: Sequence[Any], value: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The items of a container: where each is, the annotation that it must fit, and the item."""
    if isinstance(value, Mapping):
        yield from ((key, args[-1], item) for key, item in value.items())
    elif origin is tuple:
        yield from zip(range(len(args)), args, value, strict=True)
    elif isinstance(value, Sequence):
        yield from ((place, args[0], item) for place, item in enumerate(value))


def _union_misfit(alternatives: Sequence[Any], value: Any, bindings: Bindings) -> Reason:
    reasons = []
    for alternative in alternatives:
        attempt = dict(bindings)
        reason = _misfit(alternative, value, attempt)
        if reason is None:
            bindings.update(attempt)
            return None
        reasons.append(reason)
    return "; ".join(dict.fromkeys(reasons))


def _is_instance(value: Any, kind: Any) -> bool:
    if kind is None or kind is types.NoneType:
        return value is None
    return not isinstance(kind, type) or isinstance(value, kind)


def _array_misfit(hint: ArrayMeta, value: Any, bindings: Bindings) -> Reason:
    if isinstance(value, Array):
        array: Any = value
        return _dtype_misfit(hint, array, bindings) or _shape_misfit(hint, array.shape, bindings)
    what = "a NumPy array, " if isinstance(value, np.ndarray | np.generic) else ""
    return (
        f"expected an array of JAX, got {what}{describe(value)}"
        if what
        else f"expected an array, got {describe(value)}"
    )


def _dtype_misfit(hint: ArrayMeta, value: Any, bindings: Bindings) -> Reason:
    if not any(test.accepts(value) for test in hint._elements):
        return f"the dtype is {_dtype(value)}"
    wanted = hint.__args__[0] if hint.__args__ else None
    if isinstance(wanted, typing.TypeVar):
        return _bind(wanted, dtype_name(value.dtype), bindings, "dtype")
    return None


def _shape_misfit(hint: ArrayMeta, shape: Sequence[Any], bindings: Bindings) -> Reason:
    pattern = hint._shape
    dims = pattern._dims(len(shape))
    if dims is None:
        least = len(pattern.before) + len(pattern.after)
        return f"it has {len(shape)} dims, not {least}{'' if pattern.middle is None else ' or more'}"
    for axis, (dim, size) in enumerate(zip(dims, shape, strict=True)):
        if not dim.accepts(size):
            allowed = " or ".join(map(str, sorted(dim.sizes or ())))
            return f"the size of axis {axis} is {size}, not {allowed}"
        reason = None if dim.name is None else _bind(dim.name, size, bindings, "dim")
        if reason:
            return reason
    several = _variadic(hint)
    if several is None:
        return None
    middle = tuple(shape[len(pattern.before) : len(shape) - len(pattern.after)])
    return _bind(several, middle, bindings, "dims")


def _variadic(hint: ArrayMeta) -> Any:
    """The type variable of an unknown number of dims in the shape, if there is one."""
    items = typing.get_args(hint.__args__[1]) if hint.__args__ else ()
    stars = (unpacked(item) for item in items if is_unpacked(item))
    return next((item for item in stars if isinstance(item, typing.TypeVarTuple)), None)


def _bind(name: Any, value: Any, bindings: Bindings, what: str) -> Reason:
    known = bindings.setdefault(name, value)
    if known == value:
        return None
    return f"the {what} {source(name).partition(':')[0]} is {_shown(known)}, here it is {_shown(value)}"


def _shown(value: Any) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)


def _dtype(value: Any) -> str:
    return f"{dtype_name(value.dtype)}{' (weak)' if getattr(value, 'weak_type', False) else ''}"


def describe(value: Any) -> str:
    """A value in an error message: arrays by dtype and shape, others by their type."""
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"{_dtype(value)}[{', '.join(map(str, value.shape))}]"
    if isinstance(value, tuple | list) and len(value) < 9:
        return f"{type(value).__name__}({', '.join(map(describe, value))})"
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
