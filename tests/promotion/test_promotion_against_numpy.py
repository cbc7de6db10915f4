"""The system "numpy" against NumPy's ``x + y``, ml_dtypes included; of three operands against ``numpy.result_type``."""

import itertools

import numpy as np
import pytest

from jaxtyping_core import dtypes
from jaxtyping_core.lattice import NODES
from jaxtyping_core.promotion import find

SCALARS = {"weak_int": 1, "weak_float": 1.0, "weak_complex": 1j}
available = [node for node in NODES if node in dtypes.WEAK or node in dtypes.available()]
OWN = [
    name
    for name in dtypes.available()
    if dtypes.numpy_dtype(name).type.__module__ == "numpy" and dtypes.DTYPES[name].promotes
]


def numpy_answer(*nodes):
    try:
        return np.result_type(
            *(SCALARS[node] if node in SCALARS else dtypes.numpy_dtype(node) for node in nodes)
        ).name
    except TypeError:
        return None


def sum_of(*nodes):
    """The dtype of a sum of arrays and Python scalars; None where NumPy has no loop for them."""
    operands = [SCALARS[node] if node in SCALARS else np.ones(2, dtypes.numpy_dtype(node)) for node in nodes]
    try:
        return np.add(*operands).dtype.name
    except TypeError:
        return None


def of_the_first(a: str, b: str) -> bool:
    """Whether NumPy computes in the dtype of `a`, which cannot hold `b`: ``uint1 + float8_e4m3`` is uint1.

    It takes the first loop that ml_dtypes has for the first operand. The system has the dtype that holds both, also
    in this order.
    """
    return sum_of(a, b) == a and sum_of(b, a) == b == find((a, b), "numpy", False)


@pytest.mark.parametrize("node", available)
def test_every_pair(node: str) -> None:
    pairs = [(node, other) for other in available if not {node, other} <= SCALARS.keys()]
    different = {pair for pair in pairs if find(pair, "numpy", False) != sum_of(*pair)}
    assert different == {(a, b) for a, b in pairs if a != b and of_the_first(a, b)}


def test_how_many_pairs_numpy_computes_in_the_first_dtype() -> None:
    pairs = [pair for pair in itertools.permutations(available, 2) if not set(pair) <= SCALARS.keys()]
    pairs = [pair for pair in pairs if of_the_first(*pair)]
    assert len(pairs) == 88
    assert all(set(pair).isdisjoint(OWN) for pair in pairs)


@pytest.mark.parametrize(
    ("a", "b", "dtype"),
    [
        ("bfloat16", "weak_float", "float32"),
        ("bfloat16", "float16", "float32"),
        ("int32", "bfloat16", "float64"),
        ("uint8", "int4", "int16"),
    ],
)
def test_operations_without_a_common_dtype(a: str, b: str, dtype: str) -> None:
    assert find((a, b), "numpy", False) == find((b, a), "numpy", False) == dtype


def test_every_triple_of_numpys_own_dtypes() -> None:
    triples = list(itertools.product(OWN, repeat=3))
    assert len(triples) == 2744
    assert [find(triple, "numpy", False) for triple in triples] == [
        numpy_answer(*triple) for triple in triples
    ]


def test_numpy_is_not_associative() -> None:
    """Why NumPy's promotion is not a lattice: int8 and uint8 may become int16 or float16, and int16 is preferred."""

    def join(a, b):
        return find((a, b), "numpy", False)

    triples = [
        (a, b, c)
        for a, b, c in itertools.product(OWN, repeat=3)
        if join(join(a, b), c) != join(a, join(b, c))
    ]
    assert len(triples) == 28
    assert ("int8", "uint8", "float16") in triples
    assert (join(join("int8", "uint8"), "float16"), join("int8", join("uint8", "float16"))) == (
        "float32",
        "float16",
    )
