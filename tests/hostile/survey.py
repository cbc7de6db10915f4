"""Which hostile programs have an effect where lines of defence are missing: ``python survey.py WORDS [NAME...]``.

WORDS are those of the test child, joined by commas (``no-gate,no-hook,no-wall``), ``as-is`` for the child that lacks nothing, or ``today`` for the real one; NAME is a
part of a program's cause and name. `HOSTILE_EXISTING=1` takes the programs of `tests/programs/hostile` instead,
`HOSTILE_FRESH=1` a new child for each.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "programs"), str(Path(__file__).parent)]

import effects
from attacks import Attack, Scene, attacks
from kept import Kept

#: Those whose effect is that the child gives no answer.
ENDING = ("crash", "end", "time", "memory")


def main() -> None:
    words, *names = sys.argv[1:]
    programs = attacks()
    if os.environ.get("HOSTILE_EXISTING"):
        programs = [Attack("existing", name, text) for name, text in effects.programs()]
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(Path(folder))
        kept = Kept(scene, None if words == "today" else tuple(words.split(",")))
        for attack in programs:
            if names and not any(name in attack.id for name in names):
                continue
            start = time.monotonic()
            kept.is_fresh |= bool(os.environ.get("HOSTILE_FRESH"))
            outcome = kept.put(attack)
            has = bool(outcome.effects or (outcome.lost and attack.kind in ENDING))
            counts[attack.cause] += has
            counts["all"] += has
            said = (
                "; ".join(outcome.effects)[:200]
                if outcome.effects
                else "; ".join(outcome.report.get("notes", ()))[-300:]
            )
            print(
                f"{'EFFECT' if has else 'none  '} {attack.kind:10} {attack.id:45} {time.monotonic() - start:5.1f} s  {said!r}",
                flush=True,
            )
        kept.close()
        scene.close()
    print(dict(counts))


if __name__ == "__main__":
    main()
