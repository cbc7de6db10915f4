"""Options of a command line: any value of their types, whatever they are set to when the program is run.

Nothing of `argparse` is called. Overlays describe other libraries that read command lines.
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ..values.callables import Namespace
from ..values.joins import join
from ..values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence, is_scalar, is_unknown

if TYPE_CHECKING:
    from .natives import Natives

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


#: Stands for the action of `argparse` that adds ``--no-...``.
_BOOLEAN = Namespace()


def _parser(natives: Natives) -> Namespace:
    """An ``ArgumentParser``."""
    values: dict[str, Any] = {}

    def add_argument(*names: Any, **options: Any) -> Any:
        name = options.get("dest") or next(
            (n for n in names if str(n)[:2] == "--"), names[0] if names else ""
        )
        if isinstance(name, str) and not any(is_unknown(option) for option in (names, options.get("dest"))):
            values[name.lstrip("-").replace("-", "_")] = _option(name[:1] == "-", options)
        return UNKNOWN

    def set_defaults(**defaults: Any) -> None:
        for name, default in defaults.items():
            values[name] = join(values[name], default) if name in values else UNKNOWN

    def parse_args(*_: Any, **__: Any) -> Any:
        return types.SimpleNamespace(**values)

    parser = Namespace(
        add_argument=natives.function(add_argument),
        set_defaults=natives.function(set_defaults),
        parse_args=natives.function(parse_args),
        parse_known_args=natives.function(
            lambda *_, **__: (parse_args(), AbstractSequence(AbstractScalar(str)))
        ),
    )
    same = natives.function(lambda *_, **__: parser)
    parser.names |= {"add_argument_group": same, "add_mutually_exclusive_group": same}
    return parser


def _option(is_optional: bool, options: dict[str, Any]) -> Any:
    """Any value of an argument of `argparse`."""
    default = options.get("default")
    action, kind = options.get("action", "store"), options.get("type", str)
    if action is _BOOLEAN:
        return or_default(AbstractScalar(bool), is_optional, default, bool)
    if action in ACTIONS:
        return AbstractScalar(ACTIONS[action])
    if action != "store" or kind not in SCALARS:
        return UNKNOWN
    value: Any = AbstractScalar(kind)
    if options.get("nargs") == "?":
        value = _or_nothing(value, is_optional, options)
    elif options.get("nargs") is not None:
        value = AbstractSequence(value)
    return or_default(value, is_optional and not options.get("required"), default, kind)


def _or_nothing(value: Any, is_optional: bool, options: dict[str, Any]) -> Any:
    """A value, or what stands for none: an option that has a default, and no `const`, is never left without one."""
    if not is_optional:
        return join(value, options.get("default"))
    missing = "const" not in options and options.get("default") is not None
    return value if missing else join(value, options.get("const"))


def or_default(value: Any, has_default: bool, default: Any, kind: type) -> Any:
    """A value, or its default: one that is a text is read as any other."""
    if not has_default or (isinstance(default, str) and is_scalar(value)):
        return value
    return value if type(default) is kind and is_scalar(value) else join(value, default)
