"""Methods of a model that check or change what is passed, and properties that are among its fields."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...engine.libraries.python.declared_fields import Declared, Field, declare, fields_of
from ...engine.values import heap
from ...engine.values.callables import Namespace
from ...engine.values.unknowns import UNKNOWN
from ...identity import identity

if TYPE_CHECKING:
    from ...engine.interpreter import Interpreter
    from ...engine.libraries.natives import Natives

BEFORE, AFTER = "before", "after"
#: The name under which a class keeps its validators and those of its bases, by their names.
VALIDATORS = "__validators__"
#: Stands for all fields of a model.
ALL = "*"


class Validator(Declared):
    """A method of a class: `fields` are those that it is for, or None for the whole model."""

    def __init__(self, fields: tuple[str, ...] | None, mode: str, method: Any, takes_info: bool) -> None:
        super().__init__({"method": method})
        self.fields, self.mode, self.method, self.takes_info = fields, mode, method, takes_info

    def is_of(self, field: Field) -> bool:
        return self.fields is not None and (ALL in self.fields or field.name in self.fields)


class Computed(Declared):
    """A property that is among the fields of an object."""


def decorators(natives: Natives) -> dict[str, Any]:
    """The decorators of methods."""
    interpreter = natives.interpreter

    def for_fields(*names: Any, mode: Any = AFTER, check_fields: Any = None) -> Any:
        if not all(type(name) is str for name in names) or mode not in (BEFORE, AFTER):
            return UNKNOWN
        return natives.function(lambda method: _of_class(interpreter, names, mode, method))

    def for_model(*, mode: Any) -> Any:
        if mode == AFTER:
            return natives.function(lambda method: _of_object(interpreter, method))
        if mode == BEFORE:
            return natives.function(lambda method: _of_class(interpreter, None, mode, method))
        return UNKNOWN

    def computed(member: Any = None, **_: Any) -> Any:
        if member is None:
            return natives.function(computed)
        is_property = isinstance(member, property)
        if not is_property and _parameters(interpreter, member) != 1:
            return UNKNOWN
        return Computed({"member": member if is_property else property(member)})

    return {
        "field_validator": natives.function(for_fields),
        "model_validator": natives.function(for_model),
        "computed_field": natives.function(computed),
    }


def _parameters(interpreter: Interpreter, method: Any) -> int | None:
    """How many arguments a function of the program takes, all of which it needs; None if that is not so."""
    function = interpreter.functions.get(identity(method))
    if function is None or not isinstance(function.node, ast.FunctionDef):
        return None
    taken = function.node.args
    others = (taken.vararg, taken.kwarg, *taken.kwonlyargs, *taken.defaults)
    return None if any(others) else len(taken.posonlyargs) + len(taken.args)


def _of_class(interpreter: Interpreter, fields: tuple[str, ...] | None, mode: str, method: Any) -> Any:
    """A validator that gets the class, a value, and what is known of the validation if it takes that."""
    own = method if isinstance(method, classmethod) else classmethod(method)
    number = _parameters(interpreter, own.__func__)
    if isinstance(method, staticmethod) or number not in (2, 3):
        return UNKNOWN
    return Validator(fields, mode, own, number == 3)


def _of_object(interpreter: Interpreter, method: Any) -> Any:
    """A validator of an object whose fields are set."""
    is_known = _parameters(interpreter, method) == 1
    return Validator(None, AFTER, method, takes_info=False) if is_known else UNKNOWN


def complete(interpreter: Interpreter, cls: type, is_converted: Callable[[Field], bool]) -> None:
    """Make the methods of a class that is derived what they are, and have its fields validated.

    Args:
        interpreter: the walk.
        cls: the class, of which the fields are declared.
        is_converted: whether it is known what becomes of a value of a field.
    """
    inherited = {name: each for base in reversed(cls.__mro__[1:]) for name, each in of_class(base).items()}
    held = dict(vars(cls))
    own = {name: each for name, each in held.items() if isinstance(each, Validator)}
    for name, each in own.items():
        setattr(cls, name, each.method)
    for name, each in held.items():
        if isinstance(each, Computed):
            setattr(cls, name, each.options["member"])
            declare(cls, [Field(name, None)])
    validators = {name: each for name, each in inherited.items() if name not in held} | own
    setattr(cls, VALIDATORS, validators)
    fields = fields_of(cls) or ()
    changed = [
        _validated(interpreter, field, of_field)
        for field in fields
        if (of_field := [each for each in validators.items() if each[1].is_of(field)]) and is_converted(field)
    ]
    if changed:
        declare(cls, changed)


def of_class(cls: type) -> Mapping[str, Validator]:
    """The validators of a class and of its bases, by their names."""
    validators: Mapping[str, Validator] = vars(cls).get(VALIDATORS, {})
    return validators


def _validated(interpreter: Interpreter, field: Field, of_field: Sequence[tuple[str, Validator]]) -> Field:
    """A field with what becomes of a value that is passed for it."""
    before = [each for each in reversed(of_field) if each[1].mode == BEFORE]
    after = [each for each in of_field if each[1].mode == AFTER]

    def validated(instance: Any, value: Any) -> Any:
        for name, validator in before:
            value = called(name, validator, instance, value)
        value = value if field.convert is None else field.convert(value)
        for name, validator in after:
            value = called(name, validator, instance, value)
        return value

    def called(name: str, validator: Validator, instance: Any, value: Any) -> Any:
        info = [_info(field.name, heap.made(dict(vars(instance))))] if validator.takes_info else []
        return interpreter.call(interpreter.attribute(type(instance), name), [value, *info], {})

    return replace(field, validate=validated)


def _info(name: str | None, data: Any) -> Namespace:
    """What a validator gets to know: the fields that have been validated before."""
    return Namespace("", field_name=name, data=data, context=None, mode="python")


def passed(interpreter: Interpreter, cls: type, arguments: Any) -> Any:
    """What the validators of a model make of the arguments of a new object."""
    before = [each for each in of_class(cls).items() if each[1].fields is None and each[1].mode == BEFORE]
    for name, validator in reversed(before):
        info = [_info(None, UNKNOWN)] if validator.takes_info else []
        arguments = interpreter.call(interpreter.attribute(cls, name), [arguments, *info], {})
    return arguments


def finish(interpreter: Interpreter, instance: Any) -> None:
    """Call the validators of an object whose fields are set."""
    for name, validator in of_class(type(instance)).items():
        if validator.fields is None and validator.mode == AFTER:
            interpreter.call(interpreter.attribute(instance, name), [], {})
