"""Annotations of this package: ``Float32[B, T, D]``, with type variables for sizes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jaxtyping_core import dtypes
from jaxtyping_core.annotating.agreement import Arrays
from jaxtyping_core.annotating.dims import Dim, Free, Named, Number
from jaxtyping_core.annotating.spelling.common import Needs, Place_, Precision, Speller


class Native(Speller):
    """Writes ``Float32[B, T, D]``."""

    module = "jaxtyping_core.typing"

    def array(self, kind: Arrays, at: Place_, needs: Needs) -> str:
        alias = needs.add(self.module, self.dtype_alias(kind))
        if kind.rank is None or at.precision >= Precision.DTYPE:
            return alias
        if kind.rank == 0:
            return f"{alias}[()]"
        dims = [
            at.sized(kind.place, axis) if kind.place and at.precision == Precision.FULL else Free()
            for axis in range(kind.rank)
        ]
        if not any(map(self._is_told(at), dims)):
            return alias
        return f"{alias}[{', '.join(self._dim(dim, at, needs) for dim in dims)}]"

    def variable(self, kind: Arrays, at: Place_, needs: Needs) -> str | None:
        if kind.library != "numpy":
            return super().variable(kind, at, needs)
        name = dtypes.DTYPES[kind.dtypes[0]].class_name if kind.dtypes[0] in dtypes.DTYPES else ""
        scalar = self._imported(f"numpy.{name}") if hasattr(np, name) else None
        return f"{needs.add('numpy.typing', 'NDArray')}[{scalar}]" if scalar else None

    def _is_told(self, at: Place_) -> Callable[[Dim], bool]:
        """Whether something is written of a size."""
        return lambda dim: (
            isinstance(dim, Number)
            or (isinstance(dim, Named) and dim.of in at.names and (not at.is_result or dim.of in at.stated))
        )

    def _dim(self, dim: Dim, at: Place_, needs: Needs) -> str:
        if not self._is_told(at)(dim):
            return needs.add("typing", "Any")
        match dim:
            case Number(value):
                return f"{needs.add('typing', 'Literal')}[{value}]"
            case Named(of):
                needs.variables.setdefault(at.names[of], False)
                return at.names[of]
        return needs.add("typing", "Any")
