"""Work side by side: what comes out is in the order of what went in, and one failure ends all."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from jaxtyping_core.evaluation import lanes
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings


@pytest.mark.parametrize("count", [1, 3])
def test_results_are_in_order(count: int) -> None:
    seen: list[int] = []

    def work(lane: int, number: int, item: str) -> str:
        seen.append(lane)
        return f"{number}{item}"

    assert lanes.each("abcdef", count, work, threading.Event()) == ["0a", "1b", "2c", "3d", "4e", "5f"]
    assert set(seen) <= set(range(count))


def test_a_lane_does_one_thing_at_a_time() -> None:
    busy = [threading.Lock() for _ in range(3)]

    def work(lane: int, number: int, item: int) -> None:
        assert busy[lane].acquire(blocking=False)
        busy[lane].release()

    lanes.each(range(200), 3, work, threading.Event())


@pytest.mark.parametrize("count", [1, 2])
def test_a_failure_ends_the_others(count: int) -> None:
    stop = threading.Event()
    begun: list[int] = []

    def work(lane: int, number: int, item: int) -> None:
        begun.append(item)
        if item == 1:
            raise ValueError("the second")
        if count > 1:
            assert stop.wait(20)

    with pytest.raises(ValueError, match="the second"):
        lanes.each(range(9), count, work, stop)
    assert begun == [0, 1]


@pytest.mark.parametrize(
    ("items", "processors", "children", "expected"), [(1, 8, 9, 1), (9, 2, 9, 2), (9, 8, 0, 1)]
)
def test_how_many_lanes(
    items: int, processors: int, children: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes, "_processors", lambda: processors)
    monkeypatch.setattr(lanes, "_children", lambda: children)
    assert lanes.count(items) == expected


@pytest.mark.one_python
def test_programs_side_by_side_are_as_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 6):
        file = tmp_path / f"program{number}.py"
        file.write_text(f"import jax.numpy as jnp\nx = jnp.ones({number})\ny = x @ jnp.ones(3)\n")
    reports = []
    for count in (1, 3):
        monkeypatch.setattr(lanes, "count", lambda items, count=count: count)
        told: list[str] = []
        reports.append(
            evaluate_programs(
                collect(sorted(tmp_path.glob("*.py"))),
                Settings(),
                cached=False,
                begins=lambda files, left, told=told: told.extend(files),
            )
        )
        assert sorted(told) == sorted(map(str, tmp_path.glob("*.py")))
    assert reports[0] == reports[1]
    assert len(reports[0].refusals) == 4
