"""The promotion tables of JAX's documentation, cell by cell.

Five tables come from the design document (https://docs.jax.dev/en/latest/jep/9407-type-promotion.html),
the sixth from the reference page (https://docs.jax.dev/en/latest/type_promotion.html). The document dates
from 2021: where a library has changed since, the cell is listed below with the reason, and the library
itself is asked in the other tests.
"""

import itertools
import json
import pathlib

import pytest

from jaxtyping_core.promotion import find

DATA = json.loads((pathlib.Path(__file__).parent / "data" / "tables.json").read_text())
CODES = DATA["columns"].split()
NAMES = {**DATA["names"], "-": None}
SYSTEM = {
    "numpy": "numpy",
    "tensorflow": "tensorflow",
    "pytorch": "torch",
    "jax.numpy": "jax",
    "jax.numpy (reference page)": "jax",
    "jax.lax": "lax",
}
UNSIGNED = ["u16", "u32", "u64"]


def both_ways(rows, columns, result):
    """{(row, column): result} and its mirror image; `result` is a code, or "row" or "column"."""
    cells = {}
    for row, column in itertools.product(rows, columns):
        answer = {"row": row, "column": column}.get(result, result)
        cells |= {(row, column): answer, (column, row): answer}
    return cells


#: Per table: (reason, the cells with what the system answers today).
DIFFERENCES = {
    "numpy": [
        (
            "bfloat16 reached NumPy through ml_dtypes, which registers safe casts",
            {
                ("bf16", "bf16"): "bf16",
                **both_ways(["bf16"], ["b", "u8", "i8", "i*"], "row"),
                **both_ways(["bf16"], ["f32", "f64", "c64", "c128"], "column"),
                **both_ways(["bf16"], ["c*"], "c64"),
            },
        ),
        (
            "operands without a common dtype are computed in the first of NumPy's loops that takes both",
            {
                **both_ways(["bf16"], ["u16", "i16", "f16", "f*"], "f32"),
                **both_ways(["bf16"], ["u32", "u64", "i32", "i64"], "f64"),
            },
        ),
    ],
    "pytorch": [
        (
            "PyTorch 2.3 added uint16, uint32 and uint64",
            {
                **{(u, u): u for u in UNSIGNED},
                **both_ways(UNSIGNED, ["bf16", "f16", "f32", "f64"], "column"),
                **both_ways(UNSIGNED, ["i*"], "row"),
                **both_ways(UNSIGNED, ["f*"], "f32"),
                **both_ways(UNSIGNED, ["c*"], "c64"),
            },
        ),
        (
            "the document added two Python scalars in Python; torch.result_type(1.0, 1.0) is float32",
            {("f*", "f*"): "f32", ("c*", "c*"): "c64"},
        ),
    ],
    "tensorflow": [
        ("the document ran tf.add, which has no bool kernel; the dtypes agree", {("b", "b"): "b"})
    ],
    "jax.lax": [("the document ran lax.add, which refuses bools; the dtypes agree", {("b", "b"): "b"})],
}


@pytest.mark.parametrize("table", SYSTEM)
def test_every_cell(table: str) -> None:
    document = {
        row: dict(zip(CODES, cells.split(), strict=True)) for row, cells in DATA["tables"][table].items()
    }
    ours = {
        (row, column): find((NAMES[row], NAMES[column]), SYSTEM[table], True)
        for row, column in itertools.product(CODES, repeat=2)
    }
    differing = {cell: answer for cell, answer in ours.items() if answer != NAMES[document[cell[0]][cell[1]]]}
    listed = {cell: NAMES[code] for _, cells in DIFFERENCES.get(table, ()) for cell, code in cells.items()}
    assert differing == listed
    assert len(ours) == 18 * 18
