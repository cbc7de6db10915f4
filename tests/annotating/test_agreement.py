"""What all calls agree on, and how it is written."""

from __future__ import annotations

import pytest

from annotating.facts_by_hand import annotated, call, floats, function, heads
from jaxtyping_core.recording.observed import DTYPE, Call, Cut, Object

X, N = floats(8, 4), floats(8, 4, library="numpy")
STEP = floats(weak=True)


def head_of(*calls: Call, default: str = "", head: str = "", imports: str = "") -> str:
    """How a function of one parameter is annotated."""
    text = f"{imports}\n\ndef f(x{default}){head}:\n    return x\n"
    return heads(annotated(text, {"f": list(calls)}))[0]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2], "int"),
        ([1, 2.5], "float"),
        ([True, False], "bool"),
        ([True, 3], "int"),
        (["a", "b"], "str"),
        (["a", 1], None),
        ([None, 1], "int | None"),
        ([None], None),
        ([X], "Float32[B, D]"),
        ([X, floats(3, 4)], "Float32[B, D]"),
        ([X, floats(8, 4, dtype="bfloat16")], "Floating[B, D]"),
        ([X, floats(8, 4, dtype="int32")], "Number[B, D]"),
        ([X, floats(8)], "Float32"),
        ([floats()], "Float32[()]"),
        ([STEP], "float | Float32[()]"),
        ([0.5, floats()], "float | Float32[()]"),
        ([0.5, X], "jax.typing.ArrayLike"),
        ([None, X], "Float32[B, D] | None"),
        ([N, X], "Like[Float32[B, D]]"),
        ([N], "np.ndarray"),
        ([floats(dtype="key<fry>")], "jax.Array"),
        ([(X, floats(8))], "tuple[Float32, Float32]"),
        ([(X,), (X, X)], "tuple[Float32, ...]"),
        ([[X, floats(8)]], "list[Float32]"),
        ([[]], "list"),
        ([{"w": X, "b": floats(4)}], "dict[str, Float32]"),
        ([{"w": X, "step": floats(dtype="int32")}], "dict[str, jax.Array]"),
        ([{"w": X}, {"v": X}], "dict[str, Float32]"),
        ([{"w": X, "name": "a"}], "dict[str, Any]"),
        ([[(X, floats(4)), (X, floats(4))]], "list[tuple[Float32, Float32]]"),
        ([function()], "Callable"),
        ([Object(DTYPE)], "jax.typing.DTypeLike"),
        ([Object(DTYPE), "float32"], "jax.typing.DTypeLike"),
        ([Object(DTYPE), None], "jax.typing.DTypeLike | None"),
        ([Object(DTYPE), function()], None),
        ([X, "a"], None),
        ([Cut()], None),
        ([Object("elsewhere._private.Thing")], None),
        ([Object("optax._src.base.SomeState"), Object("optax._src.base.OtherState")], None),
    ],
)
def test_a_parameter_has_what_all_calls_agree_on(values: list[object], expected: str | None) -> None:
    calls = [call(None, x=value) for value in values]
    written = head_of(*calls, imports="import jax\nimport numpy as np")
    assert written == ("f(x)" if expected is None else f"f(x: {expected})")


@pytest.mark.parametrize(
    ("default", "values", "expected"),
    [
        ("None", [X], "Float32[B, D] | None"),
        ("None", [None], None),
        ("0.1", [1], "float"),
        ("1", [0.5], "float"),
        ("1.0", [floats()], "float | Float32[()]"),
        ("1.0", [X], "ArrayLike"),
        ("'mean'", [1], None),
        ("False", [True], "bool"),
    ],
)
def test_a_default_is_taken_as_well(default: str, values: list[object], expected: str | None) -> None:
    written = head_of(*(call(None, x=value) for value in values), default=f"={default}")
    assert written == (f"f(x={default})" if expected is None else f"f(x: {expected}={default})")


def test_arrays_of_numpy_in_a_module_that_does_not_import_it() -> None:
    text = annotated("def f(x):\n    return x\n", {"f": [call(None, x=N)]})
    assert heads(text) == ["f(x: ndarray)"]
    assert "from numpy import ndarray\n" in text
    other = "from jax.numpy import ndarray\n\ndef f(x):\n    return x\n"
    assert annotated(other, {"f": [call(None, x=N)]}) == other


def test_what_is_returned() -> None:
    assert head_of(call(X, x=1)) == "f(x: int) -> Float32"
    assert head_of(call((X, 1.5), x=1)) == "f(x: int) -> tuple[Float32, float]"
    assert head_of(call(Object(DTYPE), x=1)) == "f(x: int)"
    assert head_of(call(STEP, x=1)) == "f(x: int) -> Float32[()]"
    assert head_of(call(X, x=1), call(1, x=2)) == "f(x: int)"
    # What is not seen may be returned elsewhere: the source returns a value.
    assert head_of(call(None, x=1)) == "f(x: int)"
    assert heads(annotated("def f(x):\n    print(x)\n", {"f": [call(None, x=1)]})) == ["f(x: int) -> None"]


def test_a_call_that_raised_tells_nothing_of_the_result() -> None:
    raised = Call((("x", floats(3)),), None)
    assert head_of(raised) == "f(x: Float32[N])"
    assert head_of(raised, call(1, x=X)) == "f(x: Float32[B, D]) -> int"


def test_annotations_that_are_there_are_kept() -> None:
    text = "import jax\n\ndef f(x: jax.Array, y, z: int) -> jax.Array:\n    return x\n"
    calls = {"f": [call(X, x=X, y=X, z=1)]}
    assert heads(annotated(text, calls)) == ["f(x: jax.Array, y: Float32, z: int) -> jax.Array"]
    refined = heads(annotated(text, calls, refine=True))
    assert refined == ["f(x: Float32, y: Float32, z: int) -> Float32"]


def test_functions_that_are_left_alone() -> None:
    text = (
        "from typing import overload\n\n@overload\ndef f(x: int) -> int: ...\n@overload\ndef f(x: str) -> str: ...\n"
        "def f(x):\n    return x\n\ng = lambda x: x\n"
    )
    assert annotated(text, {"f": [call(1, x=1)]}) == text


def test_generators_and_coroutines_return_what_is_open() -> None:
    text = "def f(x):\n    yield x\n\nasync def g(x):\n    return x\n"
    generator = Object("builtins.generator")
    calls = {"f": [call(generator, x=1)], "g": [call(Object("builtins.coroutine"), x=1)]}
    assert heads(annotated(text, calls)) == ["f(x: int)", "g(x: int)"]


def test_methods_of_all_kinds() -> None:
    text = (
        "class Model:\n"
        "    def __init__(self, n):\n        self.n = n\n"
        "    @staticmethod\n    def make(n):\n        return Model(n)\n"
        "    @classmethod\n    def other(cls, n):\n        return cls(n)\n"
        "    @property\n    def size(self):\n        return self.n\n"
        "    def add(self, *xs, scale=1.0, **rest):\n        return xs\n"
    )
    model = Object("__main__.Model")
    calls = {
        "Model.__init__": [call(None, self=model, n=3)],
        "Model.make": [call(model, n=3)],
        "Model.other": [call(model, cls=function(), n=3)],
        "Model.size": [call(3, self=model)],
        "Model.add": [call((X, X), self=model, xs=(X, X), scale=2.0, rest={"a": 1})],
    }
    assert heads(annotated(text, calls)) == [
        "__init__(self, n: int) -> None",
        "make(n: int) -> 'Model'",
        "other(cls, n: int) -> 'Model'",
        "size(self) -> int",
        "add(self, *xs: Float32, scale: float=1.0, **rest: int) -> tuple[Float32, Float32]",
    ]


def test_a_parameter_that_gets_another_dtype_in_the_body_has_their_class() -> None:
    text = "def f(x, n, y):\n    x = x.astype(float)\n    n = n.astype(float)\n    return x\n"
    half, whole = floats(3, dtype="bfloat16"), floats(3, dtype="uint8")
    new = heads(annotated(text, {"f": [call(floats(3), x=half, n=whole, y=half)]}))
    assert new == ["f(x: Floating, n: Number, y: BFloat16) -> Float32"]


def test_what_optax_gives_is_no_array_to_checkers() -> None:
    text = (
        "import optax\n\n\ndef step(params, state, x):\n    params = optax.apply_updates(params, x)\n"
        "    return params, x\n\n\ndef last(params, x):\n    return optax.apply_updates(params, x)\n"
    )
    w = {"w": X}
    written = annotated(
        text, {"step": [call((w, X), params=w, state=X, x=X)], "last": [call(w, params=w, x=X)]}
    )
    assert heads(written) == [
        "step(params, state: Float32, x: Float32) -> tuple[Any, Float32]",
        "last(params: dict[str, Float32], x: Float32[B, D])",
    ]


def test_an_attribute_that_is_none_at_first_is_passed() -> None:
    text = (
        "class A:\n    def __init__(self):\n        self.w = None\n\n    def use(self, x):\n        return f(x, self.w)\n\n\n"
        "def f(x, w):\n    return x @ w\n"
    )
    assert "f(x: Float32, w) -> Float32" in heads(annotated(text, {"f": [call(X, x=X, w=X)]}))
