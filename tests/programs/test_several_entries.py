"""Files of one program that are given together are known as they are alone, in whichever order they are given."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from evaluating import evaluate

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
#: A package that has a function of the name of its module.
FILES = {
    "pkg/__init__.py": "from pkg.scale import scale\n",
    "pkg/scale.py": "import jax.numpy as jnp\n\n\ndef scale(x):\n    y = x * 2\n    return y\n",
    "main.py": "import jax.numpy as jnp\nfrom pkg import scale\n\nz = scale(jnp.ones((2, 3)))\n",
}


@pytest.mark.parametrize("order", [*itertools.permutations(FILES)], ids="-".join)
def test_function_called_like_its_module(
    child: Evaluator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    report = evaluate(child, *map(Path, order))
    known = {place.name: place.value for place in report.places}
    assert known == {"y": "float32[2, 3]", "return": "float32[2, 3]", "z": "float32[2, 3]"}
