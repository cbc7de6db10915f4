"""What `jaxtyping-core annotate` makes of programs without annotations, and whether that is true.

Each program is recorded in one run and annotated. Then it must still run, no checker may report an error that it did not
have, and another run, with other sizes, must agree with every annotation; `verify` says of how many. Before and after, the places
are counted whose dtype mypy with the plugin and pyright know: calls of JAX's functions, methods of arrays and operators that gave
arrays in the run with other sizes, random keys aside. What a checker says of a single array there must be its dtype.

    python benchmarks/annotating.py
    python benchmarks/annotating.py --style jaxtyping mlp_dict kalman_scan
    python benchmarks/annotating.py --checkers --out annotated   # without counting; leaves the annotated programs there
    python benchmarks/annotating.py --places                     # with annotations of variables
    python benchmarks/annotating.py --public CHECKOUTS           # the programs of public_programs.toml
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from known_types import CANONICAL, answer, said
from planted import VERDICTS, verdict_of, verified
from public_programs import Program, public
from revealing import revealing
from third_party import ROOT

from jaxtyping_core import dtypes
from jaxtyping_core.recording.store import load

holding: Any = importlib.import_module("annotating.holding")

HERE = ROOT / "tests" / "annotating"
OTHER_SIZES: Mapping[str, list[int]] = tomllib.loads((HERE / "other_sizes.toml").read_text())
KNOWN = ("dtype", "both")
#: The class of each dtype.
CLASSES = {name: row.class_name for name, row in dtypes.DTYPES.items()}
PYRIGHT = "pyright"
MYPY = "mypy with the plugin"
PYRIGHT_CONFIG = {"extraPaths": [str(ROOT / "stubs"), str(ROOT)]}
CONFIG = (
    "[mypy]\nplugins = jaxtyping_core.mypy\ncheck_untyped_defs = True\n"
    "ignore_missing_imports = True\n[mypy-optax.*]\nfollow_untyped_imports = True\n"
)


RECORDING = ("--quiet", "--places")

#: By the number of a place, which it has in any text of a program, the dtypes of the arrays of each call.
Truth = dict[int, list[list[str]]]


class Said(NamedTuple):
    """What a checker says of a program: of a site, by its number, or an error."""

    name: str
    site: int | None
    text: str


@dataclass
class Counted:
    """What a checker says of a folder of programs: of each the errors, and what it knows at its sites."""

    errors: dict[str, int] = field(default_factory=Counter)
    answers: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: Counter[str] = field(default_factory=Counter)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def own() -> Iterator[tuple[str, Program]]:
    for name, sizes in sorted(OTHER_SIZES.items()):
        yield name, Program((HERE / "programs" / f"{name}.py").read_text(), [str(size) for size in sizes], [])


def record(folder: Path, programs: Mapping[str, Program], facts: str, is_other: bool) -> dict[str, str]:
    """Record a run of each program with its variables, with other sizes if asked; what went wrong, by program."""
    failed = {}
    for name, program in programs.items():
        file = folder / f"{name}.py"
        if is_other:
            file.write_text(program.otherwise(file.read_text()))
        arguments = [file.name, *(program.arguments if is_other else [])]
        command = [
            sys.executable,
            "-m",
            "jaxtyping_core",
            "record",
            *RECORDING,
            "--output",
            facts,
            *arguments,
        ]
        done = run(command, folder)
        if done.returncode:
            failed[name] = (done.stderr.strip().splitlines() or ["?"])[-1]
    return failed


def mypy_says(folder: Path, names: Iterable[str]) -> Iterator[Said]:
    (folder / "mypy.ini").write_text(CONFIG)
    script = str(Path(__file__).with_name("mypy_types.py"))
    done = run([sys.executable, "-P", script, *(f"{name}.py" for name in names)], folder)
    places = {name: _places(folder / f"{name}.py") for name in names}
    for line in done.stdout.splitlines():
        record = json.loads(line)
        name = record["file"].removesuffix(".py")
        if "error" in record:
            yield Said(name, None, f"{record['line']}: {record['error']}")
        elif (site := places[name].get(tuple(record["place"]))) is not None:
            yield Said(name, site, record["type"])


def _places(file: Path) -> dict[tuple[int, ...], int]:
    """The numbers of the sites of a program by where their expressions are."""
    text = file.read_text()
    lines = text.encode().splitlines()
    places: dict[tuple[int, ...], int] = {}
    for number, site in enumerate(revealing(text).sites.values()):
        # To mypy `(x - y) ** (a + b)` begins and ends within its brackets.
        first, last = lines[site.line - 1][site.column :], lines[site.end_line - 1][: site.end_column]
        before, after = len(first) - len(first.lstrip(b"( ")), len(last) - len(last.rstrip(b") "))
        for start, end in itertools.product(range(before + 1), range(after + 1)):
            place = (site.line, site.column + start, site.end_line, site.end_column - end)
            places.setdefault(place, number)
    return places


def pyright_says(folder: Path, names: Iterable[str]) -> Iterator[Said]:
    asked = folder / "asked"
    asked.mkdir(exist_ok=True)
    places = {}
    for name in names:
        shown = revealing((folder / f"{name}.py").read_text())
        (asked / f"{name}.py").write_text(shown.text)
        places[name] = {place: number for number, place in enumerate(shown.sites)}
    files = [f"{name}.py" for name in names]
    for name, start, severity, message in _pyright(folder, files):
        if severity == "error":
            yield Said(name, None, f"{start[0] + 1}: {message}")
    for name, start, _, message in _pyright(asked, files):
        if message.startswith("Type of") and start in places[name]:
            yield Said(name, places[name][start], message.partition('" is ')[2].strip('"'))


def _pyright(folder: Path, files: list[str]) -> Iterator[tuple[str, tuple[int, int], str, str]]:
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT_CONFIG))
    command = [sys.executable, "-m", PYRIGHT, "--outputjson", "--pythonpath", sys.executable]
    done = run([*command, *files], folder)
    for record in json.loads(done.stdout)["generalDiagnostics"]:
        start = record["range"]["start"]
        place = start["line"], start["character"]
        yield Path(record["file"]).stem, place, record["severity"], record["message"]


CHECKERS = {MYPY: mypy_says, PYRIGHT: pyright_says}


def count(
    folder: Path, names: Iterable[str], checker: str, truth: Mapping[str, Truth], shows_open: bool
) -> Counted:
    """What a checker says of the programs as they are, and of the types in them; shows what is not known, if asked."""
    names = list(names)
    counted = Counted(Counter(dict.fromkeys(names, 0)), {name: Counter() for name in names})
    unanswered = {name: dict(truth[name]) for name in names}
    for name, site, text in CHECKERS[checker](folder, names):
        if site is None:
            print(f"    {checker}: {folder.name}/{name}.py:{text[:150]}", file=sys.stderr)
            counted.errors[name] += 1
            continue
        dtypes = unanswered[name].pop(site, None)
        if dtypes is None:
            continue
        counted.answers[name][answer(text)] += 1
        where = f"{folder.name}/{name}.py:{_written(folder / f'{name}.py', site)}"
        if contradicts(text, dtypes):
            print(f"    {checker}: {where}: {text}, but was {dtypes}", file=sys.stderr)
            counted.wrong[name] += 1
        elif shows_open and answer(text) not in KNOWN:
            print(f"    {checker}: {where}: open: {text}", file=sys.stderr)
    for name, left in unanswered.items():
        counted.answers[name]["not asked"] += len(left)
        for site in left:
            print(
                f"    {checker}: {folder.name}/{name}.py:{_written(folder / f'{name}.py', site)}: not asked",
                file=sys.stderr,
            )
    return counted


def _written(file: Path, number: int) -> str:
    """The line of a site, and the site as it is written."""
    text = file.read_text()
    site = list(revealing(text).sites.values())[number]
    lines = text.encode().splitlines()[site.line - 1 : site.end_line]
    lines[-1] = lines[-1][: site.end_column]
    lines[0] = lines[0][site.column :]
    return f"{site.line}: {' '.join(line.decode().strip() for line in lines)}"


def arrays_of(folder: Path, name: str, program: Program) -> Truth:
    """The places of a program that hold arrays in the run with other sizes; random keys aside."""
    file, out = folder / f"{name}.py", folder / f"{name}.jsonl"
    asked = revealing(file.read_text())
    file.write_text(asked.text)
    script = str(Path(__file__).with_name("site_truth.py"))
    run([sys.executable, script, out.name, file.name, *program.arguments], folder)
    number = {place: at for at, place in enumerate(asked.sites)}
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    return {
        number[line, column]: seen
        for line, column, seen in rows
        if (line, column) in number and all(set(each) - {"key"} for each in seen)
    }


def contradicts(text: str, seen: list[list[str]]) -> bool:
    """Whether a type says of a single array a dtype that it did not have."""
    claimed = said(text) if answer(text) in KNOWN else []
    if len(claimed) != 1 or any(len(each) != 1 for each in seen):
        return False
    return any(CANONICAL.get(claimed[0].dtype, claimed[0].dtype) != CLASSES[each[0]] for each in seen)


def share(answers: Counter[str]) -> str:
    return f"{100 * sum(answers[word] for word in KNOWN) / (answers.total() or 1):.0f}"


def annotate(folder: Path, style: str, with_places: bool = False) -> None:
    """Annotate all programs of a folder of which there are facts."""
    command = [sys.executable, "-m", "jaxtyping_core", "annotate", ".", "--refine", "--pyright", "--write"]
    command += ["--places"] * with_places
    # Where the stubs are, which pyright does not find in a checkout by itself.
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT_CONFIG))
    done = run([*command, "--from", "facts.sqlite3", "--style", style], folder)
    print(done.stderr, file=sys.stderr)


def wrong_in(folder: Path, names: Iterable[str]) -> dict[str, int]:
    """How many annotations of each program its other run contradicts."""
    seen, wrong = load(folder / "other.sqlite3").files, {}
    for name in names:
        file = (folder / f"{name}.py").resolve()
        calls = seen[file].calls if file in seen else None
        problems = ["no run"] if calls is None else list(holding.contradictions(file.read_text(), calls))
        problems += holding.wrong_variables(file.read_text(), seen[file].places if file in seen else {})
        wrong[name] = len(problems)
        for each in problems:
            print(f"    wrong: {name}: {each[:300]}", file=sys.stderr)
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="programs; all if none is named")
    parser.add_argument("--style", default="native")
    parser.add_argument("--places", action="store_true", help="annotate variables, too")
    parser.add_argument("--checkers", nargs="*", default=list(CHECKERS))
    parser.add_argument("--out", type=Path, help="where to leave the annotated programs")
    parser.add_argument(
        "--public", type=Path, help="checkouts of jax, flax, optax and equinox: public programs instead"
    )
    parser.add_argument("--open", action="store_true", help="say which places are not known after annotating")
    options = parser.parse_args()
    os.environ["MPLBACKEND"] = "Agg"
    programs = dict(public(options.public) if options.public else own())
    programs = {name: programs[name] for name in options.names or programs}
    with tempfile.TemporaryDirectory(prefix="annotating-") as temporary:
        os.environ["MYPY_CACHE_DIR"] = str(Path(temporary, "mypy"))  # JAX's stubs are read once
        before, after, other = (Path(temporary, each) for each in ("before", "after", "other"))
        for folder in (before, after):
            folder.mkdir()
            for name, program in programs.items():
                (folder / f"{name}.py").write_text(program.text)
        failed = record(after, programs, "facts.sqlite3", is_other=False)
        annotate(after, options.style, options.places)
        if options.out:
            shutil.copytree(after, options.out, dirs_exist_ok=True)
        shutil.copytree(after, other, ignore=shutil.ignore_patterns("*.sqlite3*", ".*"))
        failed |= record(other, programs, "other.sqlite3", is_other=True)
        wrong = wrong_in(other, programs)
        verdicts = {
            name: Counter(map(verdict_of, verified(after, name, "--from", "facts.sqlite3")))
            for name in programs
        }
        truth = {name: arrays_of(other, name, program) for name, program in programs.items()}
        sides = {
            (c, folder.name): count(folder, programs, c, truth, options.open and folder is after)
            for c in options.checkers
            for folder in (before, after)
        }
    report(options.checkers, failed, wrong, verdicts, sides)


def report(
    checkers: list[str],
    failed: Mapping[str, str],
    wrong: Mapping[str, int],
    verdicts: Mapping[str, Counter[str]],
    sides: Mapping[tuple[str, str], Counted],
) -> None:
    """Print a table."""
    head = "".join(f" {c}: places | known before | after | wrong | new errors |" for c in checkers)
    print(f"| program | runs | wrong in the other run | {' / '.join(VERDICTS)} |{head}")
    print("|---|---|--:|--:|" + "--:|--:|--:|--:|--:|" * len(checkers))
    totals: dict[tuple[str, str], Counter[str]] = {key: Counter() for key in sides}
    sums: Counter[str] = Counter()
    for name, verdict in verdicts.items():
        cells = ""
        for checker in checkers:
            old, new = sides[checker, "before"], sides[checker, "after"]
            for side in ("before", "after"):
                totals[checker, side] += sides[checker, side].answers[name]
            more = max(0, new.errors[name] - old.errors[name])
            sums += Counter({f"{checker} wrong": new.wrong[name], f"{checker} more": more})
            cells += f" {new.answers[name].total()} | {share(old.answers[name])} % | {share(new.answers[name])} % |"
            cells += f" {new.wrong[name]} | {more} |"
        said = " / ".join(str(verdict[word]) for word in VERDICTS)
        print(f"| {name} | {failed.get(name, 'yes')} | {wrong[name]} | {said} |{cells}")
    said = " / ".join(str(sum(verdict[word] for verdict in verdicts.values())) for word in VERDICTS)
    shares = "".join(
        f" {totals[c, 'after'].total()} | {share(totals[c, 'before'])} % | {share(totals[c, 'after'])} % |"
        f" {sums[f'{c} wrong']} | {sums[f'{c} more']} |"
        for c in checkers
    )
    print(f"| all | | {sum(wrong.values())} | {said} |{shares}")


if __name__ == "__main__":
    main()
