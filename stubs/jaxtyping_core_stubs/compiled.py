"""``jax/_jaxlib.pyi``: the classes of compiled libraries that JAX's API shows, where these have no stubs."""

from __future__ import annotations

import ast
import inspect
from inspect import Parameter, Signature
from typing import Any

import numpy as np

from . import oracle, signatures
from .classes import GETATTR, OPERATORS
from .spelling import ANY
from .surface import BORROWED, surface

HEAD = """
from typing import Any, TypeVar, overload

import numpy as _np

from jax._src.basearray import DTypeObject, _HasDType, _Sen
from jax._src.numpy.scalar_types import {classes}

_Limit = TypeVar("_Limit", bound=_np.floating[Any])

class {bfloat16}(_np.number[Any]):  # a scalar to all that takes NumPy's, though a `generic` is all that it is to NumPy
    {operators}
"""

#: The stub's class for the scalars of bfloat16, which ml_dtypes does not type.
_BFLOAT16 = "_BFloat16"
#: ... and for what describes that dtype, and the attributes of that which are such scalars.
_OF_BFLOAT16 = "_BFloat16Limits"
LIMITS = ("eps", "epsneg", "max", "min", "tiny", "resolution", "smallest_normal", "smallest_subnormal")
#: What they give with another scalar is not told (with a Python float it is no bfloat16); an array of JAX decides itself.
_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow")
_COMPARISONS = ("lt", "le", "gt", "ge")
_OTHER = "_np.generic | complex"

#: Results that are told as they are; a union would make every use of it an error.
_PLAIN = frozenset({"None", "bool", "bytes", "float", "int", "str"})

_ANYTHING = Signature(
    [Parameter("args", Parameter.VAR_POSITIONAL), Parameter("kwargs", Parameter.VAR_KEYWORD)]
)
_METHOD = _ANYTHING.replace(
    parameters=[Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *_ANYTHING.parameters.values()]
)


def render() -> str:
    """The text of the stub."""
    classes = surface().compiled
    blocks = ["\n".join(define(name, cls, set(classes))) for name, cls in classes.items()]
    blocks += ["\n".join(borrowed(cls)) for cls in BORROWED]
    head = HEAD.format(
        classes=", ".join(("bfloat16", *_WITH_LIMITS_OF_NUMPY)), bfloat16=_BFLOAT16, operators=_operators()
    )
    return "\n".join([head, *blocks, ""])


def _operators() -> str:
    methods = {f"{start}{name}": ANY for name in _OPERATORS for start in ("", "r")}
    results = {**dict.fromkeys(_COMPARISONS, "_np.bool_"), **methods}
    lines = [
        f"def __{method}__(self, other: {_OTHER}, /) -> {result}: ..." for method, result in results.items()
    ]
    return "\n    ".join(lines)


def define(name: str, cls: type, known: set[str]) -> list[str]:
    """The lines that define a class: it fits everywhere, and what is not known of it is ``Any``."""
    bases = [base.__name__ for base in cls.__bases__ if base.__name__ in known]
    shown = [
        member
        for member in sorted(vars(cls))
        if member in OPERATORS or member == "__init__" or member[0] != "_"
    ]
    body = [line for member in shown for line in _member(member, cls, known)]
    if isinstance(matched := getattr(cls, "__match_args__", None), tuple):
        body = [f"__match_args__ = {matched!r}", *body]
    return [f"class {name}({', '.join(bases) or ANY}):", *(f"    {line}" for line in [*body, GETATTR])]


def borrowed(cls: type) -> list[str]:
    """A class that checkers could find only by reading much else: its base in NumPy, and what it declares."""
    base = next((parent.__name__ for parent in cls.__bases__ if parent is not object), None)
    attributes = inspect.get_annotations(cls, eval_str=True)
    body = [f"    {name}: {_DECLARED.get(annotation, ANY)}" for name, annotation in attributes.items()]
    if base is None:
        return [f"class {cls.__name__}:", *body, *_made(cls)]
    # NumPy declares them as its own scalars, and checkers refuse another class for an attribute of a base: hence the ignores.
    limits = [f"    {limit}: {_BFLOAT16}  # type: ignore" for limit in LIMITS]
    return [
        f"class {cls.__name__}(_np.{base}[_Limit]):",
        *body,
        *_made_by_dtype(cls),
        # Not of its type parameter, whose bound is NumPy's: a checker takes what is not within it for unknown.
        f"class {_OF_BFLOAT16}({cls.__name__}[{ANY}]):",
        *limits,
    ]


def _made(cls: type) -> list[str]:
    _, *parameters = inspect.signature(vars(cls)["__init__"]).parameters.values()
    return [f"    def __init__(self, {signatures.parameters(parameters, _annotation)}) -> None: ..."]


#: The floats of which NumPy has a scalar type, which the limits are of.
_WITH_LIMITS_OF_NUMPY = ("float16", "float32", "float64")


def _made_by_dtype(cls: type) -> list[str]:
    """The limits of a dtype are scalars of it."""
    unknown = f"{cls.__name__}[{ANY}]"
    of_numpy = ((name, f"{cls.__name__}[_np.{name}]") for name in _WITH_LIMITS_OF_NUMPY)
    rows = [("_Sen", unknown), ("bfloat16", _OF_BFLOAT16), *of_numpy]
    dtypes = [(f"type[{name}] | DTypeObject[{name}] | _HasDType[{name}]", result) for name, result in rows]
    lines = [
        ("@overload", f"def __new__(cls, dtype: {dtype}) -> {result}: ...")
        for dtype, result in [*dtypes, (ANY, unknown)]
    ]
    return [f"    {line}" for pair in lines for line in pair]


_DECLARED: dict[Any, str] = {int: "int", str: "str", np.dtype: "_np.dtype[Any]"}


def _member(name: str, cls: type, known: set[str]) -> list[str]:
    value = inspect.getattr_static(cls, name)
    getter = getattr(value, "fget", None)
    if getter is not None or inspect.isdatadescriptor(value):
        result = _result(_signature(getter, _ANYTHING), known)
        settable = getattr(value, "fset", None) is not None
        return [f"{name}: {result}"] if settable else ["@property", f"def {name}(self) -> {result}: ..."]
    if not callable(value) and not isinstance(value, staticmethod):
        return [f"{name}: {ANY}"]
    static = isinstance(value, staticmethod) or type(value).__name__ == "nb_func"
    signature = _signature(value, _ANYTHING if static else _METHOD)
    parameters = signatures.parameters(signature.parameters.values(), _annotation)
    result = "None" if name == "__init__" else _result(signature, known)
    return [*(["@staticmethod"] if static else []), f"def {name}({parameters}) -> {result}: ..."]


def _signature(value: Any, other: Signature) -> Signature:
    """The signature that a compiled function tells; `other` where there is none, or more than one."""
    told: Any = getattr(value, "__nb_signature__", ())
    if len(told) != 1:
        return other
    text = told[0][0].replace("def (", "def _(") + ": ..."
    try:
        node = ast.parse(text).body[0]
    except SyntaxError:
        return other
    return oracle.signature(node) if isinstance(node, ast.FunctionDef) else other


def _annotation(parameter: Parameter) -> str:
    return "" if parameter.name == "self" else ANY


def _result(signature: Signature, known: set[str]) -> str:
    """The result where it is a plain type, a class of this stub, or a list, of plain types or of what is not told."""
    text = str(signature.return_annotation)
    if text == "list" or text.startswith("list["):
        inner = text[len("list[") : -1]
        return f"list[{inner if inner in _PLAIN else ANY}]"
    last = text.rpartition(".")[2]
    return last if last in known or text in _PLAIN else ANY
