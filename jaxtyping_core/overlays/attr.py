"""attrs: classes with fields, under its older names and under its newer ones (`attrs`). Nothing of it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay, words
from ..engine.libraries.python import declared_fields
from ..engine.libraries.python.declared_fields import (
    MISSING,
    After,
    Declared,
    Field,
    annotations_of,
    declare,
    equal,
    fields_of,
    initializer,
    set_converted,
)
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN, is_unknown

if TYPE_CHECKING:
    from ..engine.interpreter import Interpreter
    from ..engine.libraries.natives import Natives

#: Options of a class that change nothing of what its objects hold.
HARMLESS = words(
    """
    auto_attribs auto_detect auto_exc cache_hash cmp collect_by_mro eq frozen getstate_setstate hash kw_only match_args
    on_setattr order repr slots str unsafe_hash weakref_slot
    """
)
AFTER = After("__attrs_post_init__")
FACTORY = "factory"


class _Factory(Declared):
    """A default that is made for each object."""


def _declared(natives: Natives) -> Callable[..., Any]:
    """``field()``, and ``attr.ib()``."""

    def make(default: Any = MISSING, *_: Any, **options: Any) -> Declared:
        own = {"default": default, **options}

        def by_method(function: Any = UNKNOWN) -> Any:
            own["default"] = _Factory({FACTORY: function, "takes_self": True})
            return function

        same = natives.function(lambda function=UNKNOWN: function)
        return Declared(own, default=natives.function(by_method), validator=same)

    return natives.function(make)


def _default(interpreter: Interpreter, options: dict[str, Any]) -> Any:
    """What makes the default of a field."""
    default, factory = options.get("default", MISSING), options.get(FACTORY)
    if factory is not None:
        return lambda _: interpreter.call(factory, [], {})
    if isinstance(default, _Factory):
        function, takes_self = default.options[FACTORY], default.options["takes_self"]
        return lambda instance: interpreter.call(function, [instance] if takes_self is True else [], {})
    return MISSING if default is MISSING else lambda _: default


def _field(interpreter: Interpreter, name: str, options: dict[str, Any], is_keyword: bool) -> Field:
    converter = options.get("converter", options.get("convert"))
    argument = options.get("alias") or name.lstrip("_")
    return Field(
        name,
        argument if options.get("init", True) is True else None,
        _default(interpreter, options),
        None if converter is None else lambda value: interpreter.call(converter, [value], {}),
        is_keyword=is_keyword or options.get("kw_only", False) is True,
    )


def _class_maker(natives: Natives, auto: bool | None, converts: bool) -> Callable[..., Any]:
    """A decorator of classes.

    Args:
        natives: the functions of the program.
        auto: whether all annotated names are fields; None if that depends on whether all fields are annotated.
        converts: whether a field is converted when it is assigned to.
    """
    interpreter = natives.interpreter

    def decorated(cls: Any, options: dict[str, Any]) -> Any:
        if not isinstance(cls, type) or cls not in interpreter.classes:
            return UNKNOWN
        if not options.keys() <= HARMLESS or any(map(is_unknown, options.values())):
            return UNKNOWN
        held, annotations = dict(vars(cls)), annotations_of(cls)
        explicit = [name for name, value in held.items() if isinstance(value, Declared)]
        chosen = options.get("auto_attribs", auto)
        if chosen is None:
            chosen = set(explicit) <= annotations.keys()
        names = [*annotations] if chosen else explicit
        own = []
        for name in names:
            value = held.get(name, MISSING)
            stated = value.options if isinstance(value, Declared) else {"default": value}
            own.append(_field(interpreter, name, stated, options.get("kw_only") is True))
            if name in held:
                delattr(cls, name)
        fields = {field.name: field for field in declare(cls, own)}
        _complete(interpreter, cls, converts and any(field.convert for field in fields.values()), options)
        return cls

    def decorate(cls: Any = None, **options: Any) -> Any:
        if cls is not None:
            return decorated(cls, options)
        return natives.function(lambda later=UNKNOWN: decorated(later, options))

    return natives.function(decorate)


def _complete(interpreter: Interpreter, cls: Any, converts: bool, options: dict[str, Any]) -> None:
    """Give a class the methods that the library gives it, unless it has its own."""
    methods = {
        "__init__": initializer(interpreter, False, AFTER),
        **({"__setattr__": set_converted} if converts else {}),
        **({} if options.get("eq", True) is False else {"__eq__": equal}),
    }
    for name, method in methods.items():
        if name not in vars(cls):
            setattr(cls, name, method)


def namespaces(natives: Natives) -> dict[str, Any]:
    """The modules of the library, under both of its names."""
    interpreter = natives.interpreter

    def as_dict(value: Any = UNKNOWN, **options: Any) -> Any:
        return (
            UNKNOWN
            if options or fields_of(type(value)) is None
            else declared_fields.as_dict(interpreter, value)
        )

    def evolve(value: Any = UNKNOWN, **changes: Any) -> Any:
        fields = fields_of(type(value))
        if fields is None:
            return UNKNOWN
        held = {each.argument: interpreter.attribute(value, each.name) for each in fields if each.argument}
        return interpreter.call(type(value), [], held | changes)

    def factory(function: Any = UNKNOWN, takes_self: Any = False) -> _Factory:
        return _Factory({FACTORY: function, "takes_self": takes_self})

    field = _declared(natives)
    defined = _class_maker(natives, None, True)
    frozen = _class_maker(natives, None, False)
    older = _class_maker(natives, False, False)
    common = {
        **dict.fromkeys(("define", "mutable"), defined),
        "frozen": frozen,
        "field": field,
        "Factory": natives.function(factory),
        "asdict": natives.function(as_dict),
        "evolve": natives.function(evolve),
        "has": natives.function(lambda cls=UNKNOWN: fields_of(cls) is not None),
        "NOTHING": MISSING,
    }
    return {
        "attr": Namespace(
            "attr",
            **common,
            **dict.fromkeys(("s", "attrs", "attributes"), older),
            **dict.fromkeys(("ib", "attrib"), field),
            dataclass=_class_maker(natives, True, False),
        ),
        "attrs": Namespace("attrs", **common),
    }


OVERLAY = Overlay(library="attr", is_onlooker=True, instead=namespaces)
