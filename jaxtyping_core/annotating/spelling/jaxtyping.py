"""Annotations of jaxtyping: ``Float32[Array, "b t d"]``."""

from __future__ import annotations

from jaxtyping_core.annotating.dims import named_size, named_sizes_in, with_names
from jaxtyping_core.annotating.observed_types import Arrays
from jaxtyping_core.annotating.spelling.common import Needs, Place_, Precision, Speller
from jaxtyping_core.domain.dims import Dim

#: jaxtyping's names for abstract dtypes where they are others than ours.
OTHERS = {
    "Floating": "Float",
    "Number": "Num",
    "SignedInteger": "Int",
    "UnsignedInteger": "UInt",
    "ComplexFloating": "Complex",
}


class Jaxtyping(Speller):
    """Writes ``Float32[Array, "b t d"]``."""

    module = "jaxtyping"
    is_text = True

    def array(self, kind: Arrays, at: Place_, needs: Needs) -> str:
        known = self.source.named("jaxtyping.Array") or self.source.named("jax.Array")
        return self._of(known or needs.add(self.module, "Array"), kind, at, needs)

    def _of(self, array: str, kind: Arrays, at: Place_, needs: Needs) -> str:
        alias = self.dtype_alias(kind)
        name = needs.add(self.module, OTHERS.get(alias, alias))
        if kind.rank is None or at.precision >= Precision.DTYPE:
            return f'{name}[{array}, "..."]'
        dims = [
            at.sized(kind.place, axis) if kind.place and at.precision == Precision.FULL else None
            for axis in range(kind.rank)
        ]
        text = " ".join(self._dim(dim, at) for dim in dims)
        return f'{name}[{array}, "{text}"]'

    def _dim(self, dim: Dim, at: Place_) -> str:
        if isinstance(dim, int):
            return str(dim)
        if dim is None:
            return "_"
        of = named_size(dim)
        is_told = named_sizes_in(dim) <= at.stated if of is None else of in at.names
        return with_names(dim, at.names) if is_told else "_"

    def _numpy(self, kind: Arrays, at: Place_, needs: Needs) -> str | None:
        known = self._imported("numpy.ndarray")
        as_seen = Arrays(kind.known, kind.place, "jax")
        return None if known is None else self._of(known, as_seen, at, needs)
