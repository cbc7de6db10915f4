"""The promotion system in force.

It is a user context of JAX, so it is per thread, part of the key of every trace and compilation, and costs
nothing where it does not change: a function compiled under one system is never used under another.
Source: ``jax.make_user_context``.
"""

from __future__ import annotations

import functools
import inspect
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar, cast

import jax

from jaxtyping_core import systems
from jaxtyping_core.lattice import Lattice
from jaxtyping_core.numpy import _suspension

F = TypeVar("F", bound=Callable[..., Any])

_context = jax.make_user_context("jax")
#: Its `value` is the system in force; without the frame in Python of that of `_context`, where JAX has such a one.
in_force: Any = getattr(_context, "_obj", _context)


class _Entered(threading.local):
    """The blocks of a thread that are entered and not left: whose they are, and what ends them in JAX."""

    def __init__(self) -> None:
        self.blocks: list[tuple[promotion, Any]] = []


_entered = _Entered()


def current() -> str | Lattice:
    """The promotion system in force in this thread: its name, or a `Lattice`."""
    system: str | Lattice = in_force.value
    return system


class promotion:  # used like a function, as contextlib's are
    """Set the promotion system for a block or a function: ``with promotion("numpy"):``, ``@promotion("torch")``.

    The system applies to this thread, and to functions traced in it. JAX traces a function again if it
    compiled it under another system. You can use one object for several blocks, also for nested ones.

    Args:
        system: the name of a system ("jax", "numpy", "torch", ...), or your own `Lattice`.

    Raises:
        UnknownNameError: the name is unknown.
        TypeError: it decorates a coroutine or generator function, whose body runs after the call.
        RuntimeError: the block has an ``await`` or a ``yield`` inside. There the system would apply to other
            tasks, or to the caller. Functions for ``contextlib.contextmanager`` and pytest fixtures can yield.
            Another reason: the blocks are exited in another order than they were entered.
    """

    __slots__ = ("_system",)

    def __init__(self, system: str | Lattice) -> None:
        systems.get(system)
        self._system = system

    def __repr__(self) -> str:
        return f"promotion({self._system!r})"

    def __enter__(self) -> str | Lattice:
        # Any frame that is no generator or coroutine is done with its block before others run.
        suspended = _suspension.suspension(sys._getframe(1))
        if suspended is not None:
            raise RuntimeError(_suspended(self, suspended.f_code.co_qualname))
        block = _context(self._system)
        block.__enter__()
        _entered.blocks.append((self, block))
        return self._system

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        if not _entered.blocks or _entered.blocks[-1][0] is not self:
            raise RuntimeError(
                f"the block of {self!r} was exited in another order than it was entered, or in another thread; "
                "exit the inner blocks first"
            )
        _entered.blocks.pop()[1].__exit__(kind, error, trace)

    def __call__(self, function: F, /) -> F:
        code = getattr(inspect.unwrap(function), "__code__", None)
        if code is not None and code.co_flags & _suspension.SUSPENDABLE:
            raise TypeError(
                f"@{self!r} ends when {function.__qualname__}() returns, before a coroutine or generator "
                f"runs; write `with {self!r}:` inside it, around code without await and yield"
            )

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return cast(F, call)


def _suspended(block: promotion, name: str) -> str:
    return (
        f"`with {block!r}:` in {name}() has an await or a yield inside: while {name}() is suspended there, the system "
        "would apply to everything else in this thread. End the block before that, or move the computation to a "
        f"function decorated with @{block!r}"
    )


def set_promotion(system: str | Lattice) -> None:
    """Make `system` the default in every thread. A `promotion` block or decorator overrides it.

    Raises:
        UnknownNameError: the name is unknown.
    """
    systems.get(system)
    _context.set_global(system)


@functools.cache
def ranked(system: str | Lattice) -> bool:
    """Whether arrays of rank 0 promote differently from others."""
    return systems.get(system).ranked
