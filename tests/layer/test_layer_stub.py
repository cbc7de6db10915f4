"""The stub of the layer says what its table says, and checkers accept a correct program of the layer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jax
import pytest

from jaxtyping_core.numpy import _stub, _stub_array

PROGRAM = """\
from typing import Literal
import jaxtyping_core.numpy as jnp
from jaxtyping_core.typing import Array, Float32, floating

@jnp.jit
def f(x: jnp.Array) -> Array[floating]:
    with jnp.promotion("numpy"):
        return jnp.sin(jnp.add(x, 1, system="torch")) * 2

@jnp.checked
def g(x: Float32) -> jnp.Array:
    return jnp.linalg.inv(x)

def h(x: jnp.Array[jnp.float32, tuple[Literal[2], Literal[3]]]) -> jnp.Array:
    y: Float32[Literal[2], Literal[3]] = x.at[0].set(1, mode="drop").copy().block_until_ready()
    x.reshape(3, -1).reshape((2, 3), order="F", copy=True).transpose(1, 0).transpose(None, system="torch").flatten("F")
    return -(2 * x[0] + y) + x.sum() if x.value.ndim else x

def worse(x: jnp.Array) -> None:
    x.reshape(3, ordre="F")

def bad(x: jnp.Array[jnp.int32]) -> Float32:
    return x

reveal_type(jnp.promote_types("int8", "int16"))
jnp.sni(3)
"""


@pytest.mark.skipif(
    jax.__version_info__ < (0, 12),
    reason="the stubs are written with JAX 0.12, which has functions that another one lacks",
)
def test_the_stub_is_current() -> None:
    for path, text in _stub.texts().items():
        assert path.read_text(encoding="utf-8") == text, (
            f"run python -m jaxtyping_core.numpy._stub ({path.name})"
        )


def test_every_method_has_its_parameters() -> None:
    text = _stub_array.text()
    assert "*args" not in text
    assert "**kwargs" not in text


def test_a_program(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-incremental", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    lines = [line.partition(": ")[2] for line in done.stdout.splitlines()]
    assert lines.pop(0).startswith('error: Unexpected keyword argument "ordre" for "reshape"')
    assert lines.pop(0).startswith('note: "reshape" defined')
    assert lines[0].startswith('error: Incompatible return value type (got "jaxtyping_core.numpy.Array[int32')
    assert lines[1].startswith('note: Revealed type is "numpy.dtype[Any]"')
    assert 'error: Module has no attribute "sni"' in lines[2]
    assert len(lines) == 4
