"""What the source of a module says: its functions, its names, its imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from jaxtyping_core.programs.syntax import first_line
from jaxtyping_core.recording.observed import Function

Def = ast.FunctionDef | ast.AsyncFunctionDef
#: Annotations that say no more of an array or of a container than that it is one, by the last part of their names.
BARE = ("Array", "ndarray", "ArrayLike", "list", "tuple", "dict")
#: Conditions under which checkers alone read something.
UNRUN = ("TYPE_CHECKING", "typing.TYPE_CHECKING")
POSITIONAL, STARRED, KEYWORD, DOUBLE = "positional", "*", "keyword", "**"


@dataclass(frozen=True)
class Parameter:
    """A parameter; `default` and `annotation` are None where there are none."""

    name: str
    kind: str
    default: ast.expr | None
    annotation: ast.expr | None

    @property
    def is_bare(self) -> bool:
        """Whether its annotation says of an array only that it is one."""
        return is_bare(self.annotation)


@dataclass(frozen=True)
class Definition:
    """A function of the module.

    Attributes:
        qualname: as Python has it, with ``<locals>``.
        node: its syntax.
        scopes: the functions and classes around it, outermost first.
    """

    qualname: str
    node: Def
    scopes: tuple[Def | ast.ClassDef, ...] = ()

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def lines(self) -> range:
        """From the first decorator to the last line of the body."""
        first = first_line(self.node)
        return range(first, (self.node.end_lineno or self.node.lineno) + 1)

    @property
    def is_nested(self) -> bool:
        """Whether it is defined in a function."""
        return any(not isinstance(scope, ast.ClassDef) for scope in self.scopes)

    @property
    def of_class(self) -> ast.ClassDef | None:
        """The class that it is a method of."""
        return self.scopes[-1] if self.scopes and isinstance(self.scopes[-1], ast.ClassDef) else None

    @cached_property
    def decorators(self) -> tuple[str, ...]:
        """The names of its decorators, those of calls too."""
        return tuple(ast.unparse(d.func if isinstance(d, ast.Call) else d) for d in self.node.decorator_list)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(_parameters(self.node.args))

    @property
    def receiver(self) -> str | None:
        """The name of the parameter that a method is called on."""
        if self.of_class is None or "staticmethod" in self.decorators or not self.parameters:
            return None
        return self.parameters[0].name if self.parameters[0].kind == POSITIONAL else None

    @cached_property
    def is_generator(self) -> bool:
        return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own_nodes(self.node))

    @cached_property
    def recast(self) -> frozenset[tuple[str, str]]:
        """The names that the body assigns something of a dtype that it names, as in ``x = x.astype(jnp.float32)``, with that."""
        return frozenset(
            (target.id, dtype)
            for node in own_nodes(self.node)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
            for dtype in _named_dtypes(node.value)
        )

    @cached_property
    def updated(self) -> frozenset[str]:
        """The names that the body assigns what `optax.apply_updates` gives: to checkers that is any tree, and fits no annotation."""
        return frozenset(
            target.id
            for node in own_nodes(self.node)
            if isinstance(node, ast.Assign) and is_updating(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        )

    @cached_property
    def looked_into(self) -> frozenset[str]:
        """The names of which the body takes attributes."""
        nodes = ast.walk(self.node)
        return frozenset(
            node.value.id
            for node in nodes
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        )

    @cached_property
    def numbers(self) -> frozenset[int]:
        """The ints that are written in it."""
        constants = (node.value for node in ast.walk(self.node) if isinstance(node, ast.Constant))
        return frozenset(value for value in constants if type(value) is int)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that are read in it."""
        return frozenset(node.id for node in ast.walk(self.node) if isinstance(node, ast.Name))


@dataclass
class Source:
    """The source of a module."""

    path: Path
    text: str
    tree: ast.Module
    definitions: list[Definition] = field(default_factory=list)

    @classmethod
    def of(cls, path: Path, text: str, tree: ast.Module) -> Source:
        return cls(path, text, tree, list(_definitions(tree, (), "")))

    def find(self, function: Function) -> Definition | None:
        """The function that was seen; None where it is not in the source, such as a lambda."""
        for definition in self.definitions:
            in_head = definition.lines[0] <= function.line <= definition.node.body[0].lineno
            if definition.qualname == function.qualname and in_head:
                return definition
        return None

    @cached_property
    def bound(self) -> frozenset[str]:
        """All names that the module binds anywhere, and those that it reads."""
        names = set()
        for node in ast.walk(self.tree):
            match node:
                case ast.Name(id=name) | ast.arg(arg=name):
                    names.add(name)
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                    names.add(name)
                case ast.alias(name=name, asname=asname):
                    names.add(asname or name.partition(".")[0])
        return frozenset(names)

    @cached_property
    def imports(self) -> dict[str, str]:
        """The names that the top level imports and binds to nothing else, each with the dotted path of what it is.

        What is imported for checkers alone counts where annotations are not evaluated.
        """
        paths = {}
        for node in top_level(self.tree, with_unrun=self.postpones):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.asname:
                        paths[alias.asname] = alias.name
                    else:
                        paths[alias.name.partition(".")[0]] = alias.name.partition(".")[0]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    paths[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        others = {name for node in top_level(self.tree) for name in _made(node)}
        return {name: path for name, path in paths.items() if name not in others}

    def named(self, path: str) -> str | None:
        """The name that the module imports a thing under by itself."""
        return next((name for name, root in self.imports.items() if root == path), None)

    @cached_property
    def classes(self) -> dict[str, ast.stmt]:
        """The classes at the top level, and the named tuples that are made by a call."""
        statements: dict[str, ast.stmt] = {}
        for node in top_level(self.tree):
            match node:
                case ast.ClassDef(name=name):
                    statements[name] = node
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=made)):
                    if ast.unparse(made).rpartition(".")[2] in ("namedtuple", "NamedTuple"):
                        statements[name] = node
        return statements

    @cached_property
    def constants(self) -> dict[str, int]:
        """The ints that names at the top level are bound to once, by a literal."""
        bindings: dict[str, list[int]] = {}
        for node in top_level(self.tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int(value))):
                    bindings.setdefault(name, []).append(value)
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(
                    targets
                ) == len(values):
                    for target, each in zip(targets, values, strict=True):
                        number = each.value if isinstance(each, ast.Constant) else None
                        if isinstance(target, ast.Name) and type(number) is int:
                            bindings.setdefault(target.id, []).append(number)
        return {name: values[0] for name, values in bindings.items() if len(values) == 1}

    @cached_property
    def given_optional(self) -> frozenset[tuple[str, str | int]]:
        """The functions, by their last name, and arguments (number or name) that are an attribute that may be None: ``self.w = None``."""
        optional = {
            target.attr
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Constant)
            and node.value.value is None
            for target in node.targets
            if isinstance(target, ast.Attribute)
        }
        passed: set[tuple[str, str | int]] = set()
        for call in ast.walk(self.tree) if optional else ():
            if isinstance(call, ast.Call):
                name = ast.unparse(call.func).rpartition(".")[2]
                arguments: list[tuple[str | int, ast.expr]] = [*enumerate(call.args)]
                arguments.extend((each.arg, each.value) for each in call.keywords if each.arg)
                passed |= {
                    (name, at)
                    for at, value in arguments
                    if isinstance(value, ast.Attribute) and value.attr in optional
                }
        return frozenset(passed)

    @cached_property
    def type_variables(self) -> frozenset[str]:
        """The type variables of sizes that the top level makes."""
        return frozenset(
            target.id
            for node in top_level(self.tree)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
            for target in node.targets
            if isinstance(target, ast.Name) and ast.unparse(node.value.func).rpartition(".")[2] == "TypeVar"
        )

    @property
    def postpones(self) -> bool:
        """Whether ``from __future__ import annotations`` is there."""
        return any(
            isinstance(node, ast.ImportFrom) and node.module == "__future__" and alias.name == "annotations"
            for node in self.tree.body
            for alias in getattr(node, "names", ())
        )

    @property
    def uses_raw_keys(self) -> bool:
        return "PRNGKey" in self.text

    @property
    def imports_jaxtyping(self) -> bool:
        return any(path.partition(".")[0] == "jaxtyping" for path in self.imports.values())


def _named_dtypes(value: ast.expr) -> Iterator[str]:
    for node in ast.walk(value):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="astype"), args=[ast.Attribute(attr=name) | ast.Name(id=name)]
            ) if name != "dtype":
                yield name


def is_updating(node: ast.expr) -> bool:
    """Whether something is a call of `optax.apply_updates`."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("optax.apply_updates", "apply_updates")


def is_bare(annotation: ast.expr | None) -> bool:
    """Whether an annotation says of an array only that it is one."""
    match annotation:
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.Constant(value=str(name)):
            return name.rpartition(".")[2] in BARE
    return False


def _made(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds to what it assigns or defines."""
    match statement:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (
                node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)
            )
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def top_level(tree: ast.Module, with_unrun: bool = True) -> Iterator[ast.stmt]:
    """The statements of a module that run when it is imported, those in ``if`` and ``try`` too; if asked, those for checkers."""
    waiting: list[ast.stmt] = list(reversed(tree.body))
    while waiting:
        statement = waiting.pop()
        yield statement
        if isinstance(statement, ast.If) and not with_unrun and ast.unparse(statement.test) in UNRUN:
            waiting.extend(reversed(statement.orelse))
        elif isinstance(statement, (ast.If, ast.Try, ast.With)):
            inner = [*statement.body, *getattr(statement, "orelse", [])]
            waiting.extend(reversed(inner))


def own_nodes(scope: Def | ast.Module) -> Iterator[ast.AST]:
    """The nodes of a function's or a module's body, but for those of functions and classes in it."""
    waiting: list[ast.AST] = list(scope.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def _definitions(node: ast.AST, scopes: tuple[Def | ast.ClassDef, ...], prefix: str) -> Iterator[Definition]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            qualname = prefix + child.name
            yield Definition(qualname, child, scopes)
            yield from _definitions(child, (*scopes, child), f"{qualname}.<locals>.")
        elif isinstance(child, ast.ClassDef):
            yield from _definitions(child, (*scopes, child), f"{prefix}{child.name}.")
        else:
            yield from _definitions(child, scopes, prefix)


def _parameters(arguments: ast.arguments) -> Iterator[Parameter]:
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    for each, default in zip(positional, defaults, strict=True):
        yield Parameter(each.arg, POSITIONAL, default, each.annotation)
    if arguments.vararg:
        yield Parameter(arguments.vararg.arg, STARRED, None, arguments.vararg.annotation)
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield Parameter(each.arg, KEYWORD, default, each.annotation)
    if arguments.kwarg:
        yield Parameter(arguments.kwarg.arg, DOUBLE, None, arguments.kwarg.annotation)
