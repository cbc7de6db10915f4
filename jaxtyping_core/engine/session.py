"""One evaluation of a program, from the request's text to the answer."""

from __future__ import annotations

import ast
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import jax

from ..evaluation import progress
from .bodies import Bodies
from .called import Watched
from .causes import causes
from .entries import run
from .facts import Facts
from .interpreter import Interpreter
from .kept_parts import Contradiction, KeptParts
from .language import contracts
from .libraries import registry
from .libraries.calls.memo import OPTIONS
from .libraries.python.project_files import ProjectFiles
from .libraries.trust import sealed
from .libraries.trust.policy import TrustPolicy
from .observed import ObservedBorder
from .statement_progress import StatementProgress
from .units import Units
from .values import aliases, arrays, heap, numbers, traces
from .values.traces import Traces

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
    before = {name: getattr(jax.config, name) for name in OPTIONS}
    start = time.process_time()
    try:
        interpreter, notes, complete = _evaluated(request, is_stopped, skipped)
    except Contradiction:
        return evaluate({**request, "earlier": None}, is_stopped, skipped)
    facts, so_far = interpreter.facts, Facts()
    if not complete:  # what is refused stays so
        facts, so_far = interpreter.top_levels.divide(facts, interpreter.cut_off)
    if interpreter.has_x64_choice:
        for name, value in before.items():
            jax.config.update(name, value)
        left = float(request.get("seconds", 60)) - (time.process_time() - start)
        other, _, is_whole = _evaluated({**request, "seconds": left}, is_stopped, skipped, x64_choice=True)
        if not is_whole:  # the other way may say otherwise of all
            so_far.merge(facts)
            facts = Facts()
            so_far.merge(other.facts)
        else:
            facts.merge(other.facts)
        complete = complete and is_whole
        interpreter.diagnostics.keep_common(other.diagnostics)
    return {
        "facts": facts.as_json(),
        "so_far": so_far.as_json(),
        "cut_off": [] if complete else [interpreter.texts[name][0] for name in interpreter.not_ended],
        "may_call": [*interpreter.cut_off.as_json()],
        "expressions": facts.expressions(),
        "refusals": [*interpreter.diagnostics.refusals.values(), *interpreter.diagnostics.remarks.values()],
        "calls": [*interpreter.watched.calls.values()],
        "notes": [*notes, *_told(interpreter)],
        "lost": [*interpreter.diagnostics.lost],
        "observed": interpreter.observed.as_json(),
        "lacks_sizes": interpreter.observed.lacks_sizes,
        "has_defaults": interpreter.option_defaults.are_there,
        "complete": complete,
        "left_out": interpreter.left_out,
        "parts": interpreter.parts.as_json(),
    }


def _evaluated(
    request: Mapping[str, Any],
    is_stopped: Callable[[], bool] | None,
    skipped: Sequence[Sequence[int]],
    x64_choice: bool = False,
) -> tuple[Interpreter, list[str], bool]:
    """Walk the program of a request; the interpreter, notes on its modules, and whether it came to its end."""
    interpreter, notes = begin(request, skipped)
    interpreter.x64_choice = x64_choice
    if interpreter.wants_errors_alone and not (skipped or x64_choice):
        interpreter.parts = _parts(interpreter, request)
    interpreter.watched = Watched(tuple(request["watched"]) if "watched" in request else None)
    complete = _walk(interpreter, request, is_stopped)
    interpreter.rules.finished()
    return interpreter, notes, complete


def _parts(interpreter: Interpreter, request: Mapping[str, Any]) -> KeptParts:
    """The parts of a program, with what an earlier evaluation has given that was asked the same of other texts."""
    if request.get("observed") or "watched" in request:
        return KeptParts(interpreter)
    texts = {
        name: (path, tree, request["modules"][name]["text"])
        for name, (path, tree, _) in interpreter.texts.items()
    }
    return KeptParts(interpreter, Bodies(texts), request.get("earlier"))


def _walk(
    interpreter: Interpreter, request: Mapping[str, Any], is_stopped: Callable[[], bool] | None
) -> bool:
    """Walk a program; whether to its end."""
    if is_stopped is not None:
        interpreter.budget.is_stopped = is_stopped
    complete = True

    def whole() -> int:
        nonlocal complete
        interpreter.traces = Traces(
            traces.current(),
            lambda: interpreter.context.is_at_once,
            lambda module: registry.is_in(module, "restoring"),
        )
        with interpreter.parts.watched():
            complete = run(interpreter, request["entries"], request.get("x64"))
        progress.at_no_statement()
        return 0

    try:
        jax.eval_shape(whole)
    except Contradiction:
        raise
    except Exception as error:  # a fault of ours: what has been seen may not be all
        interpreter.diagnostics.note(f"the evaluation ended early: {type(error).__name__}: {error}")
        return False
    if not complete:
        _tell_what_took_long(interpreter)
    return complete


def _told(interpreter: Interpreter) -> list[str]:
    """The notes of an evaluation, after those that say where what is unknown comes from."""
    if (
        interpreter.wants_errors_alone or interpreter.left_out
    ):  # the answer is for those who do not ask for them
        return [*interpreter.diagnostics.notes]
    causes_by_cost = causes(interpreter.facts, interpreter.texts, interpreter.libraries.roots)
    told = {cause.package for cause in causes_by_cost if cause.package}
    notes = [note for note, untrusted in interpreter.diagnostics.notes.items() if untrusted not in told]
    return [*(cause.told(places) for cause, places in causes_by_cost.items()), *notes]


def _tell_what_took_long(interpreter: Interpreter) -> None:
    slowest = interpreter.top_levels.slowest()
    where = "" if slowest is None else "; {}:{} took {:.0f} s of it".format(*slowest)
    interpreter.diagnostics.note(
        f"the evaluation took too long: of some places, only what was known so far is shown{where}"
    )


def begin(
    request: Mapping[str, Any],
    skipped: Sequence[Sequence[int]],
    kind: type[Interpreter] = Interpreter,
    compares: bool = True,
) -> tuple[Interpreter, list[str]]:
    """An interpreter of the program of a request, which shares nothing with one before it; and notes on its modules."""
    texts, notes = parsed(request)
    libraries = TrustPolicy(request["trust"])
    seconds, assumes_defaults = float(request.get("seconds", 60)), bool(request.get("assumes_defaults"))
    interpreter = kind(texts, libraries, seconds, compares, assumes_defaults)
    interpreter.files = ProjectFiles(request.get("files", {}), request.get("arrays", {}))
    interpreter.observed = ObservedBorder(request.get("observed", {}))
    interpreter.wants_errors_alone = bool(request.get("errors_alone"))
    interpreter.wants_annotated_alone = bool(request.get("annotated_alone"))
    interpreter.elsewhere = frozenset(
        texts[name][0] for name in request.get("elsewhere", ()) if name in texts
    )
    interpreter.units = Units(
        {name: (path, tree, request["modules"][name]["text"]) for name, (path, tree, _) in texts.items()}
    )
    interpreter.ports = {library: frozenset(files) for library, files in request.get("ports", {}).items()}
    heap.forget_all()
    aliases.forget_all()
    arrays.forget_made_up()
    numbers.forget()
    interpreter.progress = StatementProgress(request, skipped)
    arrays.count_unknown_sizes_from(0)  # those of an earlier program are gone
    sys.setrecursionlimit(12_000)
    return interpreter, notes


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


def prepare(request: Mapping[str, Any]) -> None:
    """Import the libraries that a program names, which may do at that moment what no evaluation does."""
    trusted = TrustPolicy(request["trust"])
    names = [name for module in request["modules"].values() for name in imported(module["text"] or "")]
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
