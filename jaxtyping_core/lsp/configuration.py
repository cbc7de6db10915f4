"""What a user sets in the editor, under ``jaxtyping-core``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from jaxtyping_core.errors import SettingsError, unknown

SECTION = "jaxtyping-core"


class Configuration(NamedTuple):
    """The settings; `python` is an interpreter or the folder of an environment, None to look for one.

    `trust` tells whether code of a folder may be run that it names itself ("yes"); or if its programs
    may be evaluated where the operating system does not isolate that ("evaluate").
    """

    hints: str = "full"
    diagnostics: str = "on"
    python: str | None = None
    trust: str = "no"


#: The accepted values of each setting that has but a few.
CHOICES = {
    "hints": ("full", "short", "off"),
    "diagnostics": ("on", "off"),
    "trust": ("no", "evaluate", "yes"),
}
#: Values of earlier versions, which users have in their settings, and what they mean.
EARLIER = {("diagnostics", "ours"): "on", ("diagnostics", "all"): "on"}


def read(data: object) -> Configuration:
    """The settings that an editor sends: with the section around them, or without.

    Raises:
        SettingsError: one of them means nothing.
    """
    if isinstance(data, Mapping) and isinstance(data.get(SECTION), Mapping):
        data = data[SECTION]
    values: dict[str, Any] = {}
    for name, value in data.items() if isinstance(data, Mapping) else ():
        if value is None:  # what editors send for what is not set
            continue
        if name not in Configuration._fields:
            raise SettingsError(
                unknown("setting", f"{SECTION}.{name}", (_named(f) for f in Configuration._fields))
            )
        choices = CHOICES.get(name)
        if not isinstance(value, str):
            raise SettingsError(f"{_named(name)} must be a string, not {value!r}")
        value = EARLIER.get((name, value), value)
        if choices and value not in choices:
            raise SettingsError(unknown(f"value of {_named(name)}:", value, choices))
        if value:
            values[name] = value
    return Configuration(**values)


def _named(name: str) -> str:
    return f"{SECTION}.{name}"
