"""The classes that transformations return, and the names that their signatures use."""

from __future__ import annotations

import textwrap

# What is for one checker alone means nothing to the others.
HEAD = """\
# pyright: reportGeneralTypeIssues=false, reportInvalidTypeArguments=false, reportAssignmentType=false

import os
import sys
from builtins import bool as _bool
from _collections_abc import dict_items
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Concatenate, Final, Generic, Literal, Protocol, TypeAlias, overload

import numpy as np
from typing_extensions import Never, ParamSpec, Self, TypeVar

from jax._operands import ArrayLike
from jax._arrays import Array
from jax._src.numpy.scalar_types import inexact, weak_complex, weak_float, weak_int
from jax._src.core import ShapeDtypeStruct
from jax.stages import Lowered, Traced, Wrapped
from jax.tree_util import PyTreeDef

# True in the eyes of mypy and zuban, which take the first of two definitions where a test of os.name is added. pyright
# takes the last; pyrefly and ty evaluate the test.
MYPY: Final = False
JAXTYPING_CORE_PLUGIN: Final = False
_NOT_PYRIGHT: Final = True

P = ParamSpec("P")
_P = ParamSpec("_P", default=...)
_Q = ParamSpec("_Q")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
F = TypeVar("F", bound=Callable[..., Any])
F_co = TypeVar("F_co", bound=Callable[..., Any], covariant=True)
F_contra = TypeVar("F_contra", bound=Callable[..., Any], contravariant=True)
T = TypeVar("T")
_S = TypeVar("_S")
K = TypeVar("K")
V_co = TypeVar("V_co", covariant=True)
X = TypeVar("X")
Aux = TypeVar("Aux")
DT = TypeVar("DT")
DT2 = TypeVar("DT2")
Sh = TypeVar("Sh", bound=tuple[Any, ...])
Sh2 = TypeVar("Sh2", bound=tuple[Any, ...])
Tangent = TypeVar("Tangent", bound=Array[inexact, Any])

# What becomes an array on its way through a transformation.
Host: TypeAlias = complex | np.generic | np.ndarray[Any, Any]

# No type but Any is compatible with it: a row that asks for it is for values of which nothing is known.
class _Unknown(Protocol):
    def __only_any_has_this__(self) -> _Unknown: ...
Unknown = TypeVar("Unknown", bound=_Unknown)

# Trees of arrays.
class _Record(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]
_Tree: TypeAlias = Array | _Record | _Unknown | None | Sequence["_Tree"] | Mapping[Any, "_Tree"]
Tree = TypeVar("Tree", bound=_Tree)

# What is not known to be one array.
Other = TypeVar("Other", bound=_Unknown | None | Host | tuple[Any, ...] | list[Any] | dict[Any, Any] | _Record)

# A dict, and no class that inherits from it, of which a copy is but a dict.
class _Dict(Protocol[K, V_co]):
    def copy(self) -> Self: ...
    def items(self) -> dict_items[K, V_co]: ...
"""

# A function that is a member of a class gets its instance (or, between it and classmethod, its class) as the first
# argument. A static method gets nothing, which shows by a first parameter that takes neither.
_BINDING = """\
    @overload
    def __get__(self: Callable[Concatenate[_Unknown, _Q], T], instance: object, owner: Any = None) -> {name}[..., {result}]: ...
    @overload
    def __get__(self: Callable[Concatenate[type[_S], _Q], T], instance: None, owner: type[_S]) -> {name}[_Q, {result}]: ...
    @overload
    def __get__(self: Callable[Concatenate[type[_S], _Q], T], instance: _S, owner: type[_S]) -> {name}[_Q, {result}]: ...
    @overload
    def __get__(self, instance: None, owner: Any = None) -> {itself}: ...
    @overload
    def __get__(self: Callable[Concatenate[_S, _Q], T], instance: _S, owner: Any = None) -> {name}[_Q, {result}]: ...
    @overload
    def __get__(self: Callable[..., T], instance: object, owner: Any = None) -> {name}[..., {result}]: ...
"""

# mypy would lose the type variables of dims where it takes the first parameter from the function here: the bound method
# does it when it is called. zuban, which also takes the rows after ``else``, cannot.
_BINDING_IN_MYPY = """\
    @overload
    def __get__(self: Callable[Concatenate[_S, _Q], T], instance: object, owner: _S) -> {name}[..., Any]: ...
    @overload
    def __get__(self, instance: None, owner: Any = None) -> {name}[P, R_co]: ...
    @overload
    def __get__(self: Callable[Concatenate[_S, _Q], T], instance: _S, owner: Any = None) -> {name}Method[P, R_co]: ...
    @overload
    def __get__(self, instance: object, owner: Any = None) -> {name}[..., R_co]: ...
"""

_METHOD_IN_MYPY = """\
class {name}Method(Generic[P, R_co]{base}):
    if os.name.startswith("mypy"):
        @overload
        def __call__(self: {name}Method[Concatenate[Any, _Q], T], *args: _Q.args, **kwargs: _Q.kwargs) -> T: ...
        @overload
        def __call__(self: _Unknown) -> R_co: ...
    else:
        @overload
        def __call__(self, *args: Any, **kwargs: Any) -> R_co: ...
"""

_NAMES = """\
    __name__: str
    __qualname__: str
    __wrapped__: Callable[..., Any]
"""

_CALL = "    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...\n"

# Functions that take any number, or anything, as the first argument. The parameters of a lambda expression would get this
# type, and its body errors, but for a second type that leaves them unknown (in pyrefly, if the result is a type variable).
# The result of such a function is not used: of an overloaded one, pyright takes it from the first overload.
_OF_NUMBERS = """\
if _NOT_PYRIGHT:
    _OfNumbers = Callable[Concatenate[float, ...], R] | Callable[Concatenate[Any, ...], _Unknown]
elif os.name.startswith("pyright"):
    class _OfNumbers(Protocol[R_co]):
        @overload
        def __call__(self, x: float, /, *args: Any, **kwargs: Any) -> R_co: ...
        @overload
        def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
"""

_STAGES = """
class _Stages(Wrapped):
    def lower(self, *args: Any, **kwargs: Any) -> Lowered: ...
    def trace(self, *args: Any, **kwargs: Any) -> Traced: ...
    def eval_shape(self, *args: Any, **kwargs: Any) -> Any: ...
    def clear_cache(self) -> None: ...
"""

_TRANSFORMED = '''\
class Transformed(Generic[P, R_co]):
    """A function that a transformation made of another one."""
'''

_COMPILED = '''\
class Compiled(Transformed[P, R_co], _Stages):
    """A function that is compiled when it is called."""
'''

# A jitted function is its function with more methods. Where `__call__` is the function itself, overloads and type
# variables stay. pyright wants an attribute for that, ty a property. mypy loses the type variables of methods so; there,
# ``jit`` is one definition, of which mypy knows what ``partial`` makes. Without a function, its result is one that takes
# a function. zuban, which does not evaluate the test, would not take two rows for a class method.
_JITTED_IN_MYPY = '''\
class _Deferred:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __get__(self, instance: Any, owner: Any = None) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...
_Result = TypeVar("_Result", default=_Deferred)
class Jitted(Compiled[P, R_co]):
    """A function that is compiled when it is called."""
    if sys.platform in ("zuban",):
        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...
    else:
        @overload
        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...
        @overload
        def __call__(self: Jitted[P, _Deferred], fun: Callable[_Q, T], /) -> Jitted[_Q, T]: ...
'''

# pyright compares a compiled method whole with the one that it overrides: the `self` of a class takes less than that of a
# class above, which is right where the parameter is contravariant. Nothing else compares these classes.
_JITTED = '''\
class Jitted(_Stages, Generic[F_contra]):
    """A function that is compiled when it is called."""
    if _NOT_PYRIGHT:
        @property
        def __call__(self) -> F_contra: ...
    elif os.name.startswith("pyright"):
        __call__: F_contra
'''

# What pyright infers for the result of a function whose parameters have no annotation can be much too wide: a tree that
# went through a library is a union of all that trees may be. It is kept where it is a tree of arrays, or has declared
# fields; a number would not leave ``jit`` as one. Other checkers infer no such types, and take the first row.
#
# A function must fit both overloads of such a protocol; for the second one, the parameters of a lambda expression stay
# unknown. A parameter whose type is a type variable fits as well, and the variable stands for `_Unknown` in the result.
_UNDECLARED = """\
class _Undeclared(Protocol[R_co]):
    @overload
    def __call__(self, first: _Unknown, /, *args: Any, **kwargs: Any) -> R_co: ...
    @overload
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
class _UndeclaredMethod(Protocol[R_co]):
    @overload
    def __call__(self, instance: Never, first: _Unknown, /, *args: Any, **kwargs: Any) -> R_co: ...
    @overload
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
if _NOT_PYRIGHT:
    _OfTree = Callable[..., Any]
    _MethodOfTree = Callable[..., Any]
elif os.name.startswith("pyright"):
    class _OfTree(_Undeclared[_Tree], Protocol): ...
    class _MethodOfTree(_UndeclaredMethod[_Tree], Protocol): ...
OfTree = TypeVar("OfTree", bound=_OfTree | _MethodOfTree)
Undeclared = TypeVar("Undeclared", bound=_Undeclared[Any])
UndeclaredMethod = TypeVar("UndeclaredMethod", bound=_UndeclaredMethod[Any])
"""

# The functions without such a result. What looks like a method without one may be an annotated function: it is left as it
# is until a class binds it. What a call takes is found in the parameter of `_Open`, which is covariant for that.
_OPEN = """\
class _Open(Jitted[Any], Generic[F_co]):
    def __call__(self: _Open[Callable[P, Any]], *args: P.args, **kwargs: P.kwargs) -> Any: ...
class _OpenMethod(Jitted[F_contra]):
"""

_JIT = """\
class _Jit:
    @overload
    def __call__(self, fun: OfTree, /) -> Jitted[OfTree]: ...
    @overload
    def __call__(self, fun: Undeclared, /) -> _Open[Undeclared]: ...
    @overload
    def __call__(self, fun: UndeclaredMethod, /) -> _OpenMethod[UndeclaredMethod]: ...
    @overload
    def __call__(self, fun: F, /) -> Jitted[F]: ...
"""

# A function of batches, of which the arrays keep their dtypes.
_BATCHED = """
class Batched(Generic[R_co]):
    __name__: str
    __qualname__: str
    __wrapped__: Callable[..., Any]
    @overload
    def __call__(self: Batched[_Unknown], *args: Any, **kwargs: Any) -> Any: ...
    @overload
    def __call__(self: Batched[Array[DT, Any]], *args: Any, **kwargs: Any) -> Array[DT, Any]: ...
    @overload
    def __call__(
        self: Batched[tuple[Array[DT, Any], Array[DT2, Any]]], *args: Any, **kwargs: Any
    ) -> tuple[Array[DT, Any], Array[DT2, Any]]: ...
    @overload
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    @overload
    def __get__(self, instance: None, owner: Any = None) -> Batched[R_co]: ...
    @overload
    def __get__(self, instance: object, owner: Any = None) -> Batched[R_co]: ...
# What `shard_map` without a function gives. Inside of the function, arrays are parts of those outside: one of which the
# result has declared sizes does not keep its signature. mypy and pyrefly find two rows ambiguous.
class _NoSize(Protocol):
    def __only_any_has_this__(self) -> _NoSize: ...
_Unsized = TypeVar("_Unsized", bound=Callable[..., Array[Any, _NoSize]])
class _Batching:
    if _NOT_PYRIGHT:
        def __call__(self, f: Callable[..., R], /) -> Batched[R]: ...
    elif os.name.startswith("pyright"):
        @overload
        def __call__(self, f: _OfNumbers[R], /) -> Batched[Any]: ...
        @overload
        def __call__(self, f: _Unsized, /) -> _Unsized: ...
        @overload
        def __call__(self, f: Callable[..., R], /) -> Batched[R]: ...
"""


def render() -> str:
    """The classes, as mypy and zuban see them and as the others do."""
    mypy = (
        *(_TRANSFORMED, _NAMES, _CALL, _BINDING_IN_MYPY.format(name="Transformed")),
        _METHOD_IN_MYPY.format(name="Transformed", base=""),
        *(_COMPILED, _BINDING_IN_MYPY.format(name="Compiled")),
        *(_METHOD_IN_MYPY.format(name="Compiled", base=", _Stages"), _JITTED_IN_MYPY),
    )
    others = (
        *(_TRANSFORMED, _NAMES, _CALL, _binding("Transformed", "Transformed[P, R_co]")),
        *(_COMPILED, _binding("Compiled", "Compiled[P, R_co]")),
        *(_JITTED, _NAMES, _binding("Compiled", "Jitted[F_contra]")),
        *(_UNDECLARED, _OPEN, _binding("Compiled", "_OpenMethod[F_contra]", result="Any"), _JIT),
    )
    return f"{_OF_NUMBERS}{_STAGES}{split(''.join(mypy), ''.join(others))}{_BATCHED}"


def _binding(name: str, itself: str, result: str = "T") -> str:
    return _BINDING.format(name=name, itself=itself, result=result)


def split(in_mypy: str, elsewhere: str) -> str:
    """Two texts of definitions: for mypy and zuban, and for the other checkers."""
    test = 'MYPY and os.name.startswith("mypy")'
    return f"if {test}:\n{textwrap.indent(in_mypy, '    ')}else:\n{textwrap.indent(elsewhere, '    ')}"
