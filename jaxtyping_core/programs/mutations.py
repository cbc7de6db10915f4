"""Reads what the source of one module may change: `changes` tells of whole programs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from jaxtyping_core.programs.binding import bound
from jaxtyping_core.programs.program_mutations import Body, Passed, Source
from jaxtyping_core.programs.syntax import children, imports_in, kept, nodes_of, parameters, root

#: What leads from an object to what it holds.
OWNED = (ast.Attribute, ast.Subscript)
#: Methods that change a container, or keep what they are passed.
MUTATORS = frozenset(
    {
        *("append", "insert", "extend", "update", "setdefault", "add", "appendleft", "extendleft", "put"),
        *("pop", "popitem", "popleft", "remove", "clear", "sort", "reverse", "discard", "fill", "register"),
    }
)
#: Functions of Python that only read what they are passed.
READING = frozenset(
    {
        *(
            "len",
            "zip",
            "enumerate",
            "range",
            "sorted",
            "sum",
            "min",
            "max",
            "any",
            "all",
            "print",
            "isinstance",
        ),
        *("tuple", "list", "dict", "set", "reversed", "map", "filter", "str", "repr", "type", "id", "hash"),
        *("int", "float", "bool", "abs", "round", "format", "callable", "issubclass", "getattr", "hasattr"),
        *("reveal_type", "assert_type"),
    }
)
#: Methods that make an object, and may assign to its attributes.
MAKING = frozenset({"__init__", "__post_init__", "__new__", "setup"})
#: What may assign to any attribute.
SETTING = frozenset({"setattr", "delattr", "__setattr__", "__delattr__", "__dict__", "vars"})
#: Functions of Python by which any variable may be changed.
ANYTHING = frozenset({"globals", "vars", "locals", "exec", "eval", "setattr", "delattr", "__import__"})


def read(tree: ast.Module) -> Source:
    """What a module says."""
    imports = [node for statement in tree.body for node in imports_in(statement)]
    renamed = {
        alias.asname: alias.name
        for node in imports
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    known = _Imported(
        frozenset(alias.asname or alias.name.partition(".")[0] for node in imports for alias in node.names),
        frozenset(renamed.items()),
    )
    source = Source(set(), set(), set(), set(), [Body("<module>", ())], set(), False)
    source.rebound = {name for name, times in bound(tree.body).items() if times > 1}
    for statement in tree.body:
        _join(source, _read_of(statement, known))
    return source


class _Imported(NamedTuple):
    """The names that a module imports, and what those stand for that are imported as another."""

    names: frozenset[str]
    renamed: frozenset[tuple[str, str]]


def _join(source: Source, other: Source) -> None:
    """Take up what a statement of the top level says; its first body is a part of the module's."""
    own, (top, *bodies) = source.bodies[0], other.bodies
    own.changed |= top.changed
    own.passed += top.passed
    source.bodies += bodies
    for names, more in (
        (source.rebound, other.rebound),
        (source.outer, other.outer),
        (source.patched, other.patched),
        (source.classes, other.classes),
    ):
        names |= more
    source.anything = source.anything or other.anything
    if source.assigned is None or other.assigned is None:
        source.assigned = None
    else:
        source.assigned |= other.assigned


def _read_of(statement: ast.stmt, imported: _Imported) -> Source:
    """What a statement of a module's top level says, in which these names are imported."""
    known = _read_so_far(statement)
    if imported not in known:
        known.clear()
        known[imported] = _read_anew(statement, imported)
    return known[imported]


@kept
def _read_so_far(_: ast.stmt) -> dict[_Imported, Source]:
    return {}


def _read_anew(statement: ast.stmt, known: _Imported) -> Source:
    source = Source(set(), set(), set(), set(), [], set(), False)
    for node in nodes_of(statement):
        if isinstance(node, ast.Global):
            source.rebound.update(node.names)
        elif isinstance(node, ast.Nonlocal):
            source.outer.update(node.names)
        elif isinstance(node, ast.ClassDef):
            source.classes.add(node.name)
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            if root(node, OWNED) in known.names:
                source.patched.add(node.attr)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ANYTHING:
            source.anything = source.anything or _changes_anything(node, known.names)
    _Reader(source, known.names, dict(known.renamed)).visit_body("<module>", (), [statement])
    return source


def _changes_anything(call: ast.Call, imported: frozenset[str]) -> bool:
    """Whether a call of such a function may change a module's variables."""
    assert isinstance(call.func, ast.Name)
    if call.func.id in ("setattr", "delattr"):
        return bool(call.args) and isinstance(call.args[0], ast.Name) and call.args[0].id in imported
    return call.func.id in ("globals", "exec", "__import__") or (call.func.id == "vars" and not call.args)


def _names(node: ast.expr) -> Iterator[str]:
    """The variable and the attributes in ``self.state["w"]``."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        if isinstance(node, ast.Attribute):
            yield node.attr
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


class _Reader:
    """Reads what the bodies of a module change; `renamed` has what names stand for that are imported as another."""

    def __init__(self, source: Source, imported: frozenset[str], renamed: dict[str, str]) -> None:
        self.source = source
        self.renamed = renamed
        self.imported = imported
        self.body = Body("", ())

    def visit(self, node: ast.AST) -> None:
        READERS.get(type(node), _Reader.visit_parts)(self, node)

    def visit_parts(self, node: ast.AST) -> None:
        for child in children(node):
            self.visit(child)

    def visit_body(self, name: str, parameters: tuple[str, ...], parts: Iterable[ast.AST]) -> None:
        outer, self.body = self.body, Body(name, parameters)
        self.source.bodies.append(self.body)
        for part in parts:
            self.visit(part)
        self.body = outer

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        self.visit_body(name, tuple(arg.arg for arg in parameters(node.args)), children(node))
        if isinstance(node, ast.Lambda):
            self._escapes(node.body)

    def _escapes(self, *nodes: ast.expr | None) -> None:
        """What has another name from here on may be changed under that."""
        for node in nodes:
            if isinstance(node, (ast.Name, ast.Attribute, ast.Starred)):
                self.body.changed.update(_names(node))
            elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
                self._escapes(*node.elts)
            elif isinstance(node, ast.Dict):
                self._escapes(*node.values)
            elif isinstance(node, ast.IfExp):
                self._escapes(node.body, node.orelse)
            elif isinstance(node, ast.BoolOp):
                self._escapes(*node.values)

    def subscript(self, node: ast.Subscript) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.body.changed.update(_names(node.value))
        self.visit_parts(node)

    def attribute(self, node: ast.Attribute) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.body.changed.update(_names(node.value))
            if not self._is_making(node.value) and self.source.assigned is not None:
                self.source.assigned.add(node.attr)
        if node.attr in SETTING:
            self._sets_anything()
        self.visit_parts(node)

    def name(self, node: ast.Name) -> None:
        if node.id in SETTING:
            self._sets_anything()

    def _sets_anything(self) -> None:
        """Any attribute may be assigned to here, but of the object that is just made."""
        if self.body.name not in MAKING:
            self.source.assigned = None

    def _is_making(self, owner: ast.expr) -> bool:
        """Whether `owner` is the object that is just made."""
        is_self = isinstance(owner, ast.Name) and self.body.parameters[:1] == (owner.id,)
        return is_self and self.body.name in MAKING

    def augmented(self, node: ast.AugAssign) -> None:
        self.body.changed.update(_names(node.target))
        self.visit_parts(node)

    def value(self, node: ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.Return | ast.Yield) -> None:
        self._escapes(node.value)
        self.visit_parts(node)

    def call(self, node: ast.Call) -> None:
        named = [(word.arg, word.value) for word in node.keywords]
        starred = any(isinstance(arg, ast.Starred) for arg in node.args)
        is_method = isinstance(node.func, ast.Attribute)
        arguments: list[tuple[int | str | None, ast.expr]] = [
            *((None if starred or is_method else number, arg) for number, arg in enumerate(node.args)),
            *named,
        ]
        callee = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if is_method and callee in MUTATORS and root(node.func, OWNED) not in self.imported:
            self.body.changed.update(_names(node.func))
            self._escapes(*(arg for _, arg in arguments))
        elif is_method and callee in MUTATORS:  # of a module: ``library.update(model, state)``
            self._escapes(*(arg for _, arg in arguments))
        elif callee not in READING:
            reads = is_method or callee in self.imported
            callee = self.renamed.get(callee, callee)
            for parameter, arg in arguments:
                if isinstance(arg, (ast.Name, ast.Attribute, ast.Starred)):
                    self.body.passed.append(Passed(callee, frozenset(_names(arg)), parameter, reads))
        self.visit_parts(node)


#: What reads each kind of nodes; of the others what is in them is read. (`ast.NodeVisitor` takes three times as long.)
READERS: dict[type[ast.AST], Callable[[_Reader, Any], None]] = {
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda), _Reader.function),
    **dict.fromkeys((ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.Return, ast.Yield), _Reader.value),
    ast.AugAssign: _Reader.augmented,
    ast.Subscript: _Reader.subscript,
    ast.Attribute: _Reader.attribute,
    ast.Name: _Reader.name,
    ast.Call: _Reader.call,
}
