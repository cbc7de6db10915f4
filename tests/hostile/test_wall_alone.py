"""The wall alone keeps a child from any effect in which hostile programs are executed: there is no gate, and no hook."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attacks import COSTLY, Attack, Scene, attacks
from kept import CHANGED, Kept

import kernel

pytestmark = [pytest.mark.one_python, pytest.mark.sweep("wall")]  # the same under every Python, and long
#: Programs whose effects are within the child: that it ends, takes its time, or is another one afterwards.
WITHIN = (*COSTLY, "end", "state")
ATTACKS = [attack for attack in attacks() if attack.kind not in WITHIN]
OF_THE_CHILD = [attack for attack in attacks() if attack.kind in WITHIN]
#: The child that walks programs needs up to five seconds for each that costs time: every third is put to it.
WALKED = [attack for attack in OF_THE_CHILD if attack.kind not in COSTLY] + [
    attack for attack in OF_THE_CHILD if attack.kind in COSTLY
][::3]
#: Seconds of a clock until the parent has its answer: the longest wait is that for a child that does nothing, see `process`.
BOUND = 30.0
#: These tell the status of a file, which a child that imports modules may ask for: that it exists, and its size.
STATUS = {"secrets/file_by_its_status", "secrets/file_that_exists"}
#: These say in the child what it is to answer; whoever has the child can. It must make sense all the same.
ANSWERS = {
    *("parent/forged_answers_later", "parent/forged_by_descriptor", "parent/forged_in_two_steps"),
    *("parent/forged_note", "parent/forged_place"),
}
#: The programs that show what is possible without a wall and a gate: some of each kind.
SHOWN = (
    *("text_as_code/jaxtyping_dim_expression", "text_as_code/annotations_of_dataclass", "files/plain_write"),
    *(
        "objects_that_hand_out/native_code",
        "processes/shell",
        "processes/daemon",
        "sockets/tcp",
        "sockets/abstract",
    ),
    *(
        "secrets/file_in_a_size",
        "objects_that_hand_out/convert_where_there_is_no_guard",
        "parent/signal",
        "parent/output_of_parent",
        "files/mode",
    ),
)
#: What a dtype is called.
DTYPE = re.compile(r"[a-z][a-z0-9_]*(<[a-z0-9_]+>)?\Z")


def kept_with(folder: Path, *words: str) -> Iterator[Kept]:
    scene = Scene(folder)
    kept = Kept(scene, words)
    yield kept
    kept.close()
    scene.close()


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    yield from kept_with(tmp_path_factory.mktemp("executed"), "for-real", "no-hook")


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    yield from kept_with(tmp_path_factory.mktemp("walked"), "no-gate", "no-hook")


@pytest.fixture(scope="module", params=["for-real", "no-gate"])
def open_to_all(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    words = (request.param, "no-hook", "no-wall")
    yield from kept_with(tmp_path_factory.mktemp("open"), *words)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.id)
def test_no_effect_of_what_is_executed(executed: Kept, attack: Attack) -> None:
    assert_none(executed, attack)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.id)
def test_no_effect_of_what_is_walked(walked: Kept, attack: Attack) -> None:
    assert_none(walked, attack)


@pytest.mark.parametrize("attack", OF_THE_CHILD, ids=lambda attack: attack.id)
def test_what_is_executed_harms_its_child_alone(executed: Kept, attack: Attack, tmp_path: Path) -> None:
    assert_harms_its_child_alone(executed, attack, tmp_path)


@pytest.mark.parametrize("attack", WALKED, ids=lambda attack: attack.id)
def test_what_is_walked_harms_its_child_alone(walked: Kept, attack: Attack, tmp_path: Path) -> None:
    assert_harms_its_child_alone(walked, attack, tmp_path)


def test_answers_are_those_to_the_questions(executed: Kept) -> None:
    """A child that writes more lines than it is asked for is not believed what it says next."""
    (attack,) = (attack for attack in ATTACKS if attack.id == "parent/forged_by_descriptor")
    executed.put(attack)
    executed.is_fresh = False
    outcomes = [executed.ask(f"number = {number}\n") for number in range(70_001, 70_004)]
    told = [re.findall(r"number =\s+(\d+)", outcome.told) for outcome in outcomes]
    if told != [["70001"], ["70002"], ["70003"]]:
        pytest.xfail(f"the answers to three questions are {told}")


def assert_none(kept: Kept, attack: Attack) -> None:
    outcome = kept.put(attack)
    assert kept.wall == "full" or not kernel.isolates(), kept.wall
    if kept.wall != "full":
        pytest.skip(f"this system has no wall, or a part of one: {kept.wall}")
    noticed = [effect for effect in outcome.effects if not effect.startswith(CHANGED)]
    if attack.id in STATUS:
        assert all(effect.startswith("told ") for effect in noticed)
        pytest.xfail("a wall keeps nobody from asking for the status of a file")
    if attack.id in ANSWERS:
        noticed = [effect for effect in noticed if effect != "forged"]
    assert noticed == []
    for place in outcome.report.get("places", ()):
        assert place["dtype"] is None or DTYPE.match(place["dtype"])
        sizes = place["shape"] or ()
        assert all(isinstance(size, str) or size is None or 0 <= size < 1 << 63 for size in sizes)


def assert_harms_its_child_alone(kept: Kept, attack: Attack, elsewhere: Path) -> None:
    """The parent goes on in time, knows what it has no answer for, and the next project gets the right one."""
    outcome, harmed = kept.put(attack), kept.child
    if kept.wall != "full" and not outcome.lost:
        pytest.skip(f"this system has no wall, or a part of one: {kept.wall}")
    assert [effect for effect in outcome.effects if not effect.startswith(CHANGED)] == []
    assert outcome.seconds < BOUND
    if outcome.lost:
        assert outcome.report["lost"] and outcome.report["incomplete"]
        assert not outcome.report["places"]
    kept.is_fresh = False  # the parent itself has to notice
    after = kept.ask_elsewhere(elsewhere)
    assert after.is_right, after.report
    assert after.effects == []
    assert kept.child is not None and kept.child != harmed


@pytest.mark.parametrize("name", SHOWN)
def test_without_wall_and_gate_there_is_an_effect(open_to_all: Kept, name: str) -> None:
    (attack,) = (attack for attack in ATTACKS if attack.id == name)
    assert open_to_all.put(attack).effects


@pytest.mark.parametrize("attack", attacks(), ids=lambda attack: attack.id)
def test_every_effect_is_real(open_to_all: Kept, attack: Attack) -> None:
    if not os.environ.get("HOSTILE_FOR_REAL"):
        pytest.skip("HOSTILE_FOR_REAL=1 executes hostile programs")
    if open_to_all.words and "no-gate" in open_to_all.words:
        pytest.skip("the interpreter knows not all of Python")
    outcome = open_to_all.put(attack)
    assert outcome.effects or outcome.lost or attack.kind == "memory", outcome.report
