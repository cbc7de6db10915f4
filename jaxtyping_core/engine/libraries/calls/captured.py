"""Unknown sizes in what functions of the program see beside their arguments, such as the parameters that a loop's body uses.

Where a call is tried with numbers for its unknown sizes, these have the same numbers.
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ....identity import identity
from ...language.escapes import reached
from ...values import arrays
from ...values.unknowns import is_dim, is_scalar, is_unknown
from .sizes import at, resized, symbols_in, symbols_of

if TYPE_CHECKING:
    from ...interpreter import Interpreter
    from ...values.callables import Function

#: Functions that are looked into.
MOST = 50
#: The names in each function that was, as long as there is its source.
_NAMES: weakref.WeakKeyDictionary[ast.AST, list[str]] = weakref.WeakKeyDictionary()


class DimSubstitution(dict[str, int]):
    """What the symbols are in a trial, and the containers with these that it has been given for others."""

    def __init__(self, pairs: Iterable[tuple[str, int]] = ()) -> None:
        super().__init__(pairs)
        self.copies: dict[int, tuple[Any, Any]] = {}


def symbols_seen(interpreter: Interpreter, values: list[Any]) -> list[str]:
    """The symbols in the sizes of what functions among `values` see, and those that they lead to."""
    symbols: dict[str, None] = {}
    waiting, looked_into = list(values), set[int]()
    while waiting and len(looked_into) < MOST:
        functions, waiting = list(reached(interpreter, waiting)), []
        for function, bound in functions:
            if identity(function) in looked_into:
                continue
            looked_into.add(identity(function))
            for value in (*bound, *_seen(function)):
                if is_scalar(value) and (value.size is not None or value.derived is not None):
                    symbols.update(dict.fromkeys(symbols_of(arrays.size_of(value))))
                elif not is_unknown(value):
                    symbols.update(dict.fromkeys(_symbols(value)))
                    waiting.append(value)
    return list(symbols)


def _seen(function: Function) -> list[Any]:
    holders = {name: function.scope._holder(name) for name in _names(function.node)}
    return [*function.defaults, *(holder.variables[name] for name, holder in holders.items() if holder)]


def _names(node: ast.AST) -> list[str]:
    """The names in a function, which is looked into for each of its closures: each reads its body."""
    getattr(node, "body", None)
    if node not in _NAMES:
        _NAMES[node] = sorted({part.id for part in ast.walk(node) if isinstance(part, ast.Name)})
    return _NAMES[node]


def _symbols(value: Any) -> list[str]:
    try:
        return symbols_in(value)
    except Exception:  # code of registered classes may raise anything: then no more is known
        return []


def substitute_dims(value: Any, numbers: DimSubstitution) -> Any:
    """`value` with these numbers for its unknown sizes."""
    if is_scalar(value):
        is_size = value.size is not None or value.derived is not None
        size = at(arrays.size_of(value), numbers) if is_size else None
        return value if size is None or is_dim(size) else size
    if is_unknown(value) or value is None or isinstance(value, (int, float, str, type)):
        return value
    if is_dim(value):
        return at(value, numbers)
    if not arrays.is_array(value) and not any(name in numbers for name in _symbols(value)):
        return value  # itself: it may be changed
    if identity(value) not in numbers.copies:
        try:
            numbers.copies[identity(value)] = (value, resized(value, numbers))
        except Exception:  # code of registered classes may raise anything: then no more is known
            return value
    return numbers.copies[identity(value)][1]
