"""OmegaConf: configurations of dicts, dataclasses, and files of YAML of the project. Nothing of it is called."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...engine.libraries.overlay import Overlay
from ...engine.libraries.python import data_texts
from ...engine.libraries.python.declared_fields import kind_of
from ...engine.values.callables import Namespace
from ...engine.values.records import Lost, fields_of, is_small, put, visible
from ...engine.values.unknowns import UNKNOWN, AbstractScalar, is_unknown
from .. import yaml
from .nodes import (
    MISSING,
    NAME,
    DictConfig,
    Items,
    ListConfig,
    as_plain,
    config_of,
    merge_into,
    node,
    put_at,
    selected,
)

if TYPE_CHECKING:
    from ...engine.interpreter import Interpreter
    from ...engine.libraries.natives import Natives

#: Numbers that the library takes for floats, also where YAML 1.1 does not: `1e-3`.
FLOAT = re.compile(
    r"[-+]?(?:\d[\d_]*\.[\d_]*(?:[eE][-+]?\d+)?|\d[\d_]*[eE][-+]?\d+|\.\d[\d_]*(?:[eE][-+]\d+)?)$"
)
OF_FLOATS, OF_TIMES = "tag:yaml.org,2002:float", "tag:yaml.org,2002:timestamp"
_loaders: list[Any] = []


def parse(text: str) -> Any:
    """The data in a text, as the library reads YAML.

    Raises:
        Exception: there is none, it names classes, or PyYAML is not installed.
    """
    if not _loaders:
        _loaders.append(_loader())
    return yaml.load(text, _loaders[0])


def _loader() -> Any:
    """The safe loader of YAML with these numbers, and without dates."""
    loader: Any = type("Loader", (yaml.LIBRARY.SafeLoader,), {})
    resolvers = yaml.LIBRARY.SafeLoader.yaml_implicit_resolvers
    loader.yaml_implicit_resolvers = {
        first: [pair for pair in pairs if pair[0] != OF_TIMES] for first, pairs in resolvers.items()
    }
    loader.add_implicit_resolver(OF_FLOATS, FLOAT, list("-+0123456789."))
    return loader


def of_text(text: Any) -> Any:
    """The configuration in a text or an open file: an empty one gives one without entries."""
    data = data_texts.parsed(parse, text)
    return config_of({}) if data is None else node(data, None) if isinstance(data, (dict, list)) else UNKNOWN


def create(interpreter: Interpreter, source: Any = None) -> Any:
    """``OmegaConf.create``: a configuration of a dict, a list, a text of YAML, a dataclass, or another configuration."""
    if source is None:
        return config_of({})
    if not is_small(source):
        return interpreter.too_much()
    if type(source) is str:
        return of_text(source)
    if isinstance(source, (dict, list, tuple, DictConfig)):
        return node(source, None)
    return structured(interpreter, source)


def structured(interpreter: Interpreter, source: Any) -> Any:
    """``OmegaConf.structured``: the fields of a dataclass of the program, or of an object of one."""
    cls = source if isinstance(source, type) else type(source)
    if cls not in interpreter.classes or not dataclasses.is_dataclass(cls):
        return UNKNOWN
    fields = {field.name: field for field in dataclasses.fields(cls)}
    if isinstance(source, type):
        values = {name: _default(interpreter, field) for name, field in fields.items()}
    else:
        values = {name: interpreter.attribute(source, name) for name in fields}
    inner = {
        name: structured(interpreter, value) if dataclasses.is_dataclass(value) else value
        for name, value in values.items()
    }
    return config_of(inner, kinds={name: kind_of(field.type) for name, field in fields.items()})


def _default(interpreter: Interpreter, field: dataclasses.Field[Any]) -> Any:
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return interpreter.call(field.default_factory, [], {})
    return MISSING


def merged(interpreter: Interpreter, *sources: Any) -> Any:
    """``OmegaConf.merge``: copies of the entries, of which the last ones count."""
    configs = [create(interpreter, source) for source in sources]
    if not configs or is_unknown(configs[0]):
        return UNKNOWN
    first, *others = configs
    if isinstance(first, Items):
        return others[-1] if others else first
    try:
        for other in others:
            merge_into(first, other)
    except Lost:
        return UNKNOWN
    return first


def of_dotlist(items: Any = UNKNOWN) -> Any:
    """``OmegaConf.from_dotlist``: entries by their paths, as ``["model.dim=3"]``."""
    config = config_of({})
    try:
        for item in items if isinstance(items, list) else [UNKNOWN]:
            path, is_set, text = item.partition("=") if type(item) is str else ("[", "", "")
            put_at(config, path, data_texts.parsed(parse, text) if is_set else None)
    except Lost:
        return UNKNOWN
    return config


def _select(config: Any = UNKNOWN, key: Any = UNKNOWN, *, default: Any = None, **_: Any) -> Any:
    return selected(config, key, default) if type(key) is str and "[" not in key else UNKNOWN


def _container(config: Any = UNKNOWN, *, resolve: Any = False, **options: Any) -> Any:
    is_known = isinstance(config, (DictConfig, Items)) and type(resolve) is bool and is_small(config)
    return as_plain(config, resolve) if is_known and "structured_config_mode" not in options else UNKNOWN


def _resolve(config: Any = UNKNOWN) -> None:
    """``OmegaConf.resolve``: values that name others become what these are."""
    if isinstance(config, DictConfig):
        for key, value in visible(config).items():
            if isinstance(value, DictConfig):
                _resolve(value)
            else:
                put(config, key, value)


def _is_missing(config: Any = UNKNOWN, key: Any = UNKNOWN) -> Any:
    if not isinstance(config, DictConfig) or type(key) is not str:
        return AbstractScalar(bool)
    value = fields_of(config).get(key)
    return AbstractScalar(bool) if is_unknown(value) else type(value) is str and value == MISSING


def _functions(natives: Natives) -> dict[str, Callable[..., Any]]:
    """The functions of the class `OmegaConf`, which says what to do with configurations."""
    interpreter = natives.interpreter

    def update(config: Any = UNKNOWN, key: Any = UNKNOWN, value: Any = None, **options: Any) -> Any:
        try:
            if type(key) is not str or options or not is_small(value):
                raise Lost
            put_at(config, key, value)
        except Lost:
            interpreter.havoc([config])

    def from_cli(args: Any = None) -> Any:
        of_run = interpreter.option_defaults
        return of_run.value(config_of({}), UNKNOWN) if args is None else of_dotlist(args)

    return {
        "create": lambda source=None, *_, **__: create(interpreter, source),
        "load": lambda source=UNKNOWN: of_text(data_texts.of_path(interpreter, source)),
        "merge": lambda *sources: merged(interpreter, *sources),
        "unsafe_merge": lambda *sources: merged(interpreter, *sources),
        "structured": lambda source=UNKNOWN, *_, **__: structured(interpreter, source),
        "from_cli": from_cli,
        "from_dotlist": of_dotlist,
        "to_container": _container,
        "select": _select,
        "update": update,
        "resolve": _resolve,
        "is_missing": _is_missing,
        "is_config": lambda value=UNKNOWN: _is_a((DictConfig, Items), value),
        "is_dict": lambda value=UNKNOWN: _is_a(DictConfig, value),
        "is_list": lambda value=UNKNOWN: _is_a(Items, value),
        "to_yaml": lambda *_, **__: AbstractScalar(str),
        **dict.fromkeys(("save", "set_struct", "set_readonly"), lambda *_, **__: None),
        **dict.fromkeys(("register_new_resolver", "register_resolver"), lambda *_, **__: None),
    }


def _is_a(kinds: Any, value: Any) -> Any:
    return AbstractScalar(bool) if is_unknown(value) else isinstance(value, kinds)


def _namespaces(natives: Natives) -> dict[str, Any]:
    def make(source: Any = None, *_: Any, **__: Any) -> Any:
        return create(natives.interpreter, source)

    natives.replace(DictConfig, make)
    natives.replace(ListConfig, make)
    functions = {name: natives.function(function) for name, function in _functions(natives).items()}
    within = natives.function(lambda config=UNKNOWN, *_, **__: config)
    return {
        NAME: Namespace(
            NAME,
            OmegaConf=Namespace(f"{NAME}.OmegaConf", **functions),
            DictConfig=DictConfig,
            ListConfig=ListConfig,
            MISSING=MISSING,
            open_dict=within,
            read_write=within,
            II=natives.function(lambda path=UNKNOWN: f"${{{path}}}" if type(path) is str else UNKNOWN),
            SI=natives.function(lambda text=UNKNOWN: text),
        )
    }


OVERLAY = Overlay(library=NAME, is_onlooker=True, instead=_namespaces)
