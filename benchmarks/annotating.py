"""What `jaxtyping-core annotate` makes of programs without annotations, and whether that is true.

Each program is recorded in one run and annotated. Then it must still run, no checker may report an error that it did not
have, and another run, with other sizes, must agree with every annotation. Before and after, the places are counted whose dtype
mypy with the plugin and pyright know: calls of JAX's functions, methods of arrays and operators that gave arrays in a run, random
keys aside. What a checker says of a single array there must be its dtype.

    python benchmarks/annotating.py
    python benchmarks/annotating.py --style jaxtyping mlp_dict kalman_scan
    python benchmarks/annotating.py --checkers --out annotated   # without counting; leaves the annotated programs there
"""

from __future__ import annotations

import argparse
import importlib
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from known_types import answer, said
from revealing import revealing
from third_party import ROOT

from jaxtyping_core import dtypes
from jaxtyping_core.recording.store import load

holding: Any = importlib.import_module("annotating.holding")

HERE = ROOT / "tests" / "annotating"
OTHER_SIZES: Mapping[str, list[int]] = tomllib.loads((HERE / "other_sizes.toml").read_text())
KNOWN = ("dtype", "both")
#: The class of each dtype, and what weak ones are by default.
CLASSES = {name: row.class_name for name, row in dtypes.DTYPES.items()}
CANONICAL: Mapping[str | None, str] = {
    "weak_int": "int32",
    "weak_float": "float32",
    "weak_complex": "complex64",
}
PYRIGHT = "pyright"
MYPY = "mypy with the plugin"
CONFIG = "[mypy]\nplugins = jaxtyping_core.mypy\ncheck_untyped_defs = True\nignore_missing_imports = True\n"


@dataclass
class Counted:
    """What a checker says of a folder of programs: of each the errors, and what it knows at its sites."""

    errors: dict[str, int] = field(default_factory=Counter)
    answers: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: Counter[str] = field(default_factory=Counter)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def record(folder: Path, names: list[str], facts: str, sizes: Mapping[str, list[int]]) -> dict[str, str]:
    """Record a run of each program; what went wrong, by program."""
    failed = {}
    for name in names:
        arguments = [f"{name}.py", *map(str, sizes.get(name, []))]
        command = [sys.executable, "-m", "jaxtyping_core", "record", "--quiet", "--out", facts, *arguments]
        done = run(command, folder)
        if done.returncode:
            failed[name] = (done.stderr.strip().splitlines() or ["?"])[-1]
    return failed


def mypy_says(folder: Path, files: list[str]) -> Iterator[tuple[str, int, int, str, str]]:
    (folder / "mypy.ini").write_text(CONFIG)
    command = [sys.executable, "-P", "-m", "mypy", "--output=json", *files]
    for line in run(command, folder).stdout.splitlines():
        if line.startswith("{"):
            record = json.loads(line)
            yield (
                record["file"],
                record["line"] - 1,
                record["column"],
                record["severity"],
                record["message"],
            )


def pyright_says(folder: Path, files: list[str]) -> Iterator[tuple[str, int, int, str, str]]:
    settings = {"extraPaths": [str(ROOT / "stubs"), str(ROOT)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    done = run(
        [shutil.which(PYRIGHT) or PYRIGHT, "--outputjson", "--pythonpath", sys.executable, *files], folder
    )
    for record in json.loads(done.stdout)["generalDiagnostics"]:
        start = record["range"]["start"]
        name = Path(record["file"]).name
        yield name, start["line"], start["character"], record["severity"], record["message"]


CHECKERS = {MYPY: mypy_says, PYRIGHT: pyright_says}


def count(folder: Path, names: list[str], checker: str) -> Counted:
    """What a checker says of the programs as they are, and of the types in them."""
    counted = Counted(Counter(dict.fromkeys(names, 0)), {name: Counter() for name in names})
    for file, _, _, severity, message in CHECKERS[checker](folder, [f"{name}.py" for name in names]):
        if severity == "error":
            print(f"    {checker}: {file}: {message[:150]}", file=sys.stderr)
            counted.errors[file.removesuffix(".py")] += 1
    asked = folder / "asked"
    shutil.rmtree(asked, ignore_errors=True)
    shutil.copytree(folder, asked, ignore=shutil.ignore_patterns("asked", ".*", "*.sqlite3*"))
    sites = {}
    for name in names:
        (asked / f"{name}.py").write_text(revealing((folder / f"{name}.py").read_text()).text)
        sites[name] = arrays_of(asked, name)
    for file, line, column, _, message in CHECKERS[checker](asked, [f"{name}.py" for name in names]):
        name = file.removesuffix(".py")
        dtypes = sites.get(name, {}).pop((line, column), None)
        if dtypes is not None and ("Revealed type is" in message or "Type of" in message):
            text = message.partition(" is ")[2].strip().strip('"')
            counted.answers[name][answer(text)] += 1
            if contradicts(text, dtypes):
                print(f"    {checker}: {file}:{line + 1}: {text}, but was {dtypes}", file=sys.stderr)
                counted.wrong[name] += 1
    return counted


def arrays_of(folder: Path, name: str) -> dict[tuple[int, int], list[list[str]]]:
    """The places of a program that hold arrays, with the dtypes of those of each call; random keys aside."""
    out = folder / f"{name}.jsonl"
    run([sys.executable, str(Path(__file__).with_name("site_truth.py")), out.name, f"{name}.py"], folder)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    return {(line, column): seen for line, column, seen in rows if all(set(each) - {"key"} for each in seen)}


def contradicts(text: str, seen: list[list[str]]) -> bool:
    """Whether a type says of a single array a dtype that it did not have."""
    claimed = said(text) if answer(text) in KNOWN else []
    if len(claimed) != 1 or any(len(each) != 1 for each in seen):
        return False
    return any(CANONICAL.get(claimed[0].dtype, claimed[0].dtype) != CLASSES[each[0]] for each in seen)


def share(answers: Counter[str]) -> str:
    return f"{100 * sum(answers[word] for word in KNOWN) / (answers.total() or 1):.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="programs; all if none is named")
    parser.add_argument("--style", default="native")
    parser.add_argument("--checkers", nargs="*", default=list(CHECKERS))
    parser.add_argument("--out", type=Path, help="where to leave the annotated programs")
    options = parser.parse_args()
    names = options.names or sorted(OTHER_SIZES)
    with tempfile.TemporaryDirectory(prefix="annotating-") as temporary:
        before, after = Path(temporary, "before"), Path(temporary, "after")
        for folder in (before, after):
            folder.mkdir()
            for name in names:
                shutil.copy(HERE / "programs" / f"{name}.py", folder)
        failed = record(after, names, "facts.sqlite3", {})
        command = [
            sys.executable,
            "-m",
            "jaxtyping_core",
            "annotate",
            ".",
            "--refine",
            "--from",
            "facts.sqlite3",
        ]
        done = run([*command, "--style", options.style, "--write"], after)
        print(done.stderr, file=sys.stderr)
        if options.out:
            shutil.copytree(after, options.out, dirs_exist_ok=True)
        failed |= record(after, names, "other.sqlite3", OTHER_SIZES)
        seen = load(after / "other.sqlite3").files
        wrong = {}
        for name in names:
            file = (after / f"{name}.py").resolve()
            found = (
                list(holding.contradictions(file.read_text(), seen[file].calls))
                if file in seen
                else ["no run"]
            )
            wrong[name] = len(found)
            for each in found:
                print(f"    wrong: {name}: {each[:300]}", file=sys.stderr)
        sides = {(c, f.name): count(f, names, c) for c in options.checkers for f in (before, after)}
    head = "".join(f" {c}, known before | after | new errors |" for c in options.checkers)
    print(f"| program | runs | wrong |{head}")
    print("|---|---|--:|" + "--:|--:|--:|" * len(options.checkers))
    totals: dict[tuple[str, str], Counter[str]] = {key: Counter() for key in sides}
    for name in names:
        cells = ""
        for checker in options.checkers:
            old, new = sides[checker, "before"], sides[checker, "after"]
            for side in ("before", "after"):
                totals[checker, side] += sides[checker, side].answers[name]
            more = max(0, new.errors[name] - old.errors[name])
            cells += f" {share(old.answers[name])} % | {share(new.answers[name])} % | {more} |"
        print(f"| {name} | {failed.get(name, 'yes')} | {wrong[name]} |{cells}")
    shares = "".join(
        f" {share(totals[c, 'before'])} % | {share(totals[c, 'after'])} % | |" for c in options.checkers
    )
    print(f"| all | | {sum(wrong.values())} |{shares}")


if __name__ == "__main__":
    main()
