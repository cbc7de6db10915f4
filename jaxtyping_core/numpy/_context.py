"""The promotion system in force.

It is a user context of JAX, so it is per thread, part of the key of every trace and compilation, and costs
nothing where it does not change: a function compiled under one system is never used under another.
Source: ``jax.make_user_context``.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Protocol, TypeVar

import jax

from jaxtyping_core import systems
from jaxtyping_core.lattice import Lattice

F = TypeVar("F", bound=Callable[..., Any])

_context = jax.make_user_context("jax")


class Promotion(Protocol):
    """What `promotion` returns: a context manager that is a decorator too."""

    def __enter__(self) -> str | Lattice: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> bool | None: ...
    def __call__(self, function: F, /) -> F: ...


def current() -> str | Lattice:
    """The promotion system in force in this thread: the name of one, or a `Lattice`."""
    system: str | Lattice = _context.value
    return system


def promotion(system: str | Lattice) -> Promotion:
    """Puts a promotion system in force: ``with promotion("numpy"):``, or ``@promotion("torch")``.

    It holds for this thread and for what is traced in it. A function that JAX compiled under another
    system is traced anew. Around a generator or a coroutine the decorator holds only while that is made.

    Args:
        system: the name of a system ("jax", "numpy", "torch", ...), or a `Lattice` of one's own.

    Raises:
        UnknownNameError: there is no system of that name.
    """
    systems.get(system)
    return _in_force(system)


def set_promotion(system: str | Lattice) -> None:
    """Makes `system` the one in force wherever no `promotion` says otherwise, in every thread.

    Raises:
        UnknownNameError: there is no system of that name.
    """
    systems.get(system)
    _context.set_global(system)


@contextlib.contextmanager
def _in_force(system: str | Lattice) -> Iterator[str | Lattice]:
    with _context(system):
        yield system


@functools.cache
def ranked(system: str | Lattice) -> bool:
    """Whether arrays of rank 0 promote differently from others."""
    return systems.get(system).ranked
