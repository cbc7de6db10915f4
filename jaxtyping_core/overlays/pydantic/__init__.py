"""pydantic: models whose fields are declared, and whose values are converted to the declared types. Nothing of it is called.

The fields of a class are unknown if it has a configuration that changes how it validates, or validators that are neither before nor
after that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...engine.libraries.overlay import Overlay, words
from ...engine.libraries.python import declared_fields, records
from ...engine.libraries.python.declared_fields import (
    MISSING,
    OF_ANY,
    After,
    Declared,
    Field,
    annotations_of,
    cast,
    declare,
    equal,
    fields_of,
    initializer,
    kind_of,
)
from ...engine.values import heap
from ...engine.values.callables import Namespace
from ...engine.values.joins import join
from ...engine.values.unknowns import UNKNOWN, AbstractScalar, is_unknown
from . import validators

if TYPE_CHECKING:
    from ...engine.interpreter import Interpreter
    from ...engine.libraries.natives import Natives

NAME = "pydantic"
AFTER = After("model_post_init", (None,))
#: The names by which a class says how it validates, and what of that changes no value.
CONFIG, OLDER_CONFIG = "model_config", "Config"
HARMLESS = words(
    "arbitrary_types_allowed extra frozen populate_by_name protected_namespaces title use_attribute_docstrings"
)
EXTRA = ("forbid", "ignore")
#: The types that a value has after its conversion, whatever it is: a float may be one of NumPy's, which is a float as well.
CONVERTED = (bool, int, str)


def _has_usual_rules(cls: type) -> bool:
    """Whether nothing in a class says that its values are validated in another way."""
    held = vars(cls)
    config = held.get(CONFIG, {})
    if OLDER_CONFIG in held or not isinstance(config, dict) or not config.keys() <= HARMLESS:
        return False
    annotated = annotations_of(cls)
    of_functions = (value for name, value in held.items() if name not in annotated)
    return config.get("extra", "ignore") in EXTRA and not any(map(is_unknown, of_functions))


def _converter(interpreter: Interpreter, annotation: Any) -> Callable[[Any], Any]:
    """What a field makes of a value that is passed."""
    if isinstance(annotation, type) and fields_of(annotation) is not None:
        return lambda value: _as_model(interpreter, annotation, value)
    kind = kind_of(annotation)
    if annotation in CONVERTED:
        return lambda value: cast(AbstractScalar(annotation) if value is UNKNOWN else value, kind)
    return lambda value: cast(value, kind)


def _as_model(interpreter: Interpreter, cls: type, value: Any) -> Any:
    if type(value) is dict and all(type(key) is str for key in value):
        return interpreter.call(cls, [], value)
    return value if isinstance(value, cls) else UNKNOWN


def _unknown(_: Any) -> Any:
    return UNKNOWN


def _field(interpreter: Interpreter, name: str, annotation: Any, value: Any) -> Field:
    options = value.options if isinstance(value, Declared) else {"default": value}
    default, factory = options.get("default", MISSING), options.get("default_factory")
    make: Any = MISSING
    if factory is not None:
        make = lambda _: interpreter.call(factory, [], {})
    elif default is not MISSING and default is not ...:
        make = lambda _: _copied(default)
    is_plain = not options.keys() & {"alias", "validation_alias", "validate_default", "strict"}
    convert = _converter(interpreter, annotation) if is_plain else _unknown
    return Field(name, name, make, convert, of_default=not is_plain, is_keyword=True)


def _copied(default: Any) -> Any:
    """A default as each object has it: lists and dicts are its own."""
    return records.copied(default) if isinstance(default, (list, dict)) else default


def _model(natives: Natives) -> type:
    """The class that models are derived from."""
    interpreter, function = natives.interpreter, natives.function

    def complete(cls: Any, **_: Any) -> None:
        """Declare the fields of a class that is derived: its names are no attributes of the class."""
        is_usual = _has_usual_rules(cls) and all(map(_is_usual, cls.__mro__[1:]))
        held = dict(vars(cls))
        names = {
            name: each for name, each in annotations_of(cls).items() if name[:1] != "_" and name != CONFIG
        }
        own = [_field(interpreter, name, each, held.get(name, MISSING)) for name, each in names.items()]
        if not is_usual:
            own = [Field(name, name, _unknown, _unknown, is_keyword=True) for name in names]
        declare(cls, own)
        for name in names.keys() & held.keys():
            delattr(cls, name)
        validators.complete(interpreter, cls, lambda field: field.convert is not _unknown)
        if not is_usual:
            cls.__unusual__ = True

    initialize = initializer(interpreter, True, AFTER)

    def made(self: Any, /, **arguments: Any) -> None:
        passed = validators.passed(interpreter, type(self), heap.made(arguments))
        if type(passed) is not dict or not all(type(name) is str for name in passed):
            for field in fields_of(type(self)) or ():
                if field.argument is not None:
                    setattr(self, field.name, UNKNOWN)
            return
        initialize(self, **passed)
        validators.finish(interpreter, self)

    def dumped(self: Any, *args: Any, **options: Any) -> Any:
        if args or options.keys() - {"mode"} or options.get("mode", "python") != "python":
            return UNKNOWN
        return declared_fields.as_dict(interpreter, self)

    def copied(self: Any, *, update: Any = None, **_: Any) -> Any:
        copy = object.__new__(type(self))
        vars(copy).update(vars(self))
        if update is not None:
            if type(update) is not dict:
                return UNKNOWN
            vars(copy).update(update)
        return heap.made(copy)

    def text(self: Any, *_: Any, **__: Any) -> Any:
        return AbstractScalar(str)

    def validated(cls: Any, value: Any, **options: Any) -> Any:
        return UNKNOWN if options else _as_model(interpreter, cls, value)

    def of_any(cls: Any) -> Any:
        """An object whose fields may be anything of their types: whatever is passed is converted to these."""
        if not cls.__mro__[1:] or not _is_usual(cls):
            return UNKNOWN
        validators.passed(interpreter, cls, UNKNOWN)
        instance = heap.made(object.__new__(cls))
        for field in fields_of(cls) or ():
            if field.argument is not None:
                value = field.passed(instance, UNKNOWN)
                default = UNKNOWN if field.default is MISSING else field.default(instance)
                setattr(instance, field.name, value if field.default is MISSING else join(value, default))
        method = getattr(cls, AFTER.name, None)
        if method is not None:
            interpreter.call(method, [instance, *AFTER.arguments], {})
        validators.finish(interpreter, instance)
        return instance

    base = type(
        "BaseModel",
        (),
        {
            "__module__": f"{NAME}.main",
            "__init__": made,
            "__init_subclass__": classmethod(function(complete)),
            OF_ANY: staticmethod(of_any),
            "__eq__": equal,
            "__hash__": object.__hash__,
            **dict.fromkeys(("model_dump", "dict"), function(dumped)),
            **dict.fromkeys(("model_copy", "copy"), function(copied)),
            **dict.fromkeys(("model_dump_json", "json"), function(text)),
            **dict.fromkeys(("model_validate", "parse_obj"), classmethod(function(validated))),
        },
    )
    natives.bases.add(base)
    return base


def _is_usual(base: type) -> bool:
    return "__unusual__" not in vars(base)


def _namespaces(natives: Natives) -> dict[str, Any]:
    def field(default: Any = MISSING, **options: Any) -> Declared:
        return Declared({"default": default, **options})

    return {
        NAME: Namespace(
            NAME,
            BaseModel=_model(natives),
            Field=natives.function(field),
            ConfigDict=natives.function(lambda **options: options),
            **validators.decorators(natives),
            **dict.fromkeys(("PositiveInt", "NonNegativeInt"), int),
            **dict.fromkeys(("PositiveFloat", "NonNegativeFloat"), float),
        )
    }


OVERLAY = Overlay(library=NAME, is_onlooker=True, instead=_namespaces)
