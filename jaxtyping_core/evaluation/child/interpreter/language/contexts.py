"""Contexts that a generator of the program makes (``contextlib.contextmanager``).

What the generator does before its ``yield`` happens before the body of the ``with``, and the rest after it: so the body is walked
where the generator yields.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..control import Break, Continue, Control, Dead, Return
from ..values.unknowns import UNKNOWN, NeedsValue
from .functions import Function, invoke

if TYPE_CHECKING:
    from ..machine import Machine

#: What makes contexts that catch an exception: of `contextlib`, pytest and `unittest`.
CATCHING = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})


def catches(item: ast.withitem) -> bool:
    """Whether a context catches exceptions, by the name of what makes it."""
    made = item.context_expr.func if isinstance(item.context_expr, ast.Call) else None
    name = made.attr if isinstance(made, ast.Attribute) else getattr(made, "id", None)
    return name in CATCHING


def as_try(node: ast.With, caught: Sequence[ast.withitem]) -> ast.Try:
    """The ``try`` that a ``with`` is, some of whose contexts catch exceptions."""
    items = [item for item in node.items if item not in caught]
    body: list[ast.stmt] = [ast.copy_location(ast.With(items, node.body), node)] if items else node.body
    passes = ast.ExceptHandler(None, None, [ast.copy_location(ast.Pass(), node)])
    return ast.copy_location(ast.Try(body, [passes], [], []), node)


@dataclass(eq=False)
class Managed:
    """A context that has not been entered: the generator, and its arguments."""

    function: Function
    args: Sequence[Any]
    kwargs: dict[str, Any]


class AtOnce:
    """A context in which JAX computes at once what it would trace."""


def at_once(machine: Machine) -> Callable[..., Any]:
    """``jax.ensure_compile_time_eval`` and ``jax.disable_jit``."""
    return lambda *_, **__: AtOnce()


def manager(machine: Machine) -> Callable[..., Any]:
    """``contextlib.contextmanager``."""

    def contextmanager(function: Any = UNKNOWN) -> Any:
        known = machine.functions.get(id(function))
        if known is None or not known.is_generator:
            return UNKNOWN
        return machine.natives.function(lambda *args, **kwargs: Managed(known, args, kwargs))

    return contextmanager


def walk(machine: Machine, managed: Managed, body: Callable[[Any], None]) -> None:
    """Walk the generator, and the body of a ``with`` where it yields."""
    ends: list[Control | None] = []

    def within(value: Any) -> None:
        # The body is the caller's: it is walked in its frame, with that of the generator below it.
        own = machine.frames.pop()
        machine.frames.insert(len(machine.frames) - 1, own)
        (line, own.line), node = (own.line, 0), machine.node
        try:
            body(value)
        except (Return, Break, Continue, Dead) as control:
            ends.append(control)
        else:
            ends.append(None)
        finally:
            del machine.frames[-2]
            machine.frames.append(own)
            own.line, machine.node = line, node

    try:
        invoke(machine, managed.function, managed.args, managed.kwargs, within)
    except (Dead, NeedsValue):
        if not ends:
            body(UNKNOWN)
            return
    if not ends:
        body(UNKNOWN)
    elif None not in ends and ends[-1] is not None:
        raise ends[-1]
    else:
        scope = machine.frame.scope
        ways = [end for end in ends if isinstance(end, Return)]
        machine.frame.returned += [(way.value, machine.state(scope)) for way in ways]
