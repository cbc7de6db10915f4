"""The errors of this package, and the words they share.

Every message states the fact, what was expected, and the remedy.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class LatticeError(ValueError):
    """A promotion lattice is ill-formed: an unknown node, a cycle, or a join that is not unique."""


class UnknownNameError(ValueError):
    """There is no dtype or promotion system of the given name."""


class PromotionError(TypeError, ValueError):
    """The operands have no common dtype in the promotion system.

    It is a ``ValueError`` as JAX's ``TypePromotionError`` is, and a ``TypeError`` as NumPy's
    ``DTypePromotionError`` is, so code that expects either keeps working.
    """


class PromotionWarning(UserWarning):
    """Arrays of the layer were promoted by the rules of JAX, where another promotion system is in force."""


class AnnotationError(TypeError):
    """A value does not fit its annotation."""


class CommandError(Exception):
    """A command of the command line cannot be run; the message is one line."""


class SettingsError(CommandError):
    """The configuration of a project says something of this package that means nothing."""


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for a `name` that is not among the `known` ones: it names the nearest."""
    nearest = difflib.get_close_matches(name, tuple(known), cutoff=0.0)
    return f"unknown {what} {name!r}; the nearest names are {', '.join(map(repr, nearest))}"
