"""The errors of this package.

Every message says what happened, what was expected, and how to fix it.
"""

from __future__ import annotations

from collections.abc import Iterable


class LatticeError(ValueError):
    """A promotion lattice is invalid: it has an unknown node, a cycle, or a join that is not unique."""


class UnknownNameError(ValueError):
    """A name is not the name of a dtype or promotion system."""


class PromotionError(TypeError, ValueError):
    """The operands have no common dtype in the promotion system.

    JAX's ``TypePromotionError`` is a ``ValueError``, and NumPy's ``DTypePromotionError`` is a ``TypeError``.
    This error is both, so code that catches either still works.
    """


class PromotionWarning(UserWarning):
    """Arrays of the layer were promoted by the rules of JAX, although another promotion system is in force."""


class AnnotationError(TypeError):
    """A value does not fit its annotation."""


class CommandError(Exception):
    """A command cannot run. The message is one line."""


class SettingsError(CommandError):
    """A setting of this package is invalid."""


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for a `name` that is not among the `known` ones: it names the nearest."""
    import difflib  # which few commands need

    nearest = difflib.get_close_matches(name, tuple(known), cutoff=0.0)
    return f"unknown {what} {name!r}; the nearest names are {', '.join(map(repr, nearest))}"
