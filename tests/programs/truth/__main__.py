"""The command line: `python -m truth FOLDER`."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from . import __doc__ as description
from .claims import shown
from .programs import Program, facts, programs
from .report import Finding, open_places, problems, records, table
from .verdicts import judged


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "truth", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "targets", metavar="FOLDER", nargs="+", type=Path, help="programs, or folders of them"
    )
    parser.add_argument(
        "--python",
        metavar="PATH",
        default=sys.executable,
        type=_absolute,
        help="the Python that runs the programs",
    )
    parser.add_argument(
        "--show",
        metavar="CMD",
        default=f"{sys.executable} -m jaxtyping_core show",
        help="the command that shows them",
    )
    parser.add_argument(
        "--kept", metavar="DIR", type=_absolute, help="keep facts here: unchanged programs are not run again"
    )
    parser.add_argument("--seconds", type=float, default=120, help="the time for each run of a program")
    parser.add_argument(
        "--show-seconds", type=float, default=300, help="the time for each run of the command"
    )
    parser.add_argument(
        "--only", metavar="NAME", action="append", help="only this program (may be given several times)"
    )
    parser.add_argument("--open", action="store_true", help="list the places of which not all is known")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write all of it here")
    return parser.parse_args()


def _absolute(path: str) -> Path:
    """A path that holds wherever a command is started; links stay, for the Python of an environment is one."""
    return Path(path).absolute()


def _finding(program: Program, arguments: argparse.Namespace) -> Finding:
    truth = facts(program, str(arguments.python), arguments.seconds, arguments.kept)
    files = [program.main, *(file for file in truth.files if file != program.main)]
    said = shown(shlex.split(arguments.show), files, program.folder, arguments.show_seconds)
    return Finding(program, truth, said, judged(truth, said.claims))


def main() -> int:
    """Run it; 1 where something is wrong."""
    arguments = _arguments()
    listed = [program for target in arguments.targets for program in programs(target)]
    chosen = [program for program in listed if not arguments.only or program.name in arguments.only]
    findings = []
    for program in chosen:
        print(f"{program.name} ...", end="", flush=True, file=sys.stderr)
        findings.append(_finding(program, arguments))
        print(f" {len(findings[-1].judgement.verdicts)} places", file=sys.stderr)
    print(*problems(findings), sep="\n")
    if arguments.open:
        print(*open_places(findings), sep="\n")
    print(*table(findings), sep="\n")
    if arguments.json:
        arguments.json.write_text(records(findings))
    return int(any(verdict.mistakes for finding in findings for verdict in finding.judgement.verdicts))


if __name__ == "__main__":
    sys.exit(main())
