"""``match``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..scopes import Scope
from ..values import arrays
from ..values.unknowns import UNKNOWN, is_unknown
from .tracing import decided

if TYPE_CHECKING:
    from ..interpreter import Interpreter


def match(interpreter: Interpreter, node: ast.Match, scope: Scope) -> None:
    """Walk the first case that fits; all that may fit, where it is not known which does."""
    subject = interpreter.value(node.subject, scope)
    sides: list[Callable[[], None]] = []
    for case in node.cases:
        names: dict[str, Any] = {}
        fits = fit(interpreter, case.pattern, subject, names, scope)
        if fits is False:
            continue
        if fits and case.guard is not None:
            for name, value in names.items():
                scope.bind(name, value)
            fits = decided(interpreter, interpreter.value(case.guard, scope), "if", case.guard)
            if fits is False:
                continue

        def side(case: ast.match_case = case, names: dict[str, Any] = names) -> None:
            for name, value in names.items():
                scope.bind(name, value)
            interpreter.block(case.body, scope)

        if fits and not sides:
            side()
            return
        sides.append(side)
        if fits:
            break
    else:
        if sides:
            sides.append(_none_fits)
    if sides:
        interpreter.join_branches(scope, sides)


def _none_fits() -> None:
    """No case is the one."""


def fit(
    interpreter: Interpreter, pattern: ast.pattern, subject: Any, names: dict[str, Any], scope: Scope
) -> bool | None:
    """Whether a pattern fits; None where that is not known. `names` gets what it binds."""
    if isinstance(pattern, ast.MatchAs):
        inner = True if pattern.pattern is None else fit(interpreter, pattern.pattern, subject, names, scope)
        if pattern.name:
            names[pattern.name] = subject
        return inner
    if isinstance(pattern, ast.MatchOr):
        outcomes = [fit(interpreter, each, subject, names, scope) for each in pattern.patterns]
        return True if True in outcomes else None if None in outcomes else False
    if isinstance(pattern, (ast.MatchValue, ast.MatchSingleton)):
        value = (
            interpreter.value(pattern.value, scope) if isinstance(pattern, ast.MatchValue) else pattern.value
        )
        if arrays.holds_unknown(subject) or arrays.is_array(subject) or arrays.holds_unknown(value):
            return None
        return bool(subject == value) if isinstance(pattern, ast.MatchValue) else subject is value
    if isinstance(pattern, ast.MatchSequence) and isinstance(subject, (tuple, list)):
        return _items(interpreter, pattern, subject, names, scope)
    if isinstance(pattern, ast.MatchMapping) and isinstance(subject, dict):
        return _entries(interpreter, pattern, subject, names, scope)
    if isinstance(pattern, (ast.MatchSequence, ast.MatchMapping)) and _is_no_container(subject):
        return False
    if isinstance(pattern, ast.MatchClass) and not is_unknown(subject):
        cls = interpreter.value(pattern.cls, scope)
        if isinstance(cls, type):
            if not isinstance(subject, cls):
                return False
            return (
                True
                if not pattern.patterns and not pattern.kwd_patterns
                else _by_attributes(interpreter, pattern, subject, names, scope)
            )
    _unknown(pattern, names)
    return None


def _items(
    interpreter: Interpreter, pattern: ast.MatchSequence, subject: Any, names: dict[str, Any], scope: Scope
) -> bool | None:
    """Whether the items of a sequence fit."""
    patterns = pattern.patterns
    star = next((i for i, each in enumerate(patterns) if isinstance(each, ast.MatchStar)), None)
    items = list(subject)
    if star is None:
        if len(patterns) != len(items):
            return False
    else:
        end = len(items) - (len(patterns) - star - 1)
        if end < star:
            return False
        rest = patterns[star]
        if isinstance(rest, ast.MatchStar) and rest.name:
            names[rest.name] = items[star:end]
        patterns = [each for each in patterns if each is not rest]
        items = items[:star] + items[end:]
    return _all(
        fit(interpreter, each, item, names, scope) for each, item in zip(patterns, items, strict=True)
    )


def _entries(
    interpreter: Interpreter,
    pattern: ast.MatchMapping,
    subject: dict[Any, Any],
    names: dict[str, Any],
    scope: Scope,
) -> bool | None:
    """Whether the entries of a dict fit."""
    keys = [interpreter.value(key, scope) for key in pattern.keys]
    if arrays.holds_unknown(keys) or any(map(arrays.is_array, keys)):
        _unknown(pattern, names)
        return None
    if any(key not in subject for key in keys):
        return False
    if pattern.rest:
        names[pattern.rest] = {key: item for key, item in subject.items() if key not in keys}
    return _all(
        fit(interpreter, each, subject[key], names, scope)
        for key, each in zip(keys, pattern.patterns, strict=True)
    )


def _all(outcomes: Iterable[bool | None]) -> bool | None:
    """Whether all of some patterns fit; each of them is tried, for it binds names."""
    answers = list(outcomes)
    return False if False in answers else None if None in answers else True


def _is_no_container(subject: Any) -> bool:
    """Whether a value is surely neither a sequence nor a mapping, as `match` has it."""
    return arrays.is_array(subject) or isinstance(
        subject, (str, bytes, bool, int, float, complex, type(None), dict, list, tuple, set)
    )


def _by_attributes(
    interpreter: Interpreter, pattern: ast.MatchClass, subject: Any, names: dict[str, Any], scope: Scope
) -> bool | None:
    positional = getattr(type(subject), "__match_args__", ())
    if len(pattern.patterns) > len(positional):
        _unknown(pattern, names)
        return None
    pairs = [
        *zip(positional, pattern.patterns, strict=False),
        *zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True),
    ]
    return _all(
        fit(interpreter, each, interpreter.attribute(subject, name), names, scope) for name, each in pairs
    )


def _unknown(pattern: ast.pattern, names: dict[str, Any]) -> None:
    for part in ast.walk(pattern):
        name = getattr(part, "name", None) or getattr(part, "rest", None)
        if isinstance(name, str):
            names[name] = UNKNOWN
