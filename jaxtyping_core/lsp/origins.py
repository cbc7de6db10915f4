"""Where what is known of an expression comes from: the promotion that took place, the dims of parameters, JAX's page on a function."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from jaxtyping_core.contracts.syntax import written_array
from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.domain.formatting import WEAK, is_shown_weak
from jaxtyping_core.lsp.records import Known, Span
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.syntax import FUNCTIONS, kept, nodes_of

#: JAX's documentation has a page for each function of these modules.
PAGES = "https://docs.jax.dev/en/latest/_autosummary/{}.html"
DOCUMENTED = frozenset(
    {"jax", "jax.lax", "jax.lax.linalg", "jax.nn", "jax.nn.initializers", "jax.numpy", "jax.numpy.fft"}
    | {
        "jax.numpy.linalg",
        "jax.ops",
        "jax.random",
        "jax.scipy.linalg",
        "jax.scipy.signal",
        "jax.scipy.special",
    }
    | {"jax.tree", "jax.tree_util"}
)
Arrays = Mapping[Span, AbstractArray]
_signs: dict[str, str] = {}


def explained(source: Source, known: Iterable[Known]) -> list[Known]:
    """What is known with where it comes from, and the functions that are called with what they give."""
    by_span = {each.span: each for each in known}
    arrays = {span: each.array for span, each in by_span.items() if each.array is not None}
    for span, promotion in _promotions(source, arrays):
        by_span[span] = by_span[span]._replace(notes=(*by_span[span].notes, f"`{promotion}`"))
    for span, origins in _dims(source, arrays):
        by_span[span] = by_span[span]._replace(notes=(*by_span[span].notes, *origins))
    for call, span, path in _called(source):
        link = f"[{path}]({PAGES.format(path)})"
        by_span[span] = Known(span, arrays.get(call), (link,))
    return [*by_span.values()]


# Promotion


class _Operation(NamedTuple):
    """An operation of two operands, each a number as it is written or a place, and where what it gives is known."""

    results: tuple[Span, ...]
    left: Span | str
    operator: str
    right: Span | str


def _promotions(source: Source, arrays: Arrays) -> Iterator[tuple[Span, str]]:
    """What two dtypes have become, at the operation and where a name is bound to what it gives."""
    for operation in (each for statement in source.tree.body for each in _operations(statement, source)):
        for span in operation.results:
            promotion = _promotion(operation, arrays, arrays.get(span))
            if promotion is not None:
                yield span, promotion


@kept
def _operations(statement: ast.stmt, source: Source) -> list[_Operation]:
    """The operations in a statement."""
    bound = {
        id(node.value): source.span(node.targets[0])
        for node in nodes_of(statement)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
    }
    operations: list[_Operation] = []
    for node in nodes_of(statement):
        if isinstance(node, ast.BinOp):
            results = [source.span(node), *([bound[id(node)]] if id(node) in bound else [])]
            left, right = _operand(source, node.left), _operand(source, node.right)
            operations.append(_Operation(tuple(results), left, _sign(node.op), right))
    return operations


def _sign(operator: ast.operator) -> str:
    """An operator as it is written."""
    kind = type(operator).__name__
    if kind not in _signs:
        _signs[kind] = ast.unparse(ast.BinOp(ast.Name("a"), operator, ast.Name("b")))[2:-2]
    return _signs[kind]


def _promotion(operation: _Operation, arrays: Arrays, result: AbstractArray | None) -> str | None:
    if result is None or result.dtype is None:
        return None
    sides = operation.left, operation.right
    operands = [side if isinstance(side, str) else _dtype_of(arrays.get(side)) for side in sides]
    if None in operands:
        return None
    left, right = operands
    dtype = _dtype(result)
    # Where both are what comes of them there is nothing to tell, nor where a number gives way.
    if all(isinstance(side, str) or text == dtype for text, side in zip(operands, sides, strict=True)):
        return None
    return f"{left} {operation.operator} {right} -> {dtype}"


def _operand(source: Source, node: ast.expr) -> Span | str:
    match node:
        case ast.Constant(value=bool() | int() | float() | complex()):
            return source.of(node)
    return source.span(node)


def _dtype_of(array: AbstractArray | None) -> str | None:
    return None if array is None or array.dtype is None else _dtype(array)


def _dtype(array: AbstractArray) -> str:
    return WEAK * is_shown_weak(array) + str(array.dtype)


# Dims


def _dims(source: Source, arrays: Arrays) -> Iterator[tuple[Span, list[str]]]:
    """Which axes of which parameters the named dims of an array are."""
    named: dict[int, dict[str, tuple[str, int]]] = {}  # by the line, those of the innermost function
    for lines, places in (each for statement in source.tree.body for each in _functions(statement)):
        named |= dict.fromkeys(lines, places)
    for span, array in arrays.items():
        inside = named.get(span.line, {})
        names = [dim for dim in array.shape or () if isinstance(dim, str)]
        origins = {dim: inside[dim] for dim in names if dim in inside}
        if origins:
            told = [f"`{dim}`: axis {axis} of `{name}`" for dim, (name, axis) in origins.items()]
            yield span, [", ".join(told)]


@kept
def _functions(statement: ast.stmt) -> list[tuple[range, dict[str, tuple[str, int]]]]:
    """The lines of the functions in a statement, outer ones first, with the dims that they name."""
    functions = [node for node in nodes_of(statement) if isinstance(node, FUNCTIONS)]
    named = [(range(node.lineno - 1, node.end_lineno or 0), _named(node)) for node in functions]
    return [(lines, places) for lines, places in named if places]


def _named(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, tuple[str, int]]:
    """The first parameter and its axis for each dim that annotations name."""
    places: dict[str, tuple[str, int]] = {}
    arguments = function.args
    for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        array = written_array(arg.annotation, lambda _: "")
        for axis, dim in enumerate((array and array.names) or ()):
            if dim is not None:
                places.setdefault(dim, (arg.arg, axis))
    return places


# Functions


def _called(source: Source) -> Iterator[tuple[Span, Span, str]]:
    """The calls of functions that JAX documents, where these are named, and what they are called there."""
    of_module = {*source.names.of_module}
    modules = {name: path for name, path in _imports(source.tree) if name in of_module}
    for call, span, written in (each for node in source.tree.body for each in _calls(node, source)):
        root, dot, rest = written.partition(".")
        if root in modules:
            path = f"{modules[root]}{dot}{rest}"
            module, _, name = path.rpartition(".")
            if module in DOCUMENTED and not name.startswith("_"):
                yield call, span, path


@kept
def _calls(statement: ast.stmt, source: Source) -> list[tuple[Span, Span, str]]:
    """The calls in a statement of functions with names, where these stand, and as they are written."""
    calls = [node for node in nodes_of(statement) if isinstance(node, ast.Call)]
    written = [(node, _dotted(node.func)) for node in calls]
    return [(source.span(node), source.span(node.func), path) for node, path in written if path]


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What the module's own imports call what they import."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                yield name, alias.name if alias.asname else name
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _dotted(node: ast.expr) -> str | None:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            inner = _dotted(value)
            return inner and f"{inner}.{name}"
    return None
