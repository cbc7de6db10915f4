"""Calls of a program's functions that are asked about: its modules are walked once, and each call leaves them as they were."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import jax

from ..domain.values import Array, Call, Dict, DType, List, Own, Scalar, Static, Tuple, Value, functions_in
from ..evaluation.protocol import OBJECT, TOO_LONG, Answer, requested_call
from ..sampling.errors import Inconclusive
from ..sampling.objects import TYPES, dtype_of
from . import session
from .control import Control, Exhausted, Frame, RaisedException
from .described import value_of
from .facts import Facts
from .interpreter import Interpreter
from .language import imports
from .language.functions import invoke
from .language.statements import leave_out
from .scopes import Module, Scope
from .values import arrays, heap
from .values.callables import Function
from .values.unknowns import UNKNOWN, AbstractScalar

#: The steps that one statement of a top level may take: a script does there all that it does, and calls need its definitions alone.
OF_STATEMENT = 2_000
#: The processor seconds that the top levels of the modules of one call may take.
OF_TOP_LEVELS = 20.0
#: Statements that are always walked, and those that give names to what they define.
IMPORTS = (ast.Import, ast.ImportFrom)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
#: Where calls come from that no statement of the program makes.
OUTSIDE = Module("", "", False)


class TopLevels(Interpreter):
    """Walks the top levels of modules. A statement that takes too long is left out, and the walk goes on after it."""

    def top_level(self, body: Sequence[ast.stmt], scope: Scope) -> None:
        """Walk the statements of a module, each within its limit."""
        for statement in body:
            before, frames = heap.now(), len(self.frames)
            try:
                with self.budget.apart(), self.budget.at_most(steps=OF_STATEMENT):
                    self.block([statement], scope)
            except Exhausted:
                if self.budget.is_over or isinstance(statement, IMPORTS):
                    raise
                del self.frames[frames:]
                before.restore()
                leave_out(self, statement, scope)


class AskedCalls:
    """A program of whose functions calls are asked about. All is done under one trace, so that what modules hold stays of use.

    Args:
        request: the "program" of a request, as `protocol` has it.
        skipped: statements that are left out, as `progress.Position` has them.
    """

    def __init__(self, request: Mapping[str, Any], skipped: Sequence[Sequence[int]]) -> None:
        # What libraries compute when they are imported is no part of any trace.
        with jax.ensure_compile_time_eval():
            session.prepare(request)
        # Annotations are not compared with what they are about: where sizes are tried, another one may fit.
        self._interpreter, _ = session.begin(request, skipped, TopLevels, compares=False)
        self._seconds = float(request["seconds"])
        #: Why modules could not be walked.
        self._problems: dict[str, str] = {}

    def answer(self, message: Mapping[str, Any]) -> Answer:
        """What a call gives, or what JAX refuses in it.

        Raises:
            Inconclusive: neither is known.
        """
        call = requested_call(message)
        for own in functions_in(call):
            self._walk(own.module)
        interpreter = self._interpreter
        interpreter.budget.renew(self._seconds)
        with self._untouched():
            try:
                result = value_of(self._given(call))
            except Exhausted:
                raise Inconclusive(TOO_LONG) from None
            except (RaisedException, Control) as left:
                raise Inconclusive(f"the function ends with {type(left).__name__}") from None
            for refusal in interpreter.diagnostics.refusals.values():
                return Answer(error=str(refusal["message"]), kind=str(refusal["kind"]))
        return Answer(result=result)

    def _walk(self, name: str) -> None:
        """Walk the top level of a module, and of those that it imports.

        Raises:
            Inconclusive: it has none, or not to its end.
        """
        interpreter = self._interpreter
        if name not in interpreter.texts:
            raise Inconclusive(f"{name} cannot be read")
        if name not in interpreter.modules:
            interpreter.budget.renew(OF_TOP_LEVELS)
            try:
                imports.of_program(interpreter, name)
            except Exhausted:
                self._problems[name] = "the top level of the modules takes too much"
            except Control as control:
                self._problems[name] = f"the module ends with {type(control).__name__}"
            finally:
                interpreter.frames.clear()
        problem = self._problems.get(name)
        if interpreter.modules[name].failed or problem is not None:
            raise Inconclusive(problem or f"{name} ends with an exception")

    @contextmanager
    def _untouched(self) -> Iterator[None]:
        """What happens within leaves no trace in the program."""
        interpreter = self._interpreter
        before, drawn, facts = heap.now(), dict(interpreter.drawn), interpreter.facts
        tables: list[dict[Any, Any]] = [interpreter.functions, interpreter.made, interpreter.modules]
        known, kept = [set(table) for table in tables], len(interpreter.kept)
        interpreter.diagnostics.refusals.clear()
        interpreter.facts = Facts()
        interpreter.frames[:] = [Frame(OUTSIDE.scope, "<call>", "", 0)]
        interpreter.node = None
        interpreter.escaped_functions.clear()
        try:
            yield
        finally:
            before.restore()
            interpreter.frames.clear()
            for table, names in zip(tables, known, strict=True):
                for key in table.keys() - names:
                    del table[key]
            del interpreter.kept[kept:]
            interpreter.drawn, interpreter.facts = drawn, facts

    def _given(self, call: Value) -> Any:
        """What the body of a function gives, whatever its decorators make of it."""
        match call:
            case Call(args=(Own() as own, *args), kwargs=kwargs):
                named = {name: self._made(arg) for name, arg in kwargs.items()}
                made = [self._made(arg) for arg in args]
                return invoke(self._interpreter, self._function(own), made, named, is_believed=False)
        raise Inconclusive("a call of no function of the program")

    def _function(self, own: Own) -> Function:
        """The function that is defined under a name in a module, or in a class of it."""
        part: ast.AST = self._interpreter.texts[own.module][1]
        for name in own.name.split("."):
            inner = [node for node in ast.iter_child_nodes(part) if isinstance(node, DEFINITIONS)]
            part = next((node for node in reversed(inner) if node.name == name), ast.Pass())
        definitions = [made for made in self._interpreter.functions.values() if made.node is part]
        if len(definitions) != 1:
            raise Inconclusive(f"{own.name} is not defined once")
        return definitions[0]

    def _made(self, value: Value) -> Any:
        """The object that a value stands for."""
        match value:
            case Array(dtype=dtype, weak=weak, shape=dims):
                return arrays.array(dtype, None if dtype is None else weak, dims)
            case Tuple(items):
                return tuple(map(self._made, items))
            case List(items):
                return [*map(self._made, items)]
            case Dict(pairs):
                return {self._made(key): self._made(item) for key, item in pairs}
            case Static(constant):
                return constant
            case Scalar(kind):
                return AbstractScalar(TYPES[kind])
            case DType():
                return dtype_of(value)
            case Call(function=function, args=(Own(module, name),), kwargs=fields) if function == OBJECT:
                variables = self._interpreter.modules[module].scope.variables
                return _object(variables.get(name), {each: self._made(held) for each, held in fields.items()})
        return UNKNOWN


def _object(cls: Any, fields: Mapping[str, Any]) -> Any:
    """An object of a class of the program whose fields are these, whatever its ``__init__`` takes.

    Raises:
        Inconclusive: the class is not known, or its objects are not made of fields.
    """
    if not isinstance(cls, type):
        raise Inconclusive("an object of an unknown class")
    if issubclass(cls, tuple):
        names = getattr(cls, "_fields", ())
        if set(names) != fields.keys():
            raise Inconclusive("a tuple whose items are not known")
        return tuple.__new__(cls, [fields[name] for name in names])
    try:
        made = object.__new__(cls)
        for name, field in fields.items():
            object.__setattr__(made, name, field)
    except (TypeError, AttributeError):
        raise Inconclusive(f"no object of {cls.__name__} is made of fields") from None
    return made
