"""After edits of a program, an evaluation that takes parts of the one before says what an evaluation that is begun anew says.

Of a few edits; of as many as ``RANDOM_EDITS`` says where it is set, others with another ``RANDOM_SEED``.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from jaxtyping_core.engine import budget, session
from jaxtyping_core.engine.kept_parts import KeptParts

pytestmark = pytest.mark.one_python  # no matter of Python or JAX

EDITS, SEED = int(os.environ.get("RANDOM_EDITS", "12")), int(os.environ.get("RANDOM_SEED", "0"))
#: Steps of a script, which one of the scripts takes.
STEPS = 600

PROGRAM = {
    "shapes": """\
import jax.numpy as jnp

ROWS = 3
WIDE = jnp.ones((ROWS, 4))
seen = []


def tall(n=2):
    return jnp.ones((4, n))


def rows():
    return ROWS


def grow():
    global ROWS
    ROWS = 5


def note(x):
    seen.append(x)
    return x
""",
    "layers": """\
import functools
import jax
import jax.numpy as jnp
from shapes import WIDE, note, tall


def twice(f):
    @functools.wraps(f)
    def inner(*args):
        return f(f(*args))
    return inner


class Layer:
    scale = 2.0

    def __init__(self, size):
        self.size = size
        self.weight = jnp.ones((size, size))

    def __call__(self, x):
        return x @ self.weight * self.scale

    def loss(self, x):
        return jnp.sum(self(x))


@jax.jit
def shared(x):
    return x @ jnp.ones((4, 4))


def same(x):
    return x


def make(size):
    return Layer(size)


def items(n):
    for i in range(n):
        yield jnp.ones((i + 1,))
""",
    "test_layers": """\
import jax.numpy as jnp
import layers
import shapes


def test_call():
    layer = layers.make(4)
    assert layer(shapes.WIDE).shape == (3, 4)


def test_loss():
    layers.make(4).loss(jnp.ones((2, 4)))


def test_shared():
    layers.shared(shapes.WIDE)


def test_tall():
    return shapes.WIDE @ shapes.tall()


def test_same():
    return layers.same(shapes.WIDE) + jnp.ones((3, 4))
""",
    "test_more": """\
import jax.numpy as jnp
import layers
from shapes import WIDE, note, rows


class TestAll:
    size = 4

    def test_shared_too(self):
        layers.shared(WIDE)

    def test_note(self):
        note(jnp.ones(3)) + jnp.ones(self.size - 1)

    def test_items(self):
        for item in layers.items(2):
            item + jnp.ones(1)

    def test_rows(self):
        jnp.ones(rows()) + jnp.ones(3)


if __name__ == "__main__":
    print(WIDE)
""",
    "run": """\
import jax
import jax.numpy as jnp
import layers
import shapes


def train(steps):
    layer, key = layers.make(4), jax.random.key(0)
    for step in range(steps):
        layer(shapes.WIDE)
    return jax.random.normal(key, (2,))


def main():
    train(2)
    print(layers.shared(shapes.WIDE))


if __name__ == "__main__":
    main()
""",
    "long": """\
import jax.numpy as jnp
import layers
import shapes

STOP = False


def work():
    layers.same(shapes.WIDE)
    layers.same(shapes.tall())


def test_work():
    work()
    return jnp.ones(3) + jnp.ones(3)


if __name__ == "__main__":
    layers.same(shapes.WIDE) @ shapes.tall(3)
    if STOP:
        raise SystemExit
"""
    + "    work()\n" * 100,
}
#: Modules, what stands there, and what edits of bodies put in its place.
IN_BODIES = [
    ("shapes", "    return jnp.ones((4, n))", "    # another size\n    return jnp.ones((5, n))"),
    ("shapes", "    return ROWS", "    return ROWS + 1"),
    ("shapes", "    ROWS = 5", "    ROWS = 6"),
    ("shapes", "    seen.append(x)", "    seen.append(x)\n    x = x[:2]"),
    ("layers", "    return x @ jnp.ones((4, 4))", "    return x @ jnp.ones((3, 4))"),
    ("layers", "def same(x):\n    return x", "def same(x):\n    return x[:2]"),
    ("layers", "jnp.ones((size, size))", "jnp.ones((size, size + 1))"),
    ("layers", "        self.size = size\n", "        self.size = size\n        self.scale = jnp.ones(3)\n"),
    ("layers", "    return Layer(size)", "\n    return Layer(size + 1)"),
    ("layers", "        yield jnp.ones((i + 1,))", "        jnp.ones((i + 2,))"),
    ("layers", "        return jnp.sum(self(x))", "        return self(x) @ jnp.ones((3, 3))"),
    ("test_layers", "    layers.shared(shapes.WIDE)", "    layers.same(shapes.WIDE)"),
    ("test_layers", "shapes.tall()", "shapes.WIDE"),
    ("test_more", "        layers.shared(WIDE)", "        layers.shared(WIDE.T)"),
    ("run", "    train(2)", "    train(3)\n    layers.shared(jnp.ones(3))"),
    (
        "run",
        "    return jax.random.normal(key, (2,))",
        "    jax.random.normal(key, (2,))\n    return jax.random.normal(key, (2,))",
    ),
    ("run", "        layer(shapes.WIDE)", "        layer(shapes.WIDE.T)"),
    ("long", "    return jnp.ones(3) + jnp.ones(3)", "    return jnp.ones(3) + jnp.ones(4)"),
    ("long", "    layers.same(shapes.tall())", "    layers.same(shapes.tall()) @ jnp.ones(7)"),
]
#: The same of edits elsewhere.
ELSEWHERE = [
    ("shapes", "    global ROWS\n    ROWS = 5", "    return 5"),
    ("shapes", "n=2", "n=3"),
    ("shapes", "ROWS = 3", "ROWS = 2"),
    ("shapes", "(ROWS, 4)", "(ROWS, 5)"),
    ("layers", "@jax.jit\ndef shared", "def shared"),
    ("layers", "def same", "@twice\ndef same"),
    ("layers", "scale = 2.0", "scale = jnp.ones(7)"),
    ("layers", "from shapes import WIDE, note, tall", "from shapes import WIDE, note\nfrom new import tall"),
    ("test_layers", "def test_same():", "def not_a_test(x):"),
    ("test_layers", "def test_loss():\n    layers.make(4).loss(jnp.ones((2, 4)))\n", ""),
    ("test_more", "size = 4", "size = 6"),
    ("run", "import layers\n", "import layers\nimport long\n"),
    ("long", "tall(3)", "WIDE"),
    ("long", "STOP = False", "STOP = True"),
]
#: How many edits are in bodies.
MOSTLY = 0.85
NEW = "import jax.numpy as jnp\n\n\ndef tall(n=2):\n    return jnp.ones((6, n))\n\n\ndef test_new():\n    jnp.ones(2) + jnp.ones(3)\n"


def asked(program: Mapping[str, str]) -> dict[str, Any]:
    modules = {
        name: {"path": f"/program/{name}.py", "text": text, "package": False}
        for name, text in program.items()
    }
    return {"entries": [*program], "modules": modules, "trust": ["jax"], "errors_alone": True, "seconds": 500}


def evaluated(program: Mapping[str, str], earlier: Any = None) -> tuple[dict[str, Any], Any]:
    """What is told of a program, and what is kept of it."""
    told = session.evaluate({**asked(program), "earlier": earlier})
    parts = json.loads(json.dumps(told.pop("parts")))
    told["refusals"].sort(key=repr)
    told["notes"] = sorted(note for note in told["notes"] if "took too long" not in note)
    return told, parts


@pytest.fixture(autouse=True)
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MOST_STEPS", STEPS)


def changed(program: dict[str, str], generator: random.Random) -> dict[str, str]:
    """A program after an edit that is made, or taken back."""
    while True:
        is_in_body = generator.random() < MOSTLY
        if not is_in_body and generator.random() < 0.1:
            more = {} if "new" in program else {"new": NEW}
            return {name: text for name, text in program.items() if name != "new"} | more
        name, *change = generator.choice(IN_BODIES if is_in_body else ELSEWHERE)
        old, new = change if generator.random() < 0.6 else reversed(change)
        if old and old in program[name]:
            return {**program, name: program[name].replace(old, new, 1)}


def test_random_edits() -> None:
    generator = random.Random(SEED)
    program, earlier = PROGRAM, evaluated(PROGRAM)[1]
    for number in range(EDITS):
        program = changed(program, generator)
        told, parts = evaluated(program, earlier)
        expected, _ = evaluated(program)
        assert told == expected, f"edit {number}"
        earlier = parts or earlier


def test_what_jax_has_traced_is_read_by_all_who_call_it() -> None:
    """JAX calls a function of the program once for each signature, whoever calls it then."""
    edits = [
        ("test_layers", "    layers.shared(shapes.WIDE)", "    layers.same(shapes.WIDE)"),
        ("layers", "    return x @ jnp.ones((4, 4))", "    return x @ jnp.ones((3, 4))"),
    ]
    quiet = PROGRAM["run"].replace("print(layers.shared(shapes.WIDE))", "pass")
    program = {**PROGRAM, "run": quiet}
    _, earlier = evaluated(program)
    for name, old, new in edits:
        program = {**program, name: program[name].replace(old, new)}
        told, earlier = evaluated(program, earlier)
    assert [error["trail"][0]["caller"] for error in told["refusals"]] == ["test_shared_too"]


def test_no_test_sees_what_another_has_changed() -> None:
    tests = (
        "import jax.numpy as jnp\nimport shapes\n\n\ndef test_first():\n    shapes.note(3)\n\n\n"
        "def test_second():\n    jnp.ones(3) + jnp.ones(3 + len(shapes.seen))\n"
    )
    told, _ = evaluated({"shapes": PROGRAM["shapes"], "test_order": tests})
    assert told["complete"] and not told["refusals"]


def test_what_is_not_edited_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two tests, the one that reads an edited body is walked again, and a script that was cut off is not."""
    walked: list[str] = []
    _, earlier = evaluated(PROGRAM)
    text = PROGRAM["shapes"].replace("    return ROWS", "    return ROWS + 1")
    walk = KeptParts._walked

    def noted(self: KeptParts, name: str, walks: Callable[[], bool]) -> bool:
        walked.append(name)
        return walk(self, name, walks)

    monkeypatch.setattr(KeptParts, "_walked", noted)
    evaluated({**PROGRAM, "shapes": text}, earlier)
    # The second body is that of `rows`; a script is walked again to have its test at hand.
    reading = [name for name, part in earlier["parts"].items() if int(part["reads"], 16) & 2]
    assert walked == ["script test_more", *reading]
