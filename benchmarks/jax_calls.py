"""Finds the calls of JAX's functions and of arrays' methods in source, by its syntax, and the kinds of arguments."""

from __future__ import annotations

import ast
import importlib.metadata
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import jax

from jaxtyping_core import dtypes

#: What is called: a function of JAX, a method by a name that arrays have, or an update such as `x.at[0].set(1)`.
FUNCTION, METHOD, UPDATE = "function", "method", "at"
METHODS = frozenset(
    name for name in dir(jax.Array) if not name.startswith("_") and callable(getattr(jax.Array, name))
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
#: Folders and files of a distribution that are not the package itself.
BESIDE = {
    "test",
    "tests",
    "testing",
    "test_util",
    "test_utils",
    "_test_util",
    "docs",
    "examples",
    "benchmarks",
}
CONSTANTS = {"inf", "nan", "pi", "e", "euler_gamma", "tau"}
BUILTINS = {"int", "float", "bool", "complex", "str", "object"}
LITERALS = {int: "int", float: "float", bool: "bool", complex: "complex", str: "string", bytes: "bytes"}
PARTS = {"dtype", "shape", "ndim", "size", "T"}
SIMPLE: dict[type[ast.expr], str] = {
    ast.Name: "name",
    ast.Attribute: "attribute",
    ast.Subscript: "item",
    ast.BinOp: "operator",
    ast.UnaryOp: "operator",
    ast.Compare: "comparison",
    ast.BoolOp: "and/or",
    ast.IfExp: "conditional",
    ast.Lambda: "lambda",
    ast.GeneratorExp: "generator",
    ast.ListComp: "list comprehension",
    ast.JoinedStr: "string",
}


class Call(NamedTuple):
    """A call, and the name of what is called: with the path of its module if it is a function of JAX."""

    node: ast.Call
    kind: str
    name: str
    names: Mapping[str, str]  # what names mean there


def distribution(requirement: str, target: Path) -> tuple[str, dict[str, Path]]:
    """The version of what was installed into a folder, and its source without tests and examples, by the names of files."""
    (installed,) = importlib.metadata.distributions(name=requirement.partition("==")[0], path=[str(target)])
    names = [file for file in installed.files or () if file.suffix == ".py" and file.parts[1:]]
    return installed.version, {
        str(name): target / name for name in sorted(names) if not _is_beside(name.parts)
    }


def _is_beside(parts: tuple[str, ...]) -> bool:
    stem = parts[-1].removesuffix(".py")
    return (
        not BESIDE.isdisjoint((*parts, stem))
        or stem.startswith(("test_", "conftest"))
        or stem.endswith(("_test", "_tests"))
    )


def calls(tree: ast.Module) -> list[Call]:
    """The calls of JAX and of arrays' methods in a module, from its start to its end."""
    seen = [
        Call(node, *called, names)
        for node, names in scoped(tree)
        if isinstance(node, ast.Call) and (called := _called(node.func, names))
    ]
    return sorted(seen, key=lambda call: (call.node.lineno, call.node.col_offset, _end(call.node)))


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or 0, node.end_col_offset or 0


def _called(function: ast.expr, names: Mapping[str, str]) -> tuple[str, str] | None:
    """Kind and name of what is called, if it is JAX's."""
    path = dotted(function, names)
    if path.startswith("jax."):
        return FUNCTION, path
    if path or not isinstance(function, ast.Attribute) or _is_own(function.value):
        return None  # of another package, or a method of the class that is written here
    match function.value:
        case ast.Subscript(value=ast.Attribute(attr="at")):
            return UPDATE, function.attr
    return (METHOD, function.attr) if function.attr in METHODS else None


def _is_own(node: ast.expr) -> bool:
    match node:
        case ast.Name("self" | "cls") | ast.Call(func=ast.Name("super")):
            return True
    return isinstance(node, ast.Constant | ast.JoinedStr)


def dotted(node: ast.expr, names: Mapping[str, str]) -> str:
    """What an expression such as `jnp.linalg.norm` names, from the package on; empty for what was not imported."""
    match node:
        case ast.Name(name):
            return names.get(name, "")
        case ast.Attribute(value, attribute) if path := dotted(value, names):
            return f"{path}.{attribute}"
    return ""


def scoped(
    tree: ast.AST, outer: ChainMap[str, str] | None = None
) -> Iterator[tuple[ast.AST, Mapping[str, str]]]:
    """Every node below a module or function, with what was imported under each name that it can see."""
    names = (outer if outer is not None else ChainMap[str, str]({})).new_child()
    body = list(_within(tree))
    if isinstance(tree, FUNCTIONS):
        names.update(dict.fromkeys(_bound(body), ""))
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names.update(_imported(node))
    for node in body:
        match node:  # another name for a function or a module, as in `tree_map = jax.tree.map`
            case ast.Assign([ast.Name(name)], value) if (path := dotted(value, names)).startswith("jax."):
                names[name] = path
    for node in body:
        yield node, names
        if isinstance(node, FUNCTIONS):
            yield from scoped(node, names)


def _within(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below a module or function, without those below the functions in it."""
    pending = list(ast.iter_child_nodes(node))
    while pending:
        part = pending.pop()
        yield part
        if not isinstance(part, FUNCTIONS):
            pending.extend(ast.iter_child_nodes(part))


def _bound(body: Sequence[ast.AST]) -> Iterator[str]:
    """The names of a function's parameters and variables, which may hide imported ones."""
    for node in body:
        match node:
            case ast.arg(name) | ast.Name(name, ast.Store()):
                yield name


def _imported(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    if isinstance(node, ast.Import):
        # `import jax.numpy` makes `jax` known, and with `as` the module itself.
        return {
            alias.asname or alias.name.partition(".")[0]: alias.name
            if alias.asname
            else alias.name.partition(".")[0]
            for alias in node.names
        }
    module = "." * node.level + (node.module or "")
    return {alias.asname or alias.name: f"{module}.{alias.name}" for alias in node.names}


def kind_of(node: ast.expr, names: Mapping[str, str]) -> str:
    """What kind of expression an argument is; a colon is followed by which one, where that matters."""
    match node:
        case ast.Constant(None):
            return "None"
        case ast.Constant(bool()):
            return "bool"
        case ast.Constant(int(value)):
            return _which("int", value)
        case ast.Constant(value):
            return LITERALS.get(type(value), "other")
        case ast.UnaryOp(ast.USub(), ast.Constant(int(value))):
            return _which("negative int", -value)
        case ast.UnaryOp(ast.USub() | ast.UAdd(), operand) if kind_of(operand, names).startswith("float"):
            return kind_of(operand, names)
        case ast.Starred():
            return "*"
        case ast.Tuple(items) | ast.List(items):
            return _display("tuple" if isinstance(node, ast.Tuple) else "list", items, names)
        case ast.Call(function):
            return _call(dotted(function, names))
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return "x.shape[...]"
    return _kind_of_imported(dotted(node, names)) or _plain(node)


#: The highest int that may be an axis.
AXIS = 3


def _which(kind: str, value: int) -> str:
    return f"{kind}: {value}" if abs(value) <= AXIS else kind


def _plain(node: ast.expr) -> str:
    match node:
        case ast.Attribute(attr=part) if part in PARTS:
            return f"x.{part}"
        case ast.Name(name) if name in BUILTINS:
            return f"builtin type: {name}"
    return SIMPLE.get(type(node), "other")


def _display(kind: str, items: Sequence[ast.expr], names: Mapping[str, str]) -> str:
    if any(isinstance(item, ast.Starred) for item in items):
        return f"{kind} with *"
    kinds = {kind_of(item, names).partition(":")[0] for item in items}
    return f"{kind} of {len(items)}" + (" ints" if kinds and kinds <= {"int", "negative int"} else "")


def _call(path: str) -> str:
    return "call of JAX" if path.startswith("jax.") else "call"


def _kind_of_imported(path: str) -> str:
    module, _, name = path.rpartition(".")
    if not module:
        return ""
    if name == "newaxis":
        return "None"
    if name in CONSTANTS and module in ("jax.numpy", "numpy", "math"):
        return f"float constant: {name}"
    if name in dtypes.DTYPES or name.rstrip("_") in {*BUILTINS, "float8", "uint", "floating", "integer"}:
        return {"jax.numpy": f"jnp dtype: {name}", "numpy": f"np dtype: {name}"}.get(module, "attribute")
    return f"function of JAX: {path}" if path.startswith("jax.") else ""
