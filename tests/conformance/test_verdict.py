"""The judge of revealed types, on types whose verdict is plain."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.truth import ArrayOf, Items, Truth, Value
from conformance.verdict import Answer, UnreadableError, judge

EXACT, OPEN, WRONG = Answer
ARRAY = ArrayOf("float32", (3, 4))
SCALAR = ArrayOf("weak_int", ())
PAIR = Items("tuple", (ARRAY, SCALAR))
PARAMS = Items("dict", (ARRAY, SCALAR), ("w", "n"))


@pytest.mark.parametrize(
    ("text", "truth", "dtype", "rank"),
    [
        ("Array[float32, tuple[Literal[3], Literal[4]]]", ARRAY, EXACT, EXACT),
        ("Array[float32, tuple[Any, int]]", ARRAY, EXACT, EXACT),
        ("Array[float32, tuple[Any, ...]]", ARRAY, EXACT, OPEN),
        ("Array[float32, tuple[Any]]", ARRAY, EXACT, WRONG),
        ("Array[float32, tuple[Literal[3], Literal[5]]]", ARRAY, EXACT, WRONG),
        ("Array[float16, Any]", ARRAY, WRONG, OPEN),
        ("Array[weak_float]", ARRAY, WRONG, OPEN),
        ("Array[floating, Unknown]", ARRAY, OPEN, OPEN),
        ("Array[signedinteger, Unknown]", ARRAY, WRONG, OPEN),
        ("Array[float32 | float16, Any]", ARRAY, OPEN, OPEN),
        ("Array[float32, Any] | Array[int8, Any]", ARRAY, OPEN, OPEN),
        ("Array[float16, Any] | Array[int8, Any]", ARRAY, WRONG, OPEN),
        ("Array", ARRAY, OPEN, OPEN),
        ("Any", ARRAY, OPEN, OPEN),
        ("float", ARRAY, WRONG, WRONG),
        ("Never", ARRAY, WRONG, WRONG),
        ("Array[Never, Any]", ARRAY, WRONG, OPEN),
        ("Array[weak_int, tuple[()]]", SCALAR, EXACT, EXACT),
        ("Array[weak_int, tuple[Any]]", SCALAR, EXACT, WRONG),
        ("Array[prng_key, tuple[()]]", ArrayOf("key<fry>", ()), EXACT, EXACT),
        ("Array[uint32, tuple[()]]", ArrayOf("key<fry>", ()), WRONG, EXACT),
        ("tuple[Array[float32, Any], Array[weak_int, tuple[()]]]", PAIR, EXACT, OPEN),
        ("tuple[Array[float32, Any], Array[int32, tuple[()]], fallback=x.Pair]", PAIR, WRONG, OPEN),
        ("tuple[Array[float32, Any], ...]", PAIR, WRONG, OPEN),
        ("list[Array[Any, Any]]", PAIR, OPEN, OPEN),
        ("tuple[Array[float32, Any]]", PAIR, WRONG, WRONG),
        ("SVDResult", PAIR, OPEN, OPEN),
        ("int", Value(3), EXACT, EXACT),
        ("Literal[3]?", Value(3), EXACT, EXACT),
        ("str", Value(3), WRONG, WRONG),
        ("DTypeObject[int32]", Value(np.dtype("int32")), EXACT, EXACT),
        ("DTypeObject[weak_int]", Value(np.dtype("int32")), EXACT, EXACT),
        ("DTypeObject[weak_int]", Value(np.dtype("int8")), WRONG, WRONG),
        ("Array[Any, Any]", Value(3), WRONG, WRONG),
        ("def (x: int) -> int", Value(len), OPEN, OPEN),
        ("def [T] (x: T, f: def (int) -> T) -> def (int) -> T", ARRAY, WRONG, WRONG),
        ("tuple[Array[float32, tuple[int, int]], (x: int) -> Array[Any, Any]]", PAIR, WRONG, WRONG),
        ("numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.float32]]", ARRAY, WRONG, WRONG),
        ("NDArray[float32]", ARRAY, WRONG, WRONG),
        (
            "TypedDict('Params', {'w': Array[float32, Any], 'n'?: Array[weak_int, tuple[()]]})",
            PARAMS,
            EXACT,
            OPEN,
        ),
        ("TypedDict({'w': Array[float32, Any]})", PARAMS, WRONG, WRONG),
        ("Array[@_]", ARRAY, OPEN, OPEN),
        ("float*", Value(0.5), EXACT, EXACT),
    ],
)
def test_judge(text: str, truth: Truth, dtype: Answer, rank: Answer) -> None:
    assert judge(text, truth) == (dtype, rank)


@pytest.mark.parametrize("text", ["<module 'jax'>", "Array[float32, tuple[", "int) -> str"])
def test_what_cannot_be_read_is_no_answer(text: str) -> None:
    with pytest.raises(UnreadableError):
        judge(text, ARRAY)
