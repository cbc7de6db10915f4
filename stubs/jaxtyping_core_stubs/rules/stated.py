"""Overloads that are written down: of functions whose results follow from more than the probes vary.

They stand in ``stated/MODULE.txt``, in the syntax of stubs, and come before what is found out. What a template leaves
out is taken from the function: the kinds and the defaults of the parameters. The conformance suite holds each of them
against JAX.
"""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import re
from collections.abc import Callable, Iterator
from inspect import Parameter
from pathlib import Path
from typing import Any, NamedTuple

import jax

from .. import hints, requests
from ..probing import parameters
from ..probing.parameters import Argument, arguments

FOLDER = Path(__file__).parent.parent / "stated"

#: The annotations of a parameter that gives the dtype of the result, with or without a default; what the result has.
_ASK = {
    "ASK": requests.BY_CLASS,
    "ASK_FLOAT": requests.with_default("DefaultFloat"),
    "ASK_INT": requests.with_default("DefaultInt"),
}
REQUESTED = "REQUESTED"


class Stated(NamedTuple):
    """A template: annotations by name, the parameters that may be left out, and the result."""

    annotations: dict[str, str]
    optional: frozenset[str]
    rest: bool  # ``**_``: what else the function has, with its own annotations
    result: str
    after: bool = False


#: Overloads that come after what is found out: ``def f__after(...)``.
AFTER = "after"


class Made(NamedTuple):
    """An overload: parameters with their annotations as text, and the result."""

    parameters: list[Parameter]
    result: str
    after: bool


def overloads(path: str, function: Callable[..., Any]) -> list[Made]:
    """The overloads that are written down for the function that is called `path`."""
    module, _, name = path.rpartition(".")
    templates = _templates(module).get(name, ())
    if not templates:
        return []
    known = _given(path, function)
    lists = _returns_lists(function)
    templates = [template for template in templates if not (lists and template.result.startswith("tuple"))]
    made = (_made(known, _asked(template)) for template in templates)
    return [overload for overload in made if overload is not None]


def _given(path: str, function: Callable[..., Any]) -> list[Argument]:
    """The parameters as the function has them, with what is known of them."""
    if isinstance(function, jax.numpy.ufunc):
        return arguments(path, function)
    roles = {argument.name: argument for argument in arguments(path, function)}
    return [
        Argument(
            parameter.name,
            parameters.STATIC,
            parameter,
            roles[parameter.name].members if parameter.name in roles else (),
        )
        for parameter in inspect.signature(function).parameters.values()
    ]


def _returns_lists(function: Callable[..., Any]) -> bool:
    """Whether the function says that it returns lists, and no tuples: some did in older releases."""
    if isinstance(function, jax.numpy.ufunc):
        return False
    declared = str(inspect.signature(function).return_annotation)
    return "list[" in declared and "tuple[" not in declared


@functools.cache
def _templates(module: str) -> dict[str, list[Stated]]:
    file = FOLDER / f"{module}.txt"
    templates: dict[str, list[Stated]] = {}
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    for node in ast.parse(_expanded(text)).body:
        assert isinstance(node, ast.FunctionDef)
        for name in node.name.split("__"):
            templates.setdefault(name, []).append(_template(node))
    return templates


def _expanded(text: str) -> str:
    """The text, where each line with ``{A|B}`` stands once for each of the alternatives."""
    for word, alternatives in _WORDS.items():
        text = re.sub(rf"\b{word}\b", alternatives, text)
    return "\n".join(line for written in text.splitlines() for line in _alternatives(written))


#: The arrays of a list that has two dtypes: each must be one of those, so that of three none fits.
_WORDS = {"OF_TWO": "_Mixed[_O, Any, Any] | _Mixed[_D, Any, Any, _Join[_O, _R]]"}
#: Alternatives are set apart without spaces, the members of unions with them.
_CHOICE, _OR = re.compile(r"{([^{}]*)}"), re.compile(r"(?<! )\|(?! )")


def _alternatives(line: str) -> Iterator[str]:
    """The lines that a line stands for; its choices of the same number go together."""
    choice = None if line.startswith("#") else _CHOICE.search(line)
    if choice is None:
        yield line
        return
    count = len(_OR.split(choice[1]))
    for place in range(count):
        yield from _alternatives(_CHOICE.sub(functools.partial(_picked, count, place), line))


def _picked(count: int, place: int, choice: re.Match[str]) -> str:
    parts = _OR.split(choice[1])
    return parts[place] if len(parts) == count else choice[0]


def _template(node: ast.FunctionDef) -> Stated:
    spec = node.args
    plain = [*spec.posonlyargs, *spec.args]
    defaults = [*itertools.repeat(None, len(plain) - len(spec.defaults)), *spec.defaults, *spec.kw_defaults]
    every = [*plain, *spec.kwonlyargs]
    optional = (arg.arg for arg, default in zip(every, defaults, strict=True) if default is not None)
    annotations = {arg.arg: ast.unparse(arg.annotation) for arg in every if arg.annotation}
    assert node.returns is not None
    after = AFTER in node.name.split("__")
    return Stated(annotations, frozenset(optional), spec.kwarg is not None, ast.unparse(node.returns), after)


def _asked(template: Stated) -> Stated:
    """The template with what it asks for a dtype with."""
    for name, text in template.annotations.items():
        if (request := _ASK.get(text)) is not None:
            annotations = {**template.annotations, name: request.annotation}
            return template._replace(
                annotations=annotations, result=template.result.replace(REQUESTED, request.result)
            )
    return template


def _made(known: list[Argument], template: Stated) -> Made | None:
    """The overload; None where the function has no such parameters."""
    made: list[Parameter] = []
    left = dict(template.annotations)
    keywords = optional = False
    for parameter in known:
        if parameter.parameter.kind is Parameter.VAR_POSITIONAL:
            starred = {name: text for name, text in left.items() if name.startswith(f"{parameter.name}_")}
            made += [
                Parameter(name, Parameter.POSITIONAL_ONLY, annotation=text) for name, text in starred.items()
            ]
            left = {name: text for name, text in left.items() if name not in starred}
        text, may_be_left_out = _annotation(parameter, template, left)
        if text is None:
            keywords = True
            continue
        keywords = keywords or (optional and not may_be_left_out)
        optional = optional or may_be_left_out
        made.append(_parameter(parameter, text, may_be_left_out, keywords))
    if known and known[-1].parameter.kind is Parameter.VAR_KEYWORD:
        made += [_keyword(name, text, name in template.optional) for name, text in left.items()]
        left = {}
    return None if left else Made(made, template.result, template.after)


def _keyword(name: str, text: str, may_be_left_out: bool) -> Parameter:
    """One of the ``**kwargs``."""
    default = ... if may_be_left_out else Parameter.empty
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=text)


def _annotation(known: Argument, template: Stated, left: dict[str, str]) -> tuple[str | None, bool]:
    if known.name in left:
        return left.pop(known.name), known.name in template.optional
    if known.starred or known.parameter.default is Parameter.empty:
        return None, True
    if known.parameter.default is None and not template.rest:
        return "None", True
    return (hints.text(hints.join(known.members, _none(known))), True) if template.rest else (None, True)


def _none(known: Argument) -> tuple[str, ...]:
    return ("None",) if known.parameter.default is None else ()


def _parameter(known: Argument, text: str, may_be_left_out: bool, keyword: bool) -> Parameter:
    kind: Any = known.parameter.kind
    if keyword and kind is Parameter.POSITIONAL_OR_KEYWORD:
        kind = Parameter.KEYWORD_ONLY
    default = known.parameter.default if may_be_left_out else Parameter.empty
    return Parameter(known.name, kind, default=default, annotation=text)
