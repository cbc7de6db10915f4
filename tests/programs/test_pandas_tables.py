"""Tables of pandas: the ranks of what they become, and the columns that a list names."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
HEAD = "import jax.numpy as jnp\nimport numpy as np\nimport pandas as pd\ntable = pd.read_csv('data.csv')\n"
#: Expressions, each with the dtype and the shape of what it becomes.
ARRAYS = {
    "table[['a', 'b']].to_numpy(dtype=np.float32)": ("float32", (None, 2)),
    "table[['a', 'b']].to_numpy('int32')": ("int32", (None, 2)),
    "table['a'].to_numpy(np.float32)": ("float32", (None,)),
    "table['a'].astype(float).fillna(0).values": (None, (None,)),
    "table.dropna().to_numpy('float32')": ("float32", (None, None)),
    "table.drop(columns=['a']).values": (None, (None, None)),
    "pd.read_csv('data.csv', chunksize=3).values": (None, None),
    "pd.read_csv('data.csv', header=[0, 1])['a'].values": (None, None),
    "table[table['a'] > 3].values": (None, None),
    "table[unknown].values": (None, None),
    "table.dropna(inplace=True)": (None, None),
    "table['a'].to_numpy('object')": (None, (None,)),
}


@pytest.mark.parametrize("text", ARRAYS)
def test_what_a_table_becomes(child: Evaluator, tmp_path: Path, text: str) -> None:
    program = f"{HEAD}from nowhere import unknown\nx = jnp.asarray({text})\n"
    places = {place.name: place.known for place in evaluate_text(child, tmp_path, program).places}
    known = places.get("x")
    seen = (None, None) if known is None else (known.dtype, known.shape)
    assert seen == ARRAYS[text]


def test_a_table_that_is_changed_is_unknown(child: Evaluator, tmp_path: Path) -> None:
    program = f"{HEAD}table['b'] = 1\nx = jnp.asarray(table.to_numpy('float32'))\n"
    places = [place for place in evaluate_text(child, tmp_path, program).places if place.name == "x"]
    assert not places or places[0].known.shape is None
