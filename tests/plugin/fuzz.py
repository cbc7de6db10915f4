"""Random programs over arrays: what mypy with the plugin says of each variable against what JAX computes.

    python tests/plugin/fuzz.py --programs 2000 --seed 1

Every program is checked three times: as it is, with some of its annotations less precise, and with bare ones. Made
less precise, an annotation never adds an error, and no type is ever wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import jax
import jax.numpy as jnp

from conformance import truth, verdict
from conformance.truth import ArrayOf, Truth
from harness import Messages, run_mypy

DTYPES = ("float32", "bfloat16", "float16", "int32", "int8", "uint8", "bool", "complex64")
SIZES = (1, 2, 3, 4, 6)
#: Operations on one variable, and on two.
UNARY = """
-{0}; abs({0}); {0} * 2; {0} + 1.5; 3 - {0}; {0} / 2; {0} ** 2; {0} > 0; {0} == 1; {0}.T; {0}.sum(); {0}.sum(0)
{0}.mean(axis=-1); {0}.max(); {0}.reshape(-1); {0}.astype(jnp.float32); {0}.astype(jnp.int8); {0}[0]; {0}[-1]
{0}[None]; {0}[..., None]; {0}[:, 0]; {0}[1:]; {0}[::2]; {0}.at[0].set(1); {0}.argmax(); {0}.cumsum(0); {0}.ravel()
jnp.sin({0}); jnp.exp({0}); jnp.sqrt({0}); jnp.sum({0}, axis=0, keepdims=True); jnp.sort({0}); jnp.flip({0})
jnp.expand_dims({0}, 0); jnp.squeeze({0}); jnp.transpose({0}); jnp.stack([{0}, {0}]); jnp.tile({0}, 2)
jnp.concatenate([{0}, {0}], axis=0); jnp.zeros_like({0}); jnp.ones_like({0}, dtype=jnp.bfloat16); jnp.pad({0}, 1)
jnp.repeat({0}, 2, axis=0); jnp.broadcast_to({0}, (2, *{0}.shape)); jnp.where({0} > 0, {0}, 0); jnp.clip({0}, 0, 1)
jnp.real({0}); jnp.isnan({0}); jnp.mean({0}); jnp.var({0}, axis=0); jnp.linalg.norm({0}); jax.nn.relu({0})
jax.nn.softmax({0}); jax.nn.gelu({0}); jax.nn.one_hot({0}, 3); jnp.cumsum({0}); jnp.take({0}, 0, axis=0)
jax.lax.rsqrt({0}); jax.lax.stop_gradient({0}); jnp.atleast_2d({0}); jnp.moveaxis({0}, 0, -1); jnp.split({0}, 2)[0]
jnp.full({0}.shape, 2); jnp.arange({0}.shape[0]); jax.vmap(jnp.sum)({0}); jnp.unique({0}, size=3)
"""
BINARY = """
{0} + {1}; {0} - {1}; {0} * {1}; {0} / {1}; {0} // {1}; {0} % {1}; {0} ** {1}; {0} @ {1}; {0} < {1}; {0} & {1}
jnp.maximum({0}, {1}); jnp.matmul({0}, {1}); jnp.dot({0}, {1}); jnp.where({0} > 0, {1}, 0); jnp.outer({0}, {1})
jnp.concatenate([{0}, {1}]); jnp.stack([{0}, {1}]); jnp.arctan2({0}, {1}); jnp.einsum('ij,jk->ik', {0}, {1})
jnp.tensordot({0}, {1}, axes=1); jnp.append({0}, {1}); jnp.logaddexp({0}, {1}); jnp.hypot({0}, {1}); {0}.at[0].add({1})
"""


HEAD = (
    "from typing import Any, Literal; import jax; import jax.numpy as jnp; "
    "from jaxtyping_core.typing import *; from jaxtyping_core.typing import Array"
)


class Program(NamedTuple):
    """Parameters with their dtypes and shapes, and statements with what JAX computes for each."""

    parameters: dict[str, tuple[str, tuple[int, ...]]]
    statements: list[tuple[str, str, Truth]]


def _operations(text: str) -> list[str]:
    return [one.strip() for line in text.strip().splitlines() for one in line.split(";")]


OPERATIONS = (_operations(UNARY), _operations(BINARY))


def draw(generator: random.Random, steps: int) -> Program:
    """A program whose statements JAX accepts."""
    parameters = {
        name: (
            generator.choice(DTYPES),
            tuple(generator.choice(SIZES) for _ in range(generator.choice((0, 1, 2, 2, 2, 3)))),
        )
        for name in ("a", "b", "c")
    }
    statements: list[tuple[str, str, Truth]] = []

    def run(arrays: dict[str, Any]) -> None:
        known = dict(arrays)
        for number in range(steps):
            operation = generator.choice(OPERATIONS[generator.random() < 0.4])
            expression = operation.format(*(generator.choice(list(known)) for _ in range(2)))
            value = None
            with contextlib.suppress(Exception), warnings.catch_warnings(action="ignore"):
                value = eval(expression, {"jax": jax, "jnp": jnp, **known})
            if isinstance(value, jax.Array) and value.size < 10_000 and value.ndim < 6:
                known[f"v{number}"] = value
                statements.append((f"v{number}", expression, truth.describe(value)))

    jax.eval_shape(run, {name: jax.ShapeDtypeStruct(s, jnp.dtype(d)) for name, (d, s) in parameters.items()})
    return Program(parameters, statements)


def annotation(dtype: str, shape: tuple[int, ...], generator: random.Random | None, bare: bool) -> str:
    """An array's type: whole, or with parts left out at random, or all of it."""
    if bare:
        return "jax.Array"
    name = "bool_" if dtype == "bool" else dtype
    dims = [f"Literal[{size}]" for size in shape]
    if generator:
        dims = [dim if generator.random() < 0.6 else "Any" for dim in dims]
        name = name if generator.random() < 0.7 else "Any"
        if generator.random() < 0.2:
            return f"Array[{name}, Any]"
    return f"Array[{name}, tuple[{', '.join(dims) or '()'}]]"


def write(programs: list[Program], generator: random.Random | None = None, bare: bool = False) -> str:
    """One module of all programs, a statement and what it reveals on a line."""
    lines = [HEAD]
    for number, program in enumerate(programs):
        given = (f"{n}: {annotation(d, s, generator, bare)}" for n, (d, s) in program.parameters.items())
        lines.append(f"def f{number}({', '.join(given)}) -> None:")
        lines += [f"    {name} = {text}; reveal_type({name})" for name, text, _ in program.statements]
        lines.append("    pass")
    return "\n".join(lines) + "\n"


def problems(programs: list[Program], said: Messages, module: str) -> Iterator[str]:
    """What is wrong in what mypy says of a module."""
    line = 2
    for program in programs:
        for _, expression, answer in program.statements:
            line += 1
            for text in said[module][line]:
                if text.startswith("E"):
                    yield f"{module}:{line}: {expression} is {answer}: {text}"
                elif "Revealed" in text:
                    found = verdict.judge(text.split('"')[1], answer)
                    if verdict.WRONG in found:
                        yield f"{module}:{line}: {expression} is {answer}: {text}"
        line += 2


def exactness(programs: list[Program], said: Messages, module: str) -> float:
    """The part of the statements whose dtype and shape are known."""
    line, exact, total = 2, 0, 0
    for program in programs:
        for _, _, answer in program.statements:
            line += 1
            shown = [text.split('"')[1] for text in said[module][line] if "Revealed" in text]
            total += isinstance(answer, ArrayOf)
            exact += bool(shown) and set(verdict.judge(shown[0], answer, sizes=True)) == {verdict.EXACT}
        line += 2
    return exact / max(total, 1)


def check(count: int, seed: int, folder: Path, steps: int = 6) -> tuple[list[str], float]:
    """What is wrong with `count` programs, and how much of them is known exactly."""
    generator = random.Random(seed)
    programs = [draw(generator, steps) for _ in range(count)]
    modules = {
        "whole": write(programs),
        "partly": write(programs, generator),
        "bare": write(programs, bare=True),
    }
    said = run_mypy(modules, folder)
    found = [problem for module in modules for problem in problems(programs, said, module)]
    return found, exactness(programs, said, "whole")


def main() -> int:
    """Check so many programs, in lots; 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + max(arguments.programs // 200, 1)):
            found, exact = check(min(arguments.programs, 200), seed, Path(folder))
            print(f"seed {seed}: {len(found)} problems, {exact:.1%} exact", *found, sep="\n", flush=True)
            wrong += len(found)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
