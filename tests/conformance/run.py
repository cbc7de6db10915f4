"""Scores type checkers on expressions over JAX's public API; see ``--help``."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import jax

import checkers
from conformance import cases, gradual, pairs, scoring, variables
from conformance.truth import Refused

_HEAD = (
    "checker",
    "x64",
    "accepted",
    "dtype",
    "rank",
    "values",
    "wrong",
    "false errors",
    "refused",
    "reported",
)


def main() -> int:
    """Run the suite and print the table; return 1 if there is a wrong type or a false error."""
    arguments = _arguments()
    with jax.enable_x64(arguments.x64):
        source = pairs if arguments.pairs else cases
        whole, part = source.expressions, source.sample
        if arguments.every_dtype:
            whole, part = cases.with_every_dtype, cases.sample_of_dtypes
        x64, size, seed = arguments.x64, arguments.sample, arguments.seed
        chosen = part(x64, size, seed) if size else whole(x64)
        if arguments.only:
            chosen = tuple(pair for pair in chosen if arguments.only in pair[1])
        if arguments.untyped:
            return _untyped(arguments, chosen)
        tried = cases.cases(chosen)
    accepted = [case for case in tried if not isinstance(case.truth, Refused)]
    targets = len(cases.functions_accepted(tried))
    print(f"JAX {jax.__version__}: {len(tried)} cases, {len(accepted)} accepted, over {targets} functions")
    scores, failed = [], False
    with tempfile.TemporaryDirectory() as folder:
        programs = Path(folder)
        places = scoring.write(tried, programs)
        for checker in arguments.checker or (*checkers.CHECKERS, checkers.PLUGIN):
            if checkers.find(checker) is None:
                print(f"{checker} is not installed")
            elif not arguments.x64 or checker in checkers.WITH_X64:
                dims_as = arguments.dims if checker == checkers.PLUGIN else "numbers"
                if checker == checkers.PLUGIN:
                    places = scoring.write(tried, programs / checker, dims_as)
                try:
                    report = checkers.run(
                        checker, scoring.files(places), programs, arguments.x64, arguments.python
                    )
                    scores.append(scoring.score(checker, places, report, arguments.x64, dims_as))
                except checkers.CheckerError as error:
                    print(error)
                    failed = True
    print("\n".join(table(scores)))
    if arguments.pairs:
        print("\n".join(["", *operations(scores)]))
    if arguments.out:
        write_reports(scores, arguments.out)
    return int(failed or any(score.wrong or score.false_errors for score in scores))


def _untyped(arguments: argparse.Namespace, chosen: tuple[tuple[str, str], ...]) -> int:
    """Print the wrong types and false errors where some arrays have no types; return 1 if there are any."""
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        places = gradual.write(chosen, Path(folder))
        for checker in arguments.checker or (*checkers.CHECKERS, checkers.PLUGIN):
            report = checkers.run(checker, scoring.files(places), Path(folder), arguments.x64)
            problems = gradual.check(checker, places, report)
            print(f"{checker}: {len(problems)} wrong")
            print("\n".join(map(gradual.line, problems)))
            failed = failed or bool(problems)
    return int(failed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--checker", nargs="+", choices=(*checkers.CHECKERS, checkers.PLUGIN), help="all by default"
    )
    parser.add_argument(
        "--sample", type=int, help="so many cases, of the drawn ones every function once; all by default"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--x64", action="store_true", help="JAX computes with 64-bit types")
    parser.add_argument(
        "--pairs", action="store_true", help="operations on every pair of dtypes, in place of the API"
    )
    parser.add_argument(
        "--every-dtype",
        action="store_true",
        help="each call of the API with every dtype of its first array, in place of a few that are drawn",
    )
    parser.add_argument(
        "--dims", choices=variables.DIMS_AS, default="numbers", help="how sizes are declared for the plugin"
    )
    parser.add_argument(
        "--untyped",
        action="store_true",
        help="say nothing of half of the arrays, and list what is then wrong",
    )
    parser.add_argument("--only", help="expressions that contain this text")
    parser.add_argument(
        "--python", default=sys.executable, help="whose packages are checked; this one's by default"
    )
    parser.add_argument(
        "--out", type=Path, help="a folder for the lists of what is wrong and of what is open"
    )
    return parser.parse_args()


def table(scores: list[scoring.Score]) -> list[str]:
    """The scores as a Markdown table."""
    lines = [_row(_HEAD), _row(["---"] * len(_HEAD))]
    for score in scores:
        shares = (f"{score.share(what):.1%}" for what in ("dtype", "rank", "value"))
        counts = (len(score.wrong), len(score.false_errors), score.refused, score.reported)
        lines.append(_row((score.checker, "on" if score.x64 else "off", score.accepted, *shares, *counts)))
    return lines


def operations(scores: list[scoring.Score]) -> list[str]:
    """Each operation in each checker, as a Markdown table: how many pairs have which answer."""
    outcomes = ("exact", "open", "wrong", "false error", "reported", "missed")
    head = ("operation", "checker", *outcomes)
    rows = [
        _row((f"`{name}`", score.checker, *(counts[outcome] for outcome in outcomes)))
        for name in dict.fromkeys(name for score in scores for name in score.targets)
        for score in scores
        for counts in [score.targets[name]]
    ]
    return [_row(head), _row(["---"] * len(head)), *rows]


def _row(cells: object) -> str:
    assert isinstance(cells, (tuple, list))
    return f"| {' | '.join(map(str, cells))} |"


def write_reports(scores: list[scoring.Score], folder: Path) -> None:
    """Write every case that is wrong, falsely reported or open: as JSON, and for readers by function."""
    folder.mkdir(parents=True, exist_ok=True)
    for score in scores:
        name = f"{score.checker}{'_x64' if score.x64 else ''}"
        lists = {
            "wrong": score.wrong,
            "false errors": score.false_errors,
            "open": score.open,
            "open ranks": score.open_rank,
            "by values": score.by_values,
            "undetermined": score.undetermined,
            "known": score.known,
        }
        data = {title: [_record(finding) for finding in findings] for title, findings in lists.items()}
        data["missed"] = [_record(finding) for finding in score.missed]
        (folder / f"{name}.json").write_text(json.dumps(data, indent=1), encoding="utf-8")
        text = "\n".join([f"# {name}", "", *table([score]), *_sections(lists)])
        (folder / f"{name}.md").write_text(text + "\n", encoding="utf-8")


def _sections(lists: dict[str, list[scoring.Finding]]) -> list[str]:
    lines = []
    for title, findings in lists.items():
        lines += ["", f"## {title}: {len(findings)}", ""]
        counts = Counter(finding.case.target for finding in findings)
        for target, count in counts.most_common():
            examples = [finding for finding in findings if finding.case.target == target]
            lines.append(f"- {target} ({count})")
            lines += [
                f"    - {scoring.line(finding)}"
                for finding in examples[: 3 if title.startswith("open") else 20]
            ]
    return lines


def _record(finding: scoring.Finding) -> dict[str, object]:
    return {
        "target": finding.case.target,
        "expression": finding.case.expression,
        "truth": str(finding.case.truth)[:200],
        "revealed": finding.revealed,
        "errors": finding.errors,
    }


if __name__ == "__main__":
    sys.exit(main())
