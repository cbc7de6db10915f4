"""`checked`: the annotations of a function verified while it is called or traced."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from jaxtyping_core._annotations.source import source
from jaxtyping_core.errors import AnnotationError
from jaxtyping_core.numpy._checks import Bindings, Check, compiled, describe, mentions_arrays, shown

P = ParamSpec("P")
R = TypeVar("R")


class _Hint(NamedTuple):
    """The annotation of a parameter."""

    annotation: Any
    check: Check


class _Argument(NamedTuple):
    """One value of a call, with the annotation that it must fit."""

    name: str
    hint: _Hint
    value: Any


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Check the array annotations of `function` at every call: dtypes, shapes and named dims.

    A type variable has one value in all arguments and the result. It is a dim, any number of dims (`*Bs`) or a dtype.
    Arrays in unions, tuples, lists and dicts are checked too. Annotations without arrays are not checked. Inside
    ``jax.jit`` the check happens during tracing, so it costs nothing in compiled code.

    The result of a coroutine is checked when it returns. What a generator yields is not checked.

    Raises:
        TypeError: `function` is not a function, but a class, a partial or a class method, for example.
        AnnotationError: in a call, an argument or the result does not fit. The message shows each argument with
            its annotation, and the values of the dims.
        NameError: in a call, an annotation uses a name that does not exist.

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
    def hints() -> dict[str, _Hint]:
        annotations = typing.get_type_hints(function, include_extras=True)
        return {
            name: _Hint(hint, compiled(hint)) for name, hint in annotations.items() if mentions_arrays(hint)
        }

    arguments_of = _arguments(signature, hints)

    def verify(args: Any, kwargs: Any) -> tuple[list[_Argument], Bindings]:
        bindings: Bindings = {}
        arguments = arguments_of(args, kwargs)
        for place, (_, hint, value) in enumerate(arguments):
            if hint.check(value, bindings) is not None:
                raise _error(function, arguments, place)
        return arguments, bindings

    def verified(result: Any, arguments: list[_Argument], bindings: Bindings) -> Any:
        hint = hints().get("return")
        if hint is not None and hint.check(result, bindings) is not None:
            raise _error(function, [*arguments, _Argument("return", hint, result)], len(arguments))
        return result

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def later(*args: P.args, **kwargs: P.kwargs) -> Any:
            bound = verify(args, kwargs)
            return verified(await cast(Any, function)(*args, **kwargs), *bound)

        return cast(Callable[P, R], later)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        bound = verify(args, kwargs)
        result: Any = function(*args, **kwargs)
        return cast(R, result if returns_later else verified(result, *bound))

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
    signature: inspect.Signature, hints: Callable[[], Mapping[str, _Hint]]
) -> Callable[[Any, Any], list[_Argument]]:
    """What finds the arguments of a call that have annotations with arrays, in the order of the parameters."""
    parameters = signature.parameters
    kinds = {parameter.kind for parameter in parameters.values()}
    starred = kinds & {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    places = [name for name, p in parameters.items() if p.kind is not inspect.Parameter.KEYWORD_ONLY]

    def arguments(args: Any, kwargs: Any) -> list[_Argument]:
        known = hints()
        if starred or kwargs or len(args) > len(places):
            return list(_bound(signature, known, args, kwargs))
        # All by position: to bind them takes longer than to check them. What is missing, the function says itself.
        return [
            _Argument(name, known[name], value)
            for name, value in zip(places, args, strict=False)
            if name in known
        ]

    return arguments


def _bound(
    signature: inspect.Signature, hints: Mapping[str, _Hint], args: Any, kwargs: Any
) -> Iterator[_Argument]:
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


def _error(function: Any, arguments: Sequence[_Argument], place: int) -> AnnotationError:
    """The error for the argument at `place`, which is the first that does not fit."""
    bindings: Bindings = {}
    for argument in arguments[:place]:
        argument.hint.check(argument.value, bindings)
    known = ", ".join(f"{source(name)} = {shown(value)}" for name, value in bindings.items())
    wrong = arguments[place]
    reason = wrong.hint.check(wrong.value, bindings)
    what = "the result" if wrong.name == "return" else f"argument {wrong.name!r}"
    lines = [f"{function.__name__}(): {what} does not fit its annotation: {reason}"]
    for other in arguments:
        mark = "  <-" if other is wrong else ""
        lines.append(f"  {other.name}: {source(other.hint.annotation)}, got {describe(other.value)}{mark}")
    lines.append(f"  so far: {known or 'nothing'}")
    return AnnotationError("\n".join(lines))
