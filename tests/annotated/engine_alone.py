"""What the engine knows without mypy of functions that declare their arrays, against what mypy with the plugin infers there.

``python -m annotated.engine_alone [NAME...]`` from ``tests/`` prints where it knows less, as TOML.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from frozen import claims
from frozen.claims import Array, Spot
from frozen.freeze import frozen
from frozen.programs import Program, programs, put
from jaxtyping_core.domain import dims
from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.programs.contexts import CALLED, Fact, shown
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

#: How what the engine knows of a place compares with what the plugin does.
EXACT, MORE, LESS, NOTHING, DIFFERENT = "exact", "more", "less", "nothing", "different"
LOSSES = (LESS, NOTHING)
NO_ARRAY = Array(None, None, None)


class Finding(NamedTuple):
    """A place of a program, and what the plugin and the engine say of it."""

    where: str
    kind: str
    plugin: str
    engine: str


def findings(names: Sequence[str] = ()) -> Iterator[Finding]:
    """The places of the programs of which the plugin knows something; without `names`, of all programs."""
    before = frozen("plugin", "annotated")
    chosen = [each for each in programs() if each.group == "annotated" and (each.name in names or not names)]
    for program, places in _declared(chosen):
        for spot, array in before[program.name].places.items():
            here = places.get(spot, NO_ARRAY)
            yield Finding(str(spot), kind(array, here), claims.shown(array), claims.shown(here))


def _declared(chosen: Sequence[Program]) -> Iterator[tuple[Program, dict[Spot, Array]]]:
    """What the engine knows of each place by what functions declare; of calls, only where they declare nothing."""
    with tempfile.TemporaryDirectory() as folder:
        for file, program in put(chosen, Path(folder)).items():
            collected = collect([file], Settings().trusted)
            report = evaluate_programs(collected, Settings(), cached=False, keep=True)
            places = shown(_without_calls([fact for fact in report.facts if not fact.is_parameter]))
            yield (
                program,
                {
                    Spot(file.name, place.line, place.column, place.name): Array(
                        place.dtype, place.weak, place.shape
                    )
                    for place in places
                },
            )


def _without_calls(facts: Sequence[Fact]) -> list[Fact]:
    declared = {fact.place.spot for fact in facts if fact.context.kind != CALLED}
    return [fact for fact in facts if fact.context.kind != CALLED or fact.place.spot not in declared]


def kind(plugin: Array, engine: Array) -> str:
    """How the engine's answer compares with the plugin's; only that a dtype is weak counts, not that it is not known to be."""
    if engine.dtype is None and engine.shape is None:
        return NOTHING
    same_rank = None in (plugin.shape, engine.shape) or len(plugin.shape or ()) == len(engine.shape or ())
    pairs = list(zip(plugin.shape or (), engine.shape or (), strict=False)) if same_rank else []
    dtypes = plugin.dtype, engine.dtype
    if not same_rank or (None not in dtypes and dtypes[0] != dtypes[1]) or any(map(_contradict, pairs)):
        return DIFFERENT
    less = (plugin.dtype is not None and engine.dtype is None) or (
        plugin.shape is not None
        and (engine.shape is None or any(a is not None and b is None for a, b in pairs))
    )
    same = dtypes[0] == dtypes[1] and (plugin.shape is None) == (engine.shape is None)
    return LESS if less else EXACT if same and all((a is None) == (b is None) for a, b in pairs) else MORE


def _contradict(pair: tuple[Dim, Dim]) -> bool:
    """Whether two dims cannot be one; a number is what the program has where the plugin knows a name."""
    plugin, engine = pair
    is_number = isinstance(plugin, str) and type(engine) is int
    return None not in pair and not is_number and not dims.equal(plugin, engine)


def main(names: Sequence[str]) -> None:
    """Print the places at which less is known, and how many there are of each kind."""
    kinds = Counter[str]()
    for finding in findings(names):
        kinds[finding.kind] += 1
        if finding.kind not in (EXACT, MORE):
            print(f'[[{finding.kind}]]\nwhere = "{finding.where}"')
            print(f'plugin = "{finding.plugin}"\nengine = "{finding.engine}"\n', flush=True)
    print(f"# {dict(kinds)}")


if __name__ == "__main__":
    main(sys.argv[1:])
