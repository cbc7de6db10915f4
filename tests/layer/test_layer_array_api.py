"""The Python array API standard: every function, compared with array-api-strict where that computes the same.

What the layer lacks or does differently is listed here with its reason, and the lists are exact.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import array_api_strict as strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxtyping_core.numpy as lnp

pytestmark = pytest.mark.sweep("layer")

#: What array-api-strict has in addition to the standard.
NOT_OF_THE_STANDARD = {
    *(
        "ArrayAPIStrictFlags",
        "Device",
        "ModuleType",
        "get_array_api_strict_flags",
        "set_array_api_strict_flags",
    ),
    *("reset_array_api_strict_flags",),
}
NAMES = [name for name in dir(strict) if not name.startswith("_") and name not in NOT_OF_THE_STANDARD]
EXTENSIONS = {
    "linalg": [name for name in strict.linalg.__all__ if hasattr(strict.linalg, name)],
    "fft": [name for name in strict.fft.__all__ if hasattr(strict.fft, name)],
}


@pytest.fixture(autouse=True)
def x64() -> Iterator[None]:
    """The standard's default dtypes are NumPy's."""
    with jax.enable_x64(True):
        yield


def test_nothing_is_missing() -> None:
    assert [name for name in NAMES if not hasattr(lnp, name)] == []
    for extension, names in EXTENSIONS.items():
        assert [name for name in names if not hasattr(getattr(lnp, extension), name)] == []


def test_the_revision() -> None:
    assert lnp.__array_api_version__ == jnp.__array_api_version__
    assert lnp.__array_namespace_info__().default_dtypes()["real floating"] == np.float64


DTYPES = [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
DTYPES += ["float32", "float64", "complex64", "complex128", "bool"]
VALUES = [[1, 2, 3], [3, 1, 2]]


def one_array(xp: Any, dtype: str, row: int = 0) -> Any:
    return xp.astype(xp.asarray(VALUES[row]), getattr(xp, dtype))


def outcome(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The results as NumPy arrays, or the exception."""
    try:
        result = function(*args, **kwargs)
    except (TypeError, ValueError, NotImplementedError) as error:  # the last: unsupported dtypes
        return error
    results = result if isinstance(result, tuple | list) else [result]
    return [np.asarray(part) if hasattr(part, "dtype") else part for part in results]


def agree(ours: Any, theirs: Any) -> bool:
    """Whether dtypes and shapes are the same and values are, up to rounding; True where the standard refuses."""
    if isinstance(theirs, Exception):
        return True
    if isinstance(ours, Exception) or len(ours) != len(theirs):
        return False
    for actual, expected in zip(ours, theirs, strict=True):
        if not hasattr(expected, "dtype"):
            if actual != expected:
                return False
        elif (
            actual.dtype != expected.dtype
            or actual.shape != expected.shape
            or not np.allclose(actual, expected, rtol=1e-5, atol=1e-6, equal_nan=True)
        ):
            return False
    return True


UNARY = [
    *[
        "abs",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "bitwise_invert",
        "ceil",
        "conj",
        "cos",
        "cosh",
        "exp",
        "expm1",
        "floor",
        "imag",
        "isfinite",
        "isinf",
    ],
    *[
        "isnan",
        "log",
        "log1p",
        "log2",
        "log10",
        "logical_not",
        "negative",
        "positive",
        "real",
        "reciprocal",
        "round",
        "sign",
        "signbit",
        "sin",
        "sinh",
    ],
    *[
        "sqrt",
        "square",
        "tan",
        "tanh",
        "trunc",
        "all",
        "any",
        "argmax",
        "argmin",
        "argsort",
        "count_nonzero",
        "cumulative_prod",
        "cumulative_sum",
    ],
    *[
        "diff",
        "flip",
        "max",
        "mean",
        "min",
        "nonzero",
        "ones_like",
        "prod",
        "sort",
        "std",
        "sum",
        "unique_all",
        "unique_counts",
        "unique_inverse",
    ],
    *[
        "unique_values",
        "var",
        "zeros_like",
        "broadcast_arrays",
        "meshgrid",
        "tril",
        "triu",
        "matrix_transpose",
    ],
]
BINARY = [
    *[
        "add",
        "atan2",
        "bitwise_and",
        "bitwise_left_shift",
        "bitwise_or",
        "bitwise_right_shift",
        "bitwise_xor",
        "copysign",
        "divide",
    ],
    *[
        "equal",
        "floor_divide",
        "greater",
        "greater_equal",
        "hypot",
        "less",
        "less_equal",
        "logaddexp",
        "logical_and",
        "logical_or",
    ],
    *[
        "logical_xor",
        "maximum",
        "minimum",
        "multiply",
        "nextafter",
        "not_equal",
        "pow",
        "remainder",
        "subtract",
        "matmul",
        "vecdot",
    ],
    *["isin", "searchsorted", "tensordot"],
]

#: Where JAX does not follow the standard; the layer does as JAX does.
GAPS = {
    "cumulative_prod": "small integers keep their dtype",
    "searchsorted": "indices are int32, also with 64-bit types on",
}
OPTIONS: dict[str, dict[str, Any]] = {"tensordot": {"axes": 1}}


def matrix(xp: Any, dtype: str) -> Any:
    return xp.stack([one_array(xp, dtype), one_array(xp, dtype, 1)])


def part(names: list[str], name: str, items: list[Any], step: int) -> list[Any]:
    """Some of the `items`, different ones for each name, so that all of the tests take seconds."""
    return items[names.index(name) % step :: step]


@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str) -> None:
    argument = matrix if name in ("tril", "triu", "matrix_transpose") else one_array
    dtypes = DTYPES if name in GAPS else part(UNARY, name, DTYPES, 4)

    def answer(xp: Any, dtype: str) -> Any:
        return outcome(getattr(xp, name), argument(xp, dtype))

    different = [dtype for dtype in dtypes if not agree(answer(lnp, dtype), answer(strict, dtype))]
    assert bool(different) == (name in GAPS)
    assert [dtype for dtype in different if not agree(answer(lnp, dtype), answer(jnp, dtype))] == []


def promotes(pair: tuple[str, str]) -> bool:
    """Whether the standard says what the two promote to; the layer promotes more."""
    return isinstance(outcome(strict.result_type, *(getattr(strict, dtype) for dtype in pair)), list)


@pytest.mark.parametrize("name", BINARY)
def test_binary(name: str) -> None:
    pairs = part(BINARY, name, [(d, d) for d in DTYPES], 4)
    pairs += part(BINARY, name, list(filter(promotes, itertools.permutations(DTYPES, 2))), 12)

    def answer(xp: Any, pair: tuple[str, str]) -> Any:
        first, second = (one_array(xp, dtype, row) for row, dtype in enumerate(pair))
        return outcome(getattr(xp, name), first, second, **OPTIONS.get(name, {}))

    different = [pair for pair in pairs if not agree(answer(lnp, pair), answer(strict, pair))]
    assert bool(different) == (name in GAPS)
    assert [pair for pair in different if not agree(answer(lnp, pair), answer(jnp, pair))] == []


def test_result_type_and_can_cast() -> None:
    for pair in filter(promotes, itertools.product(DTYPES, repeat=2)):
        ours, theirs = ([getattr(xp, dtype) for dtype in pair] for xp in (lnp, strict))
        assert str(lnp.result_type(*ours)) == str(strict.result_type(*theirs)._np_dtype)
        if pair[0] != "bool":  # which every dtype takes in JAX
            assert lnp.can_cast(*ours) == strict.can_cast(*theirs)


CREATION: list[tuple[str, tuple[Any, ...]]] = [
    *(("arange", args) for args in ((5,), (1, 5), (5, 1, -2), (1.0, 2.0, 0.25))),
    *(("linspace", args) for args in ((0, 1, 5), (0.0, 2.0, 3))),
    *((name, ((2, 3),)) for name in ("ones", "zeros")),
    *(("full", ((2,), value)) for value in (1, 1.5, 1j, True)),
    *(("eye", args) for args in ((3,), (2, 3))),
    *(("asarray", (value,)) for value in (1, 1.5, [1, 2], [True, False], [[1.0, 2.0]])),
]


@pytest.mark.parametrize(("name", "args"), CREATION)
def test_creation(name: str, args: tuple[Any, ...]) -> None:
    assert agree(outcome(getattr(lnp, name), *args), outcome(getattr(strict, name), *args))


MATRIX = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]
#: Functions whose result is determined only up to signs or order, and what is made of it to compare.
UP_TO = {
    "eig": lambda r: np.sort(np.asarray(r[0])),
    "eigh": lambda r: r[0],
    "eigvals": lambda r: np.sort(np.asarray(r)),
    "qr": lambda r: np.asarray(r[0]) @ np.asarray(r[1]),
    "svd": lambda r: r[1],
}
MATRICES = {"matrix_power": (3,), "solve": ([1.0, 2.0, 3.0],), "cross": (MATRIX,), "matmul": (MATRIX,)}
MATRICES |= {"outer": (), "tensordot": (MATRIX,), "vecdot": (MATRIX,)}


@pytest.mark.parametrize(
    ("extension", "name"), [(extension, name) for extension in EXTENSIONS for name in EXTENSIONS[extension]]
)
def test_extensions(extension: str, name: str) -> None:
    def answer(xp: Any) -> Any:
        function = getattr(getattr(xp, extension), name)
        if name in ("fftfreq", "rfftfreq"):
            return outcome(function, 5)
        if name == "outer":
            return outcome(function, xp.asarray(MATRIX[0]), xp.asarray(MATRIX[1]))
        extra = [xp.asarray(arg) if isinstance(arg, list) else arg for arg in MATRICES.get(name, ())]
        complex_input = extension == "fft" and name not in ("rfft", "rfftn", "ihfft", "fftshift", "ifftshift")
        argument = xp.astype(xp.asarray(MATRIX), xp.complex128 if complex_input else xp.float64)
        results = outcome(function, argument, *extra)
        return [UP_TO[name](results)] if name in UP_TO and isinstance(results, list) else results

    theirs = answer(strict)
    assert not isinstance(theirs, Exception), theirs
    assert agree(answer(lnp), theirs)
