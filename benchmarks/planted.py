"""Wrong annotations, put into annotated programs: of results, in functions that `verify` finds right. Does it find them?

    python benchmarks/annotating.py --checkers --out FOLDER
    python benchmarks/planted.py FOLDER --count 30

Each is put in alone: another dtype, dims in the other order, another last dim, one dim more, in turns. It is found if `verify --from` a run of
the program says so of the function, with the sizes.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxtyping_core import dtypes

#: A dtype's class, and one that it is not.
OTHERS = {row.alias: "Int32" if row.kind in "fc" else "Float32" for row in dtypes.DTYPES.values()}

FACTS = "facts.sqlite3"
IMPORT = "from jaxtyping_core.typing import "


def plant(text: str, right: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The functions named in `right`, in turn with another kind of mistake: its name, the mistake, the whole text with it."""
    for number, name in enumerate(right):
        planted = plant_in(text, name, number)
        if planted is not None:
            yield name, *planted


def plant_in(text: str, name: str, number: int) -> tuple[str, str] | None:
    """A mistake in the result of a function, and the text with it: the kind of this number, or the next one that there is."""
    kinds = [another_dtype, dims_swapped, another_dim, one_dim_more]
    function = _function(ast.parse(text), name)
    if function is None or function.returns is None:
        return None
    node = function.returns
    old = ast.get_source_segment(text, node) or ""
    for kind in (*kinds[number % 4 :], *kinds[: number % 4]):
        new = kind(node)
        if new is not None and new != ast.unparse(node):
            lines = text.splitlines(keepends=True)
            start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
            changed = text[:start] + new + text[start + len(old) :]
            return f"{old} -> {new}", changed.replace(IMPORT, f"{IMPORT}Int32, Float32, ", 1)
    return None


def _function(tree: ast.Module, name: str) -> ast.FunctionDef | None:
    body: Sequence[ast.stmt] = tree.body
    *owners, last = name.split(".")
    for owner in owners:
        classes = [node for node in body if isinstance(node, ast.ClassDef) and node.name == owner]
        body = classes[-1].body if classes else []
    functions = [node for node in body if isinstance(node, ast.FunctionDef) and node.name == last]
    return functions[-1] if functions else None


def _changed(node: ast.expr, change: Callable[[str, list[str]], tuple[str, list[str]] | None]) -> str | None:
    """An annotation whose first array that can be changed is; None if there is none."""
    for part in ast.walk(node):
        match part:
            case ast.Subscript(ast.Name(dtype), inner) if dtype in OTHERS:
                dims = [
                    ast.unparse(each) for each in (inner.elts if isinstance(inner, ast.Tuple) else [inner])
                ]
            case ast.Name(dtype) if dtype in OTHERS:
                dims = []
            case _:
                continue
        changed = change(dtype, dims)
        if changed is not None:
            old, (name, new) = ast.unparse(part), changed
            return ast.unparse(node).replace(old, f"{name}[{', '.join(new)}]" if new else name, 1)
    return None


def another_dtype(node: ast.expr) -> str | None:
    return _changed(node, lambda dtype, dims: (OTHERS[dtype], dims))


def dims_swapped(node: ast.expr) -> str | None:
    def swapped(dtype: str, dims: list[str]) -> tuple[str, list[str]] | None:
        names = set(dims) - {"Any", "()"}
        return (dtype, dims[::-1]) if len(names) > 1 and dims != dims[::-1] else None

    return _changed(node, swapped)


def another_dim(node: ast.expr) -> str | None:
    def other(dtype: str, dims: list[str]) -> tuple[str, list[str]] | None:
        names = [dim for dim in dims if dim not in ("Any", "()")]
        return (dtype, [*dims[:-1], names[0]]) if names and dims[-1] not in (names[0], "Any") else None

    return _changed(node, other)


def one_dim_more(node: ast.expr) -> str | None:
    def more(dtype: str, dims: list[str]) -> tuple[str, list[str]] | None:
        names = [dim for dim in dims if dim not in ("Any", "()")]
        return (dtype, [*dims, names[-1]]) if names else None

    return _changed(node, more)


VERDICTS = ("proven", "tested", "not checked", "contradicted")


def verified(folder: Path, name: str, *options: str) -> list[dict[str, Any]]:
    """What `verify` says of each function of a program."""
    command = [sys.executable, "-m", "jaxtyping_core", "verify", "--all", "--output-format", "json", *options]
    done = subprocess.run([*command, f"{name}.py"], cwd=folder, capture_output=True, text=True, check=False)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def verdict_of(said: Mapping[str, Any]) -> str:
    """Of a message of `verify`, one of `VERDICTS`."""
    if said["severity"] == "error":
        return "contradicted"
    about = said["message"].partition('" is ')[2]
    return next(word for word in VERDICTS if about.startswith(word))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="annotated programs")
    parser.add_argument("--count", type=int, default=30)
    options = parser.parse_args()
    files = sorted(options.folder.glob("*.py"))
    room = -(-options.count // len(files))
    caught = tried = 0
    for file in files:
        text = file.read_text()
        recording = [
            sys.executable,
            "-m",
            "jaxtyping_core",
            "record",
            "--quiet",
            "--output",
            FACTS,
            file.name,
        ]
        subprocess.run(recording, cwd=options.folder, capture_output=True, check=False)
        said = verified(options.folder, file.stem, "--from", FACTS)
        right = [each["message"].split('"')[1] for each in said if verdict_of(each) in ("proven", "tested")]
        for function, mistake, changed in list(plant(text, right))[: min(room, options.count - tried)]:
            file.write_text(changed)
            command = [sys.executable, "-m", "jaxtyping_core", "verify", "--from", FACTS]
            command += [f"{file.name}:{function}"]
            done = subprocess.run(command, cwd=options.folder, capture_output=True, text=True, check=False)
            file.write_text(text)
            line = next((line for line in done.stdout.splitlines() if ": error: " in line), "not found")
            tried += 1
            caught += done.returncode == 1 and " for " in line
            print(f"{file.stem}.{function}: {mistake}\n    {line}", flush=True)
    print(f"{caught} of {tried} found, with sizes")


if __name__ == "__main__":
    main()
