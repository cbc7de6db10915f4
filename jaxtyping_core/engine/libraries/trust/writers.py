"""Functions of libraries that write into what they are given: they get what is the program's, and nothing else."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....identity import identity
from ...values.unknowns import UNKNOWN, is_unknown
from . import gate

if TYPE_CHECKING:
    from ...interpreter import Interpreter

Native = Callable[..., Any]
#: Those that write into a class, or keep for the rest of the process what they are told of one; overlays name others.
OF_CLASSES = (
    *("dataclasses.dataclass", "functools.total_ordering"),
    *(
        f"jax.tree_util.{name}"
        for name in (
            *("register_pytree_node", "register_pytree_node_class", "register_pytree_with_keys"),
            *("register_pytree_with_keys_class", "register_dataclass", "register_static"),
        )
    ),
)


def of_class(path: str) -> Callable[[Interpreter], Native]:
    def make(interpreter: Interpreter) -> Native:
        module, _, name = path.rpartition(".")
        real = getattr(importlib.import_module(module), name)

        def write(*args: Any, **kwargs: Any) -> Any:
            if not args or args[0] is None:
                if real.__module__ == "dataclasses" or "cls" not in kwargs:
                    return interpreter.natives.function(lambda cls=UNKNOWN: write(cls, **kwargs))
                args = (kwargs.pop("cls"),)
            cls = args[0]
            if not isinstance(cls, type):
                interpreter.havoc([*args, *kwargs.values()])
                return UNKNOWN if is_unknown(cls) else interpreter.opaque(path)
            if not any(base in interpreter.classes for base in cls.__mro__):
                interpreter.diagnostics.note(
                    f"{path} of {cls.__qualname__} is not evaluated: the class does not belong to the program"
                )
                return cls
            return interpreter.of_library(real, list(args), kwargs)

        return write

    return make


def _updated(interpreter: Interpreter, wrapper: Any, wrapped: Any, options: Any) -> Any:
    """``functools.update_wrapper``: names and attributes for a function of the program."""
    if is_unknown(wrapped):
        return wrapper
    if identity(wrapper) not in interpreter.functions or options or not gate.may_have(interpreter, wrapped):
        interpreter.diagnostics.note(
            "functools.update_wrapper is not evaluated: it would change more than a function of the program"
        )
        return wrapper
    return functools.update_wrapper(wrapper, wrapped)


def _update_wrapper(interpreter: Interpreter) -> Native:
    def update_wrapper(wrapper: Any = UNKNOWN, wrapped: Any = UNKNOWN, *assigned: Any, **options: Any) -> Any:
        return _updated(interpreter, wrapper, wrapped, (*assigned, *options))

    return update_wrapper


def _wraps(interpreter: Interpreter) -> Native:
    def wraps(wrapped: Any = UNKNOWN, *assigned: Any, **options: Any) -> Any:
        def wrap(wrapper: Any = UNKNOWN) -> Any:
            return _updated(interpreter, wrapper, wrapped, (*assigned, *options))

        return interpreter.natives.function(wrap)

    return wraps


FUNCTIONS: dict[str, Callable[[Interpreter], Native]] = {
    **{path: of_class(path) for path in OF_CLASSES},
    "functools.update_wrapper": _update_wrapper,
    "functools.wraps": _wraps,
}
