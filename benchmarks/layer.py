"""What the array layer costs, relative to plain jax.numpy in the same run.

The two sides run in turns. A ratio is the median of those of the rounds: of a function and itself it is within a hundredth
of 1, also beside other programs. The times are the least of the rounds.
Every function of the layer is timed, called from Python on small arrays of the default device, and so are operators and
methods. Exits with status 1 if a ratio is above its target, or the compiled programs differ.

    python benchmarks/layer.py
    python benchmarks/layer.py --rounds 300
    python benchmarks/layer.py --only matmul --only=-x
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import re
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from layer_calls import ROWS, arguments, function

import jaxtyping_core as jc
import jaxtyping_core.numpy as lnp

#: The most that a call of a function of the layer may take, relative to JAX's.
EAGER = 1.15
#: How long one side is timed at once, in seconds: calls that take less are repeated.
TURN = 0.0005
#: The parameters of so many layers are 49 arrays, and the embedding is one.
LAYERS, HEADS, WIDTH, TOKENS = 7, 4, 32, 16


class Row(NamedTuple):
    """One comparison: what is timed on the two sides, how often in a row, and the ratio not to exceed."""

    name: str
    theirs: Callable[[], Any]
    ours: Callable[[], Any]
    calls: int
    target: float | None


def softmax(xp: Any, x: Any) -> Any:
    shifted = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    return shifted / xp.sum(shifted, axis=-1, keepdims=True)


def norm(xp: Any, x: Any, scale: Any) -> Any:
    return x / xp.sqrt(xp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * scale


def block(xp: Any, p: dict[str, Any], x: Any) -> Any:
    """A transformer block: causal attention and a feed-forward layer, both residual."""
    h = norm(xp, x, p["scale"])
    q, k, v = (xp.reshape(h @ p[w], (TOKENS, HEADS, -1)).transpose(1, 0, 2) for w in ("q", "k", "v"))
    scores = q @ xp.matrix_transpose(k) / (WIDTH / HEADS) ** 0.5
    scores = xp.where(xp.tri(TOKENS, dtype=bool), scores, -1e9)
    heads = (softmax(xp, scores) @ v).transpose(1, 0, 2)
    x = x + xp.reshape(heads, (TOKENS, WIDTH)) @ p["o"]
    h = norm(xp, x, p["scale"]) @ p["up"]
    return x + (h * (1 / (1 + xp.exp(-h)))) @ p["down"]


def train_step(xp: Any, transform: Any) -> Callable[..., Any]:
    """A step of gradient descent on a language model, over `xp`, with the gradients of `transform`."""

    def loss(params: Any, tokens: Any) -> Any:
        x = params["embed"][tokens]
        for p in params["blocks"]:
            x = block(xp, p, x)
        logits = x[:-1] @ params["embed"].T
        likelihood = xp.take_along_axis(softmax(xp, logits), tokens[1:, None], axis=-1)
        return -xp.mean(xp.log(likelihood))

    def step(params: Any, tokens: Any) -> Any:
        value, gradients = transform.value_and_grad(loss)(params, tokens)
        return value, jax.tree.map(lambda p, g: p - 0.01 * g, params, gradients)

    return step


def parameters(xp: Any) -> Any:
    shapes: dict[str, tuple[int, ...]] = {
        "q": (WIDTH, WIDTH),
        "k": (WIDTH, WIDTH),
        "v": (WIDTH, WIDTH),
        "o": (WIDTH, WIDTH),
    }
    shapes |= {"up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH), "scale": (WIDTH,)}
    blocks = [{name: xp.full(shape, 0.01) for name, shape in shapes.items()} for _ in range(LAYERS)]
    return {"embed": xp.full((50, WIDTH), 0.02), "blocks": blocks}


def compiled_program(xp: ModuleType, transform: ModuleType) -> str:
    """The optimized HLO of the training step, without the names of operations and places in the source."""
    step = transform.jit(train_step(xp, transform))
    text = step.lower(parameters(xp), xp.arange(TOKENS)).compile().as_text()
    names: dict[str, str] = {}
    text = re.sub(
        r", metadata=\{[^}]*\}|^(FileNames|FunctionNames|FileLocations|StackFrames)(\n.+)*\n",
        "",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(
        r"%?[A-Za-z_][\w.-]*\.\d+\b|%[\w.-]+", lambda m: names.setdefault(m[0], f"n{len(names)}"), text
    )
    return re.sub(r"HloModule \S+", "HloModule", text)


def processor_time() -> float:
    """The processor time of this process and of those that it waited for, to a hundredth of a second."""
    return sum(os.times()[:4])


def best(function: Callable[[], Any], calls: int) -> float:
    clock = processor_time if calls == 1 else time.perf_counter
    start = clock()
    for _ in range(calls):
        function()
    return (clock() - start) / calls


def compare(row: Row, rounds: int) -> tuple[float, float, float]:
    """The least time of both sides, in microseconds, and the ratio; what takes a second, in a tenth of the rounds."""
    rounds = rounds if row.calls > 1 else max(rounds // 10, 1)
    row.theirs()
    row.ours()
    times = [(best(row.theirs, row.calls), best(row.ours, row.calls)) for _ in range(rounds)]
    ratio = statistics.median(ours / theirs for theirs, ours in times if theirs)
    return min(t for t, _ in times) * 1e6, min(t for _, t in times) * 1e6, ratio


def importing(module: str) -> Callable[[], Any]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True, env=environment)


def rows() -> list[Row]:
    x, y = jnp.ones((8, 8)), jnp.ones((8, 8))
    a, b = lnp.asarray(x), lnp.asarray(y)
    leaves = [jnp.ones(8) * i for i in range(50)]
    ours = [lnp.asarray(leaf) for leaf in leaves]
    tuples = [(leaf,) for leaf in leaves]
    update = jax.jit(lambda tree: jax.tree.map(lambda leaf: leaf * 0.9, tree))
    first = jax.jit(lambda tree: jax.tree.leaves(tree)[0])
    step, layer_step = (t.jit(train_step(xp, t)) for xp, t in ((jnp, jax), (lnp, lnp)))
    plain, layer = parameters(jnp), parameters(lnp)
    tokens, layer_tokens = jnp.arange(TOKENS), lnp.arange(TOKENS)
    return [
        Row("jitted training step, 50 leaves in and out", lambda: jax.block_until_ready(step(plain, tokens)),
            lambda: jax.block_until_ready(layer_step(layer, layer_tokens)), 5, 1.15),
        # What jax.jit itself does with the leaves, in functions that do next to nothing.
        Row("call alone, 50 leaves in and out", lambda: update(leaves), lambda: update(ours), 10, None),
        Row("call alone, 50 leaves in, one out", lambda: first(leaves), lambda: first(ours), 20, None),
        Row("... a tuple of Python's around each leaf", lambda: first(leaves), lambda: first(tuples), 20, None),
        Row("... in and out", lambda: update(leaves), lambda: update(tuples), 10, None),
        Row("eager add(x, y)", lambda: jnp.add(x, y), lambda: lnp.add(a, b), 200, EAGER),
        Row("eager x + y", lambda: x + y, lambda: a + b, 200, EAGER),
        Row("eager x * 2.0", lambda: x * 2.0, lambda: a * 2.0, 200, EAGER),
        Row("promote_types of names", lambda: jnp.promote_types("int8", "float16"),
            lambda: jc.promote_types("int8", "float16"), 500, 0.5),
        Row("promote_types of dtypes", lambda: jnp.promote_types(jnp.int8, jnp.float16),
            lambda: jc.promote_types(jnp.int8, jnp.float16), 500, 0.5),
        Row("import, processor time", importing("jax"), importing("jaxtyping_core.numpy"), 1, 1.1),
    ]  # fmt: skip


#: Operators and methods, on a matrix and itself.
EXPRESSIONS: dict[str, Callable[[Any, Any], Any]] = {
    "-x": lambda xp, x: -x,
    "abs(x)": lambda xp, x: abs(x),
    "x + x": lambda xp, x: x + x,
    "x + 1": lambda xp, x: x + 1,
    "2.0 * x": lambda xp, x: 2.0 * x,
    "x @ x": lambda xp, x: x @ x,
    "x ** 2": lambda xp, x: x**2,
    "x < x.T": lambda xp, x: x < x.T,
    "x == 1.0": lambda xp, x: x == 1.0,
    "x[0]": lambda xp, x: x[0],
    "x[:, 1]": lambda xp, x: x[:, 1],
    "x.at[0].set(1.0)": lambda xp, x: x.at[0].set(1.0),
    "x.T": lambda xp, x: x.T,
    "x.sum()": lambda xp, x: x.sum(),
    "x.mean(axis=0)": lambda xp, x: x.mean(axis=0),
    "x.max(axis=1, keepdims=True)": lambda xp, x: x.max(axis=1, keepdims=True),
    "x.reshape(-1)": lambda xp, x: x.reshape(-1),
    "x.astype(int)": lambda xp, x: x.astype("int32"),
    "where(x > 1, x, 0.0)": lambda xp, x: xp.where(x > 1, x, 0.0),
    "sqrt(x)": lambda xp, x: xp.sqrt(x),
}


def every_row(only: list[str]) -> list[Row]:
    """Every function of the layer, and the expressions; a call that JAX refuses on this device is left out, and named."""

    def call(xp: Any, name: str) -> Callable[[], Any]:
        called, args = function(name, xp), arguments(name, xp)
        return lambda: called(*args)

    def expression(xp: Any, name: str) -> Callable[[], Any]:
        compute, x = EXPRESSIONS[name], xp.asarray([[4.0, 1.0], [1.0, 3.0]])
        return lambda: compute(xp, x)

    rows = []
    for name in [name for name in (*EXPRESSIONS, *ROWS) if not only or name in only]:
        make = expression if name in EXPRESSIONS else call
        theirs, ours = make(jnp, name), make(lnp, name)
        try:
            jax.block_until_ready(theirs())
        except (
            RuntimeError,
            NotImplementedError,
            ValueError,
        ) as error:  # a function of linear algebra that a device lacks
            print(f"{name}: JAX says {str(error).partition(chr(10))[0]}", file=sys.stderr)
            continue
        jax.block_until_ready(ours())
        calls = max(int(TURN / best(theirs, 3)), 2)
        rows.append(Row(name, theirs, ours, calls, EAGER))
    return rows


def time_every_row(only: list[str], rounds: int) -> bool:
    """Prints the ratios of `every_row`, greatest first; whether all are within the target."""
    timed = [(row.name, *compare(row, rounds)) for row in every_row(only)]
    timed.sort(key=lambda entry: -entry[3])
    print(f"\n| called from Python | jax, µs | layer, µs | ratio | target {EAGER} |\n|---|--:|--:|--:|---|")
    above = [entry for entry in timed if entry[3] > EAGER]
    for name, theirs, ours, ratio in timed if only else above:
        print(f"| {name} | {theirs:.1f} | {ours:.1f} | {ratio:.2f} | {'above' if ratio > EAGER else ''} |")
    ratios = sorted(ratio for *_, ratio in timed)
    worst, theirs, _, ratio = timed[0]
    print(
        f"\n{len(timed)} functions, operators and methods: median {ratios[len(ratios) // 2]:.2f}, {len(above)} above "
        f"{EAGER}. The worst ratio is {ratio:.2f}: {worst} ({theirs:.1f} µs in JAX)."
    )
    return not above


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=100, help="how often the two sides are timed in turns")
    parser.add_argument("--only", action="append", default=[], help="time this function or expression alone")
    options = parser.parse_args()
    rounds = options.rounds
    warnings.simplefilter("ignore")  # of JAX, about the dtypes of some functions
    gc.disable()  # its turns fall on either side
    if options.only:
        return int(not time_every_row(options.only, rounds))
    print("| what | jax, µs | layer, µs | ratio | target |\n|---|--:|--:|--:|--:|")
    missed = 0
    for row in rows():
        theirs, ours, ratio = compare(row, rounds)
        missed += row.target is not None and ratio > row.target
        print(f"| {row.name} | {theirs:.1f} | {ours:.1f} | {ratio:.2f} | {row.target or ''} |")
    within = time_every_row([], rounds)
    same = compiled_program(jnp, jax) == compiled_program(lnp, lnp)
    print(f"\nThe compiled programs of a training step are {'the same' if same else 'different'}.")
    kind = jax.devices()[0].device_kind
    print(f"\nPython {platform.python_version()}, JAX {jax.__version__}, {jax.default_backend()} ({kind}).")
    return int(bool(missed) or not same or not within)


if __name__ == "__main__":
    sys.exit(main())
