"""The system "tensorflow" against ``tf.add``."""

import itertools
import os

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
tf = pytest.importorskip(
    "tensorflow", reason="TensorFlow is not installed; it is no dependency of this project"
)

from jaxtyping_core import dtypes
from jaxtyping_core.promotion import find
from jaxtyping_core.systems import get

SCALARS = {"weak_int": 1, "weak_float": 1.0, "weak_complex": 1j}
NAMES = list(get("tensorflow").orders[True].edges)

#: Dtypes that TensorFlow stores but has no addition for.
NO_ADDITION = {
    name for name in NAMES if dtypes.DTYPES[name].bits < 8 or name.startswith("float8") or name == "bool"
}


def tensorflow_answer(*nodes):
    operands = [SCALARS[node] if node in SCALARS else tf.zeros(2, dtype=node) for node in nodes]
    try:
        return tf.add(*operands).dtype.name
    except (TypeError, ValueError, tf.errors.InvalidArgumentError):
        return None


def test_every_pair() -> None:
    nodes = [name for name in (*NAMES, *SCALARS) if name not in NO_ADDITION]
    assert len(nodes) == 17
    pairs = list(itertools.product(nodes, repeat=2))
    assert [find(pair, "tensorflow", False) for pair in pairs] == [tensorflow_answer(*pair) for pair in pairs]


def test_every_shared_dtype_is_there() -> None:
    known = {name for name in dir(tf.dtypes) + dir(tf.dtypes.experimental) if name in dtypes.DTYPES}
    assert set(NAMES) == known


def test_dtypes_without_addition() -> None:
    for name in NO_ADDITION:
        assert find((name, name), "tensorflow", False) == name
        if name == "bool":
            assert tf.where(True, tf.zeros(2, name), tf.zeros(2, name)).dtype.name == name
            assert tensorflow_answer(name, name) is None, "tf.add now takes bools: move it to the pairs above"
