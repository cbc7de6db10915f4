"""Paths that are known as texts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownPath:
    """An object of `pathlib` that a program makes of constants; its names are not those of a real one."""

    text: str


def text_of(value: object) -> object:
    """A path as a text, where it is known; everything else as it is."""
    return value.text if isinstance(value, KnownPath) else value
