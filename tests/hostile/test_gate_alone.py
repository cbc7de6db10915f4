"""The interpreter alone keeps hostile programs from any effect: the process has all its rights, and no hook."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from attacks import COSTLY, Attack, Scene, attacks
from kept import HEALTHY, Kept

pytestmark = pytest.mark.one_python  # the same under every Python, and long
ATTACKS = attacks()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    scene = Scene(tmp_path_factory.mktemp("gate"))
    kept = Kept(scene, ("no-wall", "no-hook"))
    yield kept
    kept.close()
    scene.close()


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.id)
def test_no_effect(kept: Kept, attack: Attack) -> None:
    outcome = kept.put(attack)
    assert outcome.effects == []
    # The limits of time and memory are those of the process: where they are reached, it is ended.
    assert attack.kind in COSTLY or not outcome.lost, outcome.report


def test_child_is_as_it_was(kept: Kept) -> None:
    assert kept.ask(HEALTHY).is_right


def test_there_are_programs_of_each_cause() -> None:
    causes = [attack.cause for attack in ATTACKS]
    assert len(ATTACKS) >= 110
    assert min(map(causes.count, causes)) >= 10
