"""Loops and branches of JAX of which a part is not known: what is said of `x` holds for all that the unknown part may be, and is enough."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import ask
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python
HEAD = "import jax, jax.numpy as jnp\nfrom jax import lax\n"
#: What the unknown `u` is in a run; JAX refuses some of them in each loop.
VALUES = (
    *(0, 3, 1.5, True, np.float32(2), np.int64(2), jnp.int8(3), jnp.bfloat16(1), jnp.float32(2)),
    *(jnp.ones(3), jnp.arange(3), jnp.ones(3, "bfloat16"), jnp.full(3, 2), jnp.full(3, 2.0), jnp.ones(4) > 0),
    *(
        jnp.ones((4, 3)),
        jnp.arange(4),
        jnp.zeros((4, 2), "int8"),
        {"w": jnp.ones(3)},
        [jnp.ones(3)],
        (1, 2.0),
    ),
    *(
        jax.random.PRNGKey(0),
        jax.random.split(jax.random.PRNGKey(0), 4),
        jax.random.split(jax.random.key(0), 4),
    ),
    *(jax.random.key(0), lambda c, *r: (c, *r) if r else jnp.all(c > 9), None, lambda c, *r: c > 0),
)
#: A function that is called for the rows of an array, and once more for each device.
OVER_ROWS = """def of_row(r, v):
    x = {body}
    return r
jax.vmap(of_row, (0, None), axis_name='i')({rows}, u)
jax.pmap(of_row, 'i', in_axes=(0, None))({rows}, u)"""
#: What is known of `x`, which is in the body or comes after it.
CALLS = {
    "(x, _), _ = lax.scan(lambda c, r: ((c[0] + r.sum(), c[1]), None), (0.0, u), jnp.ones((4, 3)))": (
        "float32",
        (),
    ),
    "_, x = lax.scan(lambda c, r: (c, (r * 2)[0]), u, jnp.ones((4, 3), 'int8'))": ("int8", (4,)),
    "_, (x, _) = lax.scan(lambda c, r: (c, (r, c)), (u, 1), jnp.ones((4, 3)))": ("float32", (4, 3)),
    "_, (_, x) = lax.scan(lambda c, r: (r.sum(), (r, c)), u, jnp.ones((4, 3)))": (None, (4,)),
    "x, _ = lax.scan(lambda c, r: (r.sum(), r), u, jnp.ones((4, 3)))": ("float32", ()),
    "x, _ = lax.scan(lambda c, r: (r.sum() > 1, r), u, jnp.ones((4, 3)))": ("bool", ()),
    "_, x = lax.scan(lambda c, r: (r.sum() > 1, c), u, jnp.ones((4, 3)))": ("bool", (4,)),
    "x, _ = lax.scan(lambda c, r: (c + r, c), jnp.ones(3), u)": ("float32", (3,)),
    "_, x = lax.scan(lambda c, r: (c + r, c), jnp.ones(3), u)": ("float32", (None, 3)),
    "x, _ = lax.scan(lambda c, r: (c + r, c), 0.0, u)": (None, ()),
    "x, _ = lax.scan(lambda c, r: (u, c), jnp.float32(1), jnp.ones(4))": ("float32", ()),
    "x, _ = lax.scan(lambda c, r: (0.0, c), (jnp.float32(1), u)[0], jnp.ones(4))": ("float32", ()),
    "_, x = lax.scan(lambda c, _: (c, c[0]), (jnp.ones((2, 5)), u), None, length=u)": (
        "float32",
        (None, 2, 5),
    ),
    "_, x = lax.scan(lambda c, _: (c, c[0] * 2), (jnp.ones((2, 5)), u), None, length=6)": (
        "float32",
        (6, 2, 5),
    ),
    "_, x = lax.scan(lambda c, r: (c, r[0]), u, (jnp.ones((4, 2)), u))": ("float32", (4, 2)),
    "_, x = lax.scan(lambda c, r: (c, r['a'] @ r['a']), 1, {'a': jnp.ones((4, 2)), 'b': u})": (
        "float32",
        (4,),
    ),
    "def body(c, r):\n    a, b = c\n    x = a * r\n    return (a + r.sum(), b), a\n"
    "lax.scan(body, (0.0, u), jnp.ones((4, 3), 'bfloat16'))": ("bfloat16", (3,)),
    # Of weak numbers JAX makes strong ones of other dtypes, where the body does.
    "def body(c, r):\n    a, b = c\n    x = a * r\n    return (a + b, b), a\n"
    "lax.scan(body, (0.0, u), jnp.ones((4, 3), 'bfloat16'))": (None, (3,)),
    "def body(c, r):\n    x = c * r\n    return jnp.float32(2), c\nlax.scan(body, u, jnp.ones(4, 'int8'))": (
        None,
        (),
    ),
    "def body(c, r):\n    x = jnp.stack([c, c])\n    return jnp.ones(3), c\nlax.scan(body, u, jnp.ones(4))": (
        *(None, (2, 3)),
    ),
    "def body(i, c):\n    x = c[0] + i\n    return c[0] * 2, c[1]\nlax.fori_loop(0, 5, body, (jnp.ones(3), u))": (
        "float32",
        (3,),
    ),
    "x = lax.fori_loop(0, u, lambda i, c: c + 1, jnp.ones((2, 5)))": ("float32", (2, 5)),
    "x = lax.fori_loop(u, 9, lambda i, c: (c[0] + i, c[1]), (jnp.ones(2), u))[0]": ("float32", (2,)),
    "x = lax.fori_loop(0, 9, lambda i, c: (c[0] + i, c[1]), (0, u))[0]": ("int32", ()),
    "_, x = lax.while_loop(lambda c: c[1].sum() < 0, lambda c: (c[0], c[1] * 2), (u, jnp.ones(3)))": (
        "float32",
        (3,),
    ),
    "_, x = lax.while_loop(lambda c: c[0] < 0, lambda c: (c[0], jnp.ones(3)), (0, u))": ("float32", (3,)),
    "x = lax.while_loop(lambda c: (c > u).all(), lambda c: c - 1, jnp.ones(3))": ("float32", (3,)),
    "x = lax.while_loop(u, lambda c: c - 1, jnp.zeros(3))": ("float32", (3,)),
    "x = lax.scan(u, jnp.zeros(3), jnp.ones(4))[0]": ("float32", (3,)),
    # What is not known may be a tree.
    "(x, _), _ = lax.scan(lambda c, r: ((c[0] + r, {'w': jnp.ones(3)}), r), (jnp.ones(3), u), jnp.ones(4))": (
        *("float32", (3,)),
    ),
    "k = jnp.ones((5, 2))\ndef body(c, r):\n    p, q = c\n    x = k @ p['w'] + r\n    return ({'w': p['w'] * 2}, q), x\n"
    "lax.scan(body, ({'w': jnp.ones((2, 7))}, u), jnp.ones((4, 1)))": ("float32", (5, 7)),
    "x = lax.cond(u, lambda a: a * 2, lambda a: a + 1, jnp.ones((4, 3)))": ("float32", (4, 3)),
    "x, _ = lax.cond(True, lambda a, b: (a, b), lambda a, b: (a * 2, b), jnp.ones(3), u)": ("float32", (3,)),
    "_, x = lax.cond(True, lambda a, b: (a, b), lambda a, b: (a, 1.0), jnp.ones(3), u)": ("float32", ()),
    "x = lax.cond(True, lambda: jnp.ones(3) * u, lambda: jnp.ones(3))": ("float32", (3,)),
    "x = lax.cond(True, lambda: 2.0, lambda: jnp.float32(u))": ("float32", ()),
    "x = lax.cond(True, u, lambda *_: jnp.ones(3) > 0, jnp.ones(3))": None,
    "x = lax.cond(True, lambda a: a['w'], lambda a: jnp.ones((4, 3)), {'w': u})": ("float32", (4, 3)),
    "x = lax.switch(u, [lambda a: a, lambda a: a @ a.T], jnp.ones((3, 3)))": ("float32", (3, 3)),
    "x = lax.switch(1, [lambda a, b: a, lambda a, b: b], 2.0, u)": ("float32", ()),
    "def body(a, b):\n    x = a * b\n    return x, b\nlax.cond(u, body, body, jnp.ones(3, 'int8'), 2)": (
        "int8",
        (3,),
    ),
    "def body(a, b):\n    x = jnp.stack([a, a])\n    return b\nlax.cond(True, body, body, jnp.ones(3, 'int8'), u)": (
        *("int8", (2, 3)),
    ),
    # The rows of known arguments beside an unknown one.
    **{
        OVER_ROWS.format(body=body, rows=rows): known
        for (body, rows), known in {
            ("lax.psum(r, 'i')", "jnp.ones((1, 3), 'int8')"): ("int8", (3,)),
            ("lax.psum(r > 0, 'i')", "jnp.ones((1, 3))"): ("int32", (3,)),
            ("lax.pmean(r, 'i')", "jnp.ones((1, 3), 'int8')"): ("float32", (3,)),
            # Weak under `vmap`, and not under `pmap`.
            ("lax.psum(r, 'i')", "jnp.full((1, 3), 2.0)"): ("float32", (3,)),
            ("jnp.ones(3, 'int8') * lax.pmax(r, axis_name='i')", "jnp.full((1, 3), 2)"): (None, (3,)),
            ("lax.pmin({'w': r}, 'i')['w'] @ r", "jnp.ones((1, 3), 'bfloat16')"): ("bfloat16", ()),
            ("lax.all_gather(r, 'i')", "jnp.ones((1, 3))"): ("float32", (None, 3)),
            ("lax.all_gather(r, 'i', axis=1)", "jnp.ones((1, 3))"): ("float32", (3, None)),
            ("lax.all_gather(r, 'i', tiled=True)", "jnp.ones((1, 3))"): ("float32", (None,)),
            ("lax.axis_index('i') + r", "jnp.ones((1, 3), 'int8')"): ("int32", (3,)),
            # Of a Python number it is one, and an array of an int of NumPy's.
            ("r * lax.psum(1, 'i')", "jnp.ones((1, 3), 'int8')"): ("int8", (3,)),
            ("r * lax.pmean(1, 'i')", "jnp.ones((1, 3), 'bfloat16')"): ("bfloat16", (3,)),
            ("r * lax.psum(True, 'i')", "jnp.ones((1, 3), 'int8')"): ("int32", (3,)),
            ("lax.scan(lambda c, y: (c + lax.psum(r, 'i'), y), r, r)[0]", "jnp.ones((1, 3))"): (
                "float32",
                (3,),
            ),
            ("jax.vmap(lambda y: lax.psum(y, 'i'), axis_name='i')(r)", "jnp.ones((1, 3, 2))"): (
                "float32",
                (3, 2),
            ),
            ("lax.psum(jnp.float32(v), 'i')", "jnp.ones((1, 3))"): ("float32", None),
        }.items()
    },
    "x = lax.map(lambda r: r * 2, jnp.asarray(u))": (None, None),
    "x = lax.map(lambda r: r[0] @ jnp.ones((3, 2)), (jnp.ones((4, 3)), u))": ("float32", (4, 2)),
    "x = lax.map(lambda r: r[0] * r[1], (jnp.ones((4, 3)), u), batch_size=2)": (None, None),
    "x = lax.map(lambda r: r + jnp.sum(u), jnp.ones((4, 3)))": (None, (4, 3)),
    # Of two rows, whatever else has two.
    "def f(r):\n    x = jax.vmap(jnp.max)(r[0])\n    return r[1]\nlax.map(f, (jnp.stack([u, u]), jnp.ones((2, 4))))": (
        None,
        (None,),
    ),
    "x = lax.associative_scan(lambda a, b: a + b, jnp.full((4, 3), 2.0) * jnp.float32(u))": ("float32", None),
    "x, _ = lax.associative_scan(lambda a, b: (a[0] @ b[0], a[1]), (jnp.ones((4, 3, 3)), u))": (
        "float32",
        (4, 3, 3),
    ),
    "def f(a, b):\n    x = a[0]\n    return a\nlax.associative_scan(f, (jnp.ones((7, 3)), u))": (
        "float32",
        (None, 3),
    ),
    # Random keys of both kinds, of which those of the old one are rows of two numbers.
    "x = jax.random.split(jnp.asarray(u))[0]": (None, None),
    "x = jax.vmap(lambda k: jax.random.split(k)[0])(jnp.asarray(u))": (None, None),
    "x = jax.vmap(lambda k: jax.random.uniform(k, (3,)))(jnp.asarray(u))": ("float32", (None, 3)),
    "x = lax.fori_loop(0, 3, lambda i, k: jax.random.fold_in(k, i), jnp.asarray(u))": (None, None),
    "x = jax.random.choice(jax.random.key(0), u.shape[0], (5,))": ("int32", (5,)),
    "x = jnp.ones(4, 'int8') * u.shape[-1]": ("int8", (4,)),
    "x = jnp.zeros((u.shape[0], *u.shape[1:], 3))": ("float32", None),
    "x = jax.vmap(lambda r: r - lax.pmean(r, 'i'), axis_name='i')(jnp.float32(u))": ("float32", None),
}


@pytest.fixture(scope="module")
def child() -> Iterator[Evaluator]:
    child = Evaluator(sys.executable)
    yield child
    child.close()


def run(call: str, value: Any) -> list[Any]:
    """The arrays that `x` is where `u` is this; none where JAX refuses it."""
    seen: list[Any] = []

    def see(x: Any) -> Any:
        seen.append(jax.typeof(x))
        return x

    text = re.sub(r"^( +)(x = .*)$", r"\1\2\n\1see(x)", HEAD + call, flags=re.MULTILINE)
    scope = {"u": value, "see": see}
    try:
        exec(text, scope)  # noqa: S102  # a line of the table above
    except Exception:  # whatever JAX and the functions of the loop raise for what they do not take
        return []
    return [*seen, jax.typeof(scope["x"])] if "x" in scope else seen


@pytest.mark.parametrize("call", CALLS)
def test_a_call_of_which_a_part_is_not_known(child: Evaluator, tmp_path: Path, call: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"{HEAD}from nowhere import u\n{call}\n")
    report = ask(child, collect([file])[0], Settings())
    (claim,) = [place for place in report.places if place.name == "x"] or [None]
    assert (claim and (claim.dtype, claim.shape)) == CALLS[call]
    assert not report.refusals
    held = [array for value in VALUES for array in run(call, value)]
    assert held
    for array in held if claim else ():
        assert claim.dtype in (None, array.dtype.name)
        assert claim.weak in (None, array.weak_type) or claim.dtype is None
        assert claim.shape is None or len(claim.shape) == array.ndim
        assert all(size in (None, n) for size, n in zip(claim.shape or (), array.shape, strict=False))
