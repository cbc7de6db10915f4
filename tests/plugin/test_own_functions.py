"""What the plugin says of calls of a program's own functions against the program's run: exact or open, never wrong."""

from __future__ import annotations

import ast
import inspect
import sys
import types
from typing import Any

import pytest

from conformance.verdict import parse
from harness import Messages
from test_against_jax import agrees, every
from test_cases import CASES, of_own_functions, said

REVEALED = "N: Revealed type is "


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> Messages:
    return said(tmp_path_factory)


def values_of(name: str) -> dict[int, list[Any]]:
    """What the revealed expressions of a case are when it runs, by their lines."""
    seen: dict[int, list[Any]] = {}

    def reveal(value: Any) -> Any:
        frame = inspect.currentframe()
        assert frame is not None
        assert frame.f_back is not None
        seen.setdefault(frame.f_back.f_lineno, []).append(value)
        return value

    module = types.ModuleType(name)
    vars(module)["reveal_type"] = reveal
    sys.modules[name] = module  # where dataclasses look for annotations
    try:
        exec(compile(CASES[name], name, "exec"), vars(module))  # noqa: S102  # our own text
    finally:
        del sys.modules[name]
    return seen


def agrees_all(revealed: ast.expr, value: Any) -> bool | None:
    """As `agrees`, also for dicts and lists that a call gives."""
    match revealed:
        case ast.Subscript(value=ast.Name(id="DictResult"), slice=ast.Tuple(elts=[_, item])):
            return isinstance(value, dict) and every([agrees_all(item, each) for each in value.values()])
        case ast.Subscript(value=ast.Name(id="ListResult"), slice=item):
            return isinstance(value, list) and every([agrees_all(item, each) for each in value])
    return agrees(revealed, value)


@pytest.mark.parametrize("name", of_own_functions())
def test_no_type_is_wrong(name: str, messages: Messages) -> None:
    values = values_of(name)
    assert values
    wrong, exact = [], 0
    for line, texts in messages[name].items():
        for text in texts:
            if not text.startswith(REVEALED) or line not in values:
                continue
            revealed = parse(text.split('"')[1].replace("jaxtyping_core._results.", "").replace("]?", "]"))
            answers = [agrees_all(revealed, value) for value in values[line]]
            exact += all(answers)
            if False in answers:
                wrong.append(f"line {line}: {text}, but it is {values[line]}")
    assert not wrong, "\n".join(wrong)
    assert exact
