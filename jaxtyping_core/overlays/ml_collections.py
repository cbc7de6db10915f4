"""ml_collections: configurations, and flags that read them from files of the program. Nothing of it is called.

The docstrings of `ConfigDict` say which of its rules are kept. A lock is none of them: what it refuses ends a program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.language.imports import module
from ..engine.libraries.overlay import Overlay, words
from ..engine.libraries.python import records
from ..engine.libraries.python.records import mapping
from ..engine.values import heap
from ..engine.values.callables import Namespace
from ..engine.values.records import Lost, Record, Reference, fields_of, is_small, made, put
from ..engine.values.unknowns import UNKNOWN, AbstractScalar, is_dim, is_many, is_scalar, is_unknown

if TYPE_CHECKING:
    from ..engine.interpreter import Interpreter
    from ..engine.libraries.natives import Natives

NAME = "ml_collections"
#: The flags of a program, which this library adds to.
FLAGS = "absl.flags"
#: What a file gives its configuration by.
GETTER = "get_config"


def cast(value: Any, kind: Any) -> Any:
    """What an entry becomes that is assigned to: an int in the place of a float is one, as a list in the place of a tuple is.

    Args:
        value: what is assigned.
        kind: the type of what was there; unknown where that is not known.
    """
    is_any_int = is_scalar(value, int, bool) or is_dim(value)
    if kind is UNKNOWN:
        may_change = isinstance(value, (int, list, tuple)) or is_any_int or is_many(value)
        return UNKNOWN if may_change else value
    if kind is float and isinstance(value, int):
        return float(value)
    if kind is float and is_any_int:
        return AbstractScalar(float)
    if kind in (list, tuple) and isinstance(value, (list, tuple)):
        return heap.made(kind(value))
    return UNKNOWN if kind in (list, tuple) and is_many(value) else value


def _kind_of(held: Any) -> Any:
    """The type of what an entry holds."""
    if isinstance(held, Reference):
        return held.kind
    if is_scalar(held):
        return held.kind
    return int if is_dim(held) else UNKNOWN if is_unknown(held) else type(held)


class ConfigDict(Record):
    """A configuration: dicts in it are configurations, and its keys are sorted."""

    HAS_PATHS = True

    @classmethod
    def stored(cls, record: Record, key: Any, value: Any) -> Any:
        """An entry keeps its type where the library converts to it, and dicts become configurations."""
        entries = fields_of(record)
        if key in entries and not isinstance(value, Reference):
            value = cast(value, _kind_of(entries[key]))
        if is_many(value) and value.kind is dict:
            return UNKNOWN
        return _config(value) if isinstance(value, dict) else value

    @classmethod
    def ordered(cls, entries: dict[Any, Any]) -> dict[Any, Any]:
        """The entries by their keys."""
        try:
            return dict(sorted(entries.items(), key=lambda entry: entry[0]))
        except TypeError:  # texts and numbers, which the library cannot sort either
            return entries


class FrozenConfigDict(ConfigDict):
    """A configuration that does not change: lists in it are tuples."""

    __slots__ = ("origin",)
    #: The configuration that it was made of.
    origin: Record
    IS_FROZEN = True


for _cls in (ConfigDict, FrozenConfigDict):
    _cls.__module__ = f"{NAME}.config_dict.config_dict"


def _config(value: Any) -> Record:
    """A configuration of a dict.

    Raises:
        Lost: not all of its keys are known.
    """
    if isinstance(value, FrozenConfigDict):
        return _thawed(value)
    if isinstance(value, Record):
        return made(ConfigDict, fields_of(value))
    inner = {key: _config(each) if isinstance(each, dict) else each for key, each in mapping(value).items()}
    return made(ConfigDict, {key: UNKNOWN if _is_open_dict(each) else each for key, each in inner.items()})


def _thawed(frozen: Any) -> Record:
    """The configuration that a frozen one was made of.

    Raises:
        Lost: it was not made of one alone.
    """
    origin = getattr(frozen, "origin", None)
    if not isinstance(origin, Record):
        raise Lost
    return records.copy_of(origin)


def _is_open_dict(value: Any) -> bool:
    return is_many(value) and value.kind is dict


def _frozen(config: Any) -> Any:
    """What a frozen configuration has of what a configuration has."""
    if isinstance(config, Record):
        frozen = made(FrozenConfigDict, {key: _frozen(each) for key, each in _shown(config)})
        assert isinstance(frozen, FrozenConfigDict)
        frozen.origin = config
        return frozen
    if type(config) in (list, tuple):
        return tuple(map(_frozen, config))
    return frozenset(config) if type(config) is set else UNKNOWN if is_many(config) else config


def _shown(config: Record) -> list[tuple[Any, Any]]:
    return [(key, type(config).seen(config, each)) for key, each in fields_of(config).items()]


def _constructor(freezes: bool) -> Callable[..., Any]:
    def construct(initial_dictionary: Any = None, type_safe: Any = True, **options: Any) -> Any:
        if options or is_unknown(initial_dictionary) or not is_small(initial_dictionary):
            return UNKNOWN
        try:
            config = _config({} if initial_dictionary is None else initial_dictionary)
        except Lost:
            return UNKNOWN
        return _frozen(records.copy_of(config)) if freezes else config

    return construct


def _update(interpreter: Interpreter, config: Record, args: list[Any], kwargs: dict[str, Any]) -> None:
    """``config.update(other, **entries)``, which goes on in configurations within."""
    if type(config).IS_FROZEN:
        raise Lost
    for other in (*args, kwargs):
        for key, value in mapping(other).items():
            held = fields_of(config).get(key)
            if isinstance(held, Record):
                _update(interpreter, held, [value], {})
            else:
                put(config, key, value)


def _reference(interpreter: Interpreter, config: Record, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``config.get_ref(key)``: what is assigned to it shares the entry."""
    (key,) = args
    entries = fields_of(config)
    if key not in entries:
        raise Lost
    if not isinstance(entries[key], Reference):
        heap.changing(config)
        entries[key] = Reference(entries[key], _kind_of(entries[key]))
    return entries[key]


def _type_of(interpreter: Interpreter, config: Record, args: list[Any], kwargs: dict[str, Any]) -> Any:
    return _kind_of(fields_of(config).get(args[0], UNKNOWN))


ConfigDict.PROPERTIES = dict.fromkeys(
    ("is_locked", "is_type_safe", "convert_dict", "allow_dotted_keys"), AbstractScalar(bool)
)
ConfigDict.TOLD = {
    **dict.fromkeys(("to_yaml", "to_json", "to_json_best_effort"), AbstractScalar(str)),
    "eq_as_configdict": AbstractScalar(bool),
    "get_oneway_ref": UNKNOWN,
}
ConfigDict.OTHERS = words("update_from_flattened_dict")
ConfigDict.METHODS = {
    **records.READING,
    "iterkeys": records.keys,
    "itervalues": records.values,
    "iteritems": records.items,
    **dict.fromkeys(("lock", "unlock", "unlocked", "ignore_type"), records.itself),
    "update": _update,
    "get_ref": _reference,
    "get_type": _type_of,
    "to_dict": lambda interpreter, config, args, kwargs: records.as_dict(config),
    "copy_and_resolve_references": lambda interpreter, config, args, kwargs: records.copy_of(config),
}
FrozenConfigDict.METHODS = {
    **ConfigDict.METHODS,
    "as_configdict": lambda interpreter, config, args, kwargs: _thawed(config),
}


def _placeholder(kind: Any = UNKNOWN, required: Any = False) -> Reference:
    return Reference(None if required is False else UNKNOWN, kind)


def _field(default: Any = UNKNOWN, field_type: Any = None, **_: Any) -> Any:
    if isinstance(default, (Reference, dict)):
        return UNKNOWN
    return Reference(default, _kind_of(default) if field_type is None else field_type)


def _flag(natives: Natives, name: Any, default: Callable[[], Any], any_value: Any) -> Any:
    """A flag whose value is a configuration, which a command line may change."""
    of_run = natives.interpreter.option_defaults
    return _set(natives, name, of_run.value(default() if of_run.are_assumed else None, any_value))


def _set(natives: Natives, name: Any, value: Any) -> Any:
    """A flag with this value, which the flags of the program have."""
    flags = natives.whole.get(FLAGS)
    if flags is None or type(name) is not str:
        return UNKNOWN
    setattr(flags.names["FLAGS"], name, value)
    return Namespace(name=name, value=value)


def _of_file(natives: Natives, path: str) -> Any:
    """What the function of a file of the program gives: what follows a colon is passed to it."""
    file, colon, argument = path.partition(":")
    name = file.removeprefix("./").removesuffix(".py").replace("/", ".")
    interpreter = natives.interpreter
    if not file.endswith(".py") or name not in interpreter.texts:
        return interpreter.opaque(f"the configuration file {file}")
    getter = interpreter.attribute(module(interpreter, name), GETTER)
    return interpreter.call(getter, [argument] if colon else [], {})


def _flags(natives: Natives) -> Namespace:
    def config_file(name: Any, default: Any = None, *_: Any, **__: Any) -> Any:
        if type(default) is not str:
            return _set(natives, name, UNKNOWN)
        return _flag(natives, name, lambda: _of_file(natives, default), UNKNOWN)

    def config_dict(name: Any, config: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        return _flag(natives, name, lambda: config, records.any_of_its_kind(config, AbstractScalar))

    return Namespace(
        f"{NAME}.config_flags",
        DEFINE_config_file=natives.function(config_file),
        DEFINE_config_dict=natives.function(config_dict),
    )


def _namespaces(natives: Natives) -> dict[str, Any]:
    natives.replace(ConfigDict, _constructor(freezes=False))
    natives.replace(FrozenConfigDict, _constructor(freezes=True))
    classes = {"ConfigDict": ConfigDict, "FrozenConfigDict": FrozenConfigDict}
    field = natives.function(_field)
    of_dict = Namespace(
        f"{NAME}.config_dict",
        **classes,
        FieldReference=field,
        create=natives.function(lambda **entries: _constructor(freezes=False)(entries)),
        placeholder=natives.function(_placeholder),
        required_placeholder=natives.function(lambda kind=UNKNOWN: _placeholder(kind, True)),
    )
    flags = _flags(natives)
    of_dict.names["config_dict"], flags.names["config_flags"] = of_dict, flags
    return {
        NAME: Namespace(NAME, **classes, FieldReference=field, config_dict=of_dict, config_flags=flags),
        **dict.fromkeys((f"{NAME}.config_dict", f"{NAME}.config_dict.config_dict"), of_dict),
        **dict.fromkeys((f"{NAME}.config_flags", f"{NAME}.config_flags.config_flags"), flags),
    }


OVERLAY = Overlay(library=NAME, is_onlooker=True, instead=_namespaces)
