"""What functions declare of arrays, in any notation, against what they are called with and what they return.

These are run time's checks, by the rules in `contracts.binding`: in each call a name stands for one size. Only what contradicts its annotation for sure is reported: a size that is not known may be any, and no condition of
unknown outcome leads there.
"""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...domain.values import PYTHON_NUMBERS
from ...sampling.package import module
from ..bodies import kept_readings
from ..libraries import registry
from ..scopes import Scope
from ..values import arrays
from .comparable import contracts, known
from .declarations import (
    field_annotations,
    form_of,
    form_of_value,
    of_text,
    parameters,
    with_parameters,
    with_stars,
)

if TYPE_CHECKING:
    from ..interpreter import Interpreter
    from ..values.callables import Function

#: The package whose annotations say something of arrays; overlays name others.
PACKAGE = "jaxtyping_core"
#: What reads annotations and compares values with them.
MODULES = tuple(
    f"contracts.{name}" for name in ("reading", "assuming", "checking", "binding", "alternatives")
)
#: What comes out of a call.
_OUT = '"{}" {} {{actual}}{{result}}'
#: What stands before the arguments that an argument does not fit.
BESIDE = " with "
#: What functions are called that make an object with other fields of an object.
REPLACING = frozenset({"replace", "_replace", "__replace__"})
KINDS = {"array-shape": "shape", "array-dtype": "dtype"}


@dataclass(eq=False)
class Contract:
    """What a function declares: forms of its parameters, and of what it returns or yields."""

    parameters: dict[str, Any] = field(default_factory=dict)
    result: Any = None


@dataclass(eq=False)
class Call:
    """A call of a function with a contract: what the names stand for in it.

    `broken` says that something in it was not as declared: what else is not may follow from that.
    """

    function: str
    contract: Contract
    environment: Any
    arguments: str
    broken: bool = False

    def told(self) -> str:
        """Which call it is, for messages."""
        return f" for {self.arguments}" if self.arguments else ""


def prepare(packages: Iterable[str]) -> None:
    """Import what reads annotations if a program imports a package that has some: nothing is imported during an evaluation."""
    if any(name == PACKAGE or registry.annotates(name) for name in packages):
        with suppress(ImportError):  # the interpreter lacks what our package needs: nothing is compared
            for name in MODULES:
                module(name)


def checker(interpreter: Interpreter) -> Callable[..., Any]:
    """What is called in place of a decorator that checks at run time what is compared here: it changes nothing of a function."""

    def same(*args: Any, **kwargs: Any) -> Any:
        return args[0] if args and not isinstance(args[0], str) else interpreter.natives.function(same)

    return same


# Comparing.


def entering(
    interpreter: Interpreter, function: Function, bound: Mapping[str, Any], told: str
) -> Call | None:
    """Compare the arguments of a call with what the function declares; None if that is nothing."""
    may_report = (
        interpreter.context.compares and not interpreter.context.is_speculative
    )  # which lasts to the end of the call
    contract = _contract(interpreter, function) if may_report else None
    if contract is None:
        return None
    name = f"{function.cls.__name__}.{function.name}" if function.cls is not None else function.name
    call = Call(name, contract, _environment(interpreter, function.scope, bound), told)
    for parameter, form in contract.parameters.items():
        passed = bound.get(parameter)
        stars = parameter in with_stars(function)
        several = passed.values() if isinstance(passed, dict) else passed if isinstance(passed, tuple) else ()
        fact = f'Argument "{parameter}{{path}}" of "{name}" is {{actual}}'
        for value in several if stars else [passed]:
            _compare(interpreter, call, form, value, fact, functools.partial(_beside, bound, parameter))
    return call


def _beside(bound: Mapping[str, Any], parameter: str) -> str:
    """The arguments before one, which say what sizes names stand for."""
    names = list(bound)
    before = arrays.spelled({name: bound[name] for name in names[: names.index(parameter)]})
    return f"{BESIDE}{before}" if before else ""


def returning(interpreter: Interpreter, call: Call, value: Any) -> None:
    """Compare what a call returns with what the function declares."""
    if call.contract.result is not None:
        _compare(
            interpreter, call, call.contract.result, value, _OUT.format(call.function, "returns"), call.told
        )


def yielding(interpreter: Interpreter, call: Call, value: Any) -> None:
    """Compare what a generator yields with what the function declares; the next value may be of another size."""
    if call.contract.result is not None:
        this_yield = replace(call, environment=call.environment.copy())
        _compare(
            interpreter,
            this_yield,
            call.contract.result,
            value,
            _OUT.format(call.function, "yields"),
            call.told,
        )


def makes_another(f: Any) -> bool:
    """Whether a function makes an object like another one: ``dataclasses.replace``, and methods of that name."""
    return isinstance(f, (types.FunctionType, types.MethodType)) and f.__name__ in REPLACING


def constructed(interpreter: Interpreter, value: Any) -> None:
    """Compare the fields of a new object with what its class declares; the names in them are its own."""
    cls = type(value)
    if not interpreter.context.is_certain or cls not in interpreter.classes:
        return
    if not (hasattr(cls, "__dataclass_fields__") or hasattr(cls, "_fields")):
        return
    _numbers(interpreter, cls, value)
    if contracts("reading") is None:
        return
    with kept_readings(interpreter.readings.setdefault(cls, set())):
        if cls not in interpreter.fields:
            interpreter.fields[cls] = _fields(interpreter, cls)
    forms = interpreter.fields[cls]
    if forms:
        call = Call(
            cls.__name__, Contract(), _environment(interpreter, _scope(interpreter, cls), {"self": value}), ""
        )
        for name, form in forms.items():
            held = getattr(value, name, None)
            if held is not None:
                _compare(
                    interpreter, call, form, held, f'Field "{name}{{path}}" of "{cls.__name__}" is {{actual}}'
                )


def _numbers(interpreter: Interpreter, cls: type, value: Any) -> None:
    """Report an array in a field that is declared as a number of Python, of a class whose objects are checked when they are made."""
    node = interpreter.classes[cls]
    names = {
        part.id if isinstance(part, ast.Name) else getattr(part, "attr", None) for part in _callees(node)
    }
    if not names & registry.checkers():
        return
    for name, annotation in _scope(interpreter, cls).variables.get("__annotations__", {}).items():
        held = getattr(value, name, None)
        if annotation in PYTHON_NUMBERS and arrays.is_array(held):
            interpreter.report(
                "dtype",
                f'Field "{name}" of "{cls.__name__}" is {arrays.spelled_array(held)}; expected {annotation.__name__}:'
                " declare an array, or convert it",
                "",
            )


def _callees(node: ast.ClassDef) -> Iterator[ast.expr]:
    """The decorators of a class, those with options without them."""
    for decorator in node.decorator_list:
        yield decorator.func if isinstance(decorator, ast.Call) else decorator


def assigned(interpreter: Interpreter, node: ast.AnnAssign, value: Any, scope: Scope) -> None:
    """Compare the value of a variable with its annotation."""
    if not interpreter.context.is_certain or contracts("reading") is None:
        return
    form = form_of(interpreter, node.annotation, scope)
    if form is not None:
        call = interpreter.frame.contract or Call("", Contract(), _environment(interpreter, scope, {}), "")
        target = ast.unparse(node.target)
        _compare(interpreter, call, form, value, f"{target}{{path}} is {{actual}}", call.told)


def _compare(
    interpreter: Interpreter, call: Call, form: Any, value: Any, fact: str, told: Callable[[], str] = str
) -> None:
    """Report a contradiction.

    Args:
        fact: what is, with the `actual` value, and its `path` in there or, of a `result`, in that.
        told: which call it is.
    """
    if call.broken or not interpreter.context.is_certain:
        return
    try:
        verdict = contracts("checking").check(form, known(value), call.environment)
    except contracts("binding").Excluded:
        return
    if not isinstance(verdict, contracts("verdicts").Violated) or verdict.code not in KINDS:
        return
    call.broken = True
    declaration = (call.function, fact, getattr(interpreter.node, "lineno", 0))
    if declaration in interpreter.diagnostics.contradicted:  # a call in a loop, say
        return
    interpreter.diagnostics.contradicted.add(declaration)
    for name, text in {
        "path": verdict.path,
        "actual": verdict.actual,
        "result": f" as result{verdict.path}" if verdict.path else "",
    }.items():
        fact = fact.replace(f"{{{name}}}", text)
    sizes = f", here {verdict.here}" if verdict.here else ""
    beside = told()
    # An argument does not fit others, of which any may be wrong.
    about = "" if beside.startswith(BESIDE) else verdict.actual
    interpreter.report(KINDS[verdict.code], f"{fact}{beside}; expected {verdict.expected}{sizes}", about)


# What is declared.


def _contract(interpreter: Interpreter, function: Function) -> Contract | None:
    with kept_readings(function.readings):
        if function.contract is None:
            function.contract = _read(interpreter, function) or False
    return function.contract or None


def _read(interpreter: Interpreter, function: Function) -> Contract | None:
    node = function.node
    if isinstance(node, ast.Lambda) or contracts("reading") is None:
        return None
    scope = with_parameters(interpreter, node, function.scope)
    forms = {
        arg.arg: form_of(interpreter, arg.annotation, scope)
        for arg in parameters(node)
        if arg.annotation is not None
    }
    contract = Contract({name: form for name, form in forms.items() if form is not None})
    if node.returns is not None:
        contract.result = form_of(interpreter, node.returns, scope, function.is_generator)
    return contract if contract.parameters or contract.result is not None else None


def _fields(interpreter: Interpreter, cls: type) -> dict[str, Any]:
    """What a class declares of the arrays in its fields."""
    forms = {
        name: form_of_value(interpreter, annotation, scope)
        for name, annotation, scope in field_annotations(interpreter, cls)
    }
    return {name: form for name, form in forms.items() if form is not None}


def _scope(interpreter: Interpreter, cls: type) -> Scope:
    return next(interpreter.scopes[base] for base in cls.__mro__ if base in interpreter.scopes)


def _environment(interpreter: Interpreter, scope: Scope, bound: Mapping[str, Any]) -> Any:
    """What the names of a call stand for: nothing as yet. Expressions in annotations are walked, as the program is."""

    def evaluate(text: str, names: Mapping[str, Any]) -> Any:
        size = of_text(interpreter, text, Scope(None, scope.module, dict(names)))
        if type(size) is not int:
            raise NameError(f"{text} is not known")
        return size

    return contracts("binding").Environment(arguments=dict(bound), evaluate=evaluate)
