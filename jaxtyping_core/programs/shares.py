"""What each of several programs does of the work on all: programs of one project have modules in common."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jaxtyping_core.programs.sources import Program

#: What each module of a program may take, where each module of the others has one part: most programs need less.
SHARE_OF_MODULE = 2


def divided(programs: Sequence[Program], have_x64: Sequence[bool]) -> list[frozenset[str]]:
    """The modules of each program whose functions that nothing calls are looked at there, and in no other program.

    A file that several programs have is looked at where its name is longest, since relative imports work there; of these in
    the program that it was given for, then in the first one. Programs with 64-bit types and those without get other dtypes:
    `have_x64` tells them apart, and both look at what both have.
    """
    takers: dict[tuple[Path, bool], tuple[tuple[int, bool, int], str]] = {}
    for number, (program, has_x64) in enumerate(zip(programs, have_x64, strict=True)):
        for name, module in program.modules.items():
            file = Path(module.path).resolve(), has_x64
            rank = name.count("."), name in program.entries, -number
            takers[file] = max(takers.get(file, (rank, name)), (rank, name))
    own: list[set[str]] = [set() for _ in programs]
    for (_, _, number), name in takers.values():
        own[-number].add(name)
    return [*map(frozenset, own)]


def share(seconds: float, modules: int, of: int) -> float:
    """What a program may take of some time for so many modules, `of` all that there are."""
    parts = SHARE_OF_MODULE * modules
    return seconds * parts / (parts + of - modules)
