"""Classes as annotations: what their objects hold, and how they are made."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import typing_extensions

from .forms import Form, Object, Parameter, Unknown

if TYPE_CHECKING:
    from .reading import Reader


def _concrete(cls: Any) -> Any:
    """A class, or the first one below it that is not abstract."""
    below = [cls]
    for candidate in below:
        if not inspect.isabstract(candidate):
            return candidate
        below.extend(candidate.__subclasses__())
    return cls


def read_class(cls: Any, reader: Reader) -> Object:
    """A class: its fields where it declares them, and what it is called with."""
    cls = _concrete(cls)
    library = cls.__module__.partition(".")[0]
    if library == "flax" and cls.__name__ == "Rngs":
        return Object(cls, fields=(), make=lambda: cls(0))
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except Exception:  # whatever names are missing: nothing is known of its fields
        hints = {}
    if typing_extensions.is_typeddict(cls):
        return Object(cls, _fields(hints, hints, reader), make=dict)
    names = getattr(cls, "_fields", None)
    if issubclass(cls, tuple) and names is not None:
        wanted = [name for name in names if name not in getattr(cls, "_field_defaults", {})]
        return Object(cls, _fields(wanted, hints, reader), make=cls)
    constructor = None if cls.__init__ is object.__init__ else _constructor(cls, reader)
    declared = getattr(cls, "__dataclass_params__", None)
    if declared is None:
        return Object(cls, constructor=constructor or ())
    generated = bool(declared.init)
    held: Any = cls
    wanted = [field.name for field in dataclasses.fields(held) if _is_needed(field, generated)]
    make = cls if generated else _without_init(cls)
    return Object(cls, _fields(wanted, hints, reader), make, None if generated else constructor)


def _is_needed(field: dataclasses.Field[Any], generated: bool) -> bool:
    missing = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    return missing and (field.init or not generated)


def _fields(names: Iterable[str], hints: Mapping[str, Any], reader: Reader) -> tuple[Parameter, ...]:
    def form(name: str) -> Form:
        return reader.read(hints[name]) if name in hints else Unknown("it has no annotation")

    return tuple(Parameter(name, form(name), keyword=True) for name in names)


def _constructor(cls: Any, reader: Reader) -> tuple[Parameter, ...] | None:
    """What a class is called with; None where that cannot be read."""
    init: Any = cls.__init__
    try:
        parameters = list(inspect.signature(init).parameters.values())[1:]
        hints = typing.get_type_hints(init, include_extras=True)
        return tuple(reader.parameter(parameter, hints) for parameter in parameters)
    except Exception:  # as with the fields
        return None


def _without_init(cls: type) -> Callable[..., Any]:
    """What makes an object of its fields, where the class makes them itself."""

    def make(**fields: Any) -> Any:
        made: Any = object.__new__(cls)
        for name, value in fields.items():
            object.__setattr__(made, name, value)
        return made

    return make
