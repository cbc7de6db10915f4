"""Calls of JAX's public functions with letters for the dtypes of arguments, from signatures and tables."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from inspect import Parameter
from pathlib import Path
from typing import Any, NamedTuple

from conformance import tables

DATA = Path(__file__).parent / "data"
_TARGET = re.compile(r"^(?:jnp|jax|lax)(?:\.\w+)+(?=\()")


class Template(NamedTuple):
    """A call, the function or attribute that it is about, and how many draws of dtypes it deserves."""

    target: str
    text: str
    draws: int


@functools.cache
def templates() -> tuple[Template, ...]:
    """All calls, each once."""
    written = {name: _read(name) for name in ("calls.txt", "arrays.txt")}
    calls = [template for template in written["calls.txt"] if _exists(template.target)]
    by_target: dict[str, list[Template]] = {}
    for template in calls:
        by_target.setdefault(template.target, []).append(template)
    by_text = {t.text: t for t in (*calls, *written["arrays.txt"])}
    for target, function in public_functions():
        for template in _of_function(target, function, by_target.get(target, [])):
            by_text.setdefault(template.text, template)
    return tuple(by_text.values())


@functools.cache
def once_wrong() -> tuple[Template, ...]:
    """The calls that are in every sample; the rest of a sample does not depend on them."""
    return tuple(_read("once_wrong.txt"))


def _read(name: str) -> list[Template]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    texts = [line for line in lines if line and not line.startswith("#")]
    draws = 3 if name == "arrays.txt" else 2
    return [Template(_target(text), text, draws if "$" in text else 1) for text in texts]


def _target(text: str) -> str:
    """What an expression is about: a function, or an attribute, method or operator of arrays."""
    if match := _TARGET.match(text):
        return match[0]
    if method := re.match(r"\$[A-Z]\d*\.at\[.*\]\.(\w+)", text):
        return f"Array.at[].{method[1]}"
    if method := re.fullmatch(r"\$[A-Z]\d*\.(\w+)(?:\(.*\))?", text):
        return f"Array.{method[1]}"
    if re.match(r"\$[A-Z]\d*\[", text):
        return "Array[]"
    return re.sub(r"\$[A-Z]\d*|py_\w+|\b\d[\d.j]*", "_", text)


def _exists(target: str) -> bool:
    """Whether the installed JAX has a function (others are older or newer than it)."""
    value: Any = None
    for part in target.split("."):
        roots = {"jax": "jax", "jnp": "jax.numpy", "lax": "jax.lax"}
        try:
            value = importlib.import_module(roots[part]) if value is None else getattr(value, part)
        except AttributeError:
            return False
    return True


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions of the modules in the table, by the names that programs use."""
    for module, name in _modules():
        for attribute, value in sorted(vars(importlib.import_module(module)).items()):
            is_function = callable(value) and not inspect.isclass(value) and not attribute.startswith("_")
            if is_function and attribute not in tables.SKIPPED:
                yield f"{name}.{attribute}", value


def _modules() -> Iterator[tuple[str, str]]:
    yield from tables.MODULES.items()
    for name, value in sorted(vars(importlib.import_module("jax.scipy.stats")).items()):
        if inspect.ismodule(value) and not name.startswith("_"):
            yield value.__name__, f"jax.scipy.stats.{name}"


def _of_function(target: str, function: Callable[..., Any], written: list[Template]) -> Iterator[Template]:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return
    if written:
        basic = written[0].text
    elif target.startswith("jax.nn.initializers") or any(p.name in ("f", "fun", "func") for p in parameters):
        return
    else:
        for shape in tables.SHAPES:
            yield Template(target, _call(target, _required(target, parameters, shape)), 2)
        yield from _scalars(target, parameters)
        basic = _call(target, _required(target, parameters, tables.SHAPES[0]))
    for parameter in parameters:
        if f", {parameter.name}=" in basic:
            continue
        for value in _optional(target, parameter):
            yield Template(target, _with(basic, parameter.name, value), 1)


def _scalars(target: str, parameters: list[Parameter]) -> Iterator[Template]:
    """Calls with a Python scalar or a NumPy array in the place of one array."""
    basic = _required(target, parameters, tables.SHAPES[0])
    for place, argument in enumerate(basic):
        if re.fullmatch(r"\$[A-Z]34", argument):
            for value in ("2", "2.5", "True", "1j", "py_float", "$N34", "$W", "$B4"):
                yield Template(target, _call(target, [*basic[:place], value, *basic[place + 1 :]]), 1)


def _required(target: str, parameters: list[Parameter], shape: str) -> list[str]:
    module = target.rsplit(".", 1)[0]
    letters = _letters(module)
    arguments = []
    for parameter in parameters:
        if parameter.kind is Parameter.VAR_POSITIONAL:  # of a ufunc, or any number of arrays
            arguments += [f"${letters[0]}{shape}", f"${letters[1]}{shape}"]
        if parameter.default is not Parameter.empty or parameter.kind in (
            Parameter.VAR_POSITIONAL,
            Parameter.VAR_KEYWORD,
        ):
            continue
        known = tables.REQUIRED.get(parameter.name)
        arrays = next((names for m, names in tables.ARRAYS_IN.items() if module.startswith(m)), ())
        if known is None or parameter.name in arrays:
            taken = sum(argument.startswith("$") for argument in arguments)
            known = f"${letters[min(taken, len(letters) - 1)]}{shape}"
        keyword_only = parameter.kind is Parameter.KEYWORD_ONLY
        arguments.append(f"{parameter.name}={known}" if keyword_only else known)
    return arguments


def _letters(module: str) -> str:
    """The letters for a function's array arguments, in order."""
    if module in ("lax", "jax.ops"):
        return "AA"  # no promotion
    return "FG" if module in ("jax.random", "jax.scipy.signal") else "L" if "linalg" in module else "AB"


def _optional(target: str, parameter: Parameter) -> tuple[str, ...]:
    if parameter.default is Parameter.empty:
        return ()
    if (target, parameter.name) in tables.SPECIAL:
        return tables.SPECIAL[target, parameter.name]
    return tables.OPTIONAL.get(parameter.name, ())


def _call(target: str, arguments: list[str]) -> str:
    return f"{target}({', '.join(arguments)})"


def _with(call: str, name: str, value: str) -> str:
    """A call with one more argument."""
    separator = "" if call.endswith("()") else ", "
    return f"{call[:-1]}{separator}{name}={value})"
