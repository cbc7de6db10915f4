"""Random edits of a program, as somebody makes them who tries things: each leaves it Python, and may leave it wrong."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterator

NUMBER = re.compile(r"(?<=[ (])(\d+\.\d+|\d+)(?=[ ,)])")
OPERATOR = re.compile(r"(?<= )[-+*/@](?= )")
DTYPE = re.compile(r"(?<=\.)(?:float32|bfloat16|float16|int32|int8|bool_)\b")
DECLARED = re.compile(r"\b(?:Float32|BFloat16|Float16|Int32)(?=\[)")
AXIS = re.compile(r", axis=(?:\d+|\([\d, ]+\))")
#: A line of a body that is a whole statement, as a rule.
STATEMENT = re.compile(r"(?m)^( {4,})(?!def |class |return|if |for |with |else|@)\S.*\n")
NAME = re.compile(r"(?<=[ (])[a-z]\w*(?=[ ,)@*/+-])")
DTYPES = ("float32", "bfloat16", "float16", "int32", "int8", "bool_")


def number(text: str, generator: random.Random) -> str:
    """Another number in one place."""

    def other(old: str) -> str:
        return f"{generator.uniform(0.1, 2):.4f}" if "." in old else str(generator.randint(1, 64))

    return _replaced(text, generator, NUMBER, other)


def edits(text: str, generator: random.Random) -> Iterator[str]:
    """The text after one edit and the next, without end; now and then it is the text once more."""
    now = text
    while True:
        if generator.random() < AGAIN:
            now = text
        edited = generator.choice(KINDS)(now, generator)
        if edited != now and _is_python(edited):
            now = edited
            yield now


#: How often the text is taken back before an edit: what comes after is not all wrong.
AGAIN = 0.3


def _operator(text: str, generator: random.Random) -> str:
    return _replaced(text, generator, OPERATOR, lambda _: generator.choice("+-*/@"))


def _dtype(text: str, generator: random.Random) -> str:
    return _replaced(text, generator, DTYPE, lambda _: generator.choice(DTYPES))


def _declared(text: str, generator: random.Random) -> str:
    return _replaced(text, generator, DECLARED, lambda _: generator.choice(("Float32", "BFloat16", "Int32")))


def _axis(text: str, generator: random.Random) -> str:
    return _replaced(
        text, generator, AXIS, lambda _: generator.choice(("", ", axis=0", ", axis=1", ", axis=-1"))
    )


def _name(text: str, generator: random.Random) -> str:
    names = sorted(set(NAME.findall(text)))
    return _replaced(text, generator, NAME, lambda _: generator.choice(names))


def _without(text: str, generator: random.Random) -> str:
    """A statement less."""
    return _replaced(text, generator, STATEMENT, lambda line: _indent(line) + "pass\n")


def _twice(text: str, generator: random.Random) -> str:
    """A statement twice."""
    return _replaced(text, generator, STATEMENT, lambda line: line * 2)


def _line(text: str, generator: random.Random) -> str:
    """An empty line more, after which all stands one line lower."""
    return _replaced(text, generator, STATEMENT, lambda line: "\n" + line)


def _renamed(text: str, generator: random.Random) -> str:
    """A function, a parameter or a variable under another name, wherever it occurs."""
    nodes = [*ast.walk(ast.parse(text))]
    names = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    names |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    name = generator.choice(sorted(names))
    return re.sub(rf"\b{name}\b", f"{name}_{generator.randint(1, 9)}", text)


def half_typed(text: str, edited: str, generator: random.Random) -> str:
    """The edited text while its first changed line is being typed: the line ends somewhere."""
    old, new = text.split("\n"), edited.split("\n")
    number = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(new) - 1)
    line = new[number]
    new[number] = line[: generator.randint(len(_indent(line)), len(line))]
    return "\n".join(new)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _replaced(
    text: str, generator: random.Random, pattern: re.Pattern[str], other: Callable[[str], str]
) -> str:
    places = [*pattern.finditer(text)]
    if not places:
        return text
    place = generator.choice(places)
    return text[: place.start()] + other(place[0]) + text[place.end() :]


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


#: Kinds of edits, each as likely as another.
KINDS = (number, number, _operator, _dtype, _declared, _axis, _name, _without, _twice, _line, _renamed)
