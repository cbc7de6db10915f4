"""The system "numpy" against ``numpy.result_type``, ml_dtypes included."""

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


@pytest.mark.parametrize("node", available)
def test_every_pair(node: str) -> None:
    ours = {other: find((node, other), "numpy", False) for other in available}
    assert ours == {other: numpy_answer(node, other) for other in available}


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
