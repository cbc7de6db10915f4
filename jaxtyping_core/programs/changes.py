"""What the source of a program may change after it was made, by names alone: of variables, and of what they hold.

A function is called at any time, and sees its module's variables as they are then. Names that are bound more than once,
and containers that anything may change, are therefore of no use. The same name anywhere counts: that is less precise, and
never wrong.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from jaxtyping_core.programs.syntax import children, imports_in, kept, nodes_of, parameters

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


class Passed(NamedTuple):
    """Names that a call passes to a function of the name `callee`."""

    callee: str
    names: frozenset[str]
    #: The parameter that they are for: its number or its name; None where that is not known.
    parameter: int | str | None
    #: Whether a function that is not the program's only reads what it is passed.
    reads: bool


@dataclass
class Body:
    """A function, or the top level of a module: what it changes, and what it passes on."""

    name: str
    parameters: tuple[str, ...]
    changed: set[str] = field(default_factory=set)
    passed: list[Passed] = field(default_factory=list)

    def changes(self, parameter: int | str | None) -> bool:
        """Whether it may change what is passed for a parameter."""
        if isinstance(parameter, str):
            return parameter in self.changed or parameter not in self.parameters
        if parameter is None or parameter >= len(self.parameters):
            return not self.changed.isdisjoint(self.parameters)
        return self.parameters[parameter] in self.changed


@dataclass
class Source:
    """What one module says."""

    rebound: set[str]
    outer: set[str]
    patched: set[str]
    #: Attributes that are assigned to anywhere but where an object is made; None where these may be any.
    assigned: set[str] | None
    bodies: list[Body]
    classes: set[str]
    #: Whether any variable may be changed in a way that names do not show.
    anything: bool


@dataclass(frozen=True)
class Changes:
    """What may change in a program."""

    #: By module, the names that may be bound more than once.
    rebound: Mapping[str, frozenset[str]]
    #: The names under which there may be a container that is changed.
    changed: frozenset[str]
    #: Names that a function declares ``nonlocal``.
    outer: frozenset[str]
    #: Attributes of objects that are assigned to after these were made; None where these may be any.
    assigned: frozenset[str] | None
    #: The modules of which nothing is certain.
    uncertain: frozenset[str]


def changes_in(sources: Mapping[str, Source]) -> Changes:
    """What may change in a program of modules that say this."""
    patched = frozenset(name for source in sources.values() for name in source.patched)
    return Changes(
        {name: frozenset(source.rebound | patched) for name, source in sources.items()},
        _changed(sources.values()),
        frozenset(name for source in sources.values() for name in source.outer),
        _assigned(sources.values()),
        frozenset(name for name, source in sources.items() if source.anything),
    )


def _assigned(sources: Iterable[Source]) -> frozenset[str] | None:
    """The attributes that are assigned to after objects were made."""
    attributes: set[str] = set()
    for source in sources:
        if source.assigned is None:
            return None
        attributes |= source.assigned
    return frozenset(attributes)


def _changed(sources: Iterable[Source]) -> frozenset[str]:
    """The names whose containers are changed, also by a function that they are passed to."""
    sources = list(sources)
    keeping = {name for source in sources for name in source.classes}
    bodies = [replace(body, changed={*body.changed}) for source in sources for body in source.bodies]
    own: defaultdict[str, list[Body]] = defaultdict(list)
    for body in bodies:
        own[body.name].append(body)
    grown = True
    while grown:
        grown = False
        for body in bodies:
            for callee, names, parameter, reads in body.passed:
                known = own.get(callee)
                may_change = (known is None and not reads) or callee in keeping
                if may_change or any(each.changes(parameter) for each in known or ()):
                    grown = grown or not names <= body.changed
                    body.changed |= names
    return frozenset(name for body in bodies for name in body.changed)


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
    source.rebound = {name for name, times in _bound(tree.body).items() if times > 1}
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
            if _root(node) in known.names:
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


def _root(node: ast.expr) -> str | None:
    """The variable that an expression starts from."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _names(node: ast.expr) -> Iterator[str]:
    """The variable and the attributes in ``self.state["w"]``."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        if isinstance(node, ast.Attribute):
            yield node.attr
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


class _Reader(ast.NodeVisitor):
    """Reads what the bodies of a module change; `renamed` has what names stand for that are imported as another."""

    def __init__(self, source: Source, imported: frozenset[str], renamed: dict[str, str]) -> None:
        self.source = source
        self.renamed = renamed
        self.imported = imported
        self.body = Body("", ())

    def visit(self, node: ast.AST) -> None:
        READERS.get(type(node), _Reader.generic_visit)(self, node)

    def generic_visit(self, node: ast.AST) -> None:
        for child in children(node):
            self.visit(child)

    def visit_body(self, name: str, parameters: tuple[str, ...], parts: Iterable[ast.AST]) -> None:
        outer, self.body = self.body, Body(name, parameters)
        self.source.bodies.append(self.body)
        for part in parts:
            self.visit(part)
        self.body = outer

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        self.visit_body(name, tuple(arg.arg for arg in parameters(node.args)), children(node))
        if isinstance(node, ast.Lambda):
            self._escapes(node.body)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _function  # noqa: N815  # ast's names

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

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.body.changed.update(_names(node.value))
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.body.changed.update(_names(node.value))
            if not self._is_making(node.value) and self.source.assigned is not None:
                self.source.assigned.add(node.attr)
        if node.attr in SETTING:
            self._sets_anything()
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
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

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.body.changed.update(_names(node.target))
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        self._escapes(node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._escapes(node.value)
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._escapes(node.value)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        self._escapes(node.value)
        self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield) -> None:
        self._escapes(node.value)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        named = [(word.arg, word.value) for word in node.keywords]
        starred = any(isinstance(arg, ast.Starred) for arg in node.args)
        is_method = isinstance(node.func, ast.Attribute)
        arguments: list[tuple[int | str | None, ast.expr]] = [
            *((None if starred or is_method else number, arg) for number, arg in enumerate(node.args)),
            *named,
        ]
        callee = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if is_method and callee in MUTATORS and _root(node.func) not in self.imported:
            self.body.changed.update(_names(node.func))
            self._escapes(*(arg for _, arg in arguments))
        elif is_method and callee in MUTATORS:  # of a module: ``nnx.update(model, state)``
            self._escapes(*(arg for _, arg in arguments))
        elif callee not in READING:
            reads = is_method or callee in self.imported
            callee = self.renamed.get(callee, callee)
            for parameter, arg in arguments:
                if isinstance(arg, (ast.Name, ast.Attribute, ast.Starred)):
                    self.body.passed.append(Passed(callee, frozenset(_names(arg)), parameter, reads))
        self.generic_visit(node)


#: What reads each kind of nodes; of the others what is in them is read. (`ast.NodeVisitor` takes three times as long.)
READERS: dict[type[ast.AST], Callable[[_Reader, Any], None]] = {
    kind: method
    for name, method in vars(_Reader).items()
    if (kind := getattr(ast, name.removeprefix("visit_"), None)) is not None and name.startswith("visit_")
}


def _bound(body: Iterable[ast.stmt]) -> Counter[str]:
    """How often statements bind names, on the way on which they do so most often."""
    total: Counter[str] = Counter()
    for statement in body:
        total += _bound_by(statement)
    return total


def _bound_by(statement: ast.stmt) -> Counter[str]:
    match statement:
        case ast.Import() | ast.ImportFrom():
            return Counter({alias.asname or alias.name.partition(".")[0] for alias in statement.names})
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return Counter({statement.name})
        case ast.If():
            return _stored(statement.test) + (_bound(statement.body) | _bound(statement.orelse))
        case ast.For() | ast.AsyncFor() | ast.While():
            head = _stored(statement.test if isinstance(statement, ast.While) else statement.target)
            rounds = _bound(statement.body) + head
            return rounds + rounds + _bound(statement.orelse)
        case ast.With() | ast.AsyncWith():
            heads = [_stored(item.optional_vars) for item in statement.items if item.optional_vars]
            return sum(heads, Counter()) + _bound(statement.body)
        case ast.Try() | ast.TryStar():
            handlers: Counter[str] = Counter()
            for handler in statement.handlers:
                handlers |= _bound(handler.body)
            whole = _bound(statement.body) + _bound(statement.orelse)
            only_imports = all(isinstance(inner, (ast.Import, ast.ImportFrom)) for inner in statement.body)
            ways = whole | handlers if only_imports else whole + handlers
            return ways + _bound(statement.finalbody)
        case ast.Match():
            cases: Counter[str] = Counter()
            for case in statement.cases:
                cases |= _stored(case.pattern) + _bound(case.body)
            return cases
        case ast.AnnAssign(value=None):
            return Counter()
        case ast.Delete():
            names = _stored(statement)
            return names + names
    return _stored(statement)


def _stored(node: ast.AST) -> Counter[str]:
    """The names that the expressions in a node bind; a walrus in a comprehension, which does so often, counts twice."""
    counts: Counter[str] = Counter()
    inner = [part.target for part in ast.walk(node) if isinstance(part, ast.comprehension)]
    own = {id(part) for target in inner for part in ast.walk(target)}  # no names of the scope around
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load) and id(part) not in own:
            counts[part.id] += 1
        elif isinstance(part, ast.NamedExpr) and isinstance(part.target, ast.Name):
            counts[part.target.id] += 1
        elif isinstance(part, (ast.MatchAs, ast.MatchStar)) and part.name:
            counts[part.name] += 1
        elif isinstance(part, ast.MatchMapping) and part.rest:
            counts[part.rest] += 1
    return counts
