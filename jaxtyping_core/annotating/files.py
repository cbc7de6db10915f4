"""Annotates files from the facts of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxtyping_core.annotating.owners import held_in
from jaxtyping_core.annotating.planning import Level, Plan
from jaxtyping_core.annotating.proving import prove
from jaxtyping_core.annotating.source import Source
from jaxtyping_core.annotating.spelling.common import Precision, Speller
from jaxtyping_core.annotating.spelling.jaxtyping import Jaxtyping
from jaxtyping_core.annotating.spelling.native import Native
from jaxtyping_core.annotating.walking import Walks
from jaxtyping_core.checking.short import shorten
from jaxtyping_core.errors import CommandError, unknown
from jaxtyping_core.programs.files import python_files
from jaxtyping_core.programs.sources import read
from jaxtyping_core.recording.store import Facts, digest_of
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
    plans: dict[Path, tuple[Plan, bytes]] = {}
    named = {path.resolve() for path in paths if not path.is_dir()}
    held = held_in(facts.files.values())
    for file in sources.texts:
        path = file.resolve()
        known = facts.files.get(path)
        if known is None:
            if path in named:
                raise CommandError(
                    f"{file}: the facts say nothing of this file; record a run that calls its functions"
                )
            continue
        content = path.read_bytes()
        if digest_of(content) != known.digest:
            problem = f"{file}: it was changed since the run that was recorded; record again"
            if path in named:
                raise CommandError(problem)
            notes.append(problem)
            continue
        text, tree = read(path)
        source = Source.of(path, text, tree)
        chosen = STYLES[style or ("jaxtyping" if source.imports_jaxtyping else "native")]
        walks = Walks(path, settings, known.attributes)
        speller = chosen(source, settings.x64)
        plans[path] = (Plan(source, known, walks, speller, refine, held, with_places), content)
    if not plans:
        raise CommandError("the facts say nothing of these files; record a run that calls their functions")
    if with_places and not any(facts.files[path].places for path in plans):
        notes.append("the facts say nothing of variables; record --places records them")
    open_ = {
        path: (plan, content)
        for path, (plan, content) in plans.items()
        if plan.functions or plan.owners or plan.assignments
    }
    proven, levels = prove(open_, config_file, with_pyright) if open_ else ({}, {})
    results = []
    for path, (plan, content) in plans.items():
        if path not in proven:
            results.append(Annotated(path, content, content))
            continue
        after = proven[path].content
        result = Annotated(path, content, after)
        for planned in plan.functions:
            level = levels[path][planned.number]
            reason = proven[path].reasons.get(planned.number)
            result.count += level.parameters < Precision.NOTHING or level.result < Precision.NOTHING
            if reason is not None and level != Level():
                what = (
                    "left alone" if level.parameters == level.result == Precision.NOTHING else "less precise"
                )
                result.notes.append(
                    f"{path}:{planned.definition.node.lineno}: {planned.definition.qualname} is {what}: {reason}"
                )
        for owner in plan.owners:
            reason = proven[path].reasons.get(owner.number)
            if reason is not None:
                result.notes.append(
                    f"{path}:{owner.node.lineno}: fields of {owner.name} are left alone: {reason}"
                )
        result.notes += [
            f"{path}:{error.line}: with these annotations there is an error: {shorten(error.message)}"
            for error in proven[path].left
        ]
        results.append(result)
    return results, notes
