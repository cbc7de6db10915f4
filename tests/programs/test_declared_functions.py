"""Functions that declare arrays and that nothing calls: what is wrong for all sizes is reported on its line, and nothing else.

The lines that stop, or that return what is not declared, have the comment ``error``.
"""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from evaluating import evaluate

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python  # the words of a refusal are those of one JAX
FOLDER = Path(__file__).with_name("declared")
FILES = sorted(FOLDER.glob("*.py"))
#: How a function is called with arrays that it takes, so that it works.
CALLED = "\n\nif __name__ == '__main__':\n    wrong_mean_without_keepdims(jnp.ones((3, 3)))\n"


def lines(text: str) -> list[int]:
    return [number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# error")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_errors_are_those_that_are_marked(child: Evaluator, file: Path) -> None:
    report = evaluate(child, file)
    assert sorted(refusal.line for refusal in report.refusals) == lines(file.read_text()), report.refusals


def test_message_names_a_call_for_which_it_holds(child: Evaluator) -> None:
    report = evaluate(child, FOLDER / "of_jaxtyping.py")
    messages = {refusal.line: refusal.message for refusal in report.refusals}
    mean, product, dtype, *_ = messages.values()
    assert re.search(r"shapes=\[\(12, 20\), \(12,\)\]; for example with x: float32\[12, 20\]$", mean)
    assert re.search(r"; for example with x: float32\[12, 20\], w: float32\[28, 20\]$", product)
    assert dtype.endswith('expected BFloat16[Array, "b f"]')


def test_calls_of_the_program_judge_a_function(child: Evaluator, tmp_path: Path) -> None:
    file = tmp_path / "called.py"
    text = (FOLDER / "of_jaxtyping.py").read_text()
    file.write_text(text + CALLED)
    first, *others = lines(text)
    assert sorted(refusal.line for refusal in evaluate(child, file).refusals) == others
    assert first not in others


def test_errors_stay_where_an_edit_moves_them(child: Evaluator, tmp_path: Path) -> None:
    file = tmp_path / "edited.py"
    text = (FOLDER / "of_ours.py").read_text()
    for edit in (text, text.replace("import jax.numpy", "# A line more.\nimport jax.numpy"), text):
        file.write_text(edit)
        assert sorted(refusal.line for refusal in evaluate(child, file).refusals) == lines(edit)


#: A parameter whose default is `None`, which its annotation does not say.
LEFT_OUT = """
import jax.numpy as jnp
from jaxtyping import Array, Float


def kept(x: Float[Array, "n"], bias: Float[Array, "n"] = None):
    held = bias
    other = None if bias is None else bias + 1
    y = x * 2
    return y


def needed(x: Float[Array, "n"] = None):
    total = x.sum()
    return total
"""


def test_none_that_is_a_default_may_be_passed(child: Evaluator, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(LEFT_OUT)
    report = evaluate(child, tmp_path / "program.py")
    assert not report.refusals
    known = {place.name: place.shape for place in report.places if place.name != "return"}
    assert known == {"y": ("n",), "total": ()}
    names = runpy.run_path(str(tmp_path / "program.py"))  # it holds `None` when it is run
    assert names["kept"](names["jnp"].ones(3)).shape == (3,)
