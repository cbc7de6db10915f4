"""Annotations of this package: ``Float32[B, T, D]``, with type variables for sizes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jaxtyping_core import dtypes
from jaxtyping_core.annotating.dims import named_size
from jaxtyping_core.annotating.observed_types import Arrays
from jaxtyping_core.annotating.spelling.common import Needs, Place_, Precision, Speller
from jaxtyping_core.domain.dims import Dim


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
            at.sized(kind.place, axis) if kind.place and at.precision == Precision.FULL else None
            for axis in range(kind.rank)
        ]
        if not any(map(self._is_told(at), dims)):
            return alias
        return f"{alias}[{', '.join(self._dim(dim, at, needs) for dim in dims)}]"

    def variable(self, kind: Arrays, at: Place_, needs: Needs) -> str | None:
        if kind.library != "numpy":
            return super().variable(kind, at, needs)
        dtype = kind.known.dtype
        name = dtypes.DTYPES[dtype].class_name if dtype in dtypes.DTYPES else ""
        scalar = self._imported(f"numpy.{name}") if hasattr(np, name) else None
        return f"{needs.add('numpy.typing', 'NDArray')}[{scalar}]" if scalar else None

    def _is_told(self, at: Place_) -> Callable[[Dim], bool]:
        """Whether something is written of a size."""

        def is_told(dim: Dim) -> bool:
            of = named_size(dim)
            return isinstance(dim, int) or (of in at.names and (not at.is_result or of in at.stated))

        return is_told

    def _dim(self, dim: Dim, at: Place_, needs: Needs) -> str:
        if not self._is_told(at)(dim):
            return needs.add("typing", "Any")
        of = named_size(dim)
        if of is None:
            return f"{needs.add('typing', 'Literal')}[{dim}]"
        needs.variables.setdefault(at.names[of], False)
        return at.names[of]
