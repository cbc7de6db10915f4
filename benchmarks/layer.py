"""What the array layer costs, relative to plain jax.numpy in the same run.

The two sides run in turns and the least of the rounds counts, so only the ratios mean something on another machine.
Exits with status 1 if a ratio is above its target, or the compiled programs differ.

    python benchmarks/layer.py
    python benchmarks/layer.py --rounds 300
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

import jaxtyping_core as jc
import jaxtyping_core.numpy as lnp

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


def compare(row: Row, rounds: int) -> tuple[float, float]:
    """The least time of both sides, in microseconds; what takes a second, in a tenth of the rounds."""
    rounds = rounds if row.calls > 1 else max(rounds // 10, 1)
    row.theirs()
    row.ours()
    times = [(best(row.theirs, row.calls), best(row.ours, row.calls)) for _ in range(rounds)]
    return min(t for t, _ in times) * 1e6, min(t for _, t in times) * 1e6


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
        Row("eager add(x, y)", lambda: jnp.add(x, y), lambda: lnp.add(a, b), 200, 1.3),
        Row("eager x + y", lambda: x + y, lambda: a + b, 200, 1.3),
        Row("eager x * 2.0", lambda: x * 2.0, lambda: a * 2.0, 200, 1.3),
        Row("promote_types of names", lambda: jnp.promote_types("int8", "float16"),
            lambda: jc.promote_types("int8", "float16"), 500, 0.5),
        Row("promote_types of dtypes", lambda: jnp.promote_types(jnp.int8, jnp.float16),
            lambda: jc.promote_types(jnp.int8, jnp.float16), 500, 0.5),
        Row("import, processor time", importing("jax"), importing("jaxtyping_core.numpy"), 1, 1.1),
    ]  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=100, help="how often the two sides are timed in turns")
    rounds = parser.parse_args().rounds
    print("| what | jax, µs | layer, µs | ratio | target |\n|---|--:|--:|--:|--:|")
    missed = 0
    for row in rows():
        theirs, ours = compare(row, rounds)
        missed += row.target is not None and ours / theirs > row.target
        print(f"| {row.name} | {theirs:.1f} | {ours:.1f} | {ours / theirs:.2f} | {row.target or ''} |")
    same = compiled_program(jnp, jax) == compiled_program(lnp, lnp)
    print(f"\nThe compiled programs of a training step are {'the same' if same else 'different'}.")
    print(f"\nPython {platform.python_version()}, JAX {jax.__version__}, {jax.default_backend()}.")
    return int(bool(missed) or not same)


if __name__ == "__main__":
    sys.exit(main())
