"""What SciPy computes of square matrices, which must be regular ones: their stand-ins are."""

from __future__ import annotations

from typing import Any

from ...engine.libraries.calls.memo import lasting
from .computed import Row, real


def _normal(method: str) -> Any:
    def of_normal(x: Any, mean: Any = None, cov: Any = 1, allow_singular: Any = False) -> Any:
        return getattr(real("scipy.stats.multivariate_normal"), method)(x, mean, cov, allow_singular)

    return lasting(of_normal)


@lasting
def drawn(mean: Any = None, cov: Any = 1, size: Any = 1, random_state: Any = None) -> Any:
    return real("scipy.stats.multivariate_normal").rvs(mean, cov, size)


@lasting
def eig(a: Any) -> Any:
    """The dtype of the vectors depends on numbers."""
    return real("scipy.linalg.eig")(a)[0], None


@lasting
def lstsq(a: Any, b: Any) -> Any:
    """The shape of the residues depends on the rank, which depends on numbers."""
    x, _, rank, _ = real("scipy.linalg.lstsq")(a, b)
    return x, None, rank, None


OF_NORMAL = {
    **{
        method: (_normal(method), Row(frozenset({"x", "mean", "cov", "allow_singular"}), 1 << 11))
        for method in ("pdf", "logpdf", "cdf", "logcdf")
    },
    "rvs": (drawn, Row(frozenset({"mean", "cov", "size", "random_state"}), 1 << 11)),
}
FUNCTIONS = {
    "scipy.linalg.eig": (eig, Row(frozenset({"a"}), 1 << 11)),
    "scipy.linalg.lstsq": (lstsq, Row(frozenset({"a", "b"}), 1 << 11)),
}
#: Functions of matrices of which the numbers say whether a result is complex.
OF_UNKNOWN_DTYPE = ("sqrtm", "logm", "signm", "fractional_matrix_power")
