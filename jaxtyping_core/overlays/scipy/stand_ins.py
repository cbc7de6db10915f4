"""What SciPy computes of arrays that must not be all 0: the numbers of points differ, and filters have a first coefficient.

Each function takes the arrays of a program, without their numbers, and passes SciPy others of the same dtypes and shapes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.libraries.calls.memo import lasting
from .computed import Row, real

#: For points, among which SciPy searches.
FEW = 1 << 11


def _ones(array: Any) -> Any:
    return np.ones_like(np.asarray(array))


def _rising(array: Any) -> Any:
    """Numbers of which each is larger than the last."""
    like = np.asarray(array)
    return np.arange(like.size, dtype=like.dtype).reshape(like.shape)


def _scattered(array: Any) -> Any:
    """Points that are in no plane."""
    like = np.asarray(array)
    return np.asarray(np.random.default_rng(0).random(like.shape)).astype(like.dtype)


@lasting
def lfilter(b: Any, a: Any, x: Any, axis: Any = -1) -> Any:
    return real("scipy.signal.lfilter")(_ones(b), _ones(a), x, axis)


@lasting
def filtfilt(b: Any, a: Any, x: Any, axis: Any = -1, padtype: Any = "odd", padlen: Any = None) -> Any:
    return real("scipy.signal.filtfilt")(_ones(b), _ones(a), x, axis, padtype, padlen)


@lasting
def sosfilt(sos: Any, x: Any, axis: Any = -1) -> Any:
    return real("scipy.signal.sosfilt")(_ones(sos), x, axis)


@lasting
def sosfiltfilt(sos: Any, x: Any, axis: Any = -1, padtype: Any = "odd", padlen: Any = None) -> Any:
    return real("scipy.signal.sosfiltfilt")(_ones(sos), x, axis, padtype, padlen)


@lasting
def linear_sum_assignment(cost_matrix: Any, maximize: Any = False) -> Any:
    return real("scipy.optimize.linear_sum_assignment")(np.asarray(cost_matrix), bool(maximize))


@lasting
def griddata(
    points: Any, values: Any, xi: Any, method: Any = "linear", fill_value: Any = np.nan, rescale: Any = False
) -> Any:
    where = tuple(map(_scattered, points)) if isinstance(points, tuple) else _scattered(points)
    return real("scipy.interpolate.griddata")(where, values, xi, method, fill_value, rescale)


#: Functions that are called in place of those of SciPy of the same names.
FUNCTIONS: dict[str, tuple[Callable[..., Any], Row]] = {
    "scipy.signal.lfilter": (lfilter, Row(frozenset({"b", "a", "x"}))),
    "scipy.signal.filtfilt": (filtfilt, Row(frozenset({"b", "a", "x"}))),
    "scipy.signal.sosfilt": (sosfilt, Row(frozenset({"sos", "x"}))),
    "scipy.signal.sosfiltfilt": (sosfiltfilt, Row(frozenset({"sos", "x"}))),
    "scipy.optimize.linear_sum_assignment": (
        linear_sum_assignment,
        Row(frozenset({"cost_matrix", "maximize"}), FEW),
    ),
    "scipy.interpolate.griddata": (
        griddata,
        Row(frozenset({"points", "values", "xi", "fill_value", "rescale"}), FEW),
    ),
}


@lasting
def interp1d(new: Any, x: Any, y: Any, kind: Any = "linear", axis: Any = -1) -> Any:
    return real("scipy.interpolate.interp1d")(_rising(x), y, kind, axis, fill_value="extrapolate")(new)


def _spline(name: str) -> Callable[..., Any]:
    def spline(new: Any, x: Any, y: Any, axis: Any = 0, bc_type: Any = None) -> Any:
        options = {} if bc_type is None else {"bc_type": bc_type}
        return real(f"scipy.interpolate.{name}")(_rising(x), y, axis=axis, **options)(new)

    return lasting(spline)


@lasting
def univariate(new: Any, x: Any, y: Any, w: Any = None, bbox: Any = (None, None), k: Any = 3) -> Any:
    return real("scipy.interpolate.UnivariateSpline")(_rising(x), y, k=k)(new)


@lasting
def regular(new: Any, points: Any, values: Any, method: Any = "linear") -> Any:
    maker = real("scipy.interpolate.RegularGridInterpolator")
    return maker(tuple(map(_rising, points)), values, method, bounds_error=False)(new)


@lasting
def scattered(new: Any, points: Any, values: Any) -> Any:
    return real("scipy.interpolate.LinearNDInterpolator")(_scattered(points), values)(new)


@lasting
def nearest(new: Any, points: Any, values: Any) -> Any:
    return real("scipy.interpolate.NearestNDInterpolator")(_scattered(points), values)(new)


@lasting
def radial(new: Any, y: Any, d: Any) -> Any:
    return real("scipy.interpolate.RBFInterpolator")(_scattered(y), d)(new)


@lasting
def density(points: Any, dataset: Any) -> Any:
    return real("scipy.stats.gaussian_kde")(_scattered(dataset))(points)


@lasting
def query(x: Any, data: Any, k: Any = 1, eps: Any = 0, p: Any = 2) -> Any:
    return real("scipy.spatial.cKDTree")(data).query(x, k, eps, p)


#: Functions of new points, by the classes whose objects are called with them, and the parameters whose numbers do not matter;
#: the options that change nothing of their results but numbers.
OF_POINTS: dict[str, tuple[Callable[..., Any], str, str]] = {
    "interp1d": (interp1d, "new x y", "bounds_error fill_value copy assume_sorted"),
    "CubicSpline": (_spline("CubicSpline"), "new x y", "extrapolate"),
    "PchipInterpolator": (_spline("PchipInterpolator"), "new x y", "extrapolate"),
    "Akima1DInterpolator": (_spline("Akima1DInterpolator"), "new x y", "method extrapolate"),
    "UnivariateSpline": (univariate, "new x y w bbox", "s ext check_finite"),
    "InterpolatedUnivariateSpline": (univariate, "new x y w bbox", "ext check_finite"),
    "RegularGridInterpolator": (regular, "new points values", "bounds_error fill_value"),
    "LinearNDInterpolator": (scattered, "new points values", "fill_value rescale"),
    "NearestNDInterpolator": (nearest, "new points values", "rescale tree_options"),
    "RBFInterpolator": (radial, "new y d", "neighbors smoothing kernel epsilon degree"),
}
