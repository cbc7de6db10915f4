"""Why arrays are not known: where what is unknown comes into a program, and how many places follow from that.

What the walk has seen says which expressions were unknown. From a place whose dtype or rank is unknown, this goes back: to the parts of its
expression, to what was assigned to a name, to what a function of the program returns and to what its calls pass. It ends at an
import, at a call of something that is no function of the program, or at the parameters of a function that nothing calls.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from .bindings import bindings
from .facts import CALLED, EXPRESSIONS, PARAMETER, Fact, Facts, Place, expression

#: Causes that are told, and characters of an expression in them.
MOST_CAUSES, MOST_CHARACTERS = 10, 50
BUILTINS = frozenset(dir(builtins))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

#: A part of a program: an expression, or a name with what it belongs to.
Node = tuple[object, ...]


class Cause(NamedTuple):
    """Where something unknown comes in: the file, the line, and what it is; the package that it comes from, if it is imported."""

    file: str
    line: int
    what: str
    package: str = ""
    is_uncalled: bool = False

    def told(self, places: int) -> str:
        """The cause as a person reads it."""
        follow = f"{places} place{'s' * (places != 1)} follow{'s' * (places == 1)} from it"
        if self.is_uncalled:
            return f"{self.file}:{self.line}: nothing calls {self.what}: {follow}; show a script that calls it, or annotate its parameters"
        if self.package:
            return f"{self.file}:{self.line}: {self.what} is unknown: {follow}; trust {self.package}, record a run, or annotate what comes from it"
        return f"{self.file}:{self.line}: {self.what} is unknown: {follow}; record a run, or annotate what it is assigned to"


def causes(
    facts: Facts, texts: Mapping[str, tuple[str, ast.Module, bool]], trusted: Container[str] = ()
) -> dict[Cause, int]:
    """The causes, each with the number of places that follow from it, which is highest for the first.

    Args:
        facts: what an evaluation has seen.
        texts: the modules of the program by name, each with its path and its tree.
        trusted: the packages that are trusted: what is unknown there is single functions.
    """
    if not any(_lacks(by_entry.values()) for by_entry in facts.places.values()):
        return {}
    graph = _Graph(facts, texts, trusted)
    counts = Counter(cause for place in graph.lacking_places() for cause in graph.causes_of(place))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return dict(ordered[:MOST_CAUSES])


def _lacks(facts: Iterable[Fact]) -> bool:
    """Whether the dtype or the rank of something that may be an array is unknown."""
    return any(
        fact.is_open if fact.known is None else fact.known.dtype is None or fact.known.shape is None
        for fact in facts
    )


class _Graph:
    """What follows from what, of all that is unknown in a program."""

    def __init__(
        self, facts: Facts, texts: Mapping[str, tuple[str, ast.Module, bool]], trusted: Container[str]
    ) -> None:
        self._facts, self.trusted = facts, trusted
        self._before: defaultdict[Node, list[Node]] = defaultdict(list)
        self._causes: dict[Node, Cause] = {}
        self._places: list[Node] = []
        self._known: dict[Node, frozenset[Cause]] = {}
        every = [node for _, tree, _ in texts.values() for node in ast.walk(tree)]
        named = [node for node in every if isinstance(node, (*FUNCTIONS, ast.ClassDef))]
        names = Counter(node.name for node in named)
        #: The functions and classes that are the only ones of their names.
        self.definitions = {node.name: node for node in named if names[node.name] == 1}
        for path, tree, _ in texts.values():
            _Reader(self, path, texts).visit(tree)

    def lacking_places(self) -> list[Node]:
        """The assignments and returned values of which not even the rank and the dtype are known."""
        return self._places

    def causes_of(self, node: Node) -> frozenset[Cause]:
        """Where what is unknown of a part of the program comes from."""
        if node not in self._known:
            seen, todo, ends = {node}, [node], set[Cause]()
            while todo:
                each = todo.pop()
                if each in self._causes:
                    ends.add(self._causes[each])
                    continue
                new = [before for before in self._before[each] if before not in seen]
                seen.update(new)
                todo += new
            self._known[node] = frozenset(ends)
        return self._known[node]

    def follows(self, node: Node, *before: Node) -> None:
        """`node` is unknown if one of the others is."""
        self._before[node] += before

    def ends(self, node: Node, cause: Cause) -> None:
        """What is unknown of `node` comes from nowhere else in the program."""
        self._causes[node] = cause

    def place(self, node: Node) -> None:
        """A place that is to be counted."""
        self._places.append(node)

    def lacks(self, path: str, node: ast.expr | ast.arg, name: str) -> bool:
        """Whether a place was reached with something unknown; by a call of the program, if there is one."""
        by_entry = self._facts.places.get(Place(path, node.lineno, node.col_offset, name), {})
        called = [fact for entry, fact in by_entry.items() if entry.kind == CALLED]
        return _lacks(called or by_entry.values())

    def is_uncalled(self, path: str, node: ast.arg) -> bool:
        """Whether only what nothing calls has had a parameter."""
        by_entry = self._facts.places.get(Place(path, node.lineno, node.col_offset, f"{PARAMETER}{node.arg}"))
        return bool(by_entry) and all(entry.kind != CALLED for entry in by_entry or ())


class _Reader(ast.NodeVisitor):
    """Reads one module."""

    def __init__(self, graph: _Graph, path: str, texts: Mapping[str, tuple[str, ast.Module, bool]]) -> None:
        self._graph, self._path, self._texts = graph, path, texts
        #: The names that stand for modules of Python's own, or what is in them, and those that stand for other modules.
        self._own: set[str] = set()
        self._modules: set[str] = set()
        #: The functions around, each with the names that are its own.
        self._scopes: list[tuple[ast.AST, frozenset[str]]] = []

    def _name(self, name: str) -> Node:
        """The variable that a name stands for."""
        scope = next((scope for scope, names in reversed(self._scopes) if name in names), None)
        return "name", self._path, scope, name

    def _unknown_parts(self, node: ast.AST) -> Iterator[Node]:
        """The outermost unknown expressions in a part of the program."""
        if isinstance(node, EXPRESSIONS) and self._graph.lacks(self._path, node, expression(node)):
            yield self._name(node.id) if isinstance(node, ast.Name) else self._expression(node)
        elif not isinstance(node, (ast.Lambda, ast.Name)):
            for child in ast.iter_child_nodes(node):
                yield from self._unknown_parts(child)

    def _expression(self, node: ast.expr) -> Node:
        made = "expression", self._path, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
        if made in self._graph._before:
            return made
        parts = [part for child in ast.iter_child_nodes(node) for part in self._unknown_parts(child)]
        self._graph.follows(made, *parts)
        if isinstance(node, ast.Attribute):
            self._graph.follows(made, ("attribute", node.attr))
        elif isinstance(node, ast.Call):
            called = _called(node)
            passed = [part for each in (*node.args, *node.keywords) for part in self._unknown_parts(each)]
            if self._is_not_evaluated(node.func, bool(passed)):
                self._graph.ends(made, Cause(self._path, node.lineno, _quoted(node)))
            elif called in self._graph.definitions:
                self._graph.follows(made, ("return", self._graph.definitions[called]))
        return made

    def _is_not_evaluated(self, function: ast.expr, has_unknown: bool) -> bool:
        """Whether a call gives something unknown by itself: of Python's own, or of a library that is known, with nothing unknown."""
        base = function
        while isinstance(base, ast.Attribute):
            base = base.value
        if not isinstance(base, ast.Name):
            return False
        if base.id in self._own:
            return True
        is_known = base.id in self._modules and not self._graph.lacks(self._path, base, expression(base))
        return not has_unknown and (is_known or (base is function and base.id in BUILTINS))

    def visit(self, node: ast.AST) -> None:
        """Read a node and all within it."""
        for target, value in bindings(node):
            self._assigned(target, value, is_counted=not isinstance(node, ast.withitem))  # a file, mostly
        super().visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self._imported(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self._imported(node)

    def _imported(self, node: ast.Import | ast.ImportFrom) -> None:
        source = node.module if isinstance(node, ast.ImportFrom) else None
        for alias in node.names:
            root = (source or alias.name).partition(".")[0]
            name = alias.asname or alias.name.partition(".")[0]
            is_own = root in sys.stdlib_module_names
            is_relative = isinstance(node, ast.ImportFrom) and node.level > 0
            if is_relative or (source or alias.name) in self._texts:
                continue
            (self._own if is_own else self._modules).add(name)
            if not is_own:
                whole = f"{source}.{alias.name}" if source else alias.name
                what = (whole, "") if root in self._graph.trusted else (root, root)
                self._graph.ends(self._name(name), Cause(self._path, node.lineno, *what))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        args = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        stores = {
            each.id for each in ast.walk(node) if isinstance(each, ast.Name) and type(each.ctx) is ast.Store
        }
        self._scopes.append((node, frozenset({*stores, *(arg.arg for arg in args)})))
        for arg in args:
            parameter = self._name(arg.arg)
            if self._graph.is_uncalled(self._path, arg):
                self._graph.ends(parameter, Cause(self._path, node.lineno, node.name, is_uncalled=True))
            else:
                self._graph.follows(parameter, ("parameter", node, arg.arg))
        self.generic_visit(node)
        self._scopes.pop()

    def visit_Call(self, node: ast.Call) -> None:
        definition = self._graph.definitions.get(_called(node))
        if definition is not None:
            make, names = _receivers(definition)
            by_position = zip(names, node.args, strict=False)
            for name, value in (*by_position, *((each.arg, each.value) for each in node.keywords)):
                self._graph.follows((*make, name), *self._unknown_parts(value))
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            parts = [*self._unknown_parts(node.value)]
            if self._scopes:
                self._graph.follows(("return", self._scopes[-1][0]), *parts)
            if self._graph.lacks(self._path, node.value, "return"):
                self._counted(("place", self._path, node.lineno, node.col_offset), parts)
        self.generic_visit(node)

    def _counted(self, place: Node, parts: Iterable[Node]) -> None:
        self._graph.follows(place, *parts)
        self._graph.place(place)

    def _assigned(self, target: ast.expr, value: ast.expr, is_counted: bool) -> None:
        parts = [*self._unknown_parts(value)]
        for each in ast.walk(target):
            if isinstance(each, ast.Name) and type(each.ctx) is ast.Store:
                self._graph.follows(self._name(each.id), *parts)
                if is_counted and self._graph.lacks(self._path, each, each.id):
                    self._counted(("place", self._path, each.lineno, each.col_offset), parts)
            elif isinstance(each, ast.Attribute) and type(each.ctx) is ast.Store:
                self._graph.follows(("attribute", each.attr), *parts)


def _receivers(definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> tuple[Node, list[str]]:
    """What the arguments of a call get into, and the names that those without a name have there: parameters, or fields of an object."""
    if isinstance(definition, ast.ClassDef):
        own = [node for node in definition.body if isinstance(node, FUNCTIONS) and node.name == "__init__"]
        if not own:
            fields = [node.target for node in definition.body if isinstance(node, ast.AnnAssign)]
            return ("attribute",), [field.id for field in fields if isinstance(field, ast.Name)]
        definition = own[0]
    names = [arg.arg for arg in (*definition.args.posonlyargs, *definition.args.args)]
    return ("parameter", definition), names[1:] if names[:1] == ["self"] else names


def _called(node: ast.Call) -> str:
    """The last name of what a call calls."""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _quoted(node: ast.expr) -> str:
    text = ast.unparse(node)
    short = text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}..."
    return f"`{short}`"
