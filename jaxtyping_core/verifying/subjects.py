"""The functions of a module that annotations of arrays say something of."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from jaxtyping_core.contracts.classes import read_class
from jaxtyping_core.contracts.forms import Object, Signature
from jaxtyping_core.contracts.reading import NotReadable, Reader, has_arrays, read_signature

from .call_sites import Passed
from .outcomes import CHECKERS
from .packages import is_of

#: Wrappers of JAX that take and give what the function does, by the name of their code.
_KEEPING = frozenset({"fun_remat"})
#: Words in the names of classes whose objects map or differentiate a function.
_CHANGING = ("vmap", "pmap", "grad", "jac", "hess")


class NothingGiven(Exception):
    """A call of a generator gives nothing to look at; the message says why."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A function, or a method, whose first argument is made as `owner` says. With a `problem` it cannot be called."""

    name: str
    file: str
    line: int
    call: Callable[..., Any]
    signature: Signature
    owner: Object | None = None
    problem: str | None = None
    #: The lines that it takes.
    body: range = range(0)
    #: Whether it takes functions, which are those that the module passes.
    is_passed: bool = False
    #: Whether it is a generator, of which `call` gives a list of the first thing that it gives, and `signature` tells that.
    yields: bool = False


def subjects(module: ModuleType, wanted: str | None = None) -> Iterator[Subject]:
    """The functions and methods that a module defines, in their order; those of one name alone where it is given."""
    file = module.__file__ or ""
    seen: set[int] = set()
    passed = Passed(module)
    for name, value in list(vars(module).items()):
        if isinstance(value, type):
            if value.__module__ == module.__name__ and value.__name__ == name:
                yield from _methods(value, file, wanted)
        elif _is_defined_in(value, module) and wanted in (None, name):
            inner = id(inspect.unwrap(value))
            if inner in seen and wanted is None:  # jitted = jax.jit(function)
                continue
            seen.add(inner)
            for subject in _subject(name, file, value, _undecorated(value)):
                filled = passed.filled(name, subject.signature)
                yield subject if filled is None else replace(subject, signature=filled, is_passed=True)


def _is_defined_in(value: Any, module: ModuleType) -> bool:
    if not callable(value) or isinstance(value, type):
        return False
    inner = inspect.unwrap(value)
    return inspect.isfunction(inner) and inner.__module__ == module.__name__ and "<" not in inner.__qualname__


def _methods(cls: type, file: str, wanted: str | None) -> Iterator[Subject]:
    chosen = wanted in (None, cls.__name__)
    held = [name for name in vars(cls) if chosen or wanted == f"{cls.__name__}.{name}"]
    if not held:
        return
    owner = read_class(cls, Reader(open=(cls,)))
    for name in held:
        value = vars(cls)[name]
        qualified = f"{cls.__name__}.{name}"
        if isinstance(value, staticmethod):
            yield from _subject(qualified, file, getattr(cls, name), value.__func__)
        elif isinstance(value, classmethod):
            yield from _subject(qualified, file, getattr(cls, name), value.__func__, bound=1)
        elif isinstance(value, property) and value.fget is not None:
            getter = _attribute(name)
            yield from _subject(qualified, file, getter, value.fget, owner, bound=1)
        elif callable(value) and not isinstance(value, type) and name != "__init__":
            call = _method_of_linen(name) if _is_linen(cls) else _method(name)
            yield from _subject(qualified, file, call, value, owner, bound=1)


def _attribute(name: str) -> Callable[[Any], Any]:
    return lambda holder: getattr(holder, name)


def _method(name: str) -> Callable[..., Any]:
    def call(holder: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(type(holder), name)(holder, *args, **kwargs)

    return call


def _is_linen(cls: type) -> bool:
    return any(base.__module__.startswith("flax.linen") for base in cls.__mro__)


def _method_of_linen(name: str) -> Callable[..., Any]:
    """A method of flax.linen's modules has its parameters from outside; here they are made for it."""

    def call(holder: Any, *args: Any, **kwargs: Any) -> Any:
        import jax

        key = jax.random.key(0)
        return holder.init_with_output({"params": key, "dropout": key}, *args, method=name, **kwargs)[0]

    return call


def _subject(
    name: str,
    file: str,
    call: Callable[..., Any],
    function: Callable[..., Any],
    owner: Object | None = None,
    bound: int = 0,
) -> Iterator[Subject]:
    inner = inspect.unwrap(function)
    if not inspect.isfunction(inner) or inner.__code__.co_filename != file:  # made by a library
        return
    body = _lines(inner)
    line = body.start
    if owner is None and not bound:
        call = _undecorated(call)
    yields = inspect.isgeneratorfunction(inner)
    if yields:
        call = _first_of(call)
    try:
        signature = read_signature(function, owner, bound, yields=yields)
    except NotReadable as error:
        yield Subject(name, file, line, call, Signature((), None), owner, str(error))
        return
    forms = [*(parameter.form for parameter in signature.parameters), signature.returned]
    if not any(map(has_arrays, forms)):
        return
    yield Subject(name, file, line, call, signature, owner, _problem(inner), body, yields=yields)


def _lines(function: Any) -> range:
    """The lines from the ``def`` on, below its decorators."""
    code = function.__code__
    try:
        lines, first = inspect.getsourcelines(code)
    except OSError:
        return range(code.co_firstlineno, code.co_firstlineno + 1)
    above = next((i for i, line in enumerate(lines) if line.lstrip().startswith(("def ", "async "))), 0)
    return range(first + above, first + len(lines))


def _problem(function: Any) -> str | None:
    is_async = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
    return "it is a coroutine" if is_async else None


def _first_of(generator: Callable[..., Any]) -> Callable[..., Any]:
    """What a generator gives first, in a list: it may have no end, and a last part of another size.

    What is returned raises `NothingGiven`.
    """

    def call(*args: Any, **kwargs: Any) -> list[Any]:
        made = generator(*args, **kwargs)
        if not inspect.isgenerator(made):
            raise NothingGiven("it is a generator, and its decorators return something else")
        with contextlib.closing(made):
            for item in made:
                return [item]
        raise NothingGiven("it is a generator that yields nothing")

    return call


def _undecorated(function: Any) -> Any:
    """The function that the annotations are about: callers see them through `jax.jit`, not through `jax.vmap`.

    Checkers at run time are left out, too: what they would say is said here.
    """
    chain = [function]
    while hasattr(chain[-1], "__wrapped__"):
        chain.append(chain[-1].__wrapped__)
    last = max((i + 1 for i, wrapper in enumerate(chain[:-1]) if _changes(wrapper)), default=0)
    while last < len(chain) - 1 and _is_checker(chain[last]):
        last += 1
    return chain[last]


def _changes(wrapper: Any) -> bool:
    """Whether a wrapper takes other shapes, or gives another result, than the function in it."""
    code = getattr(wrapper, "__code__", None)
    if code is None:
        return any(word in type(wrapper).__name__.lower() for word in _CHANGING)
    return is_of(code.co_filename, ("jax",)) and code.co_name not in _KEEPING


def _is_checker(wrapper: Any) -> bool:
    code = getattr(wrapper, "__code__", None)
    if code is None:
        return False
    return code.co_filename.startswith("<@beartype") or is_of(code.co_filename, CHECKERS)
