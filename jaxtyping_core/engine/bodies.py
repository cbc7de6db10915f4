"""The bodies of a program's functions, and who reads them: what has not read a body is the same whatever stands in it.

The text of a module is its bodies, and a frame that holds them: headers of functions with their decorators and defaults, fields of
classes, and statements of the top level. All of a program that is not in a body of a function or of a method is in its frames.

Whatever reads a body asks the syntax tree of its function for it. So the trees themselves note who does, and no reader has to.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple

from ..identity import identity

#: How Python tells lines apart, which has fewer kinds of ends than `str.splitlines`.
NEWLINE = re.compile("\r\n|\r|\n")
#: What functions say of the variables of their module: that holds wherever they are called from.
GLOBAL = re.compile(r"\bglobal\b.*")
#: Nodes in which no ``yield`` is the function's own, or none at all: the last two are most of all nodes.
WITHOUT_YIELDS = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef),
    *(ast.expr_context, ast.operator, ast.Name, ast.Constant),
)
#: What stands for a body in a frame.
PLACEHOLDER = "\0"


class Readers:
    """Who reads now, as a set of the numbers of the bodies that were read; None if nobody notes it."""

    now: ClassVar[set[int] | None] = None


@contextmanager
def read_by(reader: set[int] | None) -> Iterator[None]:
    """A part of an evaluation whose readings go into a set; what is around it does not depend on them."""
    outer, Readers.now = Readers.now, reader
    try:
        yield
    finally:
        Readers.now = outer


@contextmanager
def kept_readings(readings: set[int]) -> Iterator[None]:
    """What is read within is kept in a set, and whoever comes here again reads all that is in it."""
    with read_by(readings):
        yield
    if Readers.now is not None:
        Readers.now |= readings


class _Noting:
    """A function of a syntax tree that notes who reads its body."""

    __slots__ = ()

    @property
    def body(self) -> list[ast.stmt]:
        if Readers.now is not None:
            Readers.now.add(self.__dict__["number"])
        body: list[ast.stmt] = self.__dict__["body"]
        return body


# What prints trees asks for the names of classes.
class _Function(_Noting, ast.FunctionDef):  # type: ignore[override]  # nobody assigns to a body
    __slots__ = ()


class _Coroutine(_Noting, ast.AsyncFunctionDef):  # type: ignore[override]  # nobody assigns to a body
    __slots__ = ()


_NOTING: dict[type, type] = {ast.FunctionDef: _Function, ast.AsyncFunctionDef: _Coroutine}
for _kind, _noting in _NOTING.items():
    _noting.__name__ = _noting.__qualname__ = _kind.__name__


class Body(NamedTuple):
    """The lines of a body, which count from 1, and a digest of their text."""

    first: int
    last: int
    digest: str


class Bodies:
    """The bodies of a program.

    Args:
        modules: the modules by name, each with its path, its syntax tree and its text.

    Attributes:
        frames: a digest of all that is in no body.
        all: the bodies, each under its number, and None for what is part of a frame.
    """

    def __init__(self, modules: Mapping[str, tuple[str, ast.Module, str]]) -> None:
        digest = hashlib.sha256()
        self.all: list[Body | None] = []
        #: The bodies of each module, with its path: a file may be two modules.
        self._of_modules: list[tuple[str, list[Body]]] = []
        self._numbers: dict[int, int] = {}
        self._nodes: list[int] = []
        for name, (path, tree, text) in modules.items():
            lines = NEWLINE.split(text)
            own: list[Body] = []
            self._of_modules.append((path, own))
            for node in _functions(tree.body):
                self._numbers[identity(node)] = len(self.all)
                self._nodes.append(identity(node))
                body = _body(node, lines)
                self.all.append(body)
                if body is not None:
                    own.append(body)
                    digest.update(str(yields(node)).encode())
                    node.number = len(self.all) - 1
                    node.__class__ = _NOTING[type(node)]
            digest.update(repr((name, path, [*_frame(lines, own)], GLOBAL.findall(text))).encode())
        self.frames = digest.hexdigest()

    def number(self, node: int) -> int | None:
        """The number of a function of a module's top level, or of a class there, by the identity of its tree."""
        return self._numbers.get(node)

    def node(self, number: int) -> int:
        """The identity of the tree of a function."""
        return self._nodes[number]

    def as_json(self) -> list[list[Any]]:
        """The bodies of each file, in its order."""
        return [[path, bodies] for path, bodies in self._of_modules]

    def changed(self, earlier: Sequence[Any]) -> int:
        """The bodies that are others now than in what `as_json` gave of a program with the same frames, as the bits of a number."""
        before = iter([body for _, bodies in earlier for body in bodies])
        changed = 0
        for number, body in enumerate(self.all):
            if body is not None and next(before)[2] != body.digest:
                changed |= 1 << number
        return changed

    def lines_since(self, earlier: Sequence[Any]) -> Lines:
        """Where the lines of the program are now."""
        return Lines(
            {
                path: [*zip(before, bodies, strict=True)]
                for (_, before), (path, bodies) in zip(earlier, self._of_modules, strict=True)
            }
        )


class Lines:
    """Where lines are after edits of bodies; `moved` tells whether any is elsewhere."""

    def __init__(self, bodies: Mapping[str, Sequence[tuple[Sequence[Any], Body]]]) -> None:
        self._bodies = bodies
        self.are_moved = any(old[1] != new.last for pairs in bodies.values() for old, new in pairs)

    def now(self, path: str, line: int) -> int | None:
        """Where a line of before is now; None if it is in a body that was edited."""
        moved = 0
        for (first, last, digest), new in self._bodies.get(path, ()):
            if line < first:
                break
            if line <= last:
                return line + new.first - first if digest == new.digest else None
            moved = new.last - last
        return line + moved


def yields(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    """Whether a function is a generator: that is known of it without its body, as its signature is."""
    body = vars(node)["body"]
    todo: list[ast.AST] = [body] if isinstance(node, ast.Lambda) else [*body]
    while todo:
        part = todo.pop()
        if isinstance(part, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(part, WITHOUT_YIELDS):
            todo += ast.iter_child_nodes(part)
    return False


def bits(numbers: set[int]) -> int:
    """Numbers as the bits of one."""
    return sum(1 << number for number in numbers)


def _functions(statements: Sequence[ast.stmt]) -> Iterator[Any]:
    """The functions of a module's top level and of its classes."""
    for node in statements:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body)
        else:
            for field in ("body", "handlers", "orelse", "finalbody"):
                yield from _functions(getattr(node, field, ()))


def _body(node: ast.FunctionDef | ast.AsyncFunctionDef, lines: Sequence[str]) -> Body | None:
    """The body of a function whose lines have nothing else in them."""
    first, last = node.body[0], node.body[-1]
    start = min([first.lineno, *(each.lineno for each in getattr(first, "decorator_list", ()))])
    end = last.end_lineno or last.lineno
    indent = lines[start - 1].encode()[: first.col_offset]
    if indent.strip():
        return None
    text = "\n".join(lines[start - 1 : end])
    return Body(start, end, hashlib.sha256(text.encode()).hexdigest()[:20])


def _frame(lines: Sequence[str], bodies: Sequence[Body]) -> Iterator[str]:
    """The lines of a module that are in no body."""
    at = 0
    for body in bodies:
        yield from lines[at : body.first - 1]
        yield PLACEHOLDER
        at = body.last
    yield from lines[at:]
