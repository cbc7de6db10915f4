"""Parameters and variables whose annotations say what is known of them: a type checker's server shows those already."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.lsp.records import Known, Span
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.lsp.spelling import annotation
from jaxtyping_core.programs.syntax import FUNCTIONS, kept, nodes_of, walk


def without_declared(source: Source, known: Iterable[Known]) -> Iterator[Known]:
    """What is known, but nothing of names whose annotations are written as we write what is known of them."""
    statements = source.tree.body
    written = dict(pair for statement in statements for pair in _of_parameters(statement, source))
    for target, declared in (each for statement in statements for each in _variables(statement, source)):
        if target in source.names.once:
            written |= {source.span(node): declared for node in source.names.uses[target]}
    for each in known:
        text = written.get(each.span)
        if text is not None and each.array is not None and _says(text, each.array):
            yield Known(each.span, None)
        else:
            yield each


def _says(text: str, array: AbstractArray) -> bool:
    return text in (annotation(array, jaxtyping=False), annotation(array, jaxtyping=True))


@kept
def _of_parameters(statement: ast.stmt, source: Source) -> list[tuple[Span, str]]:
    """The uses of the parameters of functions that bind their names to nothing else, with the annotations."""
    written: list[tuple[Span, str]] = []
    for function in nodes_of(statement):
        if not isinstance(function, FUNCTIONS):
            continue
        arguments = function.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        declared = {each.arg: each.annotation for each in every if each.annotation is not None}
        inside = [node for statement in function.body for node in walk(statement)] if declared else []
        uses = [node for node in inside if isinstance(node, ast.Name) and node.id in declared]
        bound = {name for node in inside for name in _binds(node)} if uses else set()
        texts = {name: source.of(declared[name]) for name in {node.id for node in uses} - bound}
        for node in uses:
            if node.id in texts:
                written.append((source.span(node), texts[node.id]))
    return written


@kept
def _variables(statement: ast.stmt, source: Source) -> list[tuple[ast.Name, str]]:
    """The names of variables with annotations, and these."""
    return [
        (node.target, source.of(node.annotation))
        for node in nodes_of(statement)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]


def _binds(node: ast.AST) -> Iterator[str]:
    """The names that a node may give another meaning, itself."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]
