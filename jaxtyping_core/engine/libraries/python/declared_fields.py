"""Classes of the program whose fields a library reads from the class: it makes their ``__init__``, as `dataclasses` does.

An overlay says which fields there are, and what becomes of the values.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ...values import heap
from ...values.callables import Namespace
from ...values.records import RecordList
from ...values.unknowns import UNKNOWN, AbstractScalar, ConcretizationError, is_dim, is_scalar, is_unknown

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: Stands for a default that is not there.
MISSING: Any = object()
#: The name under which a class keeps its fields; a program does not see it.
KEPT = "__declared_fields__"
#: The name under which a class keeps what makes an object of it of any arguments.
OF_ANY = "__of_any_arguments__"
SCALARS = (bool, int, float, str)


class Declared(Namespace):
    """What a function such as ``field()`` gives, which stands for a field in the body of a class.

    Attributes:
        options: what the function was called with.
    """

    def __init__(self, options: dict[str, Any], **names: Any) -> None:
        super().__init__("", **names)
        self.options = options


@dataclass(frozen=True)
class Field:
    """A field of a class.

    Attributes:
        name: its name in objects.
        argument: its name among the arguments; None if it is none of them.
        default: makes its value where it is not passed, of the object; `MISSING` if it must be passed.
        convert: what becomes of a value that is passed; None for that itself.
        of_default: whether that holds for a default as well.
        is_keyword: whether it is passed by its name alone.
        validate: what becomes of a value that is passed to an object, in place of `convert`.
    """

    name: str
    argument: str | None
    default: Callable[[Any], Any] = MISSING
    convert: Callable[[Any], Any] | None = None
    of_default: bool = True
    is_keyword: bool = False
    validate: Callable[[Any, Any], Any] | None = None

    def passed(self, instance: Any, value: Any) -> Any:
        """What a new object has where a value is passed."""
        if self.validate is not None:
            return self.validate(instance, value)
        return value if self.convert is None else self.convert(value)


class After(NamedTuple):
    """A method that the program may have for what follows when the fields are set.

    Attributes:
        name: its name.
        arguments: what it gets beside the object.
    """

    name: str
    arguments: tuple[Any, ...] = ()


def fields_of(cls: Any) -> tuple[Field, ...] | None:
    """The fields that have been declared of a class; None if it is no such class."""
    return next((vars(base)[KEPT] for base in getattr(cls, "__mro__", ()) if KEPT in vars(base)), None)


def of_any_arguments(cls: Any) -> Any:
    """The object that a class makes from unknown arguments; unknown if the class does not describe it."""
    make = next((vars(base)[OF_ANY] for base in getattr(cls, "__mro__", ()) if OF_ANY in vars(base)), None)
    return UNKNOWN if make is None else make(cls)


def declare(cls: type, own: Iterable[Field]) -> tuple[Field, ...]:
    """Keep the fields of a class: those of its bases come first."""
    fields = {field.name: field for field in (*(fields_of(cls) or ()), *own)}
    setattr(cls, KEPT, tuple(fields.values()))
    return tuple(fields.values())


def annotations_of(cls: type) -> dict[str, Any]:
    """The annotations of the body of a class, but for those of variables of the class."""
    declared = vars(cls).get("__annotations__", {})
    if not isinstance(declared, dict):
        return {}
    return {
        name: annotation
        for name, annotation in declared.items()
        if typing.ClassVar not in (annotation, typing.get_origin(annotation))
    }


def filled(
    interpreter: Interpreter,
    instance: Any,
    args: Sequence[Any],
    kwargs: dict[str, Any],
    is_open: bool,
    after: After,
) -> None:
    """Set the fields of a new object.

    Args:
        interpreter: the walk.
        instance: the object, of a class that `declare` has been called for.
        args, kwargs: what its class was called with.
        is_open: whether arguments of other names are left out.
        after: the method of the program that is called in the end, if there is one.

    Raises:
        TypeError: an argument is missing, or there is one too many.
    """
    fields = fields_of(type(instance)) or ()
    by_position = [field.argument for field in fields if field.argument is not None and not field.is_keyword]
    if len(args) > len(by_position):
        raise TypeError(f"{type(instance).__name__}() takes {len(by_position)} arguments, not {len(args)}")
    passed = dict(zip(by_position, args, strict=False)) | kwargs
    known = {field.argument for field in fields}
    if not is_open and not passed.keys() <= known:
        raise TypeError(f"{type(instance).__name__}() got an unexpected keyword argument")
    for field in fields:
        if field.argument in passed:
            value = field.passed(instance, passed[field.argument])
        elif field.default is MISSING and field.argument is None:  # the program sets it
            continue
        elif field.default is MISSING:
            raise TypeError(f"{type(instance).__name__}() misses the argument {field.argument}")
        else:
            value = field.default(instance)
            value = field.convert(value) if field.convert is not None and field.of_default else value
        object.__setattr__(instance, field.name, value)
    method = getattr(type(instance), after.name, None)
    if method is not None:
        interpreter.call(method, [instance, *after.arguments], {})


def initializer(interpreter: Interpreter, is_open: bool, after: After) -> Callable[..., None]:
    """The ``__init__`` of such classes, which is `filled`."""

    def __init__(self: Any, /, *args: Any, **kwargs: Any) -> None:  # noqa: N807  # the name of the method
        filled(interpreter, self, args, kwargs, is_open, after)

    return __init__


def set_converted(self: Any, name: str, value: Any) -> None:
    """The ``__setattr__`` of classes that convert what is assigned."""
    by_name = {field.name: field.convert for field in fields_of(type(self)) or ()}
    convert = by_name.get(name)
    object.__setattr__(self, name, value if convert is None else convert(value))


def as_dict(interpreter: Interpreter, value: Any) -> Any:
    """The fields of an object as a dict, and those of objects within."""
    fields = None if isinstance(value, type) else fields_of(type(value))
    if fields is not None:
        held = {field.name: interpreter.attribute(value, field.name) for field in fields}
        return heap.made({name: as_dict(interpreter, each) for name, each in held.items()})
    if isinstance(value, (list, tuple)):
        items: Any = [as_dict(interpreter, each) for each in value]
        return heap.made(items if isinstance(value, list) else tuple(items))
    if type(value) is dict:
        return heap.made({key: as_dict(interpreter, each) for key, each in value.items()})
    return value


def equal(self: Any, other: Any) -> bool:
    """The ``__eq__`` of classes whose objects are equal if their fields are, which may be unknown."""
    if self is other:
        return True
    raise ConcretizationError("==")


def cast(value: Any, kind: Any) -> Any:
    """A value of a declared type as libraries that convert have it: unknown where it is not clear what they make of it.

    Args:
        value: what is passed.
        kind: a type of scalars, a list with one for lists of such, None for any, or unknown.
    """
    if kind is None or value is None:
        return value
    if type(kind) is list:
        is_list = isinstance(value, (list, tuple)) and not isinstance(value, RecordList)
        return heap.made([cast(each, kind[0]) for each in value]) if is_list else UNKNOWN
    if kind is UNKNOWN:
        return UNKNOWN
    if is_unknown(value):
        is_same = is_scalar(value, kind) or (kind is float and is_scalar(value, int))
        return AbstractScalar(kind) if is_same else UNKNOWN
    if type(value) is kind or (kind is int and is_dim(value)):
        return value
    if kind is float and type(value) is int:
        return float(value)
    if kind in (int, float) and type(value) is str:
        try:
            return kind(value)
        except ValueError:
            return UNKNOWN
    return UNKNOWN


def kind_of(annotation: Any) -> Any:
    """The type that an annotation says, as `cast` takes it."""
    if annotation is Any or typing.get_origin(annotation) is typing.Literal:
        return None
    if annotation in SCALARS:
        return annotation
    arguments = [each for each in typing.get_args(annotation) if each is not type(None)]
    if typing.get_origin(annotation) is list and len(arguments) == 1:
        inner = kind_of(arguments[0])
        return UNKNOWN if inner is UNKNOWN else [inner]
    is_optional = len(arguments) == 1 and len(typing.get_args(annotation)) == 2
    return kind_of(arguments[0]) if is_optional else UNKNOWN
