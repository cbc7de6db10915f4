"""Random programs over arrays: what mypy with the plugin says of each variable against what JAX computes.

    python tests/plugin/fuzz.py --programs 2000 --seed 1

Every program is checked four times: as it is, with some of its annotations less precise, with bare ones, and with
type variables for sizes. No type is ever wrong, nothing that JAX accepts is an error, and an annotation that is made
less precise never adds an error, with one exception: where a loop leaves a variable with a union of exact shapes, a
refusal for one member is no error, but a refusal for the one shape of a less exact type is.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from conformance import verdict
from conformance.truth import ArrayOf, Truth
from harness import Messages, run_mypy
from random_programs import SIZES, Program, Statement, draw_programs

#: How the parameters are annotated.
VARIANTS = ("whole", "less", "bare", "named")
HEAD = f"""\
from typing import Any, Literal, TypeVar
import jax
import jax.numpy as jnp
from jaxtyping_core.typing import *
from jaxtyping_core.typing import Array, ArrayLike
T = TypeVar("T"); B = TypeVar("B"); D = TypeVar("D"); E = TypeVar("E")
{"; ".join(f'D{size} = TypeVar("D{size}")' for size in SIZES)}
class Box:
    def __init__(self, h: Array) -> None:
        self.h = h
    def get(self) -> Array:
        return self.h
def same(x: T) -> T:
    return x
def both(x: jax.Array, y: jax.Array) -> jax.Array:
    return x + y
def turned(x: Array[E, tuple[B, D]]) -> Array[E, tuple[D, B]]:
    return x.T
def any_of(x: ArrayLike) -> jax.Array:
    return jnp.sin(x)
"""


def annotation(program: Program, name: str, variant: str) -> str:
    """A parameter's type: whole, or with parts left out, or all of it, or with names for sizes."""
    dtype, shape = program.parameters[name]
    if variant == "bare":
        return "jax.Array"
    dims = [f"D{size}" if variant == "named" and size > 1 else f"Literal[{size}]" for size in shape]
    class_name = "bool_" if dtype == "bool" else dtype
    if variant == "less":
        says_dtype, says_dims = program.less[name]
        class_name = class_name if says_dtype else "Any"
        if says_dims is None:
            return f"Array[{class_name}, Any]"
        dims = [dim if said else "Any" for dim, said in zip(dims, says_dims, strict=True)]
    return f"Array[{class_name}, tuple[{', '.join(dims) or '()'}]]"


def chosen(program: Program, variant: str) -> list[Statement]:
    """The statements for a variant: where sizes have names, only what is right for other sizes, too."""
    return [s for s in program.statements if s.general or variant != "named"]


def write(programs: list[Program], variant: str) -> str:
    """One module of all programs."""
    lines = [HEAD.rstrip("\n")]
    for number, program in enumerate(programs):
        parameters = ", ".join(f"{name}: {annotation(program, name, variant)}" for name in program.parameters)
        lines.append(f"def f{number}({parameters}, flag: bool) -> None:")
        for statement in chosen(program, variant):
            lines += [f"    {line}" for line in statement.text.split("\n")]
        lines.append("    pass")
    return "\n".join(lines) + "\n"


def places(programs: list[Program], variant: str) -> Iterator[tuple[int, int, Statement]]:
    """Each statement with the number of its program and its first line in the module."""
    line = HEAD.count("\n") + 1
    for number, program in enumerate(programs):
        line += 1
        for statement in chosen(program, variant):
            yield number, line, statement
            line += statement.text.count("\n") + 1
        line += 1


class Report:
    """What is wrong with some programs, and how much of them is known."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.open: list[str] = []
        self.exact = self.arrays = self.reported = self.refused = 0

    def add(self, other: Report) -> None:
        """Add another report's numbers."""
        self.problems += other.problems
        self.open += other.open
        for name in ("exact", "arrays", "reported", "refused"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def __str__(self) -> str:
        shares = (
            f"{self.exact / max(self.arrays, 1):.1%} exact",
            f"{self.reported} of {self.refused} reported",
        )
        return f"{len(self.problems)} problems, {', '.join(shares)}"


def judge(programs: list[Program], said: Messages) -> Report:
    """Compare what mypy says of each variant with the truth, and the variants with each other."""
    report = Report()
    errors: dict[str, set[tuple[int, str]]] = {}
    with_unions: set[int] = set()
    for variant in VARIANTS:
        errors[variant] = set()
        for number, first, statement in places(programs, variant):
            texts = {
                i: said[variant].get(first + i - 1, []) for i in range(1, statement.text.count("\n") + 2)
            }
            wrong = [t for lines in texts.values() for t in lines if t.startswith("E")]
            where = f"{variant}:{first}: {statement.text!r}"
            if wrong:
                errors[variant].add((number, statement.text))
            if wrong and not statement.refused:
                report.problems.append(f"{where} is right: {wrong}")
            if variant == "whole":
                report.refused += statement.refused
                report.reported += statement.refused and bool(wrong)
            for line, truths in statement.truths.items():
                shown = [
                    text.split('"', 1)[1].rpartition('"')[0] for text in texts[line] if "Revealed" in text
                ]
                report.problems += [
                    f"{where}, line {line} is {truth}: {shown}" for truth in truths if _is_wrong(shown, truth)
                ]
                if variant == "whole" and any("] | Array[" in text for text in shown):
                    with_unions.add(number)
                if variant == "whole" and all(isinstance(truth, ArrayOf) for truth in truths):
                    report.arrays += 1
                    known = any(_is_exact(text, truths) for text in shown)
                    report.exact += known
                    report.open += [] if known else [f"{where}, line {line} is {truths}: {shown}"]
    for variant in ("less", "bare"):
        report.problems += [
            f"{variant}: an error that precise annotations do not have: {text!r} in program {number}"
            for number, text in sorted(errors[variant] - errors["whole"])
            if number not in with_unions
        ]
    return report


def _is_wrong(shown: list[str], truth: Truth) -> bool:
    """Whether no type shown allows for a value; mypy shows a line of a loop more than once."""
    return all(verdict.WRONG in verdict.judge(text, truth) for text in shown)


def _is_exact(shown: str, truths: list[Truth]) -> bool:
    return all(set(verdict.judge(shown, truth, sizes=True)) == {verdict.EXACT} for truth in truths)


def check(count: int, seed: int, folder: Path) -> Report:
    """What is wrong with `count` programs, and how much of them is known exactly."""
    drawn = draw_programs(count, seed)
    said = run_mypy({variant: write(drawn, variant) for variant in VARIANTS}, folder)
    return judge(drawn, said)


def main() -> int:
    """Check so many programs, in lots; 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lot", type=int, default=100, help="programs in one run of mypy")
    arguments = parser.parse_args()
    whole = Report()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + -(-arguments.programs // arguments.lot)):
            report = check(arguments.lot, seed, Path(folder))
            print(f"seed {seed}: {report}", *report.problems, sep="\n", flush=True)
            whole.add(report)
    print(f"\nall: {whole}")
    return int(bool(whole.problems))


if __name__ == "__main__":
    sys.exit(main())
