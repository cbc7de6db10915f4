"""A child that has evaluated a program before says of an edited one what a new child says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_hostile import PROGRAMS

from jaxtyping_core.engine import session
from jaxtyping_core.engine.libraries.calls import abstract_calls
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import ask, leaves_nothing, request
from jaxtyping_core.programs.sources import Program, collect
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python  # long

PROGRAM = """\
import functools
from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
from jax import lax
import helpers

WIDTH = 4
TABLE = {"sizes": [2, 3], "dtype": "float32"}
seen = []


@dataclass
class Config:
    width: int = WIDTH
    sizes: list = field(default_factory=list)

    def zeros(self, n):
        made = jnp.zeros((n, self.width))
        return made


def scaled(x: jax.Array, by=WIDTH):
    result = x.astype(jnp.float32) * by
    return result


@functools.partial(jax.jit, static_argnums=1)
def padded(x, width):
    made = jnp.zeros((width,), TABLE["dtype"])
    return made


def uses_others(x: jax.Array):
    first = scaled(x)
    second = padded(x, WIDTH)
    third = Config().zeros(len(TABLE["sizes"]))
    fourth = helpers.table(WIDTH)
    return first, second, third, fourth


def loops(x: jax.Array):
    def body(i, carried):
        return carried + jnp.ones((WIDTH,)) * i

    total = lax.fori_loop(0, 3, body, jnp.zeros((WIDTH,)))
    return total, [lax.map(lambda row: row * 2.0, total)]


def remembers(x: jax.Array):
    seen.append(jnp.ones((WIDTH,)))
    return x


def recalls():
    last = seen[-1] if seen else jnp.zeros(())
    return last


def changes():
    global WIDTH
    WIDTH = 7


def after():
    made = jnp.ones((WIDTH,))
    return made
"""
HELPERS = "import jax.numpy as jnp\n\n\ndef table(n):\n    made = jnp.ones((n, 2))\n    return made\n"
#: Each edit is made to the text that the last one has left.
EDITS = (
    ("made = jnp.ones((n, 2))", "made = jnp.ones((n, 5), jnp.int32)"),
    ("WIDTH = 4", "# four\n\nWIDTH = 5"),
    ('"float32"}', '"int8"}'),
    ("    width: int = WIDTH\n", "    width: int = 9\n"),
    ("seen = []", "seen = [jnp.ones(3)]"),
    ("    global WIDTH\n", ""),
)


def program(folder: Path, texts: dict[str, str]) -> Program:
    for name, text in texts.items():
        (folder / name).write_text(text)
    (program,) = collect([folder / "program.py"])
    return program


def test_edited_program_in_a_child_that_has_evaluated_others(tmp_path: Path) -> None:
    kept, answers = Evaluator(sys.executable), []
    texts = {"program.py": PROGRAM, "helpers.py": HELPERS}
    for old, new in (("", ""), *EDITS):
        assert any(old in text for text in texts.values())
        texts = {name: text.replace(old, new) if old else text for name, text in texts.items()}
        asked = program(tmp_path, texts)
        fresh = Evaluator(sys.executable)
        expected = ask(fresh, asked, Settings())
        fresh.close()
        assert ask(kept, asked, Settings()) == expected
        assert not expected.incomplete
        answers.append(expected.places)
    kept.close()
    assert len(set(map(repr, answers))) >= 5  # the edits matter


@pytest.mark.parametrize(
    "line",
    [
        "import flax.linen as nn",
        "from equinox import nn",
        'jax.config.update("jax_enable_x64", True)',
        "from jax.tree_util import register_pytree_node_class",
        *(
            PROGRAMS[name]
            for name in ("changed_objects", "contexts_left_open", "registered_for_all", "replaced_rules")
        ),
    ],
)
def test_child_is_not_kept_that_may_be_another_afterwards(tmp_path: Path, line: str) -> None:
    assert leaves_nothing(
        program(tmp_path, {"program.py": "import jax\nimport optax\nimport unknown_package\nconfig = 1\n"})
    )
    assert not leaves_nothing(program(tmp_path, {"program.py": f"import jax\n{line}\n"}))


#: A mistake, after which little is known of what follows, and the same in another line.
WITH_A_MISTAKE = """\
from unknown_package import unknown

import jax
import jax.numpy as jnp


def loss(params, x, y):
    hidden = jax.nn.relu(x @ params["w"].T)
    logits = jax.nn.log_softmax(hidden @ params["out"])
    return -(logits * y).sum(-1).mean()


params = {"w": jnp.ones((3, 16)), "out": jnp.ones((16, 10))}
slopes = jax.grad(loss)(params, jnp.ones((8, 3)), jnp.ones((8, 10)))
with jax.numpy_dtype_promotion("standard"):
    mixed = (unknown + 1) * jnp.ones((3, 4), jnp.bfloat16) + jnp.ones(4)
"""


@pytest.mark.filterwarnings("ignore")  # the child does, too
def test_what_libraries_give_of_unknown_arguments_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def counted(interpreter: Any, f: Any, arguments: Any, results: Any) -> Any:
        drawn.append(str(f))
        return draw(interpreter, f, arguments, results)

    draw = abstract_calls._drawn
    monkeypatch.setattr(abstract_calls, "_drawn", counted)
    texts = (
        WITH_A_MISTAKE,
        "\n" + WITH_A_MISTAKE.replace("(3, 16)", "(3, 17)"),
        WITH_A_MISTAKE.replace('"standard"', '"strict"'),
    )
    counts = []
    for text in texts:
        asked = program(tmp_path, {"program.py": text})
        session.evaluate(request(asked, Settings(), 60.0, "")["program"])
        counts.append(len(drawn))
        drawn.clear()
    assert counts[0] > 5
    assert counts[1] == 0  # other sizes, but of what is refused before and after
    assert counts[2] > 0  # another promotion
