"""States of the heap: what is gone back to, and what several of them have in common."""

from __future__ import annotations

import collections
from typing import Any

import pytest

from jaxtyping_core.engine.scopes import Module, Scope
from jaxtyping_core.engine.values import heap, states
from jaxtyping_core.engine.values.contents import contents_of
from jaxtyping_core.engine.values.unknowns import AbstractScalar, AbstractSequence
from jaxtyping_core.identity import identity


class Thing:
    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


def append(value: list[Any], item: Any) -> None:
    heap.changing(value)
    value.append(item)


@pytest.fixture
def scope() -> Scope:
    return Module("m", "m.py", False).scope


@pytest.mark.parametrize(
    "value",
    [
        [1],
        {"b": 1, "a": 2},
        {1, 2},
        collections.deque([1, 2], maxlen=2),
        collections.OrderedDict(b=1, a=2),
        collections.Counter("aab"),
        Thing(x=1, y=2),
    ],
    ids=lambda value: type(value).__name__,
)
def test_containers_hold_again_what_they_held(value: Any) -> None:
    before, held = heap.now(), contents_of(value)
    heap.changing(value)
    if isinstance(value, (dict, set, list, collections.deque)):
        value.clear()
    else:
        del value.x
    after = heap.now()
    before.restore()
    assert contents_of(value) == held
    assert [*contents_of(value)] == [*held]
    after.restore()
    assert len(contents_of(value)) == (1 if isinstance(value, Thing) else 0)


def test_any_state_is_gone_back_to_from_any_other(scope: Scope) -> None:
    taken = [heap.now()]
    for number in (1, 2):
        scope.assign("x", number)
        taken.append(heap.now())
    taken[1].restore()
    scope.assign("x", 3)
    scope.assign("y", 4)
    taken.append(heap.now())
    taken[0].restore()
    scope.delete("z")
    scope.assign("x", 5)
    taken.append(heap.now())
    expected: list[dict[str, int]] = [{}, {"x": 1}, {"x": 2}, {"x": 3, "y": 4}, {"x": 5}]
    for first in range(5):
        for second in range(5):
            taken[first].restore()
            assert scope.variables == expected[first]
            taken[second].restore()
            assert scope.variables == expected[second]


def test_a_state_costs_what_has_changed(scope: Scope) -> None:
    values = [[number] for number in range(1000)]
    scope.assign("values", values)
    before = heap.now()
    append(values[7], 0)
    assert [value for value, _, _ in before.differences().values()] == [values[7]]
    assert heap.now() is heap.now()


def test_nothing_is_noted_while_nobody_holds_a_state() -> None:
    heap.forget_all()
    value = [1]
    append(value, 2)
    assert not heap.is_held()
    before = heap.now()
    assert heap.is_held()
    del before
    assert not heap.is_held()


def test_what_changed_on_one_way_is_joined_with_what_it_was_before(scope: Scope) -> None:
    items, other = [1.0], [2]
    before = heap.now()
    append(items, 2.0)
    first = heap.now()
    before.restore()
    append(other, 3)
    assert items == [1.0]
    second = heap.now()
    replaced = states.merge([first, second])
    assert {type(value) for _, value in replaced.values()} == {AbstractSequence}
    assert replaced.keys() == {identity(items), identity(other)}


def test_what_exists_on_one_way_is_what_it_is_there(scope: Scope) -> None:
    before = heap.now()
    new = heap.made([1])
    inner = heap.now()
    append(new, 2)
    scope.assign("new", new)
    first = heap.now()
    before.restore()
    scope.assign("x", 1)
    second = heap.now()
    assert not states.merge([first, second])
    assert new == [1, 2]
    assert scope.variables == {"new": new, "x": 1}
    inner.restore()
    assert new == [1]


def test_variables_refer_to_containers_as_they_are_after_the_branches(scope: Scope) -> None:
    first_list, second_list = [1.5], [1.5]
    before = heap.now()
    first_list[0] = 1.5
    heap.changing(first_list)
    first_list[0] = 2.5
    scope.assign("x", first_list)
    first = heap.now()
    before.restore()
    scope.assign("x", second_list)
    states.merge([first, heap.now()])
    (item,) = scope.variables["x"]
    assert isinstance(item, AbstractScalar)


def test_the_dict_of_an_object_is_the_object() -> None:
    thing = Thing(x=1)
    fields = heap.is_same(thing, vars(thing))
    before = heap.now()
    heap.changing(fields)
    fields["x"] = 2
    middle = heap.now()
    heap.changing(thing)
    thing.y = 3  # type: ignore[attr-defined]
    before.restore()
    assert vars(thing) == {"x": 1}
    middle.restore()
    assert vars(thing) == {"x": 2}


def test_unchanged() -> None:
    items: list[Any] = [1]
    before = heap.now()
    heap.changing(items)
    items[:] = [1]
    assert states.unchanged(before, heap.now())
    append(items, 2)
    assert not states.unchanged(before, heap.now())
    new = heap.made([])
    middle = heap.now()
    append(new, 1)
    items.pop()
    assert not states.unchanged(middle, heap.now())
    assert states.unchanged(before, heap.now())  # what did not exist before makes no difference
