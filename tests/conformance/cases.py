"""The expressions: every call with dtypes drawn for its letters, the same ones at every run."""

from __future__ import annotations

import functools
import random
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from conformance import tables, variables
from conformance.templates import Template, once_wrong, templates
from conformance.truth import Items, Refused, Truth, find
from jaxtyping_core import dtypes

_LETTER = re.compile(r"\$([A-Z])(\d*)")
#: Ways to write a dtype as an argument.
_FORMS = (
    *("jnp.{0}", "jnp.{0}", "jnp.{0}", "'{1}'", "np.dtype('{2}')", "np.{2}", "np.dtype(np.{2})"),
    *("{1}_3.dtype", "jnp.dtype('{1}')", "float", "int", "bool", "complex"),
)
_IN_NUMPY = ("bool", "int8", "int16", "int32", "uint8", "uint16", "uint32", "float16", "float32", "complex64")


class Case(NamedTuple):
    """An expression, what it is about, and what JAX computes."""

    target: str
    expression: str
    truth: Truth


@functools.cache
def expressions(x64: bool) -> tuple[tuple[str, str], ...]:
    """All (target, expression) pairs."""
    return _distinct(_drawn((*templates(), *once_wrong()), x64))


def _drawn(chosen: Iterable[Template], x64: bool) -> Iterator[tuple[str, str]]:
    return ((template.target, text) for template in chosen for text in _draws(template, x64))


def with_every_dtype(x64: bool) -> tuple[tuple[str, str], ...]:
    """All (target, expression) pairs, each call with every dtype that its first letter may stand for."""
    return _distinct(
        (template.target, text)
        for template in (*templates(), *once_wrong())
        for text in _every(template, x64)
    )


def _distinct(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The pairs, one for each expression."""
    targets: dict[str, str] = {}
    for target, text in pairs:
        targets.setdefault(text, target)
    return tuple((target, text) for text, target in targets.items())


def cases(chosen: tuple[tuple[str, str], ...]) -> list[Case]:
    """The expressions with their truths; a named tuple is looked at through its fields."""
    every = []
    truths = find([expression for _, expression in chosen])
    for (target, expression), truth in zip(chosen, truths, strict=True):
        if isinstance(truth, Items) and truth.kind == "tuple" and truth.fields:
            pairs = zip(truth.fields, truth.items, strict=True)
            every += [Case(target, f"{expression}.{field}", item) for field, item in pairs]
        elif truth is not None:
            every.append(Case(target, expression, truth))
    return every


def sample(x64: bool, size: int, seed: int) -> tuple[tuple[str, str], ...]:
    """Some of the expressions: one of every target, and what was wrong once, at least."""
    everything = _shuffled(_distinct(_drawn(templates(), x64)), seed)
    first: dict[str, tuple[str, str]] = {}
    for pair in everything:
        first.setdefault(pair[0], pair)
    rest = [pair for pair in everything if first[pair[0]] is not pair]
    chosen = (*first.values(), *rest[: max(0, size - len(first))])
    return _distinct((*chosen[:size], *_drawn(once_wrong(), x64)))


def sample_of_dtypes(x64: bool, size: int, seed: int) -> tuple[tuple[str, str], ...]:
    """Some of the calls with every dtype."""
    return tuple(_shuffled(with_every_dtype(x64), seed)[:size])


def _shuffled(pairs: Iterable[tuple[str, str]], seed: int) -> list[tuple[str, str]]:
    every = list(pairs)
    random.Random(seed).shuffle(every)
    return every


def functions_accepted(tried: list[Case]) -> set[str]:
    """The targets that JAX accepts at least once."""
    return {case.target for case in tried if not isinstance(case.truth, Refused)}


def _draws(template: Template, x64: bool) -> Iterator[str]:
    generator = random.Random(zlib.crc32(template.text.encode()))
    for number in range(template.draws):
        yield _filled(template, {}, number, generator, x64)


def _every(template: Template, x64: bool) -> Iterator[str]:
    letters = (letter for letter, _ in _LETTER.findall(template.text) if letter != "D")
    first = next(letters, None)
    generator = random.Random(zlib.crc32(template.text.encode()))
    if first is None:
        yield _filled(template, {}, 1, generator, x64)
        return
    for dtype in _choices(first, x64):
        yield _filled(template, {first: dtype}, 1, generator, x64)


def _choices(letter: str, x64: bool) -> list[str]:
    """Every dtype and weak type; of NumPy's arrays those that NumPy has."""
    every = _IN_NUMPY if letter == "N" else (*variables.DTYPES, *dtypes.WEAK)
    return [name for name in every if name in dtypes.WEAK or _is_there(name, x64)]


def _filled(
    template: Template, known: dict[str, str], number: int, generator: random.Random, x64: bool
) -> str:
    """The call with a dtype for each letter: the known one, else one that is drawn."""
    drawn = dict(known)

    def replace(match: re.Match[str]) -> str:
        letter, shape = match[1], match[2]
        if letter == "D":
            return _dtype(generator, x64)
        if letter not in drawn:
            drawn[letter] = _draw(letter, number, generator, x64)
        prefix = "np_" if letter == "N" else ""
        return f"{prefix}{drawn[letter]}_{shape}"

    return _LETTER.sub(replace, template.text)


def _draw(letter: str, number: int, generator: random.Random, x64: bool) -> str:
    first, _, rest = tables.LETTERS[letter].partition("|")
    if number == 0 and generator.random() < 0.5:
        return first.split()[0]
    words = [word for word in (rest or first).split() if word == "*" or _is_there(word, x64)]
    word = generator.choice(words)
    if word != "*":
        return word
    return generator.choice([name for name in variables.DTYPES if _is_there(name, x64)])


def _is_there(dtype: str, x64: bool) -> bool:
    return dtypes.canonical(dtype, x64) == dtype


def _dtype(generator: random.Random, x64: bool) -> str:
    name = generator.choice([name for name in variables.DTYPES if _is_there(name, x64)])
    form = generator.choice(_FORMS)
    return form.format(variables.class_name(name), name, generator.choice(_IN_NUMPY))
