"""Annotates files from the facts of a run."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxtyping_core.annotating.declared import Classes
from jaxtyping_core.annotating.owners import held_in
from jaxtyping_core.annotating.planning import Level, Plan
from jaxtyping_core.annotating.proving import Proven, prove
from jaxtyping_core.annotating.source import Source
from jaxtyping_core.annotating.spelling.common import Precision, Speller
from jaxtyping_core.annotating.spelling.jaxtyping import Jaxtyping
from jaxtyping_core.annotating.spelling.native import Native
from jaxtyping_core.annotating.walking import Walks
from jaxtyping_core.checking.compact_types import shorten
from jaxtyping_core.errors import CommandError, unknown
from jaxtyping_core.programs.files import python_files
from jaxtyping_core.programs.sources import read
from jaxtyping_core.reading import read_bytes
from jaxtyping_core.recording.store import Facts, FileFacts, digest_of
from jaxtyping_core.settings import Settings

STYLES: dict[str, type[Speller]] = {"native": Native, "jaxtyping": Jaxtyping}


@dataclass(slots=True)
class Annotated:
    """A file, before and after.

    Attributes:
        count: the functions that were annotated.
        notes: what is to be said about it, such as why a function has less than all that was seen.
    """

    path: Path
    before: bytes
    after: bytes
    count: int = 0
    notes: list[str] = field(default_factory=list)


def annotate(
    paths: Sequence[Path],
    facts: Facts,
    settings: Settings,
    style: str | None = None,
    refine: bool = False,
    config_file: Path | None = None,
    with_pyright: bool = False,
    with_places: bool = False,
) -> tuple[list[Annotated], list[str]]:
    """Annotate files, and say what there is to say about others.

    Args:
        paths: files, or folders of them.
        facts: what runs showed.
        settings: how the programs run JAX.
        style: "native" or "jaxtyping"; None for what a file uses, or else "native".
        refine: whether annotations that say of an array only that it is one are replaced.
        config_file: mypy's configuration; None for the one that it would find.
        with_pyright: whether pyright must find no new error either.
        with_places: whether variables are annotated where mypy does not know the dtype of what is assigned.

    Raises:
        CommandError: a file cannot be read, there is no such style, or nothing is known of a file that was named.
    """
    if style is not None and style not in STYLES:
        raise CommandError(unknown("style", style, STYLES))
    sources = python_files(paths)
    notes = list(sources.notes)
    stale: list[str] = []
    plans: dict[Path, tuple[Plan, bytes]] = {}
    named = {path.resolve() for path in paths if not path.is_dir()}
    held = held_in(facts.files.values())
    classes = Classes.of(_readable(sources.texts))
    for file in sources.texts:
        path = file.resolve()
        known, content = facts.files.get(path), read_bytes(path)
        problem = _why_not(file, known, content)
        if problem is not None and path in named:
            raise CommandError(problem)
        if known is None:
            continue
        if problem is not None:
            stale.append(problem)
            continue
        source = Source.of(path, *read(path))
        chosen = STYLES[style or ("jaxtyping" if source.imports_jaxtyping else "native")]
        walks = Walks(path, settings, known.attributes)
        speller = chosen(source, settings.x64)
        plans[path] = (Plan(source, known, walks, speller, refine, held, with_places, classes), content)
    if not plans:
        nothing = "no calls were recorded in these files; record a run that calls their functions"
        raise CommandError("\n".join(stale) or nothing)
    notes += stale
    if with_places and not any(facts.files[path].places for path in plans):
        notes.append("no variables were recorded; record the run again with --places")
    open_ = {
        path: (plan, content)
        for path, (plan, content) in plans.items()
        if plan.functions or plan.owners or plan.assignments
    }
    proven, levels = prove(open_, config_file, with_pyright) if open_ else ({}, {})
    results = [
        _annotated(path, plan, content, proven[path], levels[path])
        if path in proven
        else Annotated(path, content, content)
        for path, (plan, content) in plans.items()
    ]
    return results, notes


def _readable(files: Iterable[Path]) -> Iterator[Source]:
    """The files that can be read: what cannot, and was not recorded, is no one's business."""
    for file in files:
        with contextlib.suppress(CommandError):
            yield Source.of(file.resolve(), *read(file.resolve()))


def _why_not(file: Path, known: FileFacts | None, content: bytes) -> str | None:
    """Why nothing can be said of a file; None where it is as it was when it was recorded."""
    if known is None:
        return f"{file}: no calls were recorded in this file; record a run that calls its functions"
    if digest_of(content) != known.digest:
        return f"{file}: the file has changed since it was recorded; record the run again"
    return None


def _annotated(
    path: Path, plan: Plan, before: bytes, proven: Proven, levels: Mapping[int, Level]
) -> Annotated:
    """A file with what is proven of its annotations, and notes on what was left out."""
    result = Annotated(path, before, proven.content)
    for planned in plan.functions:
        level, reason = levels[planned.number], proven.reasons.get(planned.number)
        result.count += level.parameters < Precision.NOTHING or level.result < Precision.NOTHING
        if reason is not None and level != Level():
            nothing = level.parameters == level.result == Precision.NOTHING
            what = "not annotated" if nothing else "annotated less precisely"
            definition = planned.definition
            result.notes.append(f"{path}:{definition.node.lineno}: {definition.qualname} is {what}: {reason}")
    for owner in plan.owners:
        reason = proven.reasons.get(owner.number)
        if reason is not None:
            fields = f"the fields of {owner.name} are not annotated"
            result.notes.append(f"{path}:{owner.node.lineno}: {fields}: {reason}")
    result.notes += [
        f"{path}:{error.line}: mypy reports an error with these annotations: {shorten(error.message)}"
        for error in proven.left
    ]
    return result
