"""Importing and using `jaxtyping_core.typing` does not import JAX."""

from __future__ import annotations

import subprocess
import sys

import pytest

AT_THE_END = "\nimport sys; print('jax' in sys.modules)"

WITHOUT_JAX = {
    "import": "import jaxtyping_core.typing",
    "star import": "from jaxtyping_core.typing import *",
    "annotate": "from jaxtyping_core.typing import *\nfrom typing import *\n"
    "B = TypeVar('B', bound=int)\ndef f(x: Float32[B, Literal[3]]) -> Array[floating] | None: ...\n"
    "assert get_type_hints(f)['x'] is Float32[B, Literal[3]]",
    "isinstance": "from jaxtyping_core.typing import *\nassert not isinstance(3, Array)\n"
    "assert not isinstance(3, Float32) and isinstance(3, ArrayLike) and not isinstance([3], ArrayLike)",
    "issubclass": "from jaxtyping_core.typing import *\nassert not issubclass(int, Array)",
    "dtype": "from jaxtyping_core.typing import *\nassert bfloat16.dtype.itemsize == 2",
    "shape": "from jaxtyping_core.typing import *\nassert NamedShape(a=2) == (2,)",
}


def imports_jax(code: str) -> bool:
    """Whether JAX is imported after `code` ran in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", code + AT_THE_END], capture_output=True, text=True, check=True
    )
    return {"True": True, "False": False}[done.stdout.strip()]


@pytest.mark.parametrize("code", WITHOUT_JAX.values(), ids=list(WITHOUT_JAX))
def test_jax_is_not_imported(code: str) -> None:
    assert not imports_jax(code)


@pytest.mark.parametrize(
    "code", ["import jaxtyping_core.typing, jax", "from jaxtyping_core.typing import float32; float32(1)"]
)
def test_the_check_sees_an_import(code: str) -> None:
    assert imports_jax(code)


def test_jax_may_come_later() -> None:
    code = (
        "from jaxtyping_core.typing import Array, Float32\nassert not isinstance(1, Array)\n"
        "import jax.numpy as jnp\nassert isinstance(jnp.ones(2), Float32)"
    )
    assert imports_jax(code)


def test_a_jax_that_is_half_imported_has_no_arrays() -> None:
    code = (
        "import sys, types; sys.modules['jax'] = types.ModuleType('jax')\n"
        "from jaxtyping_core.typing import Array\nassert not isinstance(1, Array) and not issubclass(int, Array)"
    )
    assert imports_jax(code)
