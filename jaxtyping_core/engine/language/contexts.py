"""Contexts that a generator of the program makes (``contextlib.contextmanager``), and those that catch errors.

What the generator does before its ``yield`` happens before the body of the ``with``, and the rest after it: so the body is walked
where the generator yields.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...identity import identity
from ..control import Break, Continue, Control, Return, Unreachable
from ..values import heap
from ..values.callables import Function
from ..values.unknowns import UNKNOWN, ConcretizationError
from .functions import invoke

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: Functions that make contexts which catch the errors that they are given, by their last names.
CATCHING = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})


def caught(item: ast.withitem) -> ast.Tuple | None:
    """The errors that a context catches, as a handler names them; None if it catches none."""
    match item.context_expr:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in CATCHING:
            kinds = args if name == "suppress" else args[:1]
            return ast.copy_location(ast.Tuple([*kinds], ast.Load()), item.context_expr)
    return None


def as_try(kinds: ast.Tuple, body: list[ast.stmt]) -> ast.Try:
    """A ``try`` with the body of a ``with`` that catches errors."""
    handler = ast.ExceptHandler(kinds if kinds.elts else None, None, [ast.Pass()])
    return ast.fix_missing_locations(ast.copy_location(ast.Try(body, [handler], [], []), body[0]))


@dataclass(eq=False)
class Managed:
    """A context that has not been entered: the generator, and its arguments."""

    function: Function
    args: Sequence[Any]
    kwargs: dict[str, Any]


class AtOnce:
    """A context in which JAX computes at once what it would trace."""


def at_once(interpreter: Interpreter) -> Callable[..., Any]:
    """``jax.ensure_compile_time_eval`` and ``jax.disable_jit``."""
    return lambda *_, **__: AtOnce()


def manager(interpreter: Interpreter) -> Callable[..., Any]:
    """``contextlib.contextmanager``."""

    def contextmanager(function: Any = UNKNOWN) -> Any:
        known = interpreter.functions.get(identity(function))
        if known is None or not known.is_generator:
            return UNKNOWN
        return interpreter.natives.function(lambda *args, **kwargs: Managed(known, args, kwargs))

    return contextmanager


def walk(interpreter: Interpreter, managed: Managed, body: Callable[[Any], None]) -> None:
    """Walk the generator, and the body of a ``with`` where it yields."""
    ends: list[Control | None] = []

    def within(value: Any) -> None:
        # The body is the caller's: it is walked in its frame, with that of the generator below it.
        own = interpreter.frames.pop()
        interpreter.frames.insert(len(interpreter.frames) - 1, own)
        (line, own.line), node = (own.line, 0), interpreter.node
        try:
            body(value)
        except (Return, Break, Continue, Unreachable) as control:
            ends.append(control)
        else:
            ends.append(None)
        finally:
            del interpreter.frames[-2]
            interpreter.frames.append(own)
            own.line, interpreter.node = line, node

    try:
        invoke(interpreter, managed.function, managed.args, managed.kwargs, within)
    except (Unreachable, ConcretizationError):
        if not ends:
            body(UNKNOWN)
            return
    if not ends:
        body(UNKNOWN)
    elif None not in ends and ends[-1] is not None:
        raise ends[-1]
    else:
        ways = [end for end in ends if isinstance(end, Return)]
        interpreter.frame.returned += [(way.value, heap.now()) for way in ways]
