"""Overloads that are written down: of functions whose results follow from more than the probes vary.

They stand in ``stated/MODULE.txt``, in the syntax of stubs, and come before what is found out. What a template leaves
out is taken from the function: the kinds and the defaults of the parameters. The conformance suite holds each of them
against JAX.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable, Iterator
from inspect import Parameter
from pathlib import Path
from typing import Any, NamedTuple

from .. import hints, requests
from ..probing.parameters import Given, given

FOLDER = Path(__file__).parent.parent / "stated"

#: ``**_``: what else the function has, with its own annotations.
REST = "_"
#: The annotation of a parameter that gives the dtype of the result, and what the result then has.
REQUEST, REQUESTED = "REQUEST", "REQUESTED"


class Stated(NamedTuple):
    """A template: annotations by name, the parameters that may be left out, and the result."""

    annotations: dict[str, str]
    optional: frozenset[str]
    rest: bool
    result: str


class Made(NamedTuple):
    """An overload: parameters with their annotations as text, and the result."""

    parameters: list[Parameter]
    result: str


def overloads(path: str, function: Callable[..., Any]) -> list[Made]:
    """The overloads that are written down for the function that is called `path`."""
    module, _, name = path.rpartition(".")
    templates = _templates(module).get(name, ())
    if not templates:
        return []
    known = given(path, function)
    made = (_made(known, one) for template in templates for one in _by_request(template))
    return [one for one in made if one is not None]


@functools.cache
def _templates(module: str) -> dict[str, list[Stated]]:
    file = FOLDER / f"{module}.txt"
    found: dict[str, list[Stated]] = {}
    for names, text in _blocks(file.read_text(encoding="utf-8")) if file.exists() else ():
        for name in names:
            found.setdefault(name, []).extend(map(_template, text))
    return found


def _blocks(text: str) -> Iterator[tuple[list[str], list[ast.FunctionDef]]]:
    """The names that each block of templates is for: ``def f__g(...)`` is for both, and so are those that follow."""
    for node in ast.parse(_expanded(text)).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name.split("__"), [node]


def _expanded(text: str) -> str:
    """The text, where each line with ``{A|B}`` stands once for each of the alternatives."""
    return "\n".join(line for written in text.splitlines() for line in _alternatives(written))


def _alternatives(line: str) -> Iterator[str]:
    head, opened, rest = line.partition("{")
    if not opened or line.startswith("#"):
        yield line
        return
    choice, _, tail = rest.partition("}")
    number = choice.count("|")
    for place in range(number + 1):
        picked = tail
        if "{" in tail and tail.partition("{")[2].partition("}")[0].count("|") == number:
            picked = _in_step(tail, place, number)
        yield from _alternatives(head + choice.split("|")[place] + picked)


def _in_step(tail: str, place: int, number: int) -> str:
    """Alternatives of the same number go together."""
    parts = []
    while "{" in tail:
        head, _, rest = tail.partition("{")
        choice, _, tail = rest.partition("}")
        parts.append(head + (choice.split("|")[place] if choice.count("|") == number else f"{{{choice}}}"))
    return "".join(parts) + tail


def _template(node: ast.FunctionDef) -> Stated:
    spec = node.args
    plain = [*spec.posonlyargs, *spec.args]
    defaults = [*itertools.repeat(None, len(plain) - len(spec.defaults)), *spec.defaults, *spec.kw_defaults]
    every = [*plain, *spec.kwonlyargs]
    optional = (arg.arg for arg, default in zip(every, defaults, strict=True) if default is not None)
    annotations = {arg.arg: ast.unparse(arg.annotation) for arg in every if arg.annotation}
    assert node.returns is not None
    return Stated(annotations, frozenset(optional), spec.kwarg is not None, ast.unparse(node.returns))


def _by_request(one: Stated) -> Iterator[Stated]:
    name = next((name for name, text in one.annotations.items() if text == REQUEST), None)
    if name is None:
        yield one
        return
    for request in requests.requests():
        yield one._replace(
            annotations={**one.annotations, name: request.annotation.replace("type[complex]", "type[_complex]")},
            result=one.result.replace(REQUESTED, request.result),
        )


def _made(known: list[Given], one: Stated) -> Made | None:
    """The overload; None where the function has no such parameters."""
    made: list[Parameter] = []
    left = dict(one.annotations)
    keywords = optional = False
    for parameter in known:
        if parameter.parameter.kind is Parameter.VAR_POSITIONAL:
            starred = {name: text for name, text in left.items() if name.startswith(f"{parameter.name}_")}
            made += [Parameter(name, Parameter.POSITIONAL_ONLY, annotation=text) for name, text in starred.items()]
            left = {name: text for name, text in left.items() if name not in starred}
        text, may_be_left_out = _annotation(parameter, one, left)
        if text is None:
            keywords = True
            continue
        keywords = keywords or (optional and not may_be_left_out)
        optional = optional or may_be_left_out
        made.append(_parameter(parameter, text, may_be_left_out, keywords))
    return None if left else Made(made, one.result)


def _annotation(known: Given, one: Stated, left: dict[str, str]) -> tuple[str | None, bool]:
    if known.name in left:
        return left.pop(known.name), known.name in one.optional
    if known.starred or known.parameter.default is Parameter.empty:
        return None, True
    if known.parameter.default is None and not one.rest:
        return "None", True
    return (hints.text(hints.join(known.members, _none(known))), True) if one.rest else (None, True)


def _none(known: Given) -> tuple[str, ...]:
    return ("None",) if known.parameter.default is None else ()


def _parameter(known: Given, text: str, may_be_left_out: bool, keyword: bool) -> Parameter:
    kind: Any = known.parameter.kind
    if keyword and kind is Parameter.POSITIONAL_OR_KEYWORD:
        kind = Parameter.KEYWORD_ONLY
    default = known.parameter.default if may_be_left_out else Parameter.empty
    return Parameter(known.name, kind, default=default, annotation=text)
