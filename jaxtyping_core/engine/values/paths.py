"""Paths that are known as texts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownPath:
    """A path that a program makes of constants, be it an object of `pathlib` or a text.

    Files are looked up by it, and nothing else of the text is told: where the program makes it absolute, it stays as it is.
    """

    text: str


def text_of(value: object) -> object:
    """A path as a text, where it is known; everything else as it is."""
    return value.text if isinstance(value, KnownPath) else value
