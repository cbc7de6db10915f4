"""The program's functions: real callables, for JAX to take, that walk their syntax trees."""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...domain.values import PYTHON_NUMBERS
from ...identity import identity
from .. import called
from ..bodies import yields
from ..control import Break, Continue, Frame, RaisedException, Return, Unreachable
from ..facts import CALLED, PARAMETER, Entry, entered_from
from ..libraries.calls import real_code
from ..scopes import Scope
from ..values import arrays, heap
from ..values.callables import Cursor, Function, Node, UnknownArguments
from ..values.joins import join_all, join_ways
from ..values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence, Unknown
from . import assumptions, contracts, declared_results
from .refusals import report_own_misfit

if TYPE_CHECKING:
    from ..interpreter import Interpreter

KINDS = {
    "posonlyargs": inspect.Parameter.POSITIONAL_ONLY,
    "args": inspect.Parameter.POSITIONAL_OR_KEYWORD,
    "kwonlyargs": inspect.Parameter.KEYWORD_ONLY,
}


#: Methods that Python calls on an object that it has just made.
FILLING = frozenset({"__init__", "__post_init__", "__attrs_post_init__"})
#: Calls of the program's functions within each other.
DEEPEST = 40
#: Calls of one function within each other of which it is not known that they end.
MOST_WITHIN = 3
#: The same where nothing is known of an argument: each call within that knows no more, and there may be many in one body.
MOST_OF_UNKNOWN = 1


def make(interpreter: Interpreter, node: Node, scope: Scope, name: str) -> Any:
    """The callable for a function or a lambda."""
    signature = signature_of(interpreter, node, scope)
    defaults = [p.default for p in signature.parameters.values() if p.default is not p.empty]
    part = interpreter.parts.number
    function = Function(node, scope, signature, name, defaults, yields(node), part=part)

    def interpreted(*args: Any, **kwargs: Any) -> Any:
        interpreter.parts.called_back(function)
        if name in FILLING:
            heap.begins(args)
        # Only libraries call this; what they cannot do with an unknown result is no refusal of the program.
        result = real_code.called_back(
            lambda: invoke(interpreter, function, args, kwargs), [*args, *kwargs.values()]
        )
        if arrays.holds_unknown(result):
            interpreter.returned_top += 1
        return result

    interpreted.__name__ = name
    interpreted.__qualname__ = name
    interpreted.__module__ = "__program__"
    interpreted.__doc__ = None
    interpreted.__signature__ = signature  # type: ignore[attr-defined]  # typeshed has no such attribute of this kind
    if not isinstance(node, ast.Lambda):
        annotated = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        interpreted.__annotations__ = {arg.arg: Any for arg in annotated if arg.annotation}
    interpreter.functions[identity(interpreted)] = function
    interpreter.kept.append(interpreted)
    return interpreted


def signature_of(interpreter: Interpreter, node: Node, scope: Scope) -> inspect.Signature:
    """The parameters of a function, with the values of their defaults."""
    a = node.args
    positional = [*((arg, "posonlyargs") for arg in a.posonlyargs), *((arg, "args") for arg in a.args)]
    empty = inspect.Parameter.empty
    values = [empty] * (len(positional) - len(a.defaults)) + [interpreter.value(d, scope) for d in a.defaults]
    parameters = [
        inspect.Parameter(arg.arg, KINDS[kind], default=value)
        for (arg, kind), value in zip(positional, values, strict=True)
    ]
    if a.vararg:
        parameters.append(inspect.Parameter(a.vararg.arg, inspect.Parameter.VAR_POSITIONAL))
    for arg, default in zip(a.kwonlyargs, a.kw_defaults, strict=True):
        value = empty if default is None else interpreter.value(default, scope)
        parameters.append(inspect.Parameter(arg.arg, KINDS["kwonlyargs"], default=value))
    if a.kwarg:
        parameters.append(inspect.Parameter(a.kwarg.arg, inspect.Parameter.VAR_KEYWORD))
    return inspect.Signature(parameters)


def invoke(
    interpreter: Interpreter,
    function: Function,
    args: Sequence[Any],
    kwargs: dict[str, Any],
    within: Callable[[Any], None] | None = None,
    entry: Entry | None = None,
    is_believed: bool = True,
) -> Any:
    """Walk a function's body with these arguments.

    Args:
        within: it is called where the function yields.
        entry: how the function is entered, if not by a call where the walk is.
        is_believed: whether what the function declares to return stands for what the walk does not tell; not so where
            the two are compared.
    """
    interpreter.budget.step()
    node, caller = function.node, interpreter.node
    if not isinstance(node, ast.Lambda):
        interpreter.called.add(identity(node))
    file, line = (
        interpreter.frame.scope.module.path if interpreter.frames else "",
        getattr(caller, "lineno", 0),
    )
    entry = entry or entered_from(interpreter.entry, file, line)
    if entry.kind == CALLED and not isinstance(node, ast.Lambda):
        interpreter.unresolved.reached.add(identity(node))
    if isinstance(node, ast.AsyncFunctionDef):
        interpreter.unresolved.skips(node)
    deepest = len(interpreter.frames) >= DEEPEST or _may_not_end(interpreter, node, [*args, *kwargs.values()])
    if deepest or isinstance(node, ast.AsyncFunctionDef):
        interpreter.havoc([*args, *kwargs.values()])
        return _not_walked(interpreter, function, args, kwargs)
    try:
        bound = bind(function.signature, args, kwargs)
        if any(isinstance(each, UnknownArguments) for each in (*args, *kwargs.values())):
            declared(interpreter, function, bound)
    except TypeError as error:
        report_own_misfit(interpreter, function, args, kwargs)
        return interpreter.failed(error)
    scope = Scope(function.scope, function.scope.module, bound)
    for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        if isinstance(bound[arg.arg], Unknown):
            bound[arg.arg] = interpreter.observed.seen(function.scope.module.path, arg, bound[arg.arg])
    told = arrays.spelled(bound)
    frame = Frame(scope, function.name, file, line, told, entry=entry)
    frame.contract = contracts.entering(interpreter, function, bound, told)
    frame.function, frame.node, frame.bound, frame.within = function, node, dict(bound), within
    frame.caller = caller
    frame.cls, frame.first = function.cls, args[0] if args else None
    interpreter.frames.append(frame)
    interpreter.traces.enter()
    for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        interpreter.record(scope, arg, PARAMETER + arg.arg, bound[arg.arg])
    try:
        if isinstance(node, ast.Lambda):
            return interpreter.value(node.body, scope)
        if within is not None:
            return run(interpreter, node.body, frame)
        if function.is_generator:
            try:
                run(interpreter, node.body, frame)
            except (Unreachable, RaisedException):  # what it has yielded by then is what it gives
                frame.open = frame.open or bool(frame.yields)
            return generated(frame)
        arguments = called.begun(interpreter, function, bound)
        value = run(interpreter, node.body, frame)
        called.ended(interpreter, arguments, value)
        # One way leads through it, which ends here; or what all ways give is compared.
        if frame.contract is not None and (not frame.returned or interpreter.context.is_believing):
            contracts.returning(interpreter, frame.contract, value)
        return declared_results.refined(interpreter, function, bound, value) if is_believed else value
    finally:
        interpreter.frames.pop()
        interpreter.traces.leave()
        interpreter.node = caller


def _not_walked(
    interpreter: Interpreter, function: Function, args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """What a call gives whose body is not walked."""
    if function.is_generator or isinstance(function.node, ast.AsyncFunctionDef):
        return UNKNOWN
    try:
        bound = bind(function.signature, args, kwargs)
    except TypeError:
        return UNKNOWN
    return declared_results.refined(interpreter, function, bound, UNKNOWN)


def _may_not_end(interpreter: Interpreter, node: Node, arguments: Sequence[Any]) -> bool:
    """Whether a function calls itself once more where it may have returned, for all that is known: it may go on so forever."""
    within = [frame for frame in interpreter.frames if frame.node is node]
    unknown = [arg is UNKNOWN for arg in arguments]
    if len(within) >= MOST_OF_UNKNOWN and unknown and all(unknown):
        return True
    is_uncertain = interpreter.context.is_speculative or all(frame.returned for frame in within)
    return is_uncertain and len(within) >= (MOST_OF_UNKNOWN if any(unknown) else MOST_WITHIN)


def run(interpreter: Interpreter, body: Sequence[ast.stmt], frame: Frame) -> Any:
    """What a body returns: what it has in common on all ways."""
    ends: list[tuple[Any, Any]] = []
    try:
        interpreter.block(body, frame.scope)
        value: Any = None
    except Return as returned:
        value = returned.value
    except (Unreachable, Break, Continue):
        if not frame.returned:
            raise
        value = _returned_before(frame)
    except RaisedException:
        if not frame.returned:
            raise
        interpreter.may_raise()
        value = _returned_before(frame)
    if not frame.returned:
        return value
    ends = [(value, heap.now()), *frame.returned]
    replaced = interpreter.merge([state for _, state in ends], frame.scope)
    values = [replaced[identity(value)][1] if identity(value) in replaced else value for value, _ in ends]
    return join_ways(values)


def _returned_before(frame: Frame) -> Any:
    """What a body returns on a way that was walked before, in the state that it has left."""
    (value, state), *frame.returned = frame.returned
    state.restore()
    return value


def generated(frame: Frame) -> Any:
    """What a generator gives: what it yields, all at once."""
    if frame.open:
        return AbstractSequence(join_all(frame.yields) if frame.yields else UNKNOWN)
    return Cursor(frame.yields)


def bind(signature: inspect.Signature, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The parameters' values; unknown ones where an unknown number of arguments is passed.

    Raises:
        TypeError: the arguments do not fit.
    """
    if any(isinstance(arg, UnknownArguments) for arg in (*args, *kwargs.values())):
        known = [arg for arg in args if not isinstance(arg, UnknownArguments)]
        first = next((i for i, arg in enumerate(args) if isinstance(arg, UnknownArguments)), len(args))
        partial = signature.bind_partial(*known[:first])
        named = {
            k: v
            for k, v in kwargs.items()
            if k in signature.parameters and not isinstance(v, UnknownArguments)
        }
        return {name: named.get(name, partial.arguments.get(name, UNKNOWN)) for name in signature.parameters}
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return dict(bound.arguments)


#: Python's scalars, and JAX's arrays, by what annotations call them.
NUMBERS = {kind.__name__: kind for kind in (*PYTHON_NUMBERS, str)}
ARRAYS = frozenset({"jax.Array", "jnp.ndarray", "jax.numpy.ndarray"})


def declared(interpreter: Interpreter, function: Function, bound: dict[str, Any]) -> None:
    """Parameters of which nothing is passed are of their declared types."""
    if isinstance(function.node, ast.Lambda):
        return
    calls = list(itertools.islice(assumptions.calls(interpreter, function), 2))
    for name, value in calls[0].items() if len(calls) == 1 else ():
        if bound.get(name) is UNKNOWN:
            bound[name] = value
    a = function.node.args
    for arg in [*a.posonlyargs, *a.args, *a.kwonlyargs]:
        if bound.get(arg.arg) is not UNKNOWN or arg.annotation is None:
            continue
        text = ast.unparse(arg.annotation)
        if text in NUMBERS and function.scope.holder(text) is None:
            bound[arg.arg] = AbstractScalar(NUMBERS[text])
        elif text in ARRAYS:
            bound[arg.arg] = arrays.array(None, None, None)
