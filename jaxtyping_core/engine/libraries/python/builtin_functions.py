"""Python's own functions, for values that may be unknown."""

from __future__ import annotations

import builtins
import itertools
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ....domain.values import PYTHON_NUMBERS
from ....sampling.calls import Budget, Refused, Values, abstract_call
from ....sampling.proof import Evidence, Known
from ....sampling.tables.numbers import PYTHON_SCALARS
from ...language.attributes import may_set
from ...language.operators import power
from ...language.sequences import entries_of, items_of, length, listed
from ...language.tracing import asked, hashed
from ...language.truth import truth
from ...scopes import Module
from ...values import arrays
from ...values.dispatch import ByKind, Dim
from ...values.joins import join
from ...values.paths import KnownPath
from ...values.records import RecordList
from ...values.unknowns import (
    UNKNOWN,
    AbstractScalar,
    AbstractSequence,
    Either,
    Endless,
    Instance,
    NumpyArray,
    Partial,
    is_dim,
    is_scalar,
    is_unknown,
)
from ..jax.meshes import is_mesh
from ..numpy import arrays as numpy_arrays
from ..trust.sealed import NoSize
from ..trust.special_names import DESCRIBING
from . import builtin_iterations as iterations
from . import text_files

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: Names that are what they are to Python.
PLAIN = (
    *("bytes", "slice", "object", "property", "staticmethod", "classmethod", "NotImplemented", "Ellipsis"),
    *("True", "False", "None"),
    *(
        name
        for name, value in vars(builtins).items()
        if isinstance(value, type) and issubclass(value, Exception)
    ),
)
SCALARS = (*PYTHON_NUMBERS, str)
#: Abstract values that are surely not callable.
NEVER_CALLED = (AbstractScalar, Partial, NumpyArray, AbstractSequence, Endless)
Maker = Callable[["Interpreter"], Callable[..., Any]]


def _scalar(kind: type) -> Maker:
    def make(interpreter: Interpreter) -> Callable[..., Any]:
        def convert(*args: Any, **kwargs: Any) -> Any:
            if not args:
                return kind()
            value = args[0]
            if kind is not str:
                asked(interpreter, value, kind.__name__)
            if is_dim(value):
                return value if kind is int else AbstractScalar(kind)
            if is_unknown(value) or arrays.is_array(value):
                return AbstractScalar(kind)
            if kind is str:
                if isinstance(value, KnownPath):
                    return value
                return str(value) if type(value) in SCALARS else AbstractScalar(str)
            if kind is bool:
                outcome = truth(value)
                return AbstractScalar(bool) if outcome is None else outcome
            if (type(value) is str and len(value) > 64) or len(args) > 1:
                return AbstractScalar(kind)
            try:
                return kind(value)
            except Exception as error:  # what real code raises is what the program would meet
                return interpreter.failed(error)

        return convert

    return make


def _container(kind: Callable[..., Any]) -> Maker:
    def make(interpreter: Interpreter) -> Callable[..., Any]:
        return lambda *args: listed(interpreter, args[0], kind) if args else kind()

    return make


def _dict(interpreter: Interpreter) -> Callable[..., Any]:
    def make(*args: Any, **kwargs: Any) -> Any:
        if not args:
            return dict(kwargs)
        if (entries := entries_of(args[0])) is not None:
            return {**entries, **kwargs}
        items = items_of(interpreter, args[0])
        pairs = items.listed
        if pairs is None:
            is_pair = isinstance(items.item, tuple) and len(items.item) == 2
            return AbstractSequence(items.item[1], items.some, dict) if is_pair and not kwargs else UNKNOWN
        if arrays.holds_unknown([p[0] if isinstance(p, (tuple, list)) and p else UNKNOWN for p in pairs]):
            return UNKNOWN
        return {**dict(pairs), **kwargs}

    return make


def _isinstance(interpreter: Interpreter) -> Callable[..., Any]:

    def is_instance(value: Any, kinds: Any) -> Any:
        if arrays.holds_unknown(kinds) or not _are_classes(kinds):
            return AbstractScalar(bool)
        several = kinds if isinstance(kinds, tuple) else (kinds,)
        if kinds is jax.core.Tracer and (outcome := interpreter.traces.is_tracer(value)) is not None:
            return outcome
        if any(
            getattr(kind, "__name__", "") in ("Tracer", "Array") and kind is not jax.Array for kind in several
        ):
            return AbstractScalar(bool)
        stands_for = jax.sharding.Mesh if is_mesh(value) else class_of(value)
        if stands_for is not None:
            return any(issubclass(stands_for, kind) for kind in several if isinstance(kind, type))
        if is_unknown(value) or isinstance(value, KnownPath):
            return AbstractScalar(bool)
        try:
            return bool(isinstance(value, kinds))
        except Exception as error:  # code of objects may raise anything: then no more is known
            if isinstance(error.__cause__, NoSize):
                interpreter.diagnostics.note(
                    f"a comparison is not evaluated: the dim {error.__cause__} is not made of names and numbers"
                )
            return AbstractScalar(bool)

    return is_instance


def class_of(value: Any) -> type | None:
    """The class that the program sees an abstract value to be of; None if that is not known, and for real objects."""
    return _CLASSES.find(value)(value)


#: The class that the program sees an abstract value to be of; None for those of which it is not known, and for real objects.
_CLASSES: ByKind[Callable[[Any], type | None]] = ByKind(lambda value: None)
_CLASSES.of(AbstractScalar)(lambda value: value.kind)
_CLASSES.of(Instance)(lambda value: value.cls)
_CLASSES.of(Dim)(lambda value: int)
_CLASSES.of(RecordList)(lambda value: value.SEEN_AS)


@_CLASSES.of(Partial)
def _class_of_arrays(value: Partial) -> type:

    return jax.Array


@_CLASSES.of(NumpyArray)
def _class_of_numpy_arrays(value: NumpyArray) -> type:

    return np.ndarray


def _are_classes(kinds: Any) -> bool:
    if isinstance(kinds, tuple):
        return all(map(_are_classes, kinds))
    return isinstance(kinds, (type, types.UnionType))


def _getattr(interpreter: Interpreter) -> Callable[..., Any]:
    def get(holder: Any, name: Any, *default: Any) -> Any:
        if type(name) is not str:
            for value in holder.scope.variables.values() if isinstance(holder, Module) else ():
                interpreter.unresolved.reads(value)  # it may be any of them
            return UNKNOWN
        with interpreter.within(trying=True):
            try:
                return interpreter.attribute(holder, name)
            except Exception as error:  # code of objects may raise anything: then no more is known
                if default:
                    return default[0]
                return interpreter.failed(error)

    return get


def _hasattr(interpreter: Interpreter) -> Callable[..., Any]:
    def has(holder: Any, name: Any) -> Any:
        if type(name) is not str or is_unknown(holder):
            return AbstractScalar(bool)
        with interpreter.within(trying=True):
            try:
                interpreter.attribute(holder, name)
            except Exception:  # code of objects may raise anything: then no more is known
                return False
        return True

    return has


def _setattr(interpreter: Interpreter) -> Callable[..., Any]:
    def put(holder: Any, name: Any, value: Any) -> None:
        if type(name) is str and (may_set(interpreter, holder, name) or isinstance(holder, types.ModuleType)):
            interpreter.set_attribute(holder, name, value)
        elif type(name) is str and name in DESCRIBING:
            pass  # as where a statement assigns to it
        else:
            interpreter.diagnostics.note(f"an assignment to the attribute {name} is ignored")
            interpreter.havoc([holder])

    return put


def _type(interpreter: Interpreter) -> Callable[..., Any]:
    def kind(*args: Any) -> Any:
        if len(args) != 1 or arrays.is_array(args[0]) or is_dim(args[0]):
            return UNKNOWN
        if not is_unknown(args[0]):
            return type(args[0])
        return args[0].kind if is_scalar(args[0]) else UNKNOWN

    return kind


def _of_numbers(real: Callable[..., Any], args: Sequence[Any]) -> Any:
    """What a function of Python scalars gives, of which some are unknown: what all that are tried have in common."""

    def run(chosen: tuple[Any, ...]) -> Any:
        try:
            return _unknown(real(*chosen))
        except (ArithmeticError, ValueError, TypeError):  # a division by 0: no program means that
            raise Refused from None

    samples = itertools.product(*(PYTHON_SCALARS[arg.kind] if is_scalar(arg) else (arg,) for arg in args))
    values = Values(join, lambda common, _: common, lambda _: False)
    answer = abstract_call(
        run, lambda _: samples, lambda so_far: Evidence(len(so_far.accepted)), values, Budget()
    )
    return answer.value if isinstance(answer, Known) else UNKNOWN


def _unknown(value: Any) -> Any:
    return tuple(map(_unknown, value)) if type(value) is tuple else AbstractScalar(type(value))


def _number(name: str) -> Maker:
    real = getattr(builtins, name)

    def make(interpreter: Interpreter) -> Callable[..., Any]:
        def computed(*args: Any) -> Any:
            if all(isinstance(arg, (AbstractScalar, *SCALARS)) for arg in args) and arrays.holds_unknown(
                args
            ):
                return _of_numbers(real, args)
            if name == "pow":
                return power(*args) if len(args) == 2 else UNKNOWN
            if numpy_arrays.takes_part(list(args)):
                return numpy_arrays.operate(interpreter, real, list(args))
            return (
                interpreter.call_abstractly(real, list(args), {})
                if arrays.holds_unknown(args)
                else real(*args)
            )

        return computed

    return make


def _said(interpreter: Interpreter) -> Callable[..., Any]:
    return lambda *_, **__: None


def _text(interpreter: Interpreter) -> Callable[..., Any]:
    return lambda *_, **__: AbstractScalar(str)


def _hash(interpreter: Interpreter) -> Callable[..., Any]:
    def hash_of(value: Any) -> Any:
        hashed(interpreter, value)
        return AbstractScalar(int)

    return hash_of


def _callable(interpreter: Interpreter) -> Callable[..., Any]:
    def is_callable(value: Any) -> Any:
        if isinstance(value, Either):
            return True
        if is_unknown(value):
            return False if type(value) in NEVER_CALLED else AbstractScalar(bool)
        return callable(value)

    return is_callable


#: Names that type checkers know and Python does not: a program has them while somebody looks at its types.
OF_CHECKERS: dict[str, Maker] = {
    "reveal_type": lambda interpreter: lambda value: value,
    "reveal_locals": _said,
}
FUNCTIONS: dict[str, Maker] = {
    **{kind.__name__: _scalar(kind) for kind in SCALARS},
    **{kind.__name__: _container(kind) for kind in (list, tuple, set, frozenset)},
    **{name: iterations.extreme(name) for name in ("min", "max")},
    **{name: iterations.every(name) for name in ("any", "all")},
    **{name: _number(name) for name in ("abs", "round", "divmod", "pow")},
    **dict.fromkeys(("print",), _said),
    **dict.fromkeys(("repr", "format", "ascii", "chr", "hex", "bin", "oct"), _text),
    "dict": _dict,
    "open": text_files.opener,
    "zip": iterations.zipped,
    "enumerate": iterations.enumerated,
    "map": iterations.mapped,
    "filter": iterations.filtered,
    "reversed": iterations.backwards,
    "sorted": iterations.ordered,
    "sum": iterations.summed,
    "isinstance": _isinstance,
    "issubclass": lambda interpreter: (
        lambda cls, kinds: (
            AbstractScalar(bool)
            if arrays.holds_unknown([cls, kinds]) or not _are_classes(kinds) or not isinstance(cls, type)
            else issubclass(cls, kinds)
        )
    ),
    "getattr": _getattr,
    "hasattr": _hasattr,
    "setattr": _setattr,
    "vars": lambda interpreter: (
        lambda *of: interpreter.attribute(of[0], "__dict__") if of else interpreter.opaque("vars")
    ),
    "type": _type,
    "next": iterations.following,
    "iter": iterations.iterator,
    "range": iterations.ranged,
    "len": lambda interpreter: lambda value: length(interpreter, value),
    "callable": _callable,
    "id": lambda interpreter: lambda _: AbstractScalar(int),
    "hash": _hash,
    "ord": lambda interpreter: lambda _: AbstractScalar(int),
}
