"""Random programs without annotations: what the evaluation says of each place against what it held when they ran.

    PYTHONPATH=tests:tests/programs:tests/plugin python tests/programs/scrambled.py --programs 2000

The statements are those of the plugin's random programs; here they are put into functions, methods, closures, modules
of their own and transformed functions, none of which says anything of its parameters. The second time one argument of
each program is unknown: no place may then be something else, only less of it may be known.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent

from truth.claims import Claim
from truth.programs import Key, Program, facts
from truth.verdicts import Answer, judged

import shared
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import ask
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings
from random_programs import LIBRARY, draw_programs
from random_programs import Program as Drawn

#: Programs in one file.
LOT = 50
#: Seconds for one run of a file.
SECONDS = 300.0
HEAD = f"import functools\nfrom typing import NamedTuple\nimport jax\nimport jax.numpy as jnp\n{LIBRARY}\ndef reveal_type(x): return x\n"
#: How a program's statements, with their parameters, are put together and called.
FORMS = {
    "function": "def f{i}({names}, flag):\n{body}\n    return {result}\nr{i} = f{i}({values}, {flag})\n",
    "jit": "def f{i}({names}, flag):\n{body}\n    return {result}\n"
    "r{i} = jax.jit(f{i}, static_argnames='flag')({values}, flag={flag})\n",
    "vmap": "def f{i}({names}, flag=True):\n{body}\n    return {result}\n"
    "r{i} = jax.vmap(f{i}, in_axes={axes})({stacked})\n",
    "closure": "def g{i}({names}):\n    def f{i}(flag):\n{deeper}\n        return {result}\n    return f{i}\n"
    "r{i} = g{i}({values})({flag})\n",
    "method": "class C{i}:\n    def __init__(self, {names}):\n{kept}\n    def f(self, flag):\n{taken}\n{deeper}\n"
    "        return {result}\nc{i} = C{i}({values})\nr{i} = c{i}.f({flag})\n",
    "scan": "def f{i}({names}, flag):\n{body}\n    return {result}\n"
    "r{i} = jax.lax.scan(lambda c, _: (c, f{i}({values}, {flag})), 0, None, length=3)\n",
    "carry": "def f{i}({names}, flag):\n{body}\n    return {result}\n"
    "_, r{i} = jax.lax.scan(lambda c, _: (c, f{i}(*c, {flag})), ({values},), None, length=3)\n",
    "rows": "def f{i}({names}, flag=True):\n{body}\n    return {result}\n"
    "_, r{i} = jax.lax.scan(lambda c, rows: (c + 1, f{i}(*rows)), 0, ({stacked},))\n",
    "cond": "def f{i}({names}, flag):\n{body}\n    return {result}\n"
    "r{i} = jax.lax.cond(True, lambda *a: f{i}(*a, {flag}), lambda *a: f{i}(*a, {flag}), {values})\n",
    "fori": "def f{i}({names}, flag):\n{body}\n    return {result}\n"
    "r{i} = jax.lax.fori_loop(0, 3, lambda _, c: (c, f{i}(*c, {flag}))[0], ({values},))\n",
    "while": "def f{i}({names}, flag):\n{body}\n    return {result}\n"
    "r{i} = jax.lax.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, c[1], (c[1], f{i}(*c[1], {flag}))[0]), "
    "(0, ({values},), ({values},)))\n",
    "map": "def f{i}({names}, flag=True):\n{body}\n    return {result}\n"
    "r{i} = jax.lax.map(lambda rows: f{i}(*rows), ({stacked},))\n",
    "switch": "def f{i}({names}, flag):\n{body}\n    return {result}\n"
    "r{i} = jax.lax.switch(1, [lambda *a: f{i}(*a, {flag})] * 3, {values})\n",
    "checkpoint": "def f{i}({names}, flag):\n{body}\n    return {result}\n"
    "r{i} = jax.checkpoint(lambda *a: f{i}(*a, flag={flag}))({values})\n",
    "record": "class R{i}(NamedTuple):\n{fields}\n@jax.jit\ndef f{i}(r, flag={flag}):\n    {names}, = r\n{body}\n"
    "    return {result}\nr{i} = f{i}(R{i}({values}))\n",
    "keywords": "def f{i}(*, flag, {names}):\n{body}\n    return {result}\n"
    "k{i} = dict({keywords})\nr{i} = functools.partial(f{i}, flag={flag})(**k{i})\n",
    "recursive": "def f{i}({names}, flag, n=2):\n    if n:\n        return f{i}({names}, flag, n - 1)\n{body}\n"
    "    return {result}\nr{i} = f{i}({values}, {flag})\n",
    "generator": "def f{i}({names}, flag):\n{body}\n    yield {result}\n"
    "for r{i} in f{i}({values}, {flag}):\n    s{i} = r{i}\n",
    "twice": "def f{i}({names}, flag):\n{body}\n    return {result}\n"
    "r{i} = f{i}({values}, True)\ns{i} = f{i}({values}, False)\n",
}


@dataclass
class Findings:
    """What was found of some programs."""

    problems: list[str] = field(default_factory=list)
    places: int = 0
    exact: int = 0


def written(drawn: Drawn, number: int, unknown: bool) -> str | None:
    """A program as a part of a file; None if nothing of it is accepted."""
    statements = [s for s in drawn.statements if not s.refused]
    if not statements:
        return None
    choice = random.Random(number)
    form = choice.choice(sorted(FORMS))
    body = "\n".join(statement.text for statement in statements)
    values = {name: f"jnp.zeros({shape}, '{dtype}')" for name, (dtype, shape) in drawn.parameters.items()}
    replaced = choice.choice(sorted(values))
    if unknown:
        values[replaced] = "__import__('somewhere_else').value()"
    names = list(values)
    return FORMS[form].format(
        i=number,
        names=", ".join(names),
        values=", ".join(values.values()),
        stacked=", ".join(f"jnp.stack([{value}, {value}])" for value in values.values()),
        axes=0,
        keywords=", ".join(f"{name}={value}" for name, value in values.items()),
        fields=indent("\n".join(f"{name}: jax.Array" for name in names), " " * 4),
        flag=choice.choice((True, False)),
        result=choice.choice(names),
        body=indent(body, " " * 4),
        deeper=indent(body, " " * 8),
        kept=indent("\n".join(f"self.{name} = {name}" for name in names), " " * 8),
        taken=indent("\n".join(f"{name} = self.{name}" for name in names), " " * 8),
    )


def check(count: int, number: int, folder: Path, child: Evaluator) -> Findings:
    """Write, evaluate and run `count` programs, the same ones for the same `number`."""
    findings = Findings()
    drawn: list[Drawn] = []
    for each in draw_programs(count, number):
        if runs(each, len(drawn)):
            drawn.append(each)
    main = write(drawn, folder / "known", False)
    claims = claims_of(_evaluated(child, main, findings))
    truth = facts(Program("scrambled", main, main.parent), sys.executable, SECONDS)
    if truth.failure:
        findings.problems.append(f"{main}: it does not run: {truth.failure}")
    for verdict in judged(truth, claims).verdicts:
        findings.places += 1
        findings.exact += verdict.shape is Answer.KNOWN
        findings.problems += [f"{main}: {verdict}"] if verdict.mistakes else []
    vague = claims_of(_evaluated(child, write(drawn, folder / "unknown", True), findings))
    findings.problems += contradictions(folder, claims, vague)
    return findings


def runs(drawn: Drawn, number: int) -> bool:
    """Whether a program of this number runs: some of what JAX traces it does not compile, such as ``argmax`` of complex numbers."""
    part = written(drawn, number, False)
    try:
        exec(f"{HEAD}\n{part}", {})  # noqa: S102  # our own text
    except Exception:  # JAX may raise any exception, also those of the libraries below it
        return False
    return part is not None


def write(drawn: list[Drawn], folder: Path, unknown: bool) -> Path:
    """The main file of some programs, half of which are in another module."""
    parts = [part for i, each in enumerate(drawn) if (part := written(each, i, unknown)) is not None]
    half = len(parts) // 2
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "helpers.py").write_text("\n".join([HEAD, *parts[:half]]))
    main = folder / "main.py"
    main.write_text("\n".join([HEAD, "from helpers import *", *parts[half:]]))
    return main


def contradictions(folder: Path, known: Mapping[Key, Claim], vague: Mapping[Key, Claim]) -> Iterator[str]:
    """Where less is known of the arguments, and something else is said."""
    for key, claim in vague.items():
        same = key._replace(file=(folder / "known" / key.file.name).resolve())
        other = known.get(same)
        if other is None:  # only an unknown value leads there
            continue
        dims = list(zip(claim.shape or (), other.shape or (), strict=False))
        if (
            (claim.dtype is not None and claim.dtype != other.dtype)
            or (claim.shape is not None and other.shape is not None and len(claim.shape) != len(other.shape))
            or any(type(a) is int and type(b) is int and a != b for a, b in dims)
        ):
            yield f"{key}: {other} with all arguments known, {claim} with one unknown"


def claims_of(report: Report) -> dict[Key, Claim]:
    """What a report says, by place."""
    return {
        Key(Path(place.file).resolve(), place.line, place.column, place.name): Claim(
            place.dtype, place.weak, place.shape
        )
        for place in report.places
    }


def _evaluated(child: Evaluator, main: Path, findings: Findings) -> Report:
    (collected,) = collect([main])
    report = ask(child, collected, Settings(), SECONDS)
    incomplete = [note for note in report.notes if any(words in note for words in shared.NOT_EVALUATED)]
    findings.problems += [f"{main}: {note}" for note in incomplete]
    findings.problems += [f"{main}:{refusal.line}: {refusal.message}" for refusal in report.refusals]
    return report


def main() -> int:
    """Check as many programs as the command line says; 1 where something is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    whole, child = Findings(), Evaluator(sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        for lot in range(-(-arguments.programs // LOT)):
            result = check(LOT, arguments.seed * 1000 + lot, Path(folder) / str(lot), child)
            print(*result.problems, sep="\n", end="\n" * bool(result.problems), flush=True)
            whole.problems += result.problems
            whole.places, whole.exact = whole.places + result.places, whole.exact + result.exact
            print(
                f"{lot + 1} lots: {whole.places} places, {whole.exact} exact, {len(whole.problems)} problems"
            )
            child.close()
    return int(bool(whole.problems))


if __name__ == "__main__":
    sys.exit(main())
