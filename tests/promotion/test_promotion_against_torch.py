"""The system "torch" against ``torch.result_type``, at rank 0 and 1 and with Python scalars."""

import itertools

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed; it is no dependency of this project")

from jaxtyping_core import dtypes
from jaxtyping_core.promotion import find
from jaxtyping_core.systems import get

SCALARS = {"weak_int": 1, "weak_float": 1.0, "weak_complex": 1j}
NAMES = list(get("torch").orders[True].edges)
OPERANDS = [*NAMES, *(name + "[]" for name in NAMES), *SCALARS]

#: JAX has no complex32: where PyTorch answers it, the system answers the next wider dtype.
NO_COMPLEX32 = {"complex32": "complex64"}


def operand(node):
    if node in SCALARS:
        return SCALARS[node]
    return torch.empty(() if node.endswith("[]") else (2,), dtype=getattr(torch, node.removesuffix("[]")))


def torch_answer(*nodes):
    try:
        return str(torch.result_type(*map(operand, nodes))).removeprefix("torch.")
    except RuntimeError:
        return None


def test_every_pair() -> None:
    answers = {pair: torch_answer(*pair) for pair in itertools.product(OPERANDS, repeat=2)}
    differing = {pair: answer for pair, answer in answers.items() if find(pair, "torch", False) != answer}
    assert {pair: NO_COMPLEX32.get(answer, answer) for pair, answer in differing.items()} == {
        pair: find(pair, "torch", False) for pair in differing
    }
    assert set(differing.values()) == set(NO_COMPLEX32), "a listed difference is gone, or there is a new one"


def test_every_shared_dtype_is_there() -> None:
    shared = {
        name
        for name, row in dtypes.DTYPES.items()
        if row.promotes and isinstance(getattr(torch, name, None), torch.dtype)
    }
    assert set(NAMES) == shared


def test_promote_types() -> None:
    """Arrays of equal rank follow ``torch.promote_types``."""

    def answer(a, b):
        try:
            return str(torch.promote_types(getattr(torch, a), getattr(torch, b))).removeprefix("torch.")
        except RuntimeError:
            return None

    pairs = list(itertools.product(NAMES, repeat=2))
    assert [find(pair, "torch", False) for pair in pairs] == [answer(*pair) for pair in pairs]
