"""Random programs over arrays, as hypothesis draws them, with what JAX computes on their lines."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from conformance import truth
from conformance.truth import Truth

DTYPES = ("float32", "float32", "bfloat16", "float16", "int32", "int8", "uint8", "bool", "complex64")
SIZES = (1, 2, 3, 4, 6)
RANKS = (0, 1, 2, 2, 2, 3)
NAMES = ("a", "b", "c")


def _split(text: str) -> list[str]:
    return [statement.strip() for line in text.strip().splitlines() for statement in line.split("; ")]


#: Expressions in one array, and in two.
UNARY = _split("""
-{0}; abs({0}); {0} * 2; {0} + 1.5; 3 - {0}; {0} / 2; {0} ** 2; {0} > 0; {0} == 1; {0}.T; {0}.mT; {0}.sum(); {0}.sum(0)
{0}.mean(axis=-1); {0}.max(); {0}.min(axis=0, keepdims=True); {0}.reshape(-1); {0}.astype(jnp.float32); {0}[0]; {0}[-1]
{0}.astype(jnp.int8); {0}[None]; {0}[..., None]; {0}[:, 0]; {0}[1:]; {0}[::2]; {0}[::-1, 1]; {0}.at[0].set(1); {0}.argmax()
{0}.cumsum(0); {0}.ravel(); {0}.swapaxes(0, 1); {0}.prod(1); {0}.any(0); {0}.std(); {0}[{0} > 0]; {0}.at[..., 0].add(1)
jnp.sin({0}); jnp.exp({0}); jnp.sqrt({0}); jnp.sum({0}, axis=0, keepdims=True); jnp.sort({0}); jnp.flip({0}); ~{0}
jnp.expand_dims({0}, 0); jnp.squeeze({0}); jnp.transpose({0}); jnp.stack([{0}, {0}]); jnp.tile({0}, 2); jnp.abs({0})
jnp.concatenate([{0}, {0}], axis=0); jnp.zeros_like({0}); jnp.ones_like({0}, dtype=jnp.bfloat16); jnp.pad({0}, 1)
jnp.repeat({0}, 2, axis=0); jnp.broadcast_to({0}, (2, *{0}.shape)); jnp.where({0} > 0, {0}, 0); jnp.clip({0}, 0, 1)
jnp.real({0}); jnp.isnan({0}); jnp.mean({0}); jnp.var({0}, axis=0); jnp.linalg.norm({0}); jax.nn.relu({0})
jax.nn.softmax({0}); jax.nn.gelu({0}); jax.nn.one_hot({0}, 3); jnp.cumsum({0}); jnp.take({0}, 0, axis=0)
jax.lax.rsqrt({0}); jax.lax.stop_gradient({0}); jnp.atleast_2d({0}); jnp.moveaxis({0}, 0, -1); jnp.split({0}, 2)[0]
jnp.full({0}.shape, 2); jnp.arange({0}.shape[0]); jax.vmap(jnp.sum)({0}); jnp.unique({0}, size=3); jnp.argsort({0})
jnp.zeros({0}.shape[1:]); jnp.ones({0}.shape + (2,)); jnp.eye(len({0})); jnp.arange({0}.size); jnp.zeros((1,) * {0}.ndim)
jax.nn.logsumexp({0}, axis=-1); jnp.median({0}, axis=0); jnp.roll({0}, 1); jnp.diff({0}); jnp.triu({0}); jnp.diag({0})
jnp.fft.fft({0}); jnp.linalg.qr({0})[0]; jnp.linalg.svd({0}, full_matrices=False)[1]; jnp.count_nonzero({0}, axis=0)
jnp.array([{0}, {0}]); jnp.asarray({0}, dtype=jnp.float16); jnp.linspace(0, 1, {0}.ndim + 2); jnp.array_split({0}, 2)[1]
jax.lax.cumsum({0}, axis=0); jax.nn.sigmoid({0}); jax.nn.silu({0}); jax.scipy.special.erf({0}); jnp.apply_along_axis(jnp.sum, 0, {0})
jnp.max({0}, axis=(0, 1)); jnp.sum(*({0}, 0)); jnp.reshape({0}, (1, -1)); jax.lax.expand_dims({0}, (0,))
""")
BINARY = _split("""
{0} + {1}; {0} - {1}; {0} * {1}; {0} / {1}; {0} // {1}; {0} % {1}; {0} ** {1}; {0} @ {1}; {0} < {1}; {0} & {1}; {0} | {1}
jnp.maximum({0}, {1}); jnp.matmul({0}, {1}); jnp.dot({0}, {1}); jnp.where({0} > 0, {1}, 0); jnp.outer({0}, {1})
jnp.concatenate([{0}, {1}]); jnp.stack([{0}, {1}]); jnp.arctan2({0}, {1}); jnp.einsum("ij,jk->ik", {0}, {1})
jnp.tensordot({0}, {1}, axes=1); jnp.append({0}, {1}); jnp.logaddexp({0}, {1}); jnp.hypot({0}, {1}); {0}.at[0].add({1})
jnp.einsum("i,j->ij", {0}, {1}); jnp.hstack([{0}, {1}]); jnp.kron({0}, {1}); {0}[{1}]; {0} == {1}; {0}.dot({1}); {0} @ {1}.T
jnp.select([{0} > 0], [{1}], 0); jnp.inner({0}, {1}); jnp.zeros(({0}.shape[0], {1}.shape[-1])); jnp.reshape({0}, {1}.shape)
jnp.broadcast_arrays({0}, {1})[0]; jnp.take({0}, {1}, axis=0); {0}.astype({1}.dtype); {0} << {1}
jax.lax.dot({0}, {1}); jnp.vstack([{0}, {1}]); jnp.convolve({0}, {1}); jnp.isclose({0}, {1}); jnp.add.outer({0}, {1})
""")
#: Statements: `{x}` and `{y}` are arrays, `{v}` and `{w}` new names, `{e}` and `{f}` expressions in arrays, `{x'}` one
#: in `x`, `{v'}` one in `v`, `{k}` a small number, `{z}` an array that is no parameter: what is annotated stays as it is.
#: `{p}` is a parameter, of one rank whatever the branches do. Those that stand first are drawn more often.
PLAIN = "{v} = {e}\nreveal_type({v})"
STATEMENTS = (
    *(PLAIN,) * 14,
    *("{z} = {e}\nreveal_type({z})",) * 3,
    "{z} += {y}\nreveal_type({z})",
    "{z} *= {f}\nreveal_type({z})",
    "{v} = {e} if flag else {f}\nreveal_type({v})\n{w} = {v'}\nreveal_type({w})",
    "if flag:\n    {v} = {e}\nelse:\n    {v} = {f}\nreveal_type({v})\n{w} = {v'}\nreveal_type({w})",
    "if flag:\n    {z} = {e}\nreveal_type({z})\n{v} = {z'}\nreveal_type({v})",
    "for _ in range(2):\n    {z} = {z'}\n    reveal_type({z})\nreveal_type({z})",
    "{v} = {e}\nfor _ in range(3):\n    {w} = {v} * 2\n    reveal_type({w})\n    {v} = {v'}\nreveal_type({v})",
    "for {v} in {x}:\n    {w} = {v'}\n    reveal_type({w})",
    "for {v}, {w} in zip({x}, {y}):\n    {u} = {v} * {w}\n    reveal_type({u})",
    "for _, {v} in enumerate({x}):\n    {w} = {v'}\n    reveal_type({w})",
    "try:\n    {v} = {e}\nexcept OSError:\n    {v} = {x}\nreveal_type({v})",
    "{v}, {w} = {e}, {f}\nreveal_type({v})\nreveal_type({w})",
    "reveal_type({v} := {e})\nreveal_type({v})",
    "{v} = [{e}, {f}]\nreveal_type({v})\n{v}.append({x})\n{w} = {v}[0] + {v}[1]\nreveal_type({w})",
    "{v} = [{w'} for {w} in {x}]\nreveal_type({v})\n{u} = jnp.stack({v})\nreveal_type({u})",
    "{v} = [{w'} for {w} in ({x}, {y})]\nreveal_type({v})\n{u} = {v}[0]\nreveal_type({u})",
    "{v} = {'a': {e}, 'b': {f}}\nreveal_type({v}['b'])\n{v}['b'] = {x}\n{w} = {v}['a']\nreveal_type({w})",
    "{v} = Box({x})\n{v}.h = {e}\nreveal_type({v}.h)\n{w} = {v}.get()\nreveal_type({w})",
    "{v} = same({x})\nreveal_type({v})",
    "{v} = both({x}, {y})\nreveal_type({v})",
    "{v} = turned({p})\nreveal_type({v})",
    "{v} = any_of({x})\nreveal_type({v})",
    # Python numbers: what is known of a name must hold however often it is bound.
    "{n} = {k}\n{v} = jnp.zeros(({n}, 2))\nreveal_type({v})",
    "{n} = {k}\nfor _ in range(2):\n    {v} = jnp.zeros({n})\n    reveal_type({v})\n    {n} = {n} + 1",
    "{n} = {k}\nif flag:\n    {n} = {x}.ndim\n{v} = jnp.zeros({n})\nreveal_type({v})",
    "{n} = {z}.shape[0]\n{z} = {z'}\n{v} = jnp.ones(({n}, {z}.ndim))\nreveal_type({v})",
    "{n} = len({x})\nfor _ in range(2):\n    {v} = jnp.ones({n})\n    reveal_type({v})\n    {n} += len({y})",
    "{n}, *{m} = {x}.shape\nif flag:\n    {n}, *{m} = {y}.shape\n{v} = jnp.ones({n})\nreveal_type({v})",
    "{n} = {x}.shape[0] if flag else {y}.shape[-1]\n{v} = jnp.ones({n})\nreveal_type({v})",
    "{n} = {z}.shape\n{m} = {n}[-1] * {k}\n{z} = {z'}\n{v} = jnp.ones((*{n}, {m}))\nreveal_type({v})",
    "{n} = {x}.shape\nif flag:\n    {n} = {y}.shape\n{v} = jnp.ones({n})\nreveal_type({v})",
    "{n} = [{x}.shape[0], {k}]\n{v} = jnp.ones({n}[1])\nreveal_type({v})",
    "for {n} in {x}.shape:\n    {v} = jnp.ones({n})\n    reveal_type({v})",
    "{n} = {k}\ndef {m}() -> None:\n    {v} = jnp.ones({n})\n    reveal_type({v})\n{m}()\n{n} = {x}.ndim\n{m}()",
    "{n} = 0\n{v} = {x}.sum(axis={n})\nreveal_type({v})",
    "{n} = (0, -1)\n{v} = {x}.sum(axis={n}, keepdims=flag)\nreveal_type({v})",
    "{n} = slice(0, {k})\n{v} = {x}[{n}]\nreveal_type({v})",
    "{v} = {x}.sum(axis=0 if flag else -1)\nreveal_type({v})",
    # Functions
    "{v} = jax.vmap(lambda {w}: {w'})({x})\nreveal_type({v})",
    "{v} = jax.grad(lambda {w}: jnp.sum({w'}))({x})\nreveal_type({v})",
    "{m}, {v} = jax.lax.scan(lambda {u}, {w}: ({u}, {w'}), {y}, {x})\nreveal_type({v})",
    "{v} = jax.lax.cond(flag, lambda {w}: {w} * 2, lambda {w}: {w} + 1, {x})\nreveal_type({v})",
    "{n} = jnp.sum\nif flag:\n    {n} = jnp.mean\n{v} = {n}({x})\nreveal_type({v})",
    "{n} = jnp.mean\n{v} = {n}({x}, axis=0)\nreveal_type({v})",
    "{n} = jax.vmap(jnp.sum)\nif flag:\n    {n} = jax.vmap(jnp.argmax)\n{v} = {n}({x})\nreveal_type({v})",
    "{n} = jax.vmap(jnp.max)\n{v} = {n}({x})\nreveal_type({v})",
    "{v} = jax.tree.map(lambda {w}: {w'}, {'a': {x}})['a']\nreveal_type({v})",
)
HOLE = re.compile(r"\{([a-z])('?)\}")
#: What the programs call, at run time; `fuzz` has the annotated text.
LIBRARY = """
class Box:
    def __init__(self, h):
        self.h = h
    def get(self):
        return self.h
def same(x): return x
def both(x, y): return x + y
def turned(x):
    assert x.ndim == 2
    return x.T
def any_of(x): return jnp.sin(x)
"""


class Statement(NamedTuple):
    """Some lines, what JAX computes where they reveal a type, and whether it refuses them."""

    text: str
    truths: dict[int, list[Truth]]  # by line in the text
    refused: bool
    general: bool  # whether it is accepted for other sizes as well


class Program(NamedTuple):
    """Parameters, with their dtypes and shapes and how much of these is said, and statements."""

    parameters: dict[str, tuple[str, tuple[int, ...]]]
    less: dict[str, tuple[bool, tuple[bool, ...] | None]]  # whether dtype and dims are said; None: no rank
    statements: list[Statement]


class _World:
    """The variables of a program while it runs, for one value of its flag."""

    def __init__(self, arrays: dict[str, Any], flag: bool) -> None:
        self.names: dict[str, Any] = {"jax": jax, "jnp": jnp, "flag": flag, "reveal_type": self._reveal}
        exec(LIBRARY, self.names)  # noqa: S102  # our own text
        self.names.update(arrays)
        self.seen: dict[int, list[Truth]] = {}

    def _reveal(self, value: Any) -> Any:
        self.seen.setdefault(sys._getframe(1).f_lineno, []).append(truth.describe(value))
        return value

    def run(self, text: str) -> bool:
        """Whether JAX accepts a statement; if it does not, nothing changes."""
        before, self.seen = dict(self.names), {}
        try:
            with truth.announced_refusals():
                exec(compile(text, "program", "exec"), self.names)  # noqa: S102  # drawn from our own templates
        except Exception:  # JAX may raise any exception, also those of the libraries below it
            self.names = before
            return False
        return True

    def arrays(self) -> set[str]:
        """The arrays that are small enough to go on with."""
        values = self.names.items()
        return {n for n, v in values if isinstance(v, jax.Array) and v.size < 10_000 and v.ndim < 6}


def _merged(worlds: list[_World]) -> dict[int, list[Truth]]:
    """What each line reveals in any of the worlds."""
    lines = {line for world in worlds for line in world.seen}
    return {line: [value for world in worlds for value in world.seen.get(line, [])] for line in sorted(lines)}


def _fill(draw: Callable[[Any], Any], template: str, known: list[str], number: int) -> str:
    """A statement of a template, with names that are not used yet where it binds new ones."""

    def expression(own: str | None = None) -> str:
        operations = UNARY if draw(st.integers(0, 9)) < 6 else BINARY
        chosen = [draw(st.sampled_from(known)) for _ in range(2)]
        if own is not None:
            chosen[0] = own
        return str(draw(st.sampled_from(operations))).format(*chosen)

    holes: dict[str, str] = {name: f"{name}{number}" for name in "vwunm"}
    holes |= {name: draw(st.sampled_from(known)) for name in "xy"}
    holes["p"] = draw(st.sampled_from(NAMES))
    own = [name for name in known if name not in NAMES]
    if own:
        holes["z"] = draw(st.sampled_from(own))
    elif "{z" in template:
        template = PLAIN

    def fill(hole: re.Match[str]) -> str:
        name, of_it = hole.groups()
        if name in "ef":
            return expression()
        if name == "k":
            return str(draw(st.integers(1, 4)))
        return expression(holes[name]) if of_it else holes[name]

    return HOLE.sub(fill, template)


@st.composite
def programs(draw: Callable[[Any], Any], steps: int = 7) -> Program:
    """A program, each statement of which JAX accepts or, where it is plain, refuses."""
    shapes = {
        name: tuple(draw(st.sampled_from(SIZES)) for _ in range(draw(st.sampled_from(RANKS))))
        for name in NAMES
    }
    parameters = {name: (str(draw(st.sampled_from(DTYPES))), shape) for name, shape in shapes.items()}
    less = {
        name: (
            draw(st.booleans()),
            tuple(draw(st.booleans()) for _ in shape) if draw(st.integers(0, 4)) else None,
        )
        for name, (_, shape) in parameters.items()
    }
    statements: list[Statement] = []

    def run(arrays: dict[str, Any], larger: dict[str, Any]) -> None:
        worlds = [_World(arrays, True), _World(arrays, False)]
        others, general = [_World(larger, True), _World(larger, False)], True
        for number in range(steps):
            known = sorted(set.intersection(*(world.arrays() for world in worlds)))
            template = draw(st.sampled_from(STATEMENTS))
            text = _fill(draw, template, known, number)
            before = [dict(world.names) for world in worlds]
            accepted = [world.run(text) for world in worlds]
            general = (
                general and all(list(map(_World.run, others, (text, text)))) if all(accepted) else general
            )
            if all(accepted):
                truths = _merged(worlds)
                statements.append(Statement(text, truths, refused=False, general=general))
            else:
                general = general and not all(accepted)
                for world, names in zip(worlds, before, strict=True):
                    world.names = names
                if template == PLAIN and not any(accepted):
                    expression = text.partition("\n")[0].partition(" = ")[2]
                    statements.append(Statement(expression, {}, refused=True, general=general))

    def structs(power: int) -> dict[str, Any]:
        items = parameters.items()
        return {
            n: jax.ShapeDtypeStruct(tuple(s**power for s in shape), jnp.dtype(d)) for n, (d, shape) in items
        }

    jax.eval_shape(run, structs(1), structs(2))
    return Program(parameters, less, statements)


def draw_programs(count: int, number: int) -> list[Program]:
    """`count` programs, the same ones for the same `number`.

    Each is the last that hypothesis draws on its own: what it draws next is like what it drew before.
    """
    drawn = (_draw_one(own) for own in range(number * count, (number + 1) * count))
    return list({repr(program): program for program in drawn}.values())


def _draw_one(number: int) -> Program:
    drawn: list[Program] = []

    @seed(number)
    @settings(
        max_examples=3,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def collect(program: Program) -> None:
        drawn.append(program)

    collect()
    return drawn[-1]
