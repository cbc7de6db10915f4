"""What users call: arguments, errors, the x64 setting, and what importing costs."""

import itertools
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import jaxtyping_core as jc
from jaxtyping_core import dtypes
from jaxtyping_core.lattice import NODES
from jaxtyping_core.promotion import find, join, x64_enabled
from jaxtyping_core.systems import SYSTEMS


class Weak:
    """Stands for a weakly typed array."""

    def __init__(self, dtype: str, ndim: int = 1) -> None:
        self.dtype, self.ndim, self.weak_type = np.dtype(dtype), ndim, True


class float16:  # stands for an annotation class, which has nothing but the name of its dtype
    pass


def run(code: str, **environment: str) -> str:
    """The output of `code` in a fresh interpreter."""
    env = {**{k: v for k, v in os.environ.items() if k != "JAX_ENABLE_X64"}, **environment}
    return subprocess.run(
        [sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.mark.parametrize("spelling", ["float16", np.float16, np.dtype("float16"), float16])
def test_spellings_of_a_dtype(spelling: object) -> None:
    assert jc.promote_types(spelling, "int32", x64=False) == (np.dtype("float16"), False)
    assert jc.can_promote(spelling, "int32")


def test_bool_and_python_types() -> None:
    assert jc.promote_types(bool, np.bool_).dtype == "bool"
    assert jc.promote_types(int, "bool", x64=False) == (np.dtype("int32"), True)
    assert jc.promote_types(float, "weak_int", x64=True) == (np.dtype("float64"), True)
    assert jc.promote_types("int8", complex, x64=False) == (np.dtype("complex64"), True)


def test_values() -> None:
    assert jc.result_type(1, 2.0, x64=False) == (np.dtype("float32"), True)
    assert jc.result_type(np.int8(1), 2) == (np.dtype("int8"), False)
    assert jc.result_type(np.float64(1.0), "int8", x64=True) == (np.dtype("float64"), False)
    assert jc.result_type(Weak("float32"), "float16") == (np.dtype("float16"), False)
    assert jc.result_type(Weak("int32"), Weak("float32"), x64=False) == (np.dtype("float32"), True)
    assert jc.result_type("float32") == (np.dtype("float32"), False)
    with pytest.raises(ValueError, match="at least one operand"):
        jc.result_type()


def test_the_rank_matters_to_torch_alone() -> None:
    half, single = np.ones(2, "float16"), np.float32(1)
    assert jc.result_type(half, single, system="torch").dtype == "float16"
    assert jc.result_type(half, single, system="jax").dtype == "float32"
    assert join("float16", "float32[]", system="torch") == "float16"
    assert join("float16", "float32[]") == "float32"


def test_several_operands_fold_uncanonicalized() -> None:
    """uint64 and int32 make a weak float, which leaves float16 its precision."""
    assert jc.result_type("uint64", "int32", "float16", x64=True).dtype == "float16"


def test_with_x64_off_there_are_no_64_bit_operands() -> None:
    assert join("int64", "uint32") == "int32"
    assert join("float64", "complex64") == "complex64"
    assert join("int64", "uint32", x64=True) == "int64"
    assert join("int64", "float32", system="numpy") == "float64", "other libraries have no such switch"


MESSAGES = [
    (
        lambda: jc.promote_types("float8_e4m3fn", "bfloat16", x64=False),
        jc.PromotionError,
        (
            "'float8_e4m3fn' and 'bfloat16' have no common dtype in promotion system 'jax' (x64 off); "
            "cast 'float8_e4m3fn' first, e.g. x.astype('bfloat16')"
        ),
    ),
    (
        lambda: jc.promote_types("int32", float, system="jax-strict", x64=False),
        jc.PromotionError,
        (
            "'int32' and 'weak_float' have no common dtype in promotion system 'jax-strict' (x64 off); "
            "cast 'int32' first, e.g. x.astype('float32')"
        ),
    ),
    (
        lambda: jc.promote_types("uint32", "int8", system="torch"),
        jc.PromotionError,
        (
            "'uint32' and 'int8' have no common dtype in promotion system 'torch'; "
            "cast 'uint32' and 'int8' first, e.g. x.astype('int64')"
        ),
    ),
    (
        lambda: jc.promote_types("float6_e2m3fn", "float32", system="torch"),
        jc.PromotionError,
        (
            "'float6_e2m3fn' and 'float32' have no common dtype in promotion system 'torch', "
            "which does not know 'float6_e2m3fn'; cast to a dtype that it knows first"
        ),
    ),
    (
        lambda: jc.promote_types("flaot32", "int8"),
        jc.UnknownNameError,
        "unknown dtype 'flaot32'; the nearest names are 'float32', 'float6_e3m2fn', 'float64'",
    ),
    (
        lambda: jc.promote_types("int8", "int8", system="jax_strict"),
        jc.UnknownNameError,
        "unknown promotion system 'jax_strict'; the nearest names are 'jax-strict', 'jax', 'torch'",
    ),
    (
        lambda: jc.promote_types(1, "int8"),
        jc.UnknownNameError,
        "1 is not a dtype: expected a name, a numpy.dtype or a scalar type",
    ),
    (
        lambda: jc.result_type([1], "int8"),
        jc.UnknownNameError,
        "[1] is not a dtype: expected a name, a numpy.dtype or a scalar type",
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), MESSAGES)
def test_messages(call, error, message) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call()


def test_a_promotion_error_is_what_jax_and_numpy_users_expect() -> None:
    assert issubclass(jc.PromotionError, ValueError)  # as jax.dtypes.TypePromotionError
    assert issubclass(jc.PromotionError, TypeError)  # as numpy.exceptions.DTypePromotionError


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_cast_in_the_message_mends_the_error(system: str, x64: bool) -> None:
    for a, b in itertools.product(NODES, repeat=2):
        if find((a, b), system, x64) is None and {a, b} <= {
            node for node in NODES if node in SYSTEMS[system]
        }:
            with pytest.raises(jc.PromotionError) as caught:
                join(a, b, system=system, x64=x64)
            cast, target = re.search(
                r"; cast (.*) first, e\.g\. x\.astype\('(\w+)'\)$", str(caught.value)
            ).groups()
            mended = tuple(target if repr(node) in cast else node for node in (a, b))
            assert mended != (a, b)
            assert find(mended, system, x64) is not None, (a, b, mended)


def test_a_later_operand_may_need_the_cast_too() -> None:
    with pytest.raises(
        jc.PromotionError, match=r"cast 'int8' and 'float16' first, e\.g\. x\.astype\('float32'\)"
    ):
        jc.result_type("int8", "float16", "float32", 1.0, system="lax", x64=False)


# The x64 setting and imports are global to a process, so each of these has its own.


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("true", True), ("0", False), ("", False)])
def test_the_environment_decides_while_jax_is_not_imported(value: str, expected: bool) -> None:
    code = "from jaxtyping_core.promotion import x64_enabled; print(x64_enabled())"
    assert run(code, JAX_ENABLE_X64=value) == str(expected)


def test_jax_decides_once_it_is_imported() -> None:
    jax = pytest.importorskip("jax", reason="this environment tests the systems of other libraries")
    for x64, name in ((False, "float32"), (True, "float64")):
        with jax.enable_x64(x64):
            assert x64_enabled() == x64
            assert jc.promote_types("float32", "float64").dtype == name
    code = "import jax, jaxtyping_core as jc; print(jc.promote_types('float64', 'int8').dtype)"
    assert run(code, JAX_ENABLE_X64="1") == "float64"


IMPORTED = "import sys; print(*sorted({'jax', 'numpy'} & set(sys.modules)))"


@pytest.mark.parametrize(
    ("code", "imported"),
    [
        ("import jaxtyping_core, jaxtyping_core.promotion", ""),
        ("from jaxtyping_core.promotion import join; join('int8', 'float32')", ""),
        ("import jaxtyping_core as jc; jc.promote_types('int8', 'float32')", "numpy"),
        ("import numpy", "numpy"),  # that the test can fail
    ],
)
def test_imports_stay_light(code: str, imported: str) -> None:
    assert run(f"{code}\n{IMPORTED}") == imported


def test_the_import_test_sees_jax() -> None:
    pytest.importorskip("jax", reason="this environment tests the systems of other libraries")
    assert run(f"import jax\n{IMPORTED}") == "jax numpy"


def test_every_available_dtype_resolves() -> None:
    for name in dtypes.available():
        if dtypes.DTYPES[name].promotes:
            assert jc.promote_types(name, name, x64=True).dtype == dtypes.numpy_dtype(name)
