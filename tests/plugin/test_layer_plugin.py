"""With the plugin, mypy says of the layer's functions what they give under the promotion system in force."""

from __future__ import annotations

import os
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import jaxtyping_core.numpy as lnp
from harness import Messages, run_mypy
from jaxtyping_core.dtypes import DTYPES
from jaxtyping_core.systems import SYSTEMS

pytestmark = pytest.mark.one_python

HEAD = """\
from typing import Any
from collections.abc import Iterator
import jax
import numpy as np
import jaxtyping_core.numpy as jnp
from jaxtyping_core.numpy import promotion
from jaxtyping_core.typing import Float16, Int16, Int32, Float32
i = jnp.ones((2, 3), "int16")
f = jnp.ones(3, "float16")
b = jnp.ones((2, 1), "bool")
u = jnp.eye(3, dtype="uint32")
s = jnp.ones((), "float32")
j = jax.numpy.ones(3, "int32")
"""
EXPRESSIONS = (
    "i + f", "f - b", "i * 2", "2.5 * i", "i / 2", "i // f", "u[0] % i", "u ** 2", "2 ** i", "i & b", "u << 3",
    "i < f", "-i", "abs(i)", "~u", "u @ f", "f + s", "s + i", "s * 1.5", "i + j", "j + f",
    "i.sum()", "b.sum(axis=0)", "i.mean()", "f.std()", "i.max(axis=1)", "i.argmax()", "i.astype('float32')",
    "i.T", "i[0]", "i[:, 1]", "u.reshape(9)", "i.cumsum(axis=0)", "i.clip(0, 2.5)", "i.round()",
    "jnp.add(i, f)", "jnp.add(i, f, system='torch')", "jnp.power(u, 2.0)", "jnp.divide(i, i)", "jnp.sin(i)",
    "jnp.hypot(i, f)", "jnp.where(b, i, f)", "jnp.concat([i, u])", "jnp.stack([f, s + f])", "jnp.sum(b)",
    "jnp.mean(u)", "jnp.asarray(1.5)", "jnp.arange(3)", "jnp.zeros(4)", "jnp.full(2, 1)", "jnp.linspace(0, 1, 5)",
    "jnp.matmul(u, f)", "jnp.einsum('ij,j->i', u, f)", "jnp.linalg.inv(s + u)", "jnp.fft.fft(f)", "jnp.equal(i, f)",
    "jnp.float_power(i, 2)", "jnp.logaddexp(f, s)", "jnp.floor_divide(b, u)", "jnp.cumulative_sum(f)",
    "jax.numpy.add(i, f)", "jax.vmap(lambda row: row + 1.5)(i)", "jax.tree.map(lambda leaf: leaf * 2.5, i)",
    "j + j", "jax.numpy.sin(j)",
)  # fmt: skip


def check(programs: Mapping[str, str], folder: Path, config: str = "") -> Messages:
    """What mypy with the plugin says of some programs, by their names and lines."""
    (folder / "pyproject.toml").write_text(f"[tool.jaxtyping_core]\n{config}\n")
    # One cache for all tests here: reading the stubs is most of the work.
    said = run_mypy(programs, folder, "", f"--cache-dir={folder.parent / 'mypy_cache'}")
    return {name: {line: list(map(brief, texts)) for line, texts in said[name].items()} for name in said}


def brief(message: str) -> str:
    return message.replace("Literal", "").removeprefix('N: Revealed type is "').removesuffix('"')


def name_of(value: Any) -> str:
    """How mypy shows the type of an array."""
    dtype = DTYPES[value.dtype.name]
    kinds = {"i": "weak_int", "f": "weak_float", "c": "weak_complex"}
    name = kinds[dtype.kind] if value.weak_type and dtype.kind in kinds else dtype.class_name
    cls = "jaxtyping_core.numpy.Array" if type(value) is lnp.Array else "Array"
    return f"{cls}[{name}, tuple[{', '.join(f'[{size}]' for size in value.shape) or '()'}]]"


def truth(expression: str, scope: dict[str, Any]) -> str | None:
    """What JAX gives for an expression; None where it refuses."""
    try:
        return name_of(eval(expression, scope))
    except (TypeError, ValueError):
        return None


#: Where a checker knows less, with what it does not know: the array on the left may be one of the layer, which would
#: promote by another system; JAX's own functions have namesakes in the layer, so that a refusal is not reported.
#: Of what a lambda gives, mypy asks nobody.
OPEN = {
    "j + f": "dtype",
    "jax.vmap(lambda row: row + 1.5)(i)": "refusal",
    "jax.tree.map(lambda leaf: leaf * 2.5, i)": "result",
}


def fits(said: list[str], expected: str | None, expression: str) -> bool:
    """Whether what mypy says is true, and all that can be known."""
    if expected is None:
        return any(message.startswith("E: ") for message in said) or (
            OPEN.get(expression) == "refusal" and said == ["Any"]
        )
    if OPEN.get(expression) in ("result", "refusal") and said == ["Any"]:
        return True
    if OPEN.get(expression) == "dtype" and said[0].startswith("Array[Any, "):
        return said[0].partition(", ")[2] == expected.partition(", ")[2]
    return said == [expected]


def part(system: str) -> tuple[str, ...]:
    """A part of the expressions, a different one for each system; all with the environment variable ``ALL_PAIRS=1``."""
    return EXPRESSIONS if os.environ.get("ALL_PAIRS") else EXPRESSIONS[list(SYSTEMS).index(system) % 5 :: 5]


def test_every_system(tmp_path: Path) -> None:
    blocks = [
        f"with promotion({system!r}):\n" + "".join(f"    reveal_type({e})\n" for e in part(system))
        for system in SYSTEMS
    ]
    said = check({"program": HEAD + "".join(blocks)}, tmp_path)["program"]
    (tmp_path / "head.py").write_text(HEAD)
    scope = runpy.run_path(str(tmp_path / "head.py"))
    number, wrong = HEAD.count("\n"), {}
    for system in SYSTEMS:
        number += 1
        for expression in part(system):
            number += 1
            with lnp.promotion(system):
                expected = truth(expression, scope)
            if not fits(said[number], expected, expression):
                wrong[system, expression] = said[number], expected
    assert wrong == {}


BLOCKS = """\
def f() -> None:
    with promotion("numpy"):
        reveal_type(i + f)  # float32
        reveal_type(jnp.sin(i))  # float32
        def inner() -> None:
            reveal_type(i + f)  # Any
            with promotion("torch"):
                reveal_type(i + f)  # float16
        later = lambda: reveal_type(i + f)  # Any
        with promotion("torch"):
            reveal_type(i + f)  # float16
        reveal_type(i + f)  # float32
    reveal_type(i + f)  # float16

@promotion("numpy")
def g(x: Int16[Any], y: Float16[Any], z: jnp.Array[jnp.int16]) -> None:
    reveal_type(x + y)  # Any
    reveal_type(x + x)  # int16
    reveal_type(jnp.add(x, y))  # float32
    reveal_type(z + y)  # float32
    reveal_type(jax.numpy.add(x, y))  # float16
    def inner() -> None:
        reveal_type(x + y)  # Any

@promotion("numpy")
def h() -> Iterator[jax.Array]:
    reveal_type(i + f)  # Any
    yield i

def k(x: Int16[Any], n: int, system: str) -> None:
    reveal_type(x + n)  # int16
    reveal_type(jnp.add(i, n))  # int16
    reveal_type(jnp.add(i, f, system=system))  # Any
    with promotion(system):
        reveal_type(i + f)  # Any
        reveal_type(jnp.sin(i))  # Any
    with promotion("jax"):
        reveal_type(i + f)  # float16
"""
#: Of each, what follows is read anywhere in the module.
ELSEWHERE = ("jnp.set_promotion('numpy')", "mine = promotion", "block = jnp.promotion('torch')")


def compare(programs: Mapping[str, str], folder: Path, config: str = "") -> None:
    """The dtypes that mypy gives are those at the end of the lines."""
    said = check({name: HEAD + program for name, program in programs.items()}, folder, config)
    expected, revealed = [], []
    for name, program in programs.items():
        for number, line in enumerate(program.splitlines(), HEAD.count("\n") + 1):
            if "# " in line:
                expected.append((name, number, line.partition("# ")[2]))
                types = "; ".join(said[name][number])
                revealed.append((name, number, types.partition("Array[")[2].partition(",")[0]))
    assert revealed == expected
    assert expected


def test_blocks_and_functions(tmp_path: Path) -> None:
    elsewhere = {
        f"elsewhere_{number}": f"reveal_type(i + f)  # Any\nreveal_type(jnp.add(i, f))  # Any\n{statement}\n"
        for number, statement in enumerate(ELSEWHERE)
    }
    compare({"blocks": BLOCKS, **elsewhere}, tmp_path)


CONFIGURED = """\
jnp.set_promotion("numpy")
reveal_type(i + f)  # float32
reveal_type(jnp.mean(i))  # float64
reveal_type(jnp.sum(i))  # int64
reveal_type(jax.numpy.sum(i))  # int64
reveal_type(j + 1.5)  # Any
reveal_type(j + j)  # int32
reveal_type(jax.numpy.add(j, 1.5))  # weak_float
def f_(x: Float32, y: Int32) -> None:
    reveal_type(x * y)  # Any
    reveal_type(x * x)  # float32
with promotion("jax"):
    reveal_type(i + f)  # float16
"""


def test_the_system_of_the_configuration(tmp_path: Path) -> None:
    compare({"program": CONFIGURED}, tmp_path, 'x64 = true\npromotion = "numpy"')
