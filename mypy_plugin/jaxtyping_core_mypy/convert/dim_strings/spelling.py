"""The names of type variables that are dims of texts."""

from __future__ import annotations

#: The suffix of such type variables: `signatures` makes them.
SUFFIX = "@dim"


def without_suffixes(text: str) -> str:
    """A message of mypy's with dims as programs write them."""
    return text.replace(SUFFIX, "")
