"""The definitions of a module's top level, and the names in them and around them."""

from __future__ import annotations

import ast
import functools
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from jaxtyping_core.programs.sources import parse
from jaxtyping_core.programs.syntax import (
    DEFINITIONS,
    Definition,
    first_line,
    imports_in,
    kept,
    nodes_of,
    parameters,
    root,
    walk,
)

#: Methods, and keywords of classes, by which a class does something to those that are based on it.
SPREADING = frozenset({"__init_subclass__", "__set_name__", "metaclass"})
#: What is before the name of a module in which one is looked up that only a run knows: ``getattr(parts, name)``.
LOOKED_UP = "getattr "
#: Functions that look up attributes by their names.
LOOKING_UP = frozenset({"getattr", "attrgetter", "methodcaller"})
#: Functions that make names for types.
OF_TYPES = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple", "NewType"})
MAIN = ('__name__ == "__main__"', '"__main__" == __name__')
#: Texts that are longer name nothing.
LONGEST = 200
#: Definitions that are kept, by their modules and texts.
MOST_UNITS = 20_000
WORD = re.compile(r"[^\W\d]\w*")


class Unit(NamedTuple):
    """A definition of a module's top level.

    Attributes:
        text: its lines.
        head: what of it runs, or counts, when the module is imported.
        words: the names in it; `at_import` are those of its head.
        decorated: the names in its decorators, which may keep it where others find it; `bases` are those in its bases.
        spreads: whether it does something to classes that are based on it.
    """

    module: str
    name: str
    line: int
    text: str
    head: str
    words: frozenset[str]
    at_import: frozenset[str]
    decorated: frozenset[str]
    bases: frozenset[str]
    spreads: bool


class Read(NamedTuple):
    """A module: its definitions, the statements around them, the names in these, and other names of what is imported.

    `plain` are the imported names that are used as values, not before a dot.
    """

    units: tuple[Unit, ...]
    around: str
    words: frozenset[str]
    aliases: frozenset[tuple[str, str]]
    plain: frozenset[str]


_units: dict[tuple[str, str], Unit] = {}


@functools.lru_cache(maxsize=2_000)
def definitions(module: str, text: str) -> Read:
    tree, lines = parse(text), text.splitlines()
    units: list[Unit] = []
    around: list[str] = []
    words: set[str] = set()
    for node in tree.body:
        if isinstance(node, DEFINITIONS):
            units.append(_unit(module, node, lines))
            continue
        if _is_of_script(node):
            continue
        around.append(_text(node, lines))
        if not isinstance(node, (ast.Import, ast.ImportFrom)) and not _names_types(node):
            words.update(_words(node))
    imported = [alias for node in tree.body for imports in imports_in(node) for alias in imports.names]
    named = {node.asname or node.name.partition(".")[0] for node in imported}
    aliases = {(node.asname, node.name.rpartition(".")[2]) for node in imported if node.asname}
    return Read(
        *(tuple(units), "\n".join(around), frozenset(words), frozenset(aliases)),
        plain=frozenset(name for node in tree.body for name in _plain(node) if name in named),
    )


def _unit(module: str, node: Definition, lines: list[str]) -> Unit:
    line = first_line(node)
    text = "\n".join(lines[line - 1 : node.end_lineno])
    # An edit leaves most definitions of a module as they were, but for their lines.
    known = _units.pop((module, text), None) or _read_unit(module, node, lines, text)
    _units[module, text] = known
    if len(_units) > MOST_UNITS:
        del _units[next(iter(_units))]
    return known._replace(line=line)


def _read_unit(module: str, node: Definition, lines: list[str], text: str) -> Unit:
    heads = list(_heads(node))
    names = (type(node).__name__, *_names(node))
    bases = [*node.bases, *node.keywords] if isinstance(node, ast.ClassDef) else []
    return Unit(
        module=module,
        name=node.name,
        line=0,
        text=text,
        head="\n".join([*names, *(_text(head, lines) for head in heads)]),
        words=frozenset(_words(node)),
        at_import=frozenset(_words(*_that_runs(node))),
        decorated=frozenset(_words(*node.decorator_list)),
        bases=frozenset(_words(*bases)),
        spreads=not SPREADING.isdisjoint(
            [*names, *(each.arg for each in bases if isinstance(each, ast.keyword))]
        ),
    )


def _heads(node: ast.AST) -> Iterator[ast.AST]:
    """What runs when a function or class is defined: decorators, defaults, bases and what stands in the body of a class."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield from (*node.decorator_list, node.args, *([node.returns] if node.returns else ()))
    elif isinstance(node, ast.ClassDef):
        yield from (*node.decorator_list, *node.bases, *node.keywords)
        for statement in node.body:
            yield from _heads(statement)
    else:
        yield node


def _that_runs(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of what `_heads` gives but for annotations and bases that call nothing."""
    annotations: list[ast.AST | None] = []
    if isinstance(node, DEFINITIONS):
        yield from node.decorator_list
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        arguments = node.args
        yield from filter(None, (*arguments.defaults, *arguments.kw_defaults))
        annotations = [node.returns, *(parameter.annotation for parameter in parameters(arguments))]
    elif isinstance(node, ast.ClassDef):
        yield from node.keywords
        annotations = [*node.bases]
        for statement in node.body:
            yield from _that_runs(statement)
    elif isinstance(node, ast.AnnAssign):
        yield from filter(None, (node.value,))
        annotations = [node.annotation]
    else:
        yield node
    yield from (each for each in annotations if each and _calls(each))


def _calls(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Call) for part in walk(node))


def _names(node: Definition) -> Iterator[str]:
    """The name of a definition, and those of the functions in a class."""
    yield node.name
    if isinstance(node, ast.ClassDef):
        yield from (part.name for part in node.body if isinstance(part, DEFINITIONS))


def _text(node: ast.AST, lines: list[str]) -> str:
    """The whole lines on which a node stands."""
    parts = [part for part in walk(node) if isinstance(part, (ast.expr, ast.stmt, ast.arg, ast.keyword))]
    starts, ends = [part.lineno for part in parts], [part.end_lineno or part.lineno for part in parts]
    return "\n".join(lines[min(starts) - 1 : max(ends)]) if parts else ""


def _is_of_script(node: ast.stmt) -> bool:
    """Whether it is ``if __name__ == "__main__":``, of what never runs where a function is called from another module."""
    test = node.test if isinstance(node, ast.If) and not node.orelse else None
    return test is not None and ast.unparse(test).replace("'", '"') in MAIN


def _names_types(node: ast.stmt) -> bool:
    """Whether it is a text, ``__all__ = [...]``, or a name for types: ``T = TypeVar("T", bound=Model)``."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if not isinstance(node, (ast.Assign, ast.AnnAssign)):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    made = root(node.value.func, (ast.Attribute,)) if isinstance(node.value, ast.Call) else ""
    return [getattr(target, "id", None) for target in targets] == ["__all__"] or made in OF_TYPES


def _words(*nodes: ast.AST) -> Iterator[str]:
    """The names in code, and the words of the texts in it but for descriptions: a name may be looked up by its text."""
    for node in itertools.chain.from_iterable(map(walk, nodes)):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield LOOKED_UP + root(node.value, (ast.Attribute,)) if node.attr == "__dict__" else node.attr
        elif isinstance(node, ast.alias):
            yield node.name.rpartition(".")[2]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= LONGEST:
            yield from WORD.findall(node.value)
        elif isinstance(node, ast.Call) and _looks_up(node):
            yield LOOKED_UP + (root(node.args[0], (ast.Attribute,)) if node.args else "")


def _looks_up(call: ast.Call) -> bool:
    """Whether it looks up a name that only a run knows."""
    function = getattr(call.func, "id", getattr(call.func, "attr", ""))
    names = call.args[1:2] if function == "getattr" else call.args
    is_known = bool(names) and all(isinstance(name, ast.Constant) for name in names)
    return function == "vars" or (function in LOOKING_UP and not is_known)


@kept
def _plain(statement: ast.stmt) -> frozenset[str]:
    """The names that stand for themselves, not before a dot."""
    nodes = nodes_of(statement)
    before_dots = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in before_dots)
