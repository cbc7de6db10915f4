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
"""

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
    found = surface().compiled
    blocks = ["\n".join(define(name, cls, set(found))) for name, cls in found.items()]
    blocks += ["\n".join(borrowed(cls)) for cls in BORROWED]
    head = HEAD.format(classes=", ".join(_WITH_LIMITS_OF_NUMPY))
    return "\n".join([head, *blocks, ""])


def define(name: str, cls: type, known: set[str]) -> list[str]:
    """The lines that define a class: it fits everywhere, and what is not known of it is ``Any``."""
    bases = [base.__name__ for base in cls.__bases__ if base.__name__ in known]
    shown = [one for one in sorted(vars(cls)) if one in OPERATORS or one == "__init__" or one[0] != "_"]
    body = [line for member in shown for line in _member(member, cls, known)]
    if isinstance(matched := getattr(cls, "__match_args__", None), tuple):
        body = [f"__match_args__ = {matched!r}", *body]
    return [f"class {name}({', '.join(bases) or ANY}):", *(f"    {line}" for line in [*body, GETATTR])]


def borrowed(cls: type) -> list[str]:
    """A class that checkers could find only by reading much else: its base in NumPy, and what it declares."""
    base = next((one.__name__ for one in cls.__bases__ if one is not object), None)
    attributes = inspect.get_annotations(cls, eval_str=True)
    body = [f"    {name}: {_DECLARED.get(one, ANY)}" for name, one in attributes.items()]
    head = f"class {cls.__name__}(_np.{base}[_Limit]):" if base else f"class {cls.__name__}:"
    return [head, *body, *(_made_by_dtype(cls) if base else _made(cls))]


def _made(cls: type) -> list[str]:
    _, *given = inspect.signature(vars(cls)["__init__"]).parameters.values()
    return [f"    def __init__(self, {signatures.parameters(given, _annotation)}) -> None: ..."]


#: The floats of which NumPy has a scalar type, which the limits are of. ml_dtypes does not type those of the others.
_WITH_LIMITS_OF_NUMPY = ("float16", "float32", "float64")


def _made_by_dtype(cls: type) -> list[str]:
    """The limits of a dtype are scalars of it."""
    rows = [("_Sen", ANY), *((name, f"_np.{name}") for name in _WITH_LIMITS_OF_NUMPY)]
    dtypes = [(f"type[{name}] | DTypeObject[{name}] | _HasDType[{name}]", limit) for name, limit in rows]
    lines = [
        ("@overload", f"def __new__(cls, dtype: {dtype}) -> {cls.__name__}[{limit}]: ...")
        for dtype, limit in [*dtypes, (ANY, ANY)]
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
    given = signatures.parameters(signature.parameters.values(), _annotation)
    result = "None" if name == "__init__" else _result(signature, known)
    return [*(["@staticmethod"] if static else []), f"def {name}({given}) -> {result}: ..."]


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


def _annotation(one: Parameter) -> str:
    return "" if one.name == "self" else ANY


def _result(signature: Signature, known: set[str]) -> str:
    """The result where it is a plain type or a class of this stub."""
    text = str(signature.return_annotation)
    inner = text.removeprefix("list[").removesuffix("]")
    last = inner.rpartition(".")[2]
    if text == "list":
        return "list[Any]"
    if last not in known and inner not in _PLAIN:
        return ANY
    return f"list[{last}]" if inner != text else last
