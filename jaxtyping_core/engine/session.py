"""One evaluation of a program, from the request's text to the answer."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import jax

from ..evaluation import progress
from .called import Watched
from .control import Control, Exhausted, RaisedException
from .interpreter import Interpreter
from .language import contracts, imports
from .libraries import registry, sealed
from .libraries.trust_policy import TrustPolicy
from .statement_progress import StatementProgress
from .uncalled import analyze_entry_points
from .units import Units
from .values import arrays, heap, traces
from .values.traces import Traces

#: The option of JAX that switches 64-bit types on.
X64 = "jax_enable_x64"
#: What has been parsed for an evaluation that begins, by the texts; each tree is for one module.
_trees: dict[str, ast.Module] = {}


def evaluate(
    request: Mapping[str, Any],
    is_stopped: Callable[[], bool] | None = None,
    skipped: Sequence[Sequence[int]] = (),
) -> dict[str, Any]:
    """What is known at each place of a program.

    Args:
        request: the "program" of a request, as `protocol` has it.
        is_stopped: tells whether the evaluation was cancelled; what is given then is not complete.
        skipped: statements that are left out, as `progress.Position` has them.
    """
    texts, notes = parsed(request)
    libraries = TrustPolicy(request["trust"])
    interpreter = Interpreter(texts, libraries, float(request.get("seconds", 60)))
    interpreter.units = Units(
        {name: (path, tree, request["modules"][name]["text"]) for name, (path, tree, _) in texts.items()}
    )
    heap.forget_all()
    if is_stopped is not None:
        interpreter.budget.is_stopped = is_stopped
    interpreter.progress = StatementProgress(request, skipped)
    interpreter.watched = Watched(tuple(request["watched"]) if "watched" in request else None)
    interpreter.expressions = request.get("expressions")
    arrays.count_unknown_sizes_from(0)  # those of an earlier program are gone
    sys.setrecursionlimit(12_000)
    complete = True

    def whole() -> int:
        nonlocal complete
        interpreter.traces = Traces(traces.current(), lambda: interpreter.context.is_at_once)
        complete = run(interpreter, request["entries"], request.get("x64"))
        progress.at_no_statement()
        return 0

    try:
        jax.eval_shape(whole)
    except Exception as error:  # a fault of ours: what has been seen may not be all
        complete = False
        interpreter.diagnostics.note(f"the evaluation ended early: {type(error).__name__}: {error}")
    else:
        if not complete:
            interpreter.diagnostics.note("the evaluation took too long, so its results are not shown")
    if not complete:
        # A later round of a loop, or another call, might have said otherwise of places; what is refused stays so.
        interpreter.facts.places.clear()
    return {
        "facts": interpreter.facts.as_json(),
        **({} if interpreter.expressions is None else {"expressions": interpreter.facts.expressions()}),
        "refusals": list(interpreter.diagnostics.refusals.values()),
        "calls": [*interpreter.watched.calls.values()],
        "notes": [*notes, *interpreter.diagnostics.notes],
        "lost": [*interpreter.diagnostics.lost],
        "complete": complete,
    }


def parsed(request: Mapping[str, Any]) -> tuple[dict[str, tuple[str, ast.Module, bool]], list[str]]:
    """The modules of a program as a interpreter takes them, and notes about those that cannot be parsed."""
    texts, notes = {}, []
    for name, module in request["modules"].items():
        try:
            if module["text"] is None:
                raise ValueError("the file cannot be read")
            tree = _trees.pop(module["text"], None) or ast.parse(module["text"])
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            notes.append(f"{module['path']}: not evaluated: {error}")
            continue
        texts[name] = (module["path"], tree, bool(module.get("package")))
    _trees.clear()
    return texts, notes


def prepare(request: Mapping[str, Any], new: Mapping[str, Any] | None = None) -> None:
    """Import the libraries that a program names, which may do at that moment what no evaluation does.

    `new` are those of its modules that name any for the first time; None if all do.
    """
    trusted = TrustPolicy(request["trust"])
    modules = (request["modules"] if new is None else new).values()
    names = [name for module in modules for name in imported(module["text"] or "")]
    registry.load({name.partition(".")[0] for name in names})
    contracts.prepare(name.partition(".")[0] for name in names)
    for name in names:
        if name not in request["modules"]:
            trusted.module(name, lambda _: None)
    sealed.seal()


def imported(text: str) -> Iterator[str]:
    """The modules that a text imports, and what may be one."""
    try:
        tree = _trees[text] = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """The statements of a module, also those in others: most nodes of a module are in expressions."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop(0)
        yield node
        children = ast.iter_child_nodes(node)
        todo += (
            child for child in children if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case))
        )


def run(interpreter: Interpreter, entries: list[str], x64: bool | None = None) -> bool:
    """Walk each entry as the main module, then the functions that nothing has called; whether that was all.

    Each entry is a process of its own where it is run: it begins with 64-bit types as they are now. `x64` is whether the
    others have them.
    """
    before = bool(jax.config.values[X64])
    try:
        for name in entries:
            if name not in interpreter.texts:
                continue
            jax.config.update(X64, before)
            interpreter.modules.pop(name, None)
            try:
                imports.of_program(interpreter, name, "__main__")
            except RaisedException:
                continue
            except Exhausted:
                raise
            except Control:
                continue
        jax.config.update(X64, before if x64 is None else x64)
        analyze_entry_points(interpreter)
    except Exhausted:
        return False
    return True
