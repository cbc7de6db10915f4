"""How often a checker knows what JAX gives in packages as they are: dtype and rank, at every call and operator.

    python benchmarks/known_at_calls.py flax optax --limit 20 --stubs stubs --json known.json

Each sampled file is shown to pyright's language server with `reveal_type` around the calls of JAX's functions, the
methods that arrays have by name, and the operators. With two folders of stubs, or the results of an earlier run
(`--earlier known.json`, whose files are then taken), both are counted over the same sites.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from jax_calls import FUNCTION, METHOD, UPDATE, distribution
from known_types import UNREADABLE, answer
from language_server import CURSOR, LanguageServer
from revealing import OPERATOR, Revealing, revealing
from third_party import ROOT, Side, pinned

#: Functions that give arrays, by the start of a site's name; what else is JAX's are transformations and pytrees.
OF_ARRAYS = tuple(f" {FUNCTION} jax.{module}." for module in ("numpy", "lax", "nn", "random", "scipy"))
#: Rows of the table: sites by what is in their names.
GROUPS: dict[str, Callable[[str], bool]] = {
    "`jax.numpy`": lambda site: OF_ARRAYS[0] in site,
    "`jax.lax`, `nn`, `random`, `scipy`": lambda site: any(module in site for module in OF_ARRAYS[1:]),
    "methods": lambda site: f" {METHOD} " in site,
    "`x.at[...]`": lambda site: f" {UPDATE} " in site,
    "operators": lambda site: f" {OPERATOR} " in site,
    "all of these": lambda site: not _is_other(site),
    "transformations, pytrees and so on": lambda site: _is_other(site),
}
PACKAGES = ("flax", "optax", "equinox", "numpyro", "blackjax")
REVEALED = re.compile(r'^Type of ".*" is "(?P<type>.*)"$', re.DOTALL)


@dataclass
class Result:
    """What pyright says with some stubs: types by site, and seconds by file (None: it did not finish)."""

    name: str
    seconds: dict[str, float | None] = field(default_factory=dict)
    #: By file, then by "line:column" and kind and name.
    types: dict[str, dict[str, str]] = field(default_factory=dict)


class Project:
    """A folder with copies of packages, which pyright checks with some stubs."""

    def __init__(self, stubs: Path, side: Side, files: Mapping[str, Path], folder: Path) -> None:
        self.side, self.folder = side, folder / "copies"
        beside = folder / "stubs"
        shutil.copytree(stubs / "jax-stubs", beside / "jax-stubs")
        own = stubs / "jaxtyping_core"
        shutil.copytree(own if own.is_dir() else ROOT / "jaxtyping_core", beside / "jaxtyping_core")
        for package in {name.partition("/")[0] for name in files}:
            shutil.copytree(side.source(package), self.folder / package)
        # A comment that ignores a line would hide the types on it.
        settings = {"extraPaths": [str(beside)], "enableTypeIgnoreComments": False}
        (self.folder / "pyrightconfig.json").write_text(json.dumps(settings))

    def check(self, modules: Mapping[str, Revealing], result: Result, limit: float) -> None:
        """Show the modules to one server after the other, each to a new one after a file without an answer."""
        command = shutil.which("pyright-langserver", path=str(Path(sys.executable).parent))
        if command is None:
            sys.exit("pyright is not installed: it is in the dependency group `test`")
        with ExitStack() as running:
            server: LanguageServer | None = None
            for name, module in modules.items():
                if server is None:
                    server = LanguageServer(command, self.folder, str(self.side.python), limit)
                    running.enter_context(server)
                    server.open(
                        "first.py", f"{CURSOR}import jax.numpy\n"
                    )  # what all files share is read here
                start = time.perf_counter()
                try:
                    document = server.open(name, CURSOR + module.text)
                except TimeoutError:
                    running.close()
                    server, result.seconds[name] = None, None
                    print(f"{result.name}: {name} took more than {limit:.0f} s", file=sys.stderr)
                    continue
                result.seconds[name] = seconds = time.perf_counter() - start
                print(f"{result.name}: {name} {seconds:.1f} s", file=sys.stderr)
                result.types[name] = dict(revealed(module, server.published[document.uri]))
                server.close(document)


def revealed(module: Revealing, diagnostics: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """The type at each site; empty where the code is not reached."""
    types = {
        (diagnostic["range"]["start"]["line"], diagnostic["range"]["start"]["character"]): match["type"]
        for diagnostic in diagnostics
        if (match := REVEALED.match(diagnostic["message"]))
    }
    for place, site in module.sites.items():
        yield f"{site.line}:{site.column} {site.kind} {site.name}", types.get(place, "")


class Sample(NamedTuple):
    """Modules of packages."""

    versions: dict[str, str]
    files: dict[str, Path]
    modules: dict[str, Revealing]


def sample(packages: Iterable[str], site: Path, limit: int | None, only: Collection[str] | None) -> Sample:
    """Files with sites: those named in `only`, or at most `limit` of each package, drawn by chance but always the same."""
    drawn = Sample({}, {}, {})
    for package in packages:
        drawn.versions[package], files = distribution(package, site)
        drawn.files.update(files)
        asked = {name: revealing(path.read_text(encoding="utf-8")) for name, path in files.items()}
        names = [name for name, module in asked.items() if module.sites and (only is None or name in only)]
        if limit is not None and only is None and limit < len(names):
            names = sorted(random.Random(0).sample(names, limit))
        drawn.modules.update((name, asked[name]) for name in names)
    return drawn


def _is_other(site: str) -> bool:
    return f" {FUNCTION} " in site and not any(module in site for module in OF_ARRAYS)


def counts(
    results: Sequence[Result], belongs: Callable[[str], bool], package: str = ""
) -> tuple[int, list[Counter[str]]]:
    """How many sites may give an array, with any of the stubs, and each side's answers about those."""
    answers: list[Counter[str]] = [Counter() for _ in results]
    number = 0
    for name in set.intersection(*(set(result.types) for result in results)):
        if not name.startswith(package):
            continue
        for site in results[0].types[name]:
            texts = [result.types[name].get(site, "") for result in results]
            if not belongs(site) or not all(texts):  # code that is not reached
                continue
            said = [answer(text) for text in texts]
            if {*said} != {"no array"}:
                number += 1
                for counter, word in zip(answers, said, strict=True):
                    counter[word] += 1
    return number, answers


def table(results: Sequence[Result], packages: Sequence[str]) -> Iterator[str]:
    """The rows, one for each side; "no array" is an answer to both questions."""
    yield "| sites | number | stubs | dtype known | rank known | both | neither | unreadable |"
    yield "|---|--:|---|--:|--:|--:|--:|--:|"
    rows = [(f"of {package}", GROUPS["all of these"], f"{package}/") for package in packages]
    for title, belongs, package in [*rows, *((title, belongs, "") for title, belongs in GROUPS.items())]:
        number, answers = counts(results, belongs, package)
        for result, said in zip(results, answers, strict=True):
            wanted = (
                ("dtype", "both", "no array"),
                ("rank", "both", "no array"),
                ("both", "no array"),
                ("open",),
            )
            shares = [100 * sum(said[word] for word in words) / (number or 1) for words in wanted]
            cells = " | ".join(f"{share:.1f} %" for share in shares)
            yield f"| {title} | {number:,} | {result.name} | {cells} | {said[UNREADABLE]} |"


def notes(results: Sequence[Result], left_out: Counter[str]) -> Iterator[str]:
    """What the table does not show."""
    common = set.intersection(*(set(result.types) for result in results))
    sites = sum(len(results[0].types[name]) for name in common)
    yield f"{len(common)} files with {sites:,} sites; not asked about: {dict(left_out)}"
    for result in results:
        late = [name for name, seconds in result.seconds.items() if seconds is None]
        silent = sum(not text for name in common for text in result.types[name].values())
        seconds = sum(result.seconds[name] or 0 for name in common)
        yield f"{result.name}: {seconds:.0f} s for these files; not reached: {silent} sites; no answer: {late}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", nargs="*", default=list(PACKAGES), help="as the registry knows them")
    parser.add_argument(
        "--stubs", nargs="*", type=Path, default=[ROOT / "stubs"], help="folders with a jax-stubs"
    )
    parser.add_argument("--earlier", type=Path, help="results that --json wrote, to compare with")
    parser.add_argument("--json", type=Path, help="where to write the type at each site")
    parser.add_argument("--limit", type=int, help="how many files of a package")
    parser.add_argument("--seconds", type=float, default=60, help="how long a file may take")
    parser.add_argument("--folder", type=Path, help="where to keep the environment, for another run")
    options = parser.parse_args()
    earlier = json.loads(options.earlier.read_text()) if options.earlier else {"results": [], "versions": {}}
    results = [Result(**row) for row in earlier["results"]]
    packages = list(earlier["versions"]) or options.packages
    with tempfile.TemporaryDirectory(prefix="known-") as temporary:
        side = Side("packages", options.folder or Path(temporary))
        # The versions of an earlier run, or its sites were others.
        side.install(
            *(f"{name}=={earlier['versions'][name]}" if results else name for name in packages), *pinned()
        )
        site = next(side.folder.glob("venv/lib/*/site-packages"))
        asked = sample(packages, site, options.limit, {*results[0].seconds} if results else None)
        for number, stubs in enumerate(options.stubs):
            results.append(Result(stubs.resolve().name))
            project = Project(stubs, side, asked.files, Path(temporary, str(number)))
            project.check(asked.modules, results[-1], options.seconds)
    print(f"Python {platform.python_version()}, {', '.join(pinned())}, {asked.versions}\n")
    folders = [*dict.fromkeys(name.partition("/")[0] for name in asked.modules)]
    print("\n".join([*table(results, folders), "", *notes(results, left_out(asked))]))
    if options.json:
        options.json.write_text(
            json.dumps({"versions": asked.versions, "results": [*map(asdict, results)]}, indent=1)
        )


def left_out(asked: Sample) -> Counter[str]:
    return sum((module.left_out for module in asked.modules.values()), Counter[str]())


if __name__ == "__main__":
    main()
