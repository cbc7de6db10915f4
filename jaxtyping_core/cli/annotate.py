"""``jaxtyping-core annotate``."""

from __future__ import annotations

import difflib
import importlib.util
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from jaxtyping_core import trust
from jaxtyping_core.checking.configuration import settings_here
from jaxtyping_core.checking.output import show_every_character
from jaxtyping_core.cli.command import Argument, Command, command
from jaxtyping_core.cli.consoles import make_console
from jaxtyping_core.cli.files import replace
from jaxtyping_core.cli.options import CONFIG_FILE, PATH, TRUST, flag, option
from jaxtyping_core.errors import CommandError
from jaxtyping_core.recording import DEFAULT
from jaxtyping_core.recording.store import Facts, load

RUN = "--run"
#: Where the context keeps the arguments as they were given.
GIVEN = "given"
COLORS = {"+": "green", "-": "red", "@": "cyan"}


class _WithScript(Command):
    """A command with ``--run SCRIPT ARGS``: everything after ``--run`` belongs to the script."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[GIVEN] = [*args]
        own, script = args, args[:0]
        if RUN in args and "--help" not in args[: args.index(RUN)]:
            at = args.index(RUN)
            own, script = args[: at + 2], args[at + 1 :]
        ctx.meta[RUN] = script
        return list(super().parse_args(ctx, own))


@command(
    Argument(
        "paths",
        metavar="[PATH]...",
        nargs=-1,
        type=PATH,
        help="Python files and folders to annotate. [default with --run: the script]",
    ),
    option(
        "--from",
        "facts",
        metavar="FACTS",
        type=PATH,
        help=f"The file of recorded calls. [default: {DEFAULT}]",
    ),
    option(
        RUN,
        metavar="SCRIPT [ARGS]",
        help="Run SCRIPT first, and annotate from this run. Everything after SCRIPT is an argument of SCRIPT.",
    ),
    option(
        "--style",
        metavar="native|jaxtyping",
        help='Write Float32[B, D] or Float32[Array, "b d"]. [default: the style of the file, else native]',
    ),
    flag(
        "--refine",
        help="Replace annotations that are only jax.Array, jnp.ndarray, ArrayLike, list, tuple or dict, also of class fields.",
    ),
    flag(
        "--write",
        "apply",
        help="Change the files. Without this option, the changes are printed as a diff.",
    ),
    flag("--pyright", help="Also loosen annotations that pyright would reject."),
    flag(
        "--places",
        help="Also annotate variables whose dtype mypy does not know. Needs facts from `record --places`.",
    ),
    CONFIG_FILE,
    TRUST,
    cls=_WithScript,
)
@click.pass_context
def annotate(
    ctx: click.Context,
    paths: Sequence[Path],
    facts: Path | None,
    run: str | None,
    style: str | None,
    refine: bool,
    apply: bool,
    pyright: bool,
    places: bool,
    config_file: Path | None,
    trusted: Sequence[str],
) -> None:
    """With --run this command runs your program, as `python SCRIPT` does. Without --run it runs nothing and reads what
    `jaxtyping-core record` recorded.

    It writes dtypes, named sizes and the types of other parameters. An annotation holds for all recorded calls, and
    is less precise where they differ. mypy checks the result with the plugin, and annotations that cause an error are
    loosened.

    \b
    Exit status:
      0  success, also if there was nothing to annotate
      2  nothing could be annotated: the message says why
    """
    if importlib.util.find_spec("libcst") is None:
        raise CommandError("annotating needs libcst; pip install 'jaxtyping-core[annotate]'")
    from jaxtyping_core.annotating.files import annotate as annotated

    script: list[str] = ctx.meta[RUN]
    if run is not None and facts is not None:
        raise CommandError("--from and --run cannot be used together; choose one")
    if not paths and not script:
        raise CommandError("nothing to annotate; name Python files or folders")
    trust.add(trusted)
    configured = settings_here(config_file)
    paths = paths or [Path(script[0])]
    recorded = _recorded(script, places) if script else nullcontext(load(facts or DEFAULT))
    with recorded as known, make_console(stderr=True).status("Annotating"):
        results, notes = annotated(paths, known, configured, style, refine, config_file, pyright, places)
    changed = [result for result in results if result.after != result.before]
    for result in changed:
        if apply:
            replace(result.path, result.before, result.after)
        else:
            _show(result.path, result.before, result.after)
    for note in [*configured.notes, *notes, *(note for result in results for note in result.notes)]:
        click.echo(f"jaxtyping-core: {note}", err=True)
    if not changed:
        click.echo("Nothing to annotate", err=True)
        return
    functions, files = sum(result.count for result in changed), len(changed)
    done = f"{functions} function{'s' * (functions != 1)} in {files} file{'s' * (files != 1)}"
    command = shlex.join(["jaxtyping-core", "annotate", "--write", *ctx.meta[GIVEN]])
    click.echo(f"Annotated {done}" if apply else f"Would annotate {done}. To write: {command}", err=True)


@contextmanager
def _recorded(script: Sequence[str], with_places: bool) -> Iterator[Facts]:
    """What a run of a script shows. It is kept if the run fails, or if either it or what is done with it is interrupted.

    Raises:
        CommandError: there is no such script, or it fails or is interrupted.
    """
    if not Path(script[0]).is_file():
        raise CommandError(f"{script[0]}: no such script")
    with tempfile.TemporaryDirectory(prefix="jaxtyping-core-") as folder:
        out = Path(folder, DEFAULT.name)
        # The script's own output goes where messages go, so that the changes alone are on standard output.
        options = ["--quiet", *(["--places"] if with_places else []), "--output", str(out)]
        command = [sys.executable, "-m", "jaxtyping_core", "record", *options, *script]
        status = _status_of(subprocess.Popen(command, stdout=sys.stderr))
        if status:
            ended = "was interrupted" if status == -signal.SIGINT else f"exited with status {status}"
            raise CommandError(f"{script[0]} {ended}, so no annotations were written{_keep(out)}")
        try:
            yield load(out)
        except KeyboardInterrupt:
            raise CommandError(f"interrupted, so no annotations were written{_keep(out)}") from None


def _status_of(program: subprocess.Popen[bytes]) -> int:
    """Wait for a program. Ctrl-C is its own business: it gets it from the terminal too, and writes what it has shown."""
    while True:
        try:
            return program.wait()
        except KeyboardInterrupt:
            continue


def _keep(facts: Path) -> str:
    """Keep what was recorded before a run failed; what the message says about it."""
    if not facts.is_file():
        return ""
    kept = DEFAULT.with_name("interrupted.sqlite3") if DEFAULT.exists() else DEFAULT
    kept.parent.mkdir(exist_ok=True)
    for end in ("", "-wal", "-shm"):  # what SQLite has beside it if the process was killed
        part, place = (path.with_name(path.name + end) for path in (facts, kept))
        place.unlink(missing_ok=True)
        if part.exists():
            shutil.move(part, place)
    command = "jaxtyping-core annotate FILE" + ("" if kept == DEFAULT else f" --from {kept}")
    return f"; the calls until then are recorded in {kept}, for use with `{command}`"


def _show(path: Path, before: bytes, after: bytes) -> None:
    """Show a change as a unified diff."""
    name = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
    lines = difflib.unified_diff(_lines(before), _lines(after), name, name, lineterm="")
    show_every_character()
    console = make_console(soft_wrap=True)
    for line in lines:
        if sys.stdout.isatty():
            console.print(Text(line, style=COLORS.get(line[:1], "")))
        else:
            click.echo(line)


def _lines(content: bytes) -> Sequence[str]:
    return importlib.util.decode_source(content).splitlines()
