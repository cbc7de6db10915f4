"""scikit-learn: the arrays of its data sets, of splits and of what rescales. Nothing of it is called.

The sizes are those of its documentation, https://scikit-learn.org/stable/datasets.html. The rules of `train_test_split` are
those of `sklearn.model_selection`: a share of the test set is rounded up.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from . import UNKNOWN, Object, Overlay, dtype_of, in_place_of, number, numpy_array, shape_of

#: Data sets that come with the library: rows, features, dtype of the target.
_DATA_SETS = {
    "load_breast_cancer": (569, 30, "int64"),
    "load_diabetes": (442, 10, "float64"),
    "load_iris": (150, 4, "int64"),
    "load_wine": (178, 13, "int64"),
    "fetch_california_housing": (20640, 8, "float64"),
}
#: Sets that are drawn: the features, and the dtype of the target.
_DRAWN = {
    "make_circles": (2, "int64"),
    "make_moons": (2, "int64"),
    "make_swiss_roll": (3, "float64"),
    "make_s_curve": (3, "float64"),
}
#: Dtypes that what rescales keeps; others become float64.
_KEPT = ("float16", "float32", "float64")
_SCALERS = ("MaxAbsScaler", "MinMaxScaler", "Normalizer", "RobustScaler", "StandardScaler")


def _set(rows: int, features: int, target: str) -> Callable[..., Any]:
    def load(*, return_X_y: Any = False, as_frame: Any = False, **_: Any) -> Any:  # noqa: N803  # its name in the library
        if as_frame is not False:
            return UNKNOWN
        return _parts(
            return_X_y, data=numpy_array("float64", (rows, features)), target=numpy_array(target, (rows,))
        )

    return load


def _parts(as_pair: Any, **parts: Any) -> Any:
    if as_pair is True:
        return parts["data"], parts["target"]
    return Object(**parts) if as_pair is False else UNKNOWN


def _digits(*, n_class: Any = 10, return_X_y: Any = False, as_frame: Any = False) -> Any:  # noqa: N803  # its name in the library
    if as_frame is not False:
        return UNKNOWN
    rows = 1797 if n_class == 10 else None
    return _parts(
        return_X_y,
        data=numpy_array("float64", (rows, 64)),
        target=numpy_array("int64", (rows,)),
        images=numpy_array("float64", (rows, 8, 8)),
    )


def _drawn(features: int, target: str) -> Callable[..., Any]:
    def make(n_samples: Any = 100, **_: Any) -> Any:
        rows = n_samples if type(n_samples) is not tuple else None
        return numpy_array("float64", (rows, features)), numpy_array(target, (rows,))

    return make


def _blobs(
    n_samples: Any = 100, n_features: Any = 2, *, centers: Any = None, return_centers: Any = False, **_: Any
) -> Any:
    if return_centers is not False or not (centers is None or type(centers) is int):
        return UNKNOWN
    return numpy_array("float64", (n_samples, n_features)), numpy_array("int64", (n_samples,))


def _classification(n_samples: Any = 100, n_features: Any = 20, *, return_X_y: Any = True, **_: Any) -> Any:  # noqa: N803  # its name in the library
    if return_X_y is not True:
        return UNKNOWN
    return numpy_array("float64", (n_samples, n_features)), numpy_array("int64", (n_samples,))


def _regression(
    n_samples: Any = 100, n_features: Any = 100, *, n_targets: Any = 1, coef: Any = False, **_: Any
) -> Any:
    if coef is not False:
        return UNKNOWN
    rank = {1: (n_samples,)}.get(n_targets) if type(n_targets) is int else UNKNOWN
    target = (n_samples, n_targets) if rank is None else rank
    return numpy_array("float64", (n_samples, n_features)), numpy_array("float64", target)


def _split(*arrays: Any, test_size: Any = None, train_size: Any = None, **_: Any) -> Any:
    halves: list[Any] = []
    for each in arrays:
        shape, dtype = shape_of(each), dtype_of(each)
        if not shape or dtype is None:
            halves += [UNKNOWN, UNKNOWN]
            continue
        for rows in _rows(shape[0], test_size, train_size):
            halves.append(numpy_array(dtype, (rows, *shape[1:])))
    return halves


def _rows(rows: Any, test_size: Any, train_size: Any) -> tuple[Any, Any]:
    """The rows of a training set, and of a test set."""
    if test_size is None and train_size is None:
        test_size = 0.25
    if not isinstance(rows, int) or train_size is not None:
        return None, None
    if isinstance(test_size, float):
        test_size = math.ceil(test_size * rows)
    return (rows - test_size, test_size) if isinstance(test_size, int) else (None, None)


def _scaler(*_: Any, **__: Any) -> Any:
    def fit(x: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        return _scaler()

    return Object(fit=fit, fit_transform=_rescaled, transform=_rescaled, inverse_transform=_rescaled)


def _rescaled(x: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
    shape, dtype = shape_of(x), dtype_of(x)
    if dtype is None:
        return UNKNOWN
    return numpy_array(dtype if dtype in _KEPT else "float64", UNKNOWN if shape is None else shape)


def _components(n_components: Any = None, **_: Any) -> Any:
    def fit(x: Any = UNKNOWN, *_: Any) -> Any:
        return _components(n_components)

    def transform(x: Any = UNKNOWN, *_: Any) -> Any:
        shape, dtype = shape_of(x), dtype_of(x)
        if shape is None or len(shape) != 2 or dtype is None:
            return UNKNOWN
        columns = n_components if type(n_components) is int else None
        return numpy_array(dtype if dtype in _KEPT[1:] else "float64", (shape[0], columns))

    return Object(fit=fit, fit_transform=transform, transform=transform)


def _measure(*_: Any, **__: Any) -> Any:
    return number(float)


OVERLAY = Overlay(
    library="sklearn",
    is_onlooker=True,
    may_fail=True,
    instead=in_place_of(
        {
            **{f"sklearn.datasets.{name}": _set(*row) for name, row in _DATA_SETS.items()},
            **{f"sklearn.datasets.{name}": _drawn(*row) for name, row in _DRAWN.items()},
            "sklearn.datasets.load_digits": _digits,
            "sklearn.datasets.make_blobs": _blobs,
            "sklearn.datasets.make_classification": _classification,
            "sklearn.datasets.make_regression": _regression,
            "sklearn.model_selection.train_test_split": _split,
            **{f"sklearn.preprocessing.{name}": _scaler for name in _SCALERS},
            "sklearn.decomposition.PCA": _components,
            "sklearn.metrics.accuracy_score": _measure,
        }
    ),
)
