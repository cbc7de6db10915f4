"""Annotations of jaxtyping: ``Float32[Array, "b t d"]``."""

from __future__ import annotations

from jaxtyping_core.annotating.agreement import Arrays
from jaxtyping_core.annotating.dims import Dim, Free, Named, Number, Product, Sum
from jaxtyping_core.annotating.spelling.common import Needs, Place_, Precision, Speller

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
            at.sized(kind.place, axis) if kind.place and at.precision == Precision.FULL else Free()
            for axis in range(kind.rank)
        ]
        text = " ".join(self._dim(dim, at) for dim in dims)
        return f'{name}[{array}, "{text}"]'

    def _dim(self, dim: Dim, at: Place_) -> str:
        names = at.names
        match dim:
            case Number(value):
                return str(value)
            case Named(of) if of in names:
                return names[of]
            case Product(left, right, factor, divisor) if {left, right or left} <= at.stated:
                text = names[left] if right is None else f"{names[left]}*{names[right]}"
                text = text if factor == 1 else f"{factor}*{text}"
                return text if divisor == 1 else f"{text}//{divisor}"
            case Sum(left, right, factor, more) if {left, left if right is None else right} <= at.stated:
                text = names[left] if factor == 1 else f"{factor}*{names[left]}"
                text = text if right is None else f"{text}+{names[right]}"
                return text if more == 0 else f"{text}{more:+d}"
        return "_"

    def _numpy(self, kind: Arrays, at: Place_, needs: Needs) -> str | None:
        known = self._imported("numpy.ndarray")
        as_seen = Arrays(kind.dtypes, kind.rank, kind.place, "jax")
        return None if known is None else self._of(known, as_seen, at, needs)
