"""What the equations of JAX do with random keys, and what is said where JAX does not tell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

from jaxtyping_core.engine.rules import key_flow
from jaxtyping_core.engine.rules.key_flow import Part

KEYS = jax.random.split(jax.random.key(0), 4)
#: Functions of four keys, with the rows that they use.
CONSUMED = {
    "a row": (lambda keys: jax.random.normal(keys[1]), [(1, 2)]),
    "some rows": (lambda keys: jax.vmap(jax.random.normal)(keys[1:3]), [(1, 3)]),
    "all rows": (lambda keys: jax.vmap(jax.random.split)(keys), [(0, 4)]),
    "all rows of a table": (lambda keys: jax.random.bits(keys.reshape(4, 1)[2, 0]), [(2, 3)]),
    "unstacked": (lambda keys: [*map(jax.random.normal, keys)], [(0, 1), (1, 2), (2, 3), (3, 4)]),
    "in a jitted function": (lambda keys: jax.jit(jax.random.normal)(keys[3]), [(3, 4)]),
    "by both branches": (
        lambda keys: jax.lax.cond(True, jax.random.normal, jax.random.uniform, keys[0]),
        [(0, 1)],
    ),
    "by one branch": (lambda keys: jax.lax.cond(True, jax.random.normal, lambda key: 0.0, keys[0]), []),
    "by a scan": (lambda keys: jax.lax.scan(lambda c, key: (c, jax.random.normal(key)), 0, keys), [(0, 4)]),
    "folded": (lambda keys: jax.random.normal(jax.random.fold_in(keys[0], 1)), []),
    "cloned": (lambda keys: jax.random.normal(jax.random.clone(keys[0])), []),
    "looked at": (lambda keys: jax.random.key_data(keys[0]) + 1, []),
    "an unknown row": (lambda keys: jax.random.normal(keys[jnp.argmax(jnp.ones(4))]), []),
    "words": (lambda keys: jax.random.normal(jax.random.key_data(keys)[2]), [(2, 3)]),
}


@pytest.mark.parametrize("name", CONSUMED)
@pytest.mark.parametrize("is_raw", [False, True])
def test_what_is_consumed(name: str, is_raw: bool) -> None:
    function, expected = CONSUMED[name]
    if is_raw and name in ("cloned", "looked at", "words", "all rows of a table"):
        pytest.skip("typed keys alone have it: a key of the older form is an array of numbers to it")
    keys = jax.random.key_data(KEYS) if is_raw else KEYS
    summary = key_flow.summary(jax.make_jaxpr(function)(keys))
    assert sorted(part.region[0] for part in summary.consumed) == expected


def test_regions() -> None:
    both = Part("keys", ((0, 4),), (0,))
    first, second = both.at(0, 0, 2), both.at(0, 2, 4)
    assert first is not None and second is not None
    assert not first.overlaps(second.region) and first.overlaps(both.region) and both.overlaps(second.region)
    inner = second.at(0, 1, 2)
    assert inner is not None and inner.region == ((3, 4),)
    assert Part("key", (), (key_flow.WORDS,)).at(0, 0, 1) is None


TWICE = "import jax\n\nkey = jax.random.key(0)\na = jax.random.normal(key)\nb = jax.random.normal(key)\n"
#: Evaluates a program in a process of its own, which the evaluation seals.
EVALUATING = """
import sys
from pathlib import Path

from jaxtyping_core.engine import session
from jaxtyping_core.engine.rules import key_flow, registry
from jaxtyping_core.programs.evaluate import request
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

{change}
(program,) = collect([Path(sys.argv[1])])
asked = request(program, Settings(), 60.0, "")["program"]
session.prepare(asked)
answer = session.evaluate(asked)
print([refusal["kind"] for refusal in answer["refusals"]], answer["complete"], len(answer["facts"]), answer["notes"])
"""
#: What JAX may lack, or a fault of a rule, and what is said of the program then.
LACKING = "[] True 3 []"
FAULT = "a rule failed, so findings may be missing: KeyReuse: KeyError: 'key'"
CHANGES = {
    "": "['key'] True 3 []",
    "key_flow.TABLE = 'jax.experimental.no_such_module'": LACKING,
    "key_flow.TABLE = 'jax.experimental'": LACKING,
    "registry.EQUATIONS = 'no_such_attribute'": LACKING,
    "registry.KeyReuse.after = lambda *_: {}['key']": f"[] True 3 {[FAULT]}",
}


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_is_said_where_jax_does_not_tell(tmp_path: Path, change: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(TWICE)
    command = [sys.executable, "-c", EVALUATING.replace("{change}", change), str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{CHANGES[change]}\n"
