"""Options of a command line: any value of their types, whatever they are set to when the program is run.

Nothing of `argparse` is called. Overlays describe other libraries that read command lines.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ....identity import identity
from ...control import RaisedException, Unreachable
from ...values import heap, states
from ...values.callables import Namespace
from ...values.joins import join
from ...values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence, is_scalar, is_unknown

if TYPE_CHECKING:
    from ...interpreter import Interpreter
    from ..natives import Natives

#: The types of options whose values are Python's scalars.
SCALARS = (bool, int, float, str)
#: What `argparse` gives for an option by its action, where that says it.
ACTIONS: dict[str, type] = {"store_true": bool, "store_false": bool, "count": int}


def namespaces(natives: Natives) -> dict[str, Any]:
    """The modules, with what is seen of them."""
    return {
        "argparse": Namespace(
            ArgumentParser=natives.function(lambda *_, **__: _parser(natives)),
            BooleanOptionalAction=_BOOLEAN,
        ),
    }


#: What an option is by its action if it is not given, and has no default.
IMPLIED = {"store_true": False, "store_false": True}

#: Stands for the action of `argparse` that adds ``--no-...``.
_BOOLEAN = Namespace()


def _parser(natives: Natives) -> Namespace:
    """An ``ArgumentParser``."""
    values: dict[str, Any] = {}
    #: What those have that are not given, which have a default.
    defaults: dict[str, Any] = {}

    def add_argument(*names: Any, **options: Any) -> Any:
        name = options.get("dest") or next(
            (n for n in names if str(n)[:2] == "--"), names[0] if names else ""
        )
        if isinstance(name, str) and not any(is_unknown(option) for option in (names, options.get("dest"))):
            is_optional, name = name[:1] == "-", name.lstrip("-").replace("-", "_")
            values[name] = _option(natives.interpreter, is_optional, options)
            default = _default(is_optional, options)
            if default is not UNKNOWN:
                defaults[name] = default
        return UNKNOWN

    def set_defaults(**others: Any) -> None:
        for name, default in others.items():
            values[name] = join(values[name], default) if name in values else UNKNOWN
            defaults[name] = default

    def parse_args(args: Any = None, *others: Any, **options: Any) -> Any:
        chosen = dict(values)
        if args is None and not others and not options:  # not from a list of the program's
            of_run = natives.interpreter.option_defaults
            chosen |= {name: of_run.value(default, values[name]) for name, default in defaults.items()}
        return types.SimpleNamespace(**chosen)

    parser = Namespace(
        add_argument=natives.function(add_argument),
        set_defaults=natives.function(set_defaults),
        parse_args=natives.function(parse_args),
        parse_known_args=natives.function(
            lambda *args, **options: (parse_args(*args, **options), AbstractSequence(AbstractScalar(str)))
        ),
    )
    same = natives.function(lambda *_, **__: parser)
    parser.names |= {"add_argument_group": same, "add_mutually_exclusive_group": same}
    return parser


def _option(interpreter: Interpreter, is_optional: bool, options: dict[str, Any]) -> Any:
    """Any value of an argument of `argparse`."""
    default = options.get("default")
    action, kind = options.get("action", "store"), options.get("type", str)
    if action is _BOOLEAN:
        return or_default(AbstractScalar(bool), is_optional, default, bool)
    if action in ACTIONS:
        return AbstractScalar(ACTIONS[action])
    is_scalar_kind = kind in SCALARS
    if action != "store" or not (is_scalar_kind or interpreter.functions.get(identity(kind))):
        return UNKNOWN
    value = AbstractScalar(kind) if is_scalar_kind else _read_by(interpreter, kind)
    if options.get("nargs") == "?":
        value = _or_nothing(value, is_optional, options)
    elif options.get("nargs") is not None:
        value = AbstractSequence(value)
    has_default = is_optional and not options.get("required")
    if is_scalar_kind:
        return or_default(value, has_default, default, kind)
    return join(value, default) if has_default and not isinstance(default, str) else value


def _read_by(interpreter: Interpreter, function: Any) -> Any:
    """What a function of the program makes of a text; it may be called any number of times, or not at all."""
    value: Any = UNKNOWN
    before = heap.now()
    with suppress(RaisedException, Unreachable), interpreter.within(speculative=True, uncaught=True):
        value = interpreter.call(function, [AbstractScalar(str)], {})
    after = heap.now()
    if states.unchanged(before, after):
        return value
    interpreter.merge([before, after], interpreter.frame.scope)
    return UNKNOWN


def _default(is_optional: bool, options: dict[str, Any]) -> Any:
    """What an argument of `argparse` is that is not given; unknown where that is not a value as it stands."""
    action, kind = options.get("action", "store"), options.get("type", str)
    nargs = options.get("nargs")
    may_lack = is_optional or nargs == "?" or (nargs == "*" and "default" in options)
    if not may_lack or options.get("required"):
        return UNKNOWN
    default = options.get("default", IMPLIED.get(action) if isinstance(action, str) else None)
    # A text is read as if it was given.
    is_read = isinstance(default, str) and kind is not str
    return UNKNOWN if is_read or is_unknown(default) else default


def _or_nothing(value: Any, is_optional: bool, options: dict[str, Any]) -> Any:
    """A value, or what stands for none: an option that has a default, and no `const`, is never left without one."""
    if not is_optional:
        return join(value, options.get("default"))
    missing = "const" not in options and options.get("default") is not None
    return value if missing else join(value, options.get("const"))


def parse_dataclass(natives: Natives) -> Callable[..., Any]:
    """A function that reads options into an object of a dataclass: another argument may be a file of settings, or options."""

    def parse(config_class: Any = UNKNOWN, *args: Any, **options: Any) -> Any:
        return of_dataclass(natives.interpreter, config_class, bool(args) or bool(options))

    return parse


def of_dataclass(interpreter: Interpreter, target: Any, is_told_more: bool) -> Any:
    """An object of a dataclass of the program whose fields are options: any values of the declared types.

    Args:
        target: the class.
        is_told_more: whether the program passes options or defaults itself.
    """
    if not (dataclasses.is_dataclass(target) and isinstance(target, type) and target in interpreter.classes):
        return UNKNOWN
    fields = [field for field in dataclasses.fields(target) if field.init]
    has_default = [field for field in fields if _has_default(field)]
    chosen = {field.name: _of_field(field) for field in fields}
    if has_default and not is_told_more and interpreter.option_defaults.value(True, False):
        chosen = {field.name: chosen[field.name] for field in fields if field not in has_default}
    return interpreter.call(target, [], chosen)


def _has_default(field: dataclasses.Field[Any]) -> bool:
    return dataclasses.MISSING is not field.default or dataclasses.MISSING is not field.default_factory


def _of_field(field: dataclasses.Field[Any]) -> Any:
    """Any value of a field."""
    if field.type not in SCALARS:
        return UNKNOWN
    kind = field.type
    assert isinstance(kind, type)
    has_default = field.default is not dataclasses.MISSING
    return or_default(AbstractScalar(kind), has_default, field.default, kind)


def or_default(value: Any, has_default: bool, default: Any, kind: type) -> Any:
    """A value, or its default: one that is a text is read as any other."""
    if not has_default or (isinstance(default, str) and is_scalar(value)):
        return value
    return value if type(default) is kind and is_scalar(value) else join(value, default)
