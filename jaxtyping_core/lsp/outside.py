"""What in a definition may matter to other code of its module: mypy is not given what matters to nothing that an edit can mean.

Most of it is what may change what the function has not made; the rest is what the plugin takes from a whole module: names
that are declared anywhere, attributes that are set, and containers that are passed on.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from jaxtyping_core.programs.changing import MAKING, MUTATORS
from jaxtyping_core.programs.syntax import FUNCTIONS, Definition, parameters, root, walk

#: What in a function may matter to code that does not name it.
SEEN_BY_ALL = (ast.Global, ast.Import, ast.ImportFrom, ast.ClassDef, ast.NamedExpr)
#: What matters to code that names it: what a call gives is then another thing.
SEEN_BY_CALLERS = (ast.Await, ast.Yield, ast.YieldFrom)
#: Statements of bodies that tell mypy something by having no others.
EMPTY = (ast.Expr, ast.Pass, ast.Raise)
#: What a method calls the object that it is of.
SELF = "self"
WALRUS = re.compile(r"(\w+)\s*:=")
WORD = re.compile(r"[^\W\d]\w*")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_seen_outside(function: ast.FunctionDef) -> bool:
    """Whether the body of a function may matter to other parts of the module than its own."""
    if function.name in MAKING or all(isinstance(statement, EMPTY) for statement in function.body):
        return True
    own, known = _variables(function)
    inside = [node for statement in function.body for node in walk(statement)]
    kinds = (*SEEN_BY_ALL, *SEEN_BY_CALLERS)
    return any(_matters(node, own, known, kinds) for node in inside) or _opens_dims(inside)


def is_alone(node: Definition) -> bool:
    """Whether a definition matters to no code that does not name it."""
    for part in walk(node):
        if isinstance(part, FUNCTIONS):
            own, known = _variables(part)
            is_method = isinstance(node, ast.ClassDef) and _first(part) == SELF
            for inner in (each for statement in part.body for each in walk(statement)):
                is_of_itself = is_method and _base(inner) == SELF
                if _matters(inner, own, known, SEEN_BY_ALL) and not is_of_itself:
                    return False
    inside = (part for statement in _at_once(node) for part in walk(statement))
    return not any(_matters(part, set(), set(), SEEN_BY_ALL) for part in inside)


def to_others(node: ast.ClassDef) -> Iterator[str]:
    """What in a class may matter to code from which no name leads to it: all but what its methods do to their own object."""
    kinds = (*SEEN_BY_ALL, *SEEN_BY_CALLERS)
    for part in walk(node):
        if isinstance(part, FUNCTIONS):
            own, known = _variables(part)
            itself = _first(part)
            for inner in walk(part):
                if _matters(inner, own, known, kinds) and not (itself and _base(inner) == itself):
                    yield ast.dump(inner)
        elif part is not node and isinstance(part, kinds):
            yield ast.dump(part)


def leading(node: Definition) -> frozenset[str]:
    """The names in decorators and bases: of what they mean, more may be known by this definition."""
    bases = [*node.bases, *node.keywords] if isinstance(node, ast.ClassDef) else []
    return frozenset(
        word for part in (*node.decorator_list, *bases) for word in WORD.findall(ast.unparse(part))
    )


def declared(node: Definition) -> frozenset[str]:
    """The names of variables and attributes that are declared anywhere in a definition."""
    names: set[str] = set()
    for part in walk(node):
        match part:
            case ast.AnnAssign(target=ast.Name(id=name) | ast.Attribute(attr=name)):
                names.add(name)
            case ast.arg(arg=name, annotation=ast.expr()):
                names.add(name)
    return frozenset(names)


def told_of_names(node: Definition, text: str) -> Counter[tuple[str, str]]:
    """What a definition says of names wherever they stand in the module, each with how often."""
    told = Counter(("declared", name) for name in declared(node))
    told.update(("walrus", name) for name in WALRUS.findall(text))
    for part in walk(node):
        match part:
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
                told["set", name] += 1
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Call(func=ast.Attribute(attr=_)):
                told.update(("set", name) for name in _attributes(part))
    for statement in _at_once(node):
        told.update(("set", name) for name in _stored(statement))
    return told


def passing(node: ast.AST) -> Iterator[tuple[frozenset[str], str]]:
    """The calls by which functions pass names that are not their own: what is called may change what is in a container."""
    for part in walk(node):
        if isinstance(part, FUNCTIONS):
            _, known = _variables(part)
            for call in (inner for inner in walk(part) if isinstance(inner, ast.Call)):
                arguments = [*call.args, *(word.value for word in call.keywords)]
                names = {each.id for each in arguments if isinstance(each, ast.Name)} - known
                if names:
                    yield frozenset(names), ast.unparse(call)


def containers(body: Sequence[ast.stmt], definitions: tuple[type[ast.stmt], ...]) -> frozenset[str]:
    """The variables of a module that may hold what a function changes: all but those that are numbers and texts."""
    names: set[str] = set()
    for statement in body:
        match statement:
            case ast.Assign(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
                continue
        if not isinstance(statement, definitions):
            names.update(_stored(statement))
    return frozenset(names)


def _first(function: Function) -> str:
    """The name of the first parameter."""
    return next((parameter.arg for parameter in parameters(function.args)), "")


def _at_once(node: Definition) -> list[ast.stmt]:
    """The statements of a class that are no functions."""
    statements = node.body if isinstance(node, ast.ClassDef) else []
    return [statement for statement in statements if not isinstance(statement, FUNCTIONS)]


def _stored(node: ast.AST) -> Iterator[str]:
    """The variables that are bound in a node."""
    for part in walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id


def _variables(function: Function) -> tuple[set[str], set[str]]:
    """The variables that a function has, without the parameters and with them."""
    own = {parameter.arg for parameter in parameters(function.args)}
    bound = {name for statement in function.body for name in _stored(statement)}
    return bound - own, bound | own


def _matters(node: ast.AST, own: set[str], known: set[str], kinds: tuple[type[ast.AST], ...]) -> bool:
    """Whether a node may change what the function has not made, or give it another name, or is of these kinds.

    `own` are the variables that the function has, `known` also the parameters.
    """
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Attribute(attr="at")))):
            return False  # an update of an array of JAX, which gives another one
        case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Call(func=ast.Attribute(attr=_)):
            is_change = isinstance(node, ast.Subscript) or getattr(node.func, "attr", "") in MUTATORS
            return is_change and _root(node) not in own
        case ast.Assign(value=ast.Name(id=name)) | ast.AnnAssign(value=ast.Name(id=name)):
            return name not in known
    return isinstance(node, kinds)


def _opens_dims(inside: Sequence[ast.AST]) -> bool:
    """Whether a body may leave dims open that its function's annotations name: the plugin then takes them for any sizes.

    It asks whether sizes are equal, or gives a parameter what comes of a loop (`jaxtyping_core_mypy.convert.dim_strings.open_dims`).
    """
    for node in inside:
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name.startswith("assert_"):
                return True
            case ast.Compare(ops=ops) if any(isinstance(op, (ast.Eq, ast.NotEq)) for op in ops):
                if any(map(_is_size, inside)):
                    return True
            case ast.For() | ast.While():
                own = {SELF, *(_stored(node.target) if isinstance(node, ast.For) else ())}
                if any(isinstance(part, ast.Assign) and _calls(part.value, own) for part in walk(node)):
                    return True
    return False


def _is_size(node: ast.AST) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr in ("shape", "size")) or (
        isinstance(node, ast.Name) and node.id == "len"
    )


def _calls(value: ast.expr, names: set[str]) -> bool:
    """Whether a value is the call of something else than a function that has a name of its own."""
    if not isinstance(value, ast.Call):
        return False
    callee = value.func
    while isinstance(callee, ast.Attribute):
        callee = callee.value
    return not isinstance(callee, ast.Name) or callee.id in names


def _attributes(node: ast.AST) -> Iterator[str]:
    """The attributes in ``self.layers[0].append``, but for the last name of a call."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute):
            yield node.attr
        node = node.value


def _base(node: ast.AST) -> str:
    """The variable that something of is changed: ``self`` in ``self.layers[0].append(x)``."""
    return root(node, (ast.Attribute, ast.Subscript, ast.Call))


def _root(node: ast.AST) -> str:
    """The variable in ``params["w"].append(x)``; an empty text if an attribute of one is meant."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return root(node, (ast.Subscript,))
