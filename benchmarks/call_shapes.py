"""Counts how packages call JAX's functions and arrays' methods: how often, and with what kinds of arguments.

    python benchmarks/call_shapes.py flax optax equinox --json shapes.json

The packages come from the registry, without what they depend on, into a folder that is removed at the end. Calls are
found by syntax: a method is any that has the name of an array's, whatever it is called on.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import itertools
import json
import subprocess
import sys
import tempfile
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jax
from jax_calls import FUNCTION, METHOD, UPDATE, Call, calls, distribution, kind_of

#: Packages that are written with much of `jax.numpy`.
PACKAGES = (
    "flax",
    "optax",
    "equinox",
    "numpyro",
    "chex",
    "distrax",
    "dm-haiku",
    "jaxopt",
    "blackjax",
    "diffrax",
)
#: Rows of the summary: by which names a parameter goes.
PARAMETERS = {
    "axis": ("axis", "axes", "dimension"),
    "dtype": ("dtype", "new_dtype", "preferred_element_type"),
    "shape": ("shape", "newshape", "new_shape"),
}
TWO_OPERANDS = (
    "where", "maximum", "minimum", "clip", "power", "add", "subtract", "multiply", "divide", "logaddexp", "matmul", "dot",
    "equal", "greater", "less", "logical_and", "logical_or", "arctan2", "mod",
)  # fmt: skip
NO_OPERANDS = {"condition", "size", "fill_value", "out", "precision", "preferred_element_type", "*", "**"}


@cache
def parameters(kind: str, name: str) -> tuple[str, ...] | None:
    """The names of the positional parameters of a function or method; None where it has no fixed ones."""
    if kind == UPDATE:
        return None
    try:
        owner: Any = jax.Array if kind == METHOD else _module(name.rpartition(".")[0])
        signature = inspect.signature(getattr(owner, name.rpartition(".")[2]))
    except (AttributeError, ImportError, TypeError, ValueError):
        return None
    names = [
        parameter.name
        for parameter in signature.parameters.values()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    starred = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in signature.parameters.values())
    return None if starred else tuple(names[kind == METHOD :])


def _module(path: str) -> Any:
    try:
        return importlib.import_module(path)
    except ImportError:  # a class, or another object in a module
        module, _, name = path.rpartition(".")
        return getattr(importlib.import_module(module), name)


def arguments(call: Call) -> Iterator[tuple[int | None, str, str]]:
    """Of each argument: its position, the name of its parameter (the position, where that is not known), its kind."""
    names = parameters(call.kind, call.name)
    positions = itertools.takewhile(lambda at: not isinstance(at[1], ast.Starred), enumerate(call.node.args))
    for position, node in positions:
        parameter = names[position] if names is not None and position < len(names) else str(position)
        yield position, parameter, kind_of(node, call.names)
    for node in call.node.args:
        if isinstance(node, ast.Starred):
            yield None, "*", "*"
    for keyword in call.node.keywords:
        yield None, keyword.arg or "**", kind_of(keyword.value, call.names) if keyword.arg else "**"


@dataclass
class Use:
    """How something is called: by how many arguments, by which keywords, by what kinds of arguments."""

    calls: int = 0
    packages: Counter[str] = field(default_factory=Counter)
    positional: Counter[int] = field(default_factory=Counter)
    keywords: Counter[str] = field(default_factory=Counter)
    arguments: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    shapes: Counter[str] = field(default_factory=Counter)

    def add(self, call: Call, package: str) -> None:
        passed = list(arguments(call))
        self.calls += 1
        self.packages[package] += 1
        self.positional[sum(position is not None for position, _, _ in passed)] += 1
        for position, parameter, kind in passed:
            self.arguments[parameter][kind] += 1
            if position is None:
                self.keywords[parameter] += 1
        # Which dtype or function it is would make each call a shape of its own.
        written = [
            plain if position is not None or parameter in ("*", "**") else f"{parameter}={plain}"
            for position, parameter, kind in passed
            if (plain := kind.partition(":")[0])
        ]
        self.shapes[", ".join(written)] += 1

    def as_json(self) -> dict[str, Any]:
        counts = {
            name: _falling(getattr(self, name)) for name in ("packages", "positional", "keywords", "shapes")
        }
        kinds = {parameter: _falling(kinds) for parameter, kinds in self.arguments.items()}
        return {"calls": self.calls, **counts, "arguments": kinds}


def _falling(counts: Counter[Any]) -> dict[Any, int]:
    return dict(counts.most_common())


class Count:
    """All uses in some packages."""

    def __init__(self) -> None:
        self.uses: dict[str, dict[str, Use]] = {kind: defaultdict(Use) for kind in (FUNCTION, METHOD, UPDATE)}
        self.packages: dict[str, dict[str, Any]] = {}

    def add(self, package: str, version: str, sources: Mapping[str, Path]) -> None:
        texts = [path.read_text(encoding="utf-8") for path in sources.values()]
        seen = [call for text in texts for call in calls(ast.parse(text))]
        for call in seen:
            self.uses[call.kind][call.name].add(call, package)
        kinds = Counter(call.kind for call in seen)
        lines = sum(text.count("\n") for text in texts)
        self.packages[package] = {"version": version, "files": len(texts), "lines": lines, **kinds}

    def as_json(self) -> dict[str, Any]:
        ordered = {
            kind: {name: use.as_json() for name, use in sorted(uses.items(), key=lambda item: -item[1].calls)}
            for kind, uses in self.uses.items()
        }
        return {"packages": self.packages, **ordered}


def install(packages: Sequence[str], target: Path) -> None:
    """Only the packages themselves: their source is read, not run."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target)]
    subprocess.run([*command, *packages], check=True)


def plain_kinds(kinds: Counter[str]) -> Counter[str]:
    """The kinds without which dtype, constant or function it is."""
    plain: Counter[str] = Counter()
    for kind, times in kinds.items():
        plain[kind.partition(":")[0]] += times
    return plain


def listed(counts: Counter[Any], most: int = 12) -> str:
    """Counts in words, the highest first; what is left is added up."""
    rows = counts.most_common(most)
    rest = counts.total() - sum(times for _, times in rows)
    words = [f"{'none' if name == '' else name} {times:,}" for name, times in rows]
    return ", ".join([*words, f"others {rest:,}"] if rest else words)


def summary(count: Count, most: int) -> Iterator[str]:
    """The tables, line by line."""
    yield "| package | files | lines | functions | methods | `.at` |\n|---|--:|--:|--:|--:|--:|"
    for name, row in count.packages.items():
        cells = [row["files"], row["lines"], *(row.get(kind, 0) for kind in (FUNCTION, METHOD, UPDATE))]
        yield f"| {name} {row['version']} | {' | '.join(f'{cell:,}' for cell in cells)} |"
    for kind, uses in count.uses.items():
        total = sum(use.calls for use in uses.values())
        yield f"\n{kind}: {total:,} calls of {len(uses):,}\n\n| {kind} | calls | packages | most frequent shapes |"
        yield "|---|--:|--:|---|"
        for name, use in sorted(uses.items(), key=lambda item: -item[1].calls)[:most]:
            yield f"| `{name}` | {use.calls:,} | {len(use.packages)} | {listed(use.shapes, 6)} |"
    yield "\n| argument | given | kinds |\n|---|--:|---|"
    for title, kinds in argument_rows(count):
        yield f"| {title} | {kinds.total():,} | {listed(kinds, 16)} |"


def argument_rows(count: Count) -> Iterator[tuple[str, Counter[str]]]:
    """The kinds of arguments that matter most: axes, dtypes, shapes, and operands."""
    every = [use for kind in (FUNCTION, METHOD) for use in count.uses[kind].values()]
    for title, names in PARAMETERS.items():
        kinds = sum(
            (use.arguments[name] for use in every for name in names if name in use.arguments), Counter[str]()
        )
        yield f"`{title}`", plain_kinds(kinds)
        if title == "dtype":
            yield "which dtype", Counter({kind: times for kind, times in kinds.items() if ":" in kind})
    for name in TWO_OPERANDS:
        if use := count.uses[FUNCTION].get(f"jax.numpy.{name}"):
            operands = [kinds for parameter, kinds in use.arguments.items() if parameter not in NO_OPERANDS]
            yield f"operands of `{name}`", plain_kinds(sum(operands, Counter[str]()))


#: The modules whose functions have overloads in the stubs.
OF_ARRAYS = tuple(f"jax.{name}." for name in ("numpy", "lax", "nn", "random", "scipy", "image", "ops"))


def for_stubs(count: Count) -> dict[str, dict[str, Counter[str]]]:
    """By function, methods included: the number of calls, and the kinds of arguments of each parameter."""
    by_function: dict[str, dict[str, Counter[str]]] = {}
    of_methods = {f"jax.numpy.{name}": use for name, use in count.uses[METHOD].items()}
    for path, use in [*count.uses[FUNCTION].items(), *of_methods.items()]:
        if path.startswith(OF_ARRAYS):
            counts = by_function.setdefault(path, defaultdict(Counter))
            counts[""]["calls"] += use.calls
            for parameter, kinds in sorted(use.arguments.items()):
                counts[parameter] += kinds
    return by_function


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", nargs="*", default=list(PACKAGES), help="as the registry knows them")
    parser.add_argument("--json", type=Path, help="where to write all counts")
    parser.add_argument("--use", type=Path, help="where to write what the stub generator reads")
    parser.add_argument("--most", type=int, default=40, help="how many functions to show")
    parser.add_argument("--target", type=Path, help="a folder that has the packages already")
    options = parser.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)  # of the functions that are looked up, not called
    count = Count()
    with tempfile.TemporaryDirectory(prefix="call-shapes-") as folder:
        if not options.target:
            install(options.packages, Path(folder))
        for package in options.packages:
            count.add(package.partition("==")[0], *distribution(package, options.target or Path(folder)))
    print("\n".join(summary(count, options.most)))
    if options.json:
        options.json.write_text(json.dumps(count.as_json(), indent=1))
    if options.use:
        lines = (
            f"{json.dumps(path)}: {json.dumps(counts)}" for path, counts in sorted(for_stubs(count).items())
        )
        options.use.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
