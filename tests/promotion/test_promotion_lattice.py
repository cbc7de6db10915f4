"""The laws of a join, the checks of a lattice, and lattices of one's own."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtyping_core import Lattice, LatticeError, PromotionError, UnknownNameError, promote_types, result_type
from jaxtyping_core.lattice import NODES, PartialOrder
from jaxtyping_core.promotion import find, join
from jaxtyping_core.systems import SYSTEMS, System

ORDERS = {
    f"{name}-x64-{'on' if x64 else 'off'}": order
    for name, system in SYSTEMS.items()
    for x64, order in system.orders.items()
    if isinstance(order, Lattice)
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_joins_are_idempotent_and_commutative(order: Lattice) -> None:
    assert all(order.join(a, a) == a for a in order.edges)
    assert all(order.join(a, b) == order.join(b, a) for a, b in itertools.combinations(order.edges, 2))


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_joins_are_associative(order: Lattice) -> None:
    """Over all triples, uncanonicalized and with the weak types; None, the missing join, absorbs."""
    pairs = {(a, b): order.join(a, b) for a, b in itertools.product(order.edges, repeat=2)}
    for a, b, c in itertools.product(order.edges, repeat=3):
        left, right = pairs[a, b], pairs[b, c]
        assert (left and pairs[left, c]) == (right and pairs[a, right]) == order.join(a, b, c), (a, b, c)


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_a_join_is_the_least_upper_bound(order: Lattice) -> None:
    for a, b in itertools.product(order.edges, repeat=2):
        common = order.upper_bounds[a] & order.upper_bounds[b]
        joined = order.join(a, b)
        assert (joined is None) == (not common)
        assert joined is None or (joined in common and common == order.upper_bounds[joined])


def test_an_unknown_node() -> None:
    with pytest.raises(
        LatticeError, match=r"lattice 'custom': unknown node 'flaot32'; the nearest names are 'float32'"
    ):
        Lattice({"int8": ["flaot32"]})


def test_a_cycle() -> None:
    with pytest.raises(LatticeError, match=r"lattice 'mine': int8 -> int16 -> int8 is a cycle"):
        Lattice({"bool": ["int8"], "int8": ["int16"], "int16": ["int8"]}, name="mine")


def test_an_ambiguous_join() -> None:
    """The design document's example: int8 and uint8 with both int16 and float16 above them."""
    edges = {"int8": ["int16", "float16"], "uint8": ["int16", "float16"]}
    message = (
        "lattice 'custom': the join of 'uint8' and 'int8' is ambiguous, its candidates are 'int16', 'float16'"
    )
    with pytest.raises(LatticeError, match=re.escape(message)):
        Lattice(edges)
    assert PartialOrder(edges).candidates("int8", "uint8") == ("int16", "float16")


def test_numpys_and_pytorchs_casts_are_no_lattices() -> None:
    for name in ("numpy", "torch"):
        with pytest.raises(LatticeError, match="ambiguous"):
            Lattice(SYSTEMS[name].orders[True].edges)


def test_a_pair_without_an_upper_bound_is_an_error_of_promotion() -> None:
    lattice = Lattice({"int8": [], "float32": []}, name="apart")
    assert lattice.join("int8", "float32") is None
    with pytest.raises(PromotionError, match=r"'int8' and 'float32' .* system 'apart'"):
        promote_types("int8", "float32", system=lattice)


def test_a_lattice_of_ones_own_is_a_promotion_system() -> None:
    halves = Lattice(
        {"int8": ["bfloat16"], "weak_float": ["bfloat16"], "bfloat16": ["float32"]}, name="halves"
    )
    assert join("int8", "weak_float", system=halves) == "bfloat16"
    assert result_type(2.0, "int8", system=halves).dtype == "bfloat16"
    assert promote_types("int8", "float64", system=halves, x64=False).dtype == "float32"  # float64 is off
    with pytest.raises(PromotionError, match=r"'halves' .*which does not know 'int64'"):
        promote_types("int8", "int64", system=halves, x64=True)


edges = st.dictionaries(
    st.sampled_from(NODES[:12]), st.lists(st.sampled_from(NODES[:12]), max_size=3), max_size=12
)


@given(edges)
def test_a_lattice_is_either_refused_or_lawful(edges: dict[str, list[str]]) -> None:
    try:
        lattice = Lattice(edges)
    except LatticeError:
        return
    for a, b, c in itertools.product(lattice.edges, repeat=3):
        left, right = lattice.join(a, b), lattice.join(b, c)
        assert (left and lattice.join(left, c)) == (right and lattice.join(a, right)) == lattice.join(a, b, c)


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_only_tensorflow_depends_on_the_order_of_operands(system: System) -> None:
    nodes = [node for node in NODES if node in system]
    asymmetric = [
        (a, b)
        for a, b in itertools.combinations(nodes, 2)
        if find((a, b), system.name, True) != find((b, a), system.name, True)
    ]
    assert bool(asymmetric) == (system.name == "tensorflow")


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ({"int8": "int16"}, "expected a list of the nodes above 'int8', got 'int16'"),
        ({"int8": 3}, "expected a list of the nodes above 'int8', got 3"),
        (["int8"], "expected a dict of nodes"),
        ({8: ["int16"]}, "expected names such as 'int8', got 8"),
        ({"int8": [16]}, "expected names such as 'int8', got 16"),
    ],
)
def test_edges_of_another_form(edges, message):
    with pytest.raises(LatticeError, match=message):
        Lattice(edges)


def test_questions_that_mean_nothing():
    with pytest.raises(ValueError, match="at least one node, got none"):
        Lattice({"int8": ["int16"]}).join()
    with pytest.raises(ValueError, match="at least one node, got none"):
        join()
    with pytest.raises(UnknownNameError, match="3 is not the name of a dtype"):
        join(3)
    with pytest.raises(TypeError, match="x64 is 'yes': expected True, False, or None"):
        promote_types("int8", "int16", x64="yes")
