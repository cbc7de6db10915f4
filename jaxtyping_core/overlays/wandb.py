"""Weights & Biases: what a program has logged says nothing of arrays. A run's configuration is what `init` was passed.

A sweep may choose other values for its entries. So they are options with defaults, as those of a command line are.
Source: docs.wandb.ai, "Configure experiments".
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay, words
from ..engine.libraries.python import records
from ..engine.libraries.python.records import mapping
from ..engine.values import heap
from ..engine.values.callables import Namespace
from ..engine.values.records import Lost, Record, fields_of, made, put
from ..engine.values.unknowns import PURE_EXTERNAL, UNKNOWN, AbstractScalar, is_scalar

if TYPE_CHECKING:
    from ..engine.interpreter import Interpreter
    from ..engine.libraries.natives import Natives

#: Functions of the library, and methods of a run, that only tell it something.
TELLING = words(
    "alert define_metric finish log log_code login mark_preempting save setup termlog termwarn unwatch watch"
)
#: Texts that a run has.
TEXTS = words("dir entity id name path project url")


class Config(Record):
    """The configuration of a run, to which a sweep may add entries."""

    HAS_OTHERS = True


def _update(interpreter: Interpreter, config: Record, args: list[Any], kwargs: dict[str, Any]) -> None:
    """``config.update(other, allow_val_change=...)``."""
    _take(interpreter.natives, config, args[0] if args else kwargs.get("d", UNKNOWN))


def _take(natives: Natives, config: Record, entries: Any) -> None:
    """Entries of a mapping, or of a namespace of options, become those of a configuration.

    Raises:
        Lost: not all of their keys are known.
    """
    entries = vars(entries) if isinstance(entries, types.SimpleNamespace) else mapping(entries)
    for key, value in entries.items():
        if not is_scalar(value):  # that may be any of its kind already
            any_value = records.any_of_its_kind(value, AbstractScalar)
            value = natives.interpreter.option_defaults.value(value, any_value)
        put(config, key, value)


Config.METHODS = {
    **records.READING,
    "as_dict": lambda interpreter, config, args, kwargs: records.as_dict(config),
    "update": _update,
}


def _namespaces(natives: Natives) -> dict[str, Any]:
    config = made(Config, {})
    telling = natives.function(lambda *_, **__: None)
    library = Namespace(config=config, **dict.fromkeys(TELLING, telling))
    library.others = PURE_EXTERNAL
    run = Namespace(
        config=config, **dict.fromkeys(TELLING, telling), **dict.fromkeys(TEXTS, AbstractScalar(str))
    )
    run.others = PURE_EXTERNAL
    run.names["__enter__"] = natives.function(lambda *_: run)
    run.names["__exit__"] = telling

    def init(*_: Any, **options: Any) -> Any:
        entries = library.names["config"]
        if isinstance(entries, Config):
            heap.changing(entries)
            fields_of(entries).clear()
            try:
                _take(natives, entries, options["config"])
            except (KeyError, Lost):  # without one, a sweep has it
                records.lose(natives.interpreter, entries)
        return run

    library.names["init"] = natives.function(init)
    return {"wandb": library}


OVERLAY = Overlay(library="wandb", is_onlooker=True, instead=_namespaces)
