"""Where what is known of an expression comes from: the promotion that took place, the dims of parameters, JAX's page on a function."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from jaxtyping_core.lsp.records import Array, Known, Span
from jaxtyping_core.lsp.source import Source

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
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Arrays = Mapping[Span, Array]


def explained(source: Source, known: Iterable[Known]) -> list[Known]:
    """What is known with where it comes from, and the functions that are called with what they give."""
    by_span = {each.span: each for each in known}
    arrays = {span: each.array for span, each in by_span.items() if each.array is not None}
    for span, promotion in _promotions(source, arrays):
        by_span[span] = by_span[span]._replace(notes=(*by_span[span].notes, f"`{promotion}`"))
    for span, origins in _dims(source, arrays):
        by_span[span] = by_span[span]._replace(notes=(*by_span[span].notes, *origins))
    for call, path in _called(source):
        link = f"[{path}]({PAGES.format(path)})"
        span = source.span(call.func)
        by_span[span] = Known(span, arrays.get(source.span(call)), (link,))
    return [*by_span.values()]


# Promotion


def _promotions(source: Source, arrays: Arrays) -> Iterator[tuple[Span, str]]:
    """What two dtypes have become, at the operation and where a name is bound to what it gives."""
    for node in source.nodes:
        match node:
            case ast.BinOp():
                spans = [source.span(node)]
            case ast.Assign(targets=[ast.Name() as target], value=ast.BinOp() as value):
                spans, node = [source.span(target)], value
            case _:
                continue
        for span in spans:
            promotion = _promotion(source, node, arrays, arrays.get(span))
            if promotion is not None:
                yield span, promotion


def _promotion(source: Source, node: ast.BinOp, arrays: Arrays, result: Array | None) -> str | None:
    if result is None or result.dtype is None:
        return None
    operands = [_operand(source, side, arrays) for side in (node.left, node.right)]
    if None in operands:
        return None
    left, right = operands
    dtype = _dtype(result)
    # Where both are what comes of them there is nothing to tell, nor where a number gives way.
    is_number = [isinstance(side, ast.Constant) for side in (node.left, node.right)]
    if all(number or text == dtype for text, number in zip(operands, is_number, strict=True)):
        return None
    names = ast.BinOp(ast.Name("a"), node.op, ast.Name("b"))
    return f"{left} {ast.unparse(names)[2:-2]} {right} -> {dtype}"


def _operand(source: Source, node: ast.expr, arrays: Arrays) -> str | None:
    match node:
        case ast.Constant(value=bool() | int() | float() | complex()):
            return source.of(node)
    array = arrays.get(source.span(node))
    return None if array is None or array.dtype is None else _dtype(array)


def _dtype(array: Array) -> str:
    return "weak " * bool(array.weak) + str(array.dtype)


# Dims


def _dims(source: Source, arrays: Arrays) -> Iterator[tuple[Span, list[str]]]:
    """Which axes of which parameters the named dims of an array are."""
    named: dict[int, dict[str, tuple[str, int]]] = {}  # by the line, those of the innermost function
    for node in source.nodes:
        if isinstance(node, FUNCTIONS) and (places := _named(node)):
            named |= dict.fromkeys(range(node.lineno - 1, node.end_lineno or 0), places)
    for span, array in arrays.items():
        inside = named.get(span.line, {})
        names = [dim for dim in array.shape or () if isinstance(dim, str)]
        origins = {dim: inside[dim] for dim in names if dim in inside}
        if origins:
            told = [f"`{dim}`: axis {axis} of `{name}`" for dim, (name, axis) in origins.items()]
            yield span, [", ".join(told)]


def _named(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, tuple[str, int]]:
    """The first parameter and its axis for each dim that annotations name."""
    places: dict[str, tuple[str, int]] = {}
    arguments = function.args
    for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        match arg.annotation:
            case ast.Subscript(slice=ast.Tuple(elts=[_, ast.Constant(value=str(text))])):  # jaxtyping's form
                dims = text.split()
            case ast.Subscript(slice=ast.Tuple(elts=parts)):
                dims = [part.id if isinstance(part, ast.Name) else "" for part in parts]
            case ast.Subscript(slice=ast.Name(id=name)):
                dims = [name]
            case _:
                continue
        if not any(dim.startswith(("*", "...")) for dim in dims):
            for axis, dim in enumerate(dims):
                if dim.isidentifier():
                    places.setdefault(dim, (arg.arg, axis))
    return places


# Functions


def _called(source: Source) -> Iterator[tuple[ast.Call, str]]:
    """The calls of functions that JAX documents, and what they are called there."""
    modules = {name: path for name, path in _imports(source.tree) if name in source.names.of_module}
    for node in source.nodes:
        if isinstance(node, ast.Call) and (path := _path(node.func, modules)):
            module, _, name = path.rpartition(".")
            if module in DOCUMENTED and not name.startswith("_"):
                yield node, path


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


def _path(node: ast.expr, modules: Mapping[str, str]) -> str | None:
    match node:
        case ast.Name(id=name):
            return modules.get(name)
        case ast.Attribute(value=value, attr=name):
            inner = _path(value, modules)
            return inner and f"{inner}.{name}"
    return None
