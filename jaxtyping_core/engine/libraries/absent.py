"""What the installed libraries do not have: names of their modules, and parameters of their functions."""

from __future__ import annotations

import difflib
import importlib.metadata
import inspect
import types
from typing import TYPE_CHECKING, Any

from ..values.unknowns import UNKNOWN
from .trust.policy import public

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: The kind of these errors.
KIND = "removed"
NAME = "{module} has no {name} in {package}{remedy}"
CALL = "{function} {reason} in {package}; its parameters are {parameters}"
#: The class of functions that are jitted.
JITTED = "PjitFunction"
#: What JAX's functions are wrapped in that passes all arguments on, by the names of classes and of functions.
TRANSPARENT = (JITTED, "custom_jvp", "custom_vjp")
BOUNDARY = "reraise_with_filtered_traceback"
#: How alike a name is that may be meant, as `difflib` counts it.
LIKENESS = 0.85
#: Characters of parameters that are shown.
LONGEST = 200


def of_module(interpreter: Interpreter, module: types.ModuleType, name: str, error: AttributeError) -> Any:
    """What a program gets where it asks a module for a name that is not there: an error, which is reported."""
    if (module.__name__, name) in interpreter.patched:
        return UNKNOWN
    words = " ".join(str(error).split())
    is_default = words.startswith(f"module {module.__name__!r} has no attribute")
    path = public(module.__name__)
    remedy = _remedy(module, path, name) if is_default else f": {words}"
    interpreter.refuse(KIND, NAME.format(module=path, name=name, package=_installed(path), remedy=remedy))
    return interpreter.failed(error)


def _remedy(module: types.ModuleType, path: str, name: str) -> str:
    """What may be meant: ``tree.map`` for ``tree_map``, or a name that is spelled nearly so."""
    first, _, rest = name.partition("_")
    inner = vars(module).get(first)
    if rest and isinstance(inner, types.ModuleType) and callable(vars(inner).get(rest)):
        return f"; did you mean {path}.{first}.{rest}?"
    near = difflib.get_close_matches(name, [other for other in vars(module) if other[:1] != "_"], 1, LIKENESS)
    package = path.partition(".")[0]
    meant = f"did you mean {path}.{near[0]}?" if near else f"see the changelog of {package} for a replacement"
    return f"; {meant}"


def refusal_of(f: Any, args: list[Any], kwargs: dict[str, Any]) -> TypeError | None:
    """The error of a call whose arguments are not those that a function takes; None if they are, or that is not known."""
    called = _python_function(f)
    if called is None:
        return None
    try:
        inspect.signature(called).bind(*args, **kwargs)
    except TypeError as error:
        return error
    except ValueError:  # it has no signature
        return None
    return None


def of_call(interpreter: Interpreter, f: Any, error: TypeError) -> Any:
    """What a program gets from a call with the wrong arguments: an error, which is reported."""
    called = _python_function(f)
    assert called is not None
    module = public(str(getattr(f, "__module__", None) or called.__module__))
    interpreter.refuse(
        KIND,
        CALL.format(
            function=f"{module}.{called.__name__}",
            reason=str(error).partition("() ")[2] or str(error),
            package=_installed(module),
            parameters=_parameters(called),
        ),
    )
    return interpreter.failed(error)


def _python_function(f: Any) -> types.FunctionType | None:
    """The function whose own code takes the arguments of a call; None if something else looks at them first."""
    while type(f).__name__ in TRANSPARENT or (
        isinstance(f, types.FunctionType) and f.__code__.co_name == BOUNDARY
    ):
        f = getattr(f, "__wrapped__", None)
    is_plain = isinstance(f, types.FunctionType) and not {"__wrapped__", "__signature__"} & vars(f).keys()
    return f if is_plain else None


def _parameters(function: types.FunctionType) -> str:
    """The parameters of a function without their annotations."""
    signature = inspect.signature(function)
    bare = [
        parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()
    ]
    text = str(inspect.Signature(bare))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


def _installed(path: str) -> str:
    """A package with its version."""
    package = path.partition(".")[0]
    try:
        return f"the installed {package} {importlib.metadata.version(package)}"
    except importlib.metadata.PackageNotFoundError:  # the standard library
        return f"the installed {package}"
