"""Statements and classes of newer Pythons, and what is said of sizes that are the machine's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import ask, evaluate_programs
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python
HEAD = """
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple
import equinox as eqx, jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, PartitionSpec as P
from nowhere import unknown
"""
LAYER = """
class Linear[I, O](eqx.Module):
    weight: jax.Array
    def __init__(self, i: int, o: int):
        self.weight = jnp.ones((o, i))
    def __call__(self, x):
        return self.weight @ x
"""
MATCH = """
def step(command, x):
    match command:
        case {"op": "add", **rest}:
            return x + len(rest)
        case [first, *_, jnp.float16 | 2]:
            return first
        case str():
            return x.T
    return None
"""
CONTEXT = """
from contextlib import contextmanager
CHOSEN = jnp.float32
@contextmanager
def precision(dtype):
    global CHOSEN
    before, CHOSEN = CHOSEN, dtype
    try:
        yield dtype
    finally:
        CHOSEN = before
"""
DEVICES = "mesh = Mesh(np.array(jax.devices()), ('i',))\n"
#: Numbers that only a run knows.
OPTIONS = "import sys\nb, c, n = (int(each) for each in sys.argv[1:4])\nv = jnp.zeros(n)\n"
LAYERS = """
def layer(size, hidden):
    return {"w": jnp.zeros((size, 4 * hidden)), "u": jnp.zeros((hidden, 4 * hidden)), "b": jnp.zeros(4 * hidden)}
def cell(p, h, x):
    a, d, e, f = jnp.split(x @ p["w"] + h @ p["u"] + p["b"], 4, axis=-1)
    h = jnp.tanh(a + d) * e + f
    return h, h
params = {"in": jnp.zeros((9, 8)), "layers": [], "out": jnp.zeros((b, 5))}
size = 8
for _ in range(n):
    params["layers"].append(layer(size, b))
    size = b
def forward(params, y):
    y = params["in"][y]
    for p in params["layers"]:
        _, y = jax.lax.scan(partial(cell, p), jnp.zeros((6, b)), y)
    return y @ params["out"]
def loss(params, y):
    return forward(params, y).mean()
"""
#: An array that only a run knows.
LOADED = "import sys\nk = int(sys.argv[1])\na = jnp.asarray(unknown())\n"
#: What `x` is after a program.
KNOWN = {
    f"{LOADED}assert a.shape == (10, 3)\nx = a.astype('float32')": ("float32", (10, 3)),
    f"{LOADED}assert a.dtype == jnp.int32 and not (a.ndim != 2 or a.shape[-1] != 3)\nx = +a": (
        "int32",
        (None, 3),
    ),
    f"{LOADED}assert a.shape == (k, k)\nx = a.astype('float32') @ jnp.ones((k, 2))": ("float32", (None, 2)),
    f"{LOADED}if a.ndim != 1:\n    raise ValueError\nx = jnp.float32(a)": ("float32", (None,)),
    f"{LOADED}if a.ndim == 1:\n    y = a\nx = jnp.float32(a)": ("float32", None),
    f"{LOADED}assert a.shape == (3, 2) or k\nx = jnp.float32(a)": ("float32", None),
    f"{LOADED}assert a.shape == (3, 2)\na = unknown()\nx = jnp.float32(a)": ("float32", None),
    f"{LOADED}assert a.ndim == 2\nassert a.shape == (3, 2, 1)\nx = jnp.float32(a)": ("float32", (None, None)),
    f"{LOADED}import chex\nchex.assert_shape([a, k], (2, None, 3))\nx = jnp.float32(a)": (
        "float32",
        (2, None, 3),
    ),
    f"{LOADED}import chex\nchex.assert_rank(a, {{2, 3}})\nx = jnp.float32(a)": ("float32", None),
    f"{LOADED}import chex\nchex.assert_rank(a, 2)\nchex.assert_type(a, jnp.int8)\nx = +a": (
        "int8",
        (None, None),
    ),
    f"{LOADED}import chex\nchex.assert_rank(a, 4)\nchex.assert_shape(a, (2, ..., {{1, 3}}))\nx = jnp.float32(a)": (
        *("float32", (2, None, None, None)),
    ),
    f"{OPTIONS}x = v.reshape(b, -1)": ("float32", (None, None)),
    f"{OPTIONS}x = v.reshape(b, c, -1, 1)": ("float32", (None, None, None, 1)),
    f"{OPTIONS}x = jnp.asarray(np.zeros(n).reshape(b, -1))": ("float32", (None, None)),
    f"{OPTIONS}y = np.zeros((n, 4, 7))\nx = jnp.asarray(y.reshape(len(y), -1))": ("float32", (None, 28)),
    f"{OPTIONS}y = np.zeros((n, 4, 7))\nx = jnp.asarray(y[: n // b * b].reshape(n // b, b, 28))": (
        *("float32", (None, None, 28)),
    ),
    f"{OPTIONS}x = jnp.zeros((3, 4 * b)) @ jnp.zeros((4 * b, 5))": ("float32", (3, 5)),
    f"{OPTIONS}ys = [jnp.zeros(int(each)) for each in sys.argv]\nx = jnp.zeros(len(ys[0]) - len(ys[1]) + 3)": None,
    f"{OPTIONS}z = v\nfor i in range(1, n):\n    x = jnp.zeros(abs(len(jnp.zeros(i)) - len(z)) + 1)\n    z = jnp.zeros(i)": (
        *("float32", None),
    ),
    f"{OPTIONS}{LAYERS}x = forward(params, jnp.zeros((3, 6), int))": ("float32", (3, 6, 5)),
    f"{OPTIONS}{LAYERS}x = jax.jit(loss)(params, jnp.zeros((c, 6), int))": ("float32", ()),
    f"{OPTIONS}{LAYERS}g = jax.grad(loss)(params, jnp.zeros((3, 6), int))\nx = g['in']": ("float32", (9, 8)),
    f"{OPTIONS}def f(w, m):\n    return (w * jnp.zeros(m)).sum()\nl, x = jax.value_and_grad(f)(jnp.zeros(b), b)": (
        *("float32", (None,)),
    ),
    f"{OPTIONS}def f(m, w):\n    return m * w\nx = jax.grad(f, argnums=1)(b, jnp.zeros(()))": ("float32", ()),
    f"{OPTIONS}{LAYERS}g = jax.tree.map(lambda p: p.astype('float16'), params)\nx = g['layers'][0]['b']": (
        *("float16", (None,)),
    ),
    f"{OPTIONS}{LAYERS}import optax\no = optax.adam(0.1)\ns = o.init(params)\n"
    "u, s = o.update(jax.tree.map(jnp.ones_like, params), s, params)\n"
    "params = optax.apply_updates(params, u)\nx = params['out'] + params['layers'][0]['b'][0]": (
        "float32",
        (None, 5),
    ),
    # What a cached property gives once stays.
    "from functools import cached_property\nclass A:\n    n = 4\n    @cached_property\n    def w(self): return jnp.ones(self.n)\n"
    "a = A()\na.w\na.n = 5\nx = a.w": ("float32", (4,)),
    "class A:\n    part = unknown()\ndef unused(i: int): return A\nx = jnp.ones(3)": ("float32", (3,)),
    "from flax import nnx\nv = nnx.Variable(jnp.zeros((3, 4)))\nv[...] += 1\nv[0] = unknown()\nx = v[...] + v[0]": (
        *("float32", (3, 4)),
    ),
    "from flax import nnx\nv = nnx.Param(jnp.zeros(3, 'int8'))\nv[...] = jnp.ones(3)\nx = +v[...]": (
        "int8",
        (3,),
    ),
    "s = np.random.randint(1, 5, 7)\nx = jnp.asarray(divmod(7, s[0])) + abs(s[0])": ("int32", (2,)),
    # It is weak under a trace alone.
    "from jax.scipy.sparse.linalg import cg\nx = cg(lambda v: v * 2.0, jnp.arange(1, 5) * 0.1)[0] * jnp.ones(4, 'bfloat16')": (
        *(None, (4,)),
    ),
    "x = jnp.ones(3)\nfor row in jnp.zeros((0, 2)):\n    x = row": ("float32", (3,)),
    f"{LAYER}x = Linear(3, 4)(jnp.ones(3))": ("float32", (4,)),
    f"{LAYER}class Twice[I](Linear[I, I]):\n    pass\nx = Twice(3, 3)(jnp.ones(3))": ("float32", (3,)),
    "class Box[T]:\n    def __init__(self, of: T): self.of = of\nx = Box[int](jnp.ones(3)).of": (
        "float32",
        (3,),
    ),
    "class Box[*Ts]:\n    of = jnp.ones(2)\nx = Box[int, str]().of": ("float32", (2,)),
    "@dataclass\nclass Pair[T]:\n    a: T\n    b: T\nx = Pair(1, jnp.ones(3)).b": ("float32", (3,)),
    "class Pair[T](NamedTuple):\n    a: T\n    b: T\n_, x = Pair(1, jnp.ones(3))": ("float32", (3,)),
    f"{MATCH}x = step({{'op': 'add', 'by': 1}}, jnp.ones((2, 3)))": ("float32", (2, 3)),
    f"{MATCH}x = step([jnp.ones(5), 7, 8, 2], jnp.ones((2, 3)))": ("float32", (5,)),
    f"{MATCH}x = step('transpose', jnp.ones((2, 3)))": ("float32", (3, 2)),
    f"{MATCH}x = jnp.ones(1) if step(jnp.ones(2), 0) is None else 0": ("float32", (1,)),
    f"{DEVICES}@partial(jax.shard_map, mesh=mesh, in_specs=P('i'), out_specs=P('i'))\ndef f(a):\n    x = a * 2\n"
    "    return x\nf(jnp.ones((8, 3)))": ("float32", (None, 3)),
    f"{DEVICES}x = jax.shard_map(lambda a: a, mesh=mesh, in_specs=P('i'), out_specs=P('i'))(jnp.ones((8, 3)))": (
        "float32",
        (8, 3),
    ),
    "from collections import namedtuple\nPair = namedtuple('Pair', 'a b', defaults=[unknown])\n"
    "pair = jax.jit(lambda pair: pair._replace(a=pair.a * 2))(Pair(jnp.ones(3), 1))\nx = pair.a": (
        "float32",
        (3,),
    ),
    # int8 outside of `jit`, where JAX knows the exponent, and int16 within.
    "x = jnp.zeros((1, 2), 'int8') ** jnp.zeros((), 'uint8')": (None, (1, 2)),
    # What a context sets holds in the body of the `with`, and not after it.
    f"{CONTEXT}with precision(jnp.float16) as d:\n    x = jnp.ones(3, CHOSEN)": ("float16", (3,)),
    f"{CONTEXT}with precision(jnp.float16) as d:\n    pass\nx = jnp.ones(3, CHOSEN)": ("float32", (3,)),
    f"{CONTEXT}def f(n):\n    with precision(jnp.float16) as d, precision(jnp.int8):\n        return jnp.ones(n, d)\n"
    "    return None\nx = f(3) + jnp.zeros(3, CHOSEN)": ("float32", (3,)),
    f"{CONTEXT}for i in range(3):\n    with precision(jnp.float16):\n        x = jnp.ones(i, CHOSEN)\n        break\n"
    "else:\n    x = None": ("float16", (0,)),
    "x = jnp.asarray(np.arange(6).reshape(2, 3).sum(axis=0).astype(np.float32))": ("float32", (3,)),
    "n = int(np.array([4, 2]).max())\nx = jnp.ones(n)": ("float32", (4,)),
    "from flax.core import freeze\noptions = freeze({'shape': (3,), 'dtype': 'int8'})\nx = jnp.zeros(**options)": (
        "int8",
        (3,),
    ),
    "from flax.core import freeze\nx = {'v': jnp.ones(2), **freeze({'w': jnp.ones(3)})}['w']": (
        "float32",
        (3,),
    ),
    "x = jnp.ones((3, 4))[0].block_until_ready()": ("float32", (4,)),
    # To JAX a number of NumPy's is not weak, whatever number of Python's it meets.
    "n, levels = int(unknown), np.array([2, 6])\nx = jnp.ones(3, 'bfloat16') * (4.0 * (n - levels[0]) / 2)": (
        "float32",
        (3,),
    ),
    "x = jnp.ones(3, 'bfloat16') * (float(unknown) * np.int64(2))": ("float32", (3,)),
    "starts = np.random.randint(1, 5, 7)\nx = jnp.zeros((3, starts[0]))": ("float32", (3, None)),
    "starts = np.random.randint(1, 5, 7).astype('int8')\nx = jnp.arange(starts[0])": ("int8", (None,)),
    "m = jnp.arange(6) > 2\nf = jax.jit(lambda a: a.at[m].set(0.0))\nx = f(jnp.ones((6, 2)))": (
        "float32",
        (6, 2),
    ),
    # What is written into an array is seen through its views, too.
    "a = np.array([1, 2])\nb = a.reshape(2)\na[0] = 5\nx = jnp.ones(b[0])": ("float32", (None,)),
    "a = np.array([3, 2])\na.sort()\nx = jnp.ones(a[0])": ("float32", (None,)),
    # One row is what an array of rank 0 or 1 would be here, but one of rank 2 may have several.
    "def f(a, b):\n    x = jnp.vstack([a, b])\n    return x\njax.vmap(f)(jnp.ones((2, 4, 1)), jnp.stack([unknown, unknown]))": (
        None,
        (None, 1),
    ),
    # A scalar goes with every array: what else does has a size of theirs, wherever they come from.
    f"{LOADED}x = jnp.float32(jnp.dot(jnp.ones((2, 3, 4, 9)), a))": ("float32", None),
    f"{LOADED}x = jnp.float32(jnp.dot(np.arange(9), a))": ("float32", None),
    f"{LOADED}def f(row):\n    return jnp.dot(jnp.full((11, 7), 0.5), row)\nx = jnp.float32(jax.lax.map(f, a))": (
        "float32",
        None,
    ),
    f"{LOADED}x = jnp.asarray(np.dot(np.ones((2, 3, 4, 9)), np.asarray(unknown(), np.float32)))": (
        "float32",
        None,
    ),
    f"{LOADED}x = jnp.asarray(np.dot([0.1] * 9, np.asarray(unknown(), np.float32)))": ("float32", None),
    f"{LOADED}x = jnp.asarray(np.ones((2, 3, 4, 9)) * np.asarray(unknown(), np.float32))": ("float32", None),
    # Of what may be anything, several numbers and arrays of several sizes are tried: what is the same for all stays.
    f"{LOADED}x = jnp.ones((2, 7, unknown()))": ("float32", (2, 7, None)),
    # `vmap` does not take these sizes, perhaps: what is walked in another way then says what the function gets.
    f"{OPTIONS}def f(a, b):\n    x = jnp.dot(a[:2], b[:2])\n    return x\n"
    "jax.vmap(f)(jnp.ones((b, 5)), jnp.ones((c, 5)))": ("float32", ()),
    # Only some number of devices divides this one: which, is not known.
    f"{DEVICES}@partial(jax.shard_map, mesh=mesh, in_specs=P('i'), out_specs=P('i'))\ndef f(a):\n    x = a * 2\n"
    "    return x\nf(jnp.ones((37, 3)))": None,
}
#: Lines with sizes that are options, and what is said of them: nothing, if some sizes are right.
CONTRACTING = "dot_general requires contracting dimensions to have the same shape, got"
REFUSED = {
    "jnp.ones((3, 3 * n)) + jnp.ones(4 * n)": (
        "Incompatible shapes for broadcasting: shapes=[(3, 3*a), (4*a,)], whatever a is"
    ),
    "jnp.ones((n + 2, c)) * jnp.ones((n + 3, c))": (
        "mul got incompatible shapes for broadcasting: (a + 2, b), (a + 3, b), whatever a and b are"
    ),
    "jnp.dot(jnp.ones((3, n)), jnp.ones((2 * n, 4)))": f"{CONTRACTING} (a,) and (2*a,), whatever a is",
    "v @ jnp.ones(n + 1)": f"{CONTRACTING} (a,) and (a + 1,), whatever a is",
    "jnp.take_along_axis(jnp.ones((b, n)), jnp.ones(b, int), axis=1)": (
        "indices and arr must have the same number of dimensions; 1 vs. 2"
    ),
    "x, y = jnp.ones((3, n))": (
        "float32[3, ?] gives 3 values where it is unpacked, and there are 2 targets for them; the numbers must be "
        "equal, or one target starred"
    ),
    "x, y, *z = jnp.split(jnp.ones(3), 1)": (
        "[float32[3]] gives 1 values where it is unpacked, and there are 3 targets for them; the numbers must be "
        "equal, or one target starred"
    ),
    "for x, y in jnp.ones((4, 3)): pass": (
        "float32[3] gives 3 values where it is unpacked, and there are 2 targets for them; the numbers must be equal, "
        "or one target starred"
    ),
    "jax.lax.dynamic_slice_in_dim(jnp.ones((3, n, 4)), 0, 2, axis=3)": (
        "axis 3 is out of bounds for array of dimension 3"
    ),
    "[x for x, y in jnp.ones((4, 3))]": (
        "float32[3] gives 3 values where it is unpacked, and there are 2 targets for them; the numbers must be equal, "
        "or one target starred"
    ),
    "jax.grad(lambda w: jnp.sum(w * 2))(jnp.arange(3))": (
        "grad requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got int32. "
        "If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."
    ),
    "jax.jit(lambda w: jax.value_and_grad(lambda w: jnp.max(w))(w))(jnp.arange(3))": (
        "grad requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got int32. "
        "If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."
    ),
    "jax.grad(lambda w: w * 2)(jnp.ones(3))": (
        "Gradient only defined for scalar-output functions. Output had shape: (3,). To get the gradient, reduce the "
        "output to a scalar with output.sum(), or use jax.jacobian to differentiate a function with a non-scalar output."
    ),
    "jax.vmap(lambda w, m: w * m)(jnp.ones(3), jnp.ones(4))": (
        "vmap got inconsistent sizes for array axes to be mapped: * one axis had size 3: axis 0 of argument w of type "
        "float32[3]; * one axis had size 4: axis 0 of argument m of type float32[4]"
    ),
    "jax.vmap(lambda w: w * 2)(jnp.float32(1))": (
        "vmap was requested to map its argument along axis 0, which implies that its rank should be at least 1, but is "
        "only 0 (its shape is ())"
    ),
    "import einops; einops.rearrange(jnp.ones((2, 3)), 'a b -> a')": (
        'Error while processing rearrange-reduction pattern "a b -> a". Input tensor shape: (2, 3). Additional info: '
        "{}. Identifiers only on one side of expression (should be on both): {'b'}"
    ),
    "import einops; einops.rearrange(jnp.ones((2, n)), 'a (b c) -> a b c', b=3)": None,
    "try: jax.vmap(jnp.dot)(jnp.ones((3, 2)), jnp.ones((4, 2)))\nexcept ValueError: pass": None,
    "jnp.zeros((7 / 2, 3))": (
        "Shapes must be 1D sequences of concrete values of integer type, got (3.5, 3)."
    ),
    "x, *y = jnp.ones((3, n))": None,
    "x, y = jnp.ones((n, 3))": None,
    "x, y = jnp.split(jnp.ones(4), 2)": None,
    "try: x, y = jnp.ones(3)\nexcept ValueError: pass": None,
    "try: jax.grad(jnp.sum)(jnp.arange(3))\nexcept TypeError: pass": None,
    "jax.grad(lambda w: jnp.sum(w * 2.0), allow_int=True)(jnp.arange(3))": None,
    "jax.grad(lambda w, m: jnp.sum(w * m))(jnp.ones(3), jnp.arange(3))": None,
    "for i in range(n): jnp.ones((2, 3)) @ jnp.ones((4, 2))": f"{CONTRACTING} (3,) and (4,).",
    "jnp.ones((8, 5)) @ jnp.ones((c, 4 * n)) + jnp.ones(3 * n)": (
        "Incompatible shapes for broadcasting: shapes=[(8, 4*a), (3*a,)], whatever a is"
    ),
    "jnp.ones((8, 5)) @ jnp.ones((c, 4 * n)) + jnp.ones(4 * b)": None,
    "v + jnp.ones(c)": None,
    "v + jnp.ones(n + 1)": None,
    "v + jnp.ones(n * c)": None,
    "v @ jnp.ones(n + c)[c:]": None,
    "jnp.ones((3, n)) @ jnp.ones((c, 3))": None,
    "v.reshape(7, 11)": None,
    "if n > 3: jnp.ones(2) + jnp.ones(3)": None,
    "while n > 3: n, _ = n - 1, jnp.ones(2) + jnp.ones(3)": None,
}


@pytest.fixture(scope="module")
def child() -> Iterator[Evaluator]:
    child = Evaluator(sys.executable)
    yield child
    child.close()


@pytest.mark.parametrize("program", KNOWN)
def test_what_is_known(child: Evaluator, tmp_path: Path, program: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(HEAD + program)
    report = ask(child, collect([file])[0], Settings())
    (place,) = [(place.dtype, place.shape) for place in report.places if place.name == "x"] or [None]
    assert place == KNOWN[program]
    assert not report.refusals


def test_of_many_unknown_arguments_not_all_choices_are_made(child: Evaluator, tmp_path: Path) -> None:
    """Of six there are 34 million, for which no memory would do."""
    file = tmp_path / "program.py"
    file.write_text(
        f"{HEAD}a, b, c, d, e, f = unknown()\nx = jnp.float32(jnp.where(a, b, c) + jax.lax.cond(a, b, c, d, e, f))\n"
    )
    report = ask(child, collect([file])[0], Settings())
    assert [place.dtype for place in report.places if place.name == "x"] == ["float32"]
    assert not report.incomplete


@pytest.mark.parametrize("function", ["arctan2", "logaddexp", "hypot", "true_divide", "copysign"])
def test_nothing_is_said_where_more_choices_are_left(child: Evaluator, tmp_path: Path, function: str) -> None:
    """Of two unknown arguments few dtypes are tried, all of which give float32."""
    file = tmp_path / "program.py"
    file.write_text(f"{HEAD}a, b = unknown()\nx = jnp.{function}(a, b)\n")
    report = ask(child, collect([file])[0], Settings())
    assert not [place for place in report.places if place.dtype is not None]


@pytest.mark.parametrize("line", REFUSED)
def test_what_no_sizes_make_right(child: Evaluator, tmp_path: Path, line: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"{HEAD}{OPTIONS}{line}\n")
    refusals = ask(child, collect([file])[0], Settings()).refusals
    assert [(refusal.line, refusal.message) for refusal in refusals] == (
        [(len(file.read_text().splitlines()), REFUSED[line])] if REFUSED[line] else []
    )


def test_two_programs_share_a_module(tmp_path: Path) -> None:
    """What one of them gives to a function of it is known, what the other does is not: nothing is said that holds of one alone."""
    (tmp_path / "shared.py").write_text("def double(x):\n    y = x * 2\n    return y\n")
    scripts = {"one": "jnp.ones(3)", "other": "__import__('data').load()"}
    for name, value in scripts.items():
        text = f"import jax.numpy as jnp\nfrom shared import double\nz = double({value})\n"
        (tmp_path / f"{name}.py").write_text(text)
    places = [
        evaluate_programs(
            collect([tmp_path / f"{name}.py" for name in names]), Settings(), cached=False
        ).places
        for names in (["one"], ["one", "other"])
    ]
    assert [[(Path(place.file).stem, place.line) for place in each] for each in places] == [
        [("one", 3), ("shared", 2), ("shared", 3)],
        [("one", 3)],
    ]
