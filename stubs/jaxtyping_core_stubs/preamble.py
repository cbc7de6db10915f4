"""What the stub of the array class begins with: the type variables and protocols of its rows."""

from __future__ import annotations

from . import switches

HEAD = """
import os
import sys
from builtins import bool as _bool, complex as _complex
from collections.abc import Iterable, Mapping
from typing import Final, Generic, Literal, LiteralString, SupportsIndex, TypeAlias, overload

import numpy as _np
from typing_extensions import TypeVar, TypeVarTuple, Unpack
from types import EllipsisType
from jax._src.partition_spec import PartitionSpec

# Set by the mypy plugin, which makes the dims of a shape join instead of clash, and computes all results itself.
JAXTYPING_CORE_PLUGIN: Final = False
MYPY: bool  # To mypy and zuban a name that is always true.

DT = TypeVar("DT", covariant=True, default=Any)

# The second test is false to every checker that evaluates it; mypy does not, and falls to that branch where it is
# told that JAXTYPING_CORE_PLUGIN is true.
if not JAXTYPING_CORE_PLUGIN:
    Sh = TypeVar("Sh", default=Any)
elif "mypy" == sys.platform and sys.version_info < (3, 0, 0):
    Sh = TypeVar("Sh", covariant=True, default=Any)
_ShCo = TypeVar("_ShCo", covariant=True, default=Any)
_ShContra = TypeVar("_ShContra", contravariant=True, default=_ShCo)

_A = TypeVar("_A")
_D = TypeVar("_D")
_D_co = TypeVar("_D_co", covariant=True)
_Above = TypeVar("_Above", covariant=True, default=Any)
_O = TypeVar("_O")
_R = TypeVar("_R")
_S = TypeVar("_S")
_T = TypeVar("_T")
_Rd = TypeVar("_Rd", default=Any)
_Sd = TypeVar("_Sd", default=Any)
_TD = TypeVar("_TD", default=Any)
_Ts = TypeVarTuple("_Ts")
_Us = TypeVarTuple("_Us")
# The default is written so that a bare alias means any shape.
_Dims = TypeVarTuple("_Dims", default=Unpack[tuple[Any, ...]])
_Rank = TypeVar("_Rank", bound=tuple[()] | tuple[Any, *tuple[Any, ...]])
_I = TypeVar("_I")
_J = TypeVar("_J")
_K = TypeVar("_K")
_L = TypeVar("_L")
_M = TypeVar("_M")
_N = TypeVar("_N")
_Sh = TypeVar("_Sh", default=Any)
_Sh2 = TypeVar("_Sh2", default=Any)
_S_contra = TypeVar("_S_contra", contravariant=True)
_T_co = TypeVar("_T_co", covariant=True)
_D_contra = TypeVar("_D_contra", contravariant=True)

class _Strong(Protocol):  # A dtype that is not weak.
    def _is_strong(self) -> int: ...

_Known = TypeVar("_Known", bound=_Strong)
_AnyArray = TypeVar("_AnyArray", bound="Array[Any, Any]")

# An array or a scalar of NumPy that may stand for one of JAX, with open dims: checkers solve the type variables of
# `_D_co` by the Any in it.
class _NumPyArray(Protocol[_D_co]):
    @property
    def __array_interface__(self) -> Mapping[str, _D_co]: ...

class _Sen(Protocol):  # What nothing is: only an unknown type matches.
    def _sen(self) -> int: ...

# A shape of more dims than any array has: what matches is unknown, or a tuple of any length, as that of `Float32`. The
# rows for an unknown rank have a type variable for it, for pyright then takes the first row that matches.
_NoShape: TypeAlias = tuple[_Sen, _Sen, _Sen, _Sen, _Sen, _Sen, _Sen, _Sen, _Sen, _Sen, _Sen, _Sen]
_Unranked = TypeVar("_Unranked", bound=_NoShape)
# The argument `shape` of which nothing is known, or only that something unknown is unpacked in it.
_Unsized = TypeVar("_Unsized", bound=_Sen | tuple[int, int, int, int, int, int, int, int, int, int, int, int])
# Of a list of calls, pyrefly takes a type variable in this place for that of the calls.
if {ty_or_pyrefly}:
    _UnrankedItem: TypeAlias = _NoShape
else:
    _UnrankedItem = TypeVar("_UnrankedItem", bound=_NoShape)

class _NoScalar(_np.generic):  # A scalar type that nothing of NumPy has: a class, for ty takes a protocol here for any.
    ...

class _Base(Protocol[_D_co, _Sh, _Sh2]):  # An array by its dtype, the shape to compare, and the shape to return.
    def _dtype(self) -> _D_co: ...
    def _compared(self, shape: _Sh, /) -> _Sh: ...
    def _returned(self, shape: _Sh2, /) -> _Sh2: ...

class _Exact(Protocol[_D, _Sh, _Sh2, _Above]):  # As `_Base`, of exactly a dtype, which is below another one.
    def _same_dtype(self, dtype: _D, /) -> _D: ...
    def _dtype(self) -> _Above: ...
    def _compared(self, shape: _Sh, /) -> _Sh: ...
    def _returned(self, shape: _Sh2, /) -> _Sh2: ...

# One of several arrays of exactly a dtype, and that dtype again, if it is known of all of them. To pyright that is what
# all take: it solves a type variable for what they return by those of which it is known. So it does for what may have
# more than one dtype, which is therefore nothing to it.
# ty solves the dims of a variadic tuple in a class, and not in a protocol.
if {not_pyright}:
    class _Item(Generic[_D, _Sh, _A]): ...
    class _Mixed(_Exact[_D, _Sh, _Sh2, _Above], Protocol[_D, _Sh, _Sh2, _Above]): ...
else:
    class _Item(Protocol[_D, _Sh, _D_contra]):
        def _same_dtype(self, dtype: _D, /) -> _D: ...
        def _taken(self, dtype: _D_contra, /) -> object: ...
        def _compared(self, shape: _Sh, /) -> _Sh: ...
    class _Mixed(_Exact[_D, _Sh, _Sh2, _Above], _Sen, Protocol[_D, _Sh, _Sh2, _Above]): ...

class _UnknownLeft(Protocol[_D_co, _S_contra]):  # An array to the right of one of which the shape is not known.
    def _dtype(self) -> _D_co: ...
    def _after_unknown(self, shape: _S_contra, /) -> None: ...

class _ScalarLeft(Protocol[_D_co, _S_contra, _Sh2]):  # An array to the right of one without dims.
    def _dtype(self) -> _D_co: ...
    def _after_scalar(self, shape: _S_contra, /) -> None: ...
    def _returned(self, shape: _Sh2, /) -> _Sh2: ...

class DTypeObject(np.dtype[Any], Generic[_D_co]):  # type: ignore  # The dtype object of an array.
    def _dtype(self) -> _D_co: ...

class _HasDType(Protocol[_D_co]):
    @property
    def dtype(self) -> DTypeObject[_D_co]: ...

{asked}

# What has no floats in it; a size that may be None is for the program to know. ty and pyrefly would not know which row to
# take for a size of which nothing is known, where another row takes more than the last but one.
if {not_pyright}:
    _ShapeLike: TypeAlias = object
else:
    _ShapeLike: TypeAlias = SupportsIndex | Iterable[SupportsIndex | None] | None

# pyright calls an alias by its name: that of NumPy is the name of one of the dtypes here.
_NumPyBool: TypeAlias = _np.bool_
_Scalar: TypeAlias = _NumPyBool | _np.number[Any] | complex
"""

#: What the protocols see of an array.
HELPERS = """
    def _dtype(self) -> DT: ...
    def _same_dtype(self, dtype: DT, /) -> DT: ...
    def _taken(self, dtype: DT, /) -> DT: ...
    def _after_unknown(self, shape: _NoShape, /) -> None: ...
    def _after_scalar(self, shape: tuple[()], /) -> None: ...
    def _compared(self, shape: Sh, /) -> Sh: ...
    def _returned(self, shape: Sh, /) -> Sh: ...
"""

#: The class that the checkers see. To pyright its shape is a covariant and a contravariant parameter, which says the
#: same as an invariant one; but where that is not known, pyright would evaluate all overloads of each call, and the
#: arguments of the call once more for each. (The typing spec, "Overload call evaluation", step 5.) Measured with pyright
#: 1.1.414 and at most eight overloads of each function: with an invariant parameter instead, `sum` of an unknown shape
#: is as exact, but numpyro's `truncated.py` takes 13.3 s instead of 10.2, optax's `_momo.py` 31.4 s instead of 22.4, and
#: the program of `benchmarks/checker_cost.py` an eighth more.
CLASS = f"""
if {switches.NOT_PYRIGHT}:
    class Array(_Members[DT, Sh], Generic[DT, Sh]): ...
else:
    class Array(_Members[DT, _ShCo], Generic[DT, _ShCo, _ShContra]): ...
"""

#: The bases of the members of arrays: to inherit from a protocol spares checkers to compare the members.
BASES = (
    "_Base[DT, Sh, Sh]",
    "_Exact[DT, Sh, Sh, DT]",
    "_Item[DT, Sh, DT]",
    "_UnknownLeft[DT, _NoShape]",
    "_ScalarLeft[DT, tuple[()], Sh]",
)
