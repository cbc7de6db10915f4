"""What a walk reads of the variables that were there before it, written so that later evaluations can compare it."""

from __future__ import annotations

import dataclasses
import functools
import sys
import types
from typing import TYPE_CHECKING, Any

import jax

from ..identity import identity
from .scopes import Module, Scope, Watch
from .units import Unclear
from .values import arrays
from .values.records import Record, fields_of
from .values.unknowns import (
    UNKNOWN,
    AbstractScalar,
    AbstractSequence,
    ArrayLike,
    Instance,
    NumpyArray,
    Partial,
    PureExternal,
    Unknown,
    is_dim,
    is_unknown,
)

if TYPE_CHECKING:
    from .interpreter import Interpreter
    from .values.callables import Function

#: Values within each other, and in all, that are written; and the bytes of an array of NumPy.
DEEPEST, MOST, MOST_BYTES = 12, 2_000, 4_096
PLAIN = (type(None), bool, int, float, complex, str, bytes, range, type(...), slice)
#: What is read of a name that is not there.
MISSING = ("missing",)
#: The package of the classes that our annotations are, which say in full what they are.
ANNOTATIONS = "jaxtyping_core._annotations."


class ReadSet:
    """Writes values, and keeps what it has written of the variables of modules.

    Attributes:
        reads: by module and name, what a variable held when it was first read.
        is_clear: whether all that was read could be written.
    """

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.reads: dict[tuple[str, str], Any] = {}
        self.is_clear = True
        self._count = 0
        #: The scopes that are made from now on are the walk's own.
        Watch.number += 1
        self._number = Watch.number

    def saw(self, scope: Scope, name: str, holder: Scope | None) -> None:
        """A name was looked up in a scope, and found in `holder`."""
        if holder is None:
            self._see(scope.module.name, name, MISSING)
        elif holder.parent is None:
            self._see(holder.module.name, name, None)
        elif holder.walk < self._number:  # of a function that was called before
            self.is_clear = False

    def _see(self, module: str, name: str, written: Any) -> None:
        if self.is_clear and (module, name) not in self.reads:
            try:
                self.reads[module, name] = self.now((module, name)) if written is None else written
            except Unclear:
                self.is_clear = False

    def is_as_read(self) -> bool:
        """Whether the variables hold what they held when they were read."""
        try:
            return all(self.now(name) == written for name, written in self.reads.items())
        except Unclear:
            return False

    def now(self, name: tuple[str, str]) -> Any:
        """What a variable holds now.

        Raises:
            Unclear: that cannot be written.
        """
        module = self.interpreter.modules.get(name[0])
        if module is None or name[1] not in module.scope.variables:
            return MISSING
        self._count = 0
        return self.written(module.scope.variables[name[1]])

    def written(self, value: Any, depth: int = 0) -> Any:
        """A value as something that equal values have in common, whatever process and evaluation they are of.

        Raises:
            Unclear: it is of a kind for which there is nothing of the sort.
        """
        self._count += 1
        if depth > DEEPEST or self._count > MOST:
            raise Unclear
        kind, interpreter = type(value), self.interpreter
        if kind in PLAIN:
            return kind.__name__, repr(value)
        if is_unknown(value):
            return self._unknown(value, depth)
        if identity(value) in interpreter.functions:
            self._check_attributes(value)
            return self.of_function(interpreter.functions[identity(value)], depth)
        if identity(value) in interpreter.made:
            made = interpreter.made[identity(value)]
            return (
                "made",
                made.kind,
                self.written(made.function, depth + 1),
                self.written(made.options, depth + 1),
            )
        if isinstance(value, Module):
            return "own module", value.name
        if isinstance(value, types.ModuleType):
            return "module", value.__name__
        if arrays.is_array(value):
            return self._array(value)
        if is_dim(value):
            return "dim", str(value)
        if kind in (list, tuple, set, frozenset):
            parts = [self.written(part, depth + 1) for part in value]
            return kind.__name__, tuple(parts if kind in (list, tuple) else sorted(parts, key=repr))
        if kind is dict:
            pairs = (
                (self.written(key, depth + 1), self.written(part, depth + 1)) for key, part in value.items()
            )
            return "dict", tuple(pairs)
        if kind is functools.partial:
            parts = [value.func, value.args, value.keywords]
            return "partial", tuple(self.written(part, depth + 1) for part in parts)
        if isinstance(value, type) and value in interpreter.classes:
            return self._class(value, depth)
        if isinstance(value, Record) and not kind.IS_FROZEN:
            return "record", kind.__module__, kind.__name__, self.written(fields_of(value), depth + 1)
        if kind in interpreter.classes:
            fields = arrays.object_fields(value)
            if fields is None:
                raise Unclear
            return "object", self._class(kind, depth), self.written(dict(fields), depth + 1)
        return self._of_library(value)

    def of_function(self, function: Function, depth: int = 0) -> Any:
        """A function of the program.

        Raises:
            Unclear: it is not of a module's top level, nor of a class there.
        """
        scope: Scope | None = function.scope
        while scope is not None and scope.of_class:
            scope = scope.parent
        if scope is None or scope.parent is not None:
            raise Unclear
        spot = self.interpreter.units.spot_of_function(identity(function.node))
        return "function", spot, tuple(self.written(value, depth + 1) for value in function.defaults)

    def _check_attributes(self, function: Any) -> None:
        if vars(function).keys() - {"__signature__"}:
            raise Unclear

    def _unknown(self, value: Unknown, depth: int) -> Any:
        match value:
            case PureExternal():
                return ("onlooker",)
            case Partial() | NumpyArray():
                return type(value).__name__, repr(value)
            case AbstractScalar():
                return "number", value.kind.__name__, str(value.size)
            case ArrayLike():
                return "mixed", self.written(value.array, depth + 1)
            case AbstractSequence():
                return "many", self.written(value.item, depth + 1), value.some, value.kind.__name__
            case Instance():
                return "instance", self._class(value.cls, depth)
        if value is UNKNOWN:
            return ("unknown",)
        raise Unclear

    def _array(self, value: Any) -> Any:
        if not isinstance(value, jax.core.Tracer):
            raise Unclear
        known = arrays.known_of(value)
        return "array", *(() if known is None else map(str, (known.dtype, known.weak, known.shape)))

    def _class(self, cls: type, depth: int) -> Any:
        held: list[Any] = []
        for name, member in vars(cls).items():
            function = self.interpreter.functions.get(identity(_function_of(member)))
            if function is not None:
                held.append((name, self.of_function(function, depth + 1)))
            elif name == "__dataclass_fields__":
                made = [field.default_factory for field in member.values()]
                held += [self.written(each, depth + 1) for each in made if each is not dataclasses.MISSING]
            elif not name.startswith("__"):
                held.append((name, self.written(member, depth + 1)))
        bases = [
            self._class(base, depth + 1) if base in self.interpreter.classes else self._of_library(base)
            for base in cls.__mro__[1:]
        ]
        spot = self.interpreter.units.spot_of_function(identity(self.interpreter.classes[cls]))
        return "class", spot, tuple(held), tuple(bases)

    def _of_library(self, value: Any) -> Any:
        """What a library has under a name of its own."""
        known = self.interpreter.natives.path_of(value)
        if known is not None:
            return "native", known
        module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
        named: Any = sys.modules.get(module) if isinstance(module, str) else None
        for part in name.split(".") if isinstance(name, str) and named is not None else ():
            named = getattr(named, part, None)
        if named is value and not isinstance(value, types.ModuleType):
            return "library", module, name
        kind = type(value)
        if kind.__module__ == "typing" or (kind.__module__ == "numpy" and "dtype" in kind.__name__.lower()):
            return kind.__name__, repr(value)
        if kind.__module__.startswith(ANNOTATIONS):
            return kind.__name__, repr(value)
        if kind.__module__.startswith("numpy.dtypes"):
            return "dtype", repr(value)
        if (
            kind.__module__ == "numpy"
            and getattr(value, "nbytes", MOST_BYTES + 1) <= MOST_BYTES
            and value.dtype != object
        ):
            return kind.__name__, str(value.dtype), str(value.shape), value.tobytes()
        raise Unclear


def _function_of(member: Any) -> Any:
    """The function of a method or a property in a class."""
    match member:
        case property():
            return member.fget
        case functools.cached_property():
            return member.func
        case staticmethod() | classmethod():
            return member.__func__
    return member
