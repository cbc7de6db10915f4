"""What JAX says of an argument or a result of a transformed function that is no array, in words that name it."""

from __future__ import annotations

import re

#: A type in JAX's words. Our own types stand for unknown values, and no message is written for these.
TYPE = r"<class '(?P<type>(?!jaxtyping_core)[\w.]+)'>"
NO_ARRAY = re.compile(
    rf"^Error interpreting argument to <function (?P<function>\S+) at .*? value is of type {TYPE}"
    r" .*?at path (?P<path>[\w.\[\]'\"]+?)\.?$",
    re.MULTILINE | re.DOTALL,
)
NO_HASH = re.compile(rf"^Non-hashable static arguments .*? of type {TYPE}", re.DOTALL)
NO_RESULT = re.compile(
    rf"^function (?P<function>\S+) at .*? traced for \w+ returned a value of type {TYPE}.*?, which is not a valid JAX type",
    re.DOTALL,
)
#: How JAX calls the classes of its arrays, all of which are arrays to a person.
ARRAY = re.compile(r"Tracer$|ArrayImpl$")
#: ... and those of functions.
FUNCTION = re.compile(
    r"^(?:function|method|builtin_function_or_method|PjitFunction|custom_[jv][jv]p|ufunc|partial)$"
)


def told(error: Exception) -> str | None:
    """What is wrong with an argument or a result; None if JAX says something else."""
    words = str(error) if isinstance(error, (TypeError, ValueError)) else ""
    if match := NO_ARRAY.search(words):
        path, kind, name = match["path"], _kind(match["type"]), _name(match["function"])
        first = re.match(r"\w+", path)
        remedy = f'make it static (static_argnames="{first[0]}")' if first else "make it static"
        return f'argument "{path}" of {name} is {kind}, but jit takes only arrays and numbers; {remedy}, or leave it out'
    if match := NO_HASH.search(words):
        return (
            f"a static argument is {_kind(match['type'])}, which is not hashable; {_hashable(match['type'])}"
        )
    if match := NO_RESULT.search(words):
        return f"{_name(match['function'])} returns {_kind(match['type'])}, but a transformed function must return only arrays and numbers; do not return it from there"
    return None


def _name(name: str) -> str:
    return "the lambda" if name.endswith("<lambda>") else name


def _kind(name: str) -> str:
    name = name.rpartition(".")[2]
    if ARRAY.search(name):
        return "an array"
    if FUNCTION.search(name):
        return "a function"
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _hashable(name: str) -> str:
    if ARRAY.search(name):
        return "do not make it static"
    others = {"list": "pass a tuple", "dict": "pass a tuple of pairs", "set": "pass a frozenset"}
    return others.get(name, "freeze its class (@dataclass(frozen=True)), or do not make it static")
