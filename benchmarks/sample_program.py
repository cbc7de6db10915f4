"""Writes programs of any length, with array code of the density of real programs.

The functions vary in names, shapes, dtypes and in the JAX functions that they call. About every fifth annotation
states dims; a program for stock JAX has `jax.Array` in its place.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator

HEAD = """\
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import jax
import jax.numpy as jnp
from jax import lax, nn
from jaxtyping_core.typing import Float32, Int32

B = TypeVar("B")
D = TypeVar("D")
H = TypeVar("H")
"""

#: What users write: a choice of `[...]` is made for each function, one of `<...>` at each place.
BLOCKS = (
    """
class {Class}:
    def __init__(self, weight: jax.Array, bias: jax.Array, scale: float = <0.5|1.0|2.0>) -> None:
        self.weight = weight
        self.bias = bias
        self.scale = scale
        self.steps = 0

    def __call__(self, {x}: jax.Array) -> jax.Array:
        {y} = {x} @ self.weight + self.bias
        if self.scale > 1.0:
            {y} = {y} * self.scale
        self.steps += 1
        return nn.<relu|gelu|silu|tanh|sigmoid>({y})

    def penalty(self) -> jax.Array:
        return jnp.sum(self.weight**2) + <0.1|0.01> * jnp.sum(jnp.abs(self.bias))
""",
    """
def {function}({x}: jax.Array, {y}: jax.Array, n: int) -> jax.Array:
    {z} = {x} * <0.5|2|1e-3>
    for k in range(n):
        a = {x} + {y} * k
        b = a - {z}
        if k % 2:
            b = jnp.<sin|cos|tanh|exp>(b) * <2.0|3>
        {z} = {z} + b * jnp.<sqrt|abs|square>(a)
    return {z} / n
""",
    """
def {function}({x}: jax.Array, mask: jax.Array) -> tuple[jax.Array, jax.Array]:
    mean = jnp.mean({x}, axis=<0|-1>)
    var = jnp.<var|std>({x}, axis=<0|-1>, keepdims=True)
    {y} = ({x} - mean) / (var + 1e-6)
    {y} = jnp.where(mask > 0, {y}, 0.0)
    {z} = nn.<softmax|log_softmax>({y}, axis=-1)
    return {y}, {z}.<sum|mean|max>(axis=-1)
""",
    """
def {function}(size: int, seed: int = <0|1|42>) -> jax.Array:
    key = jax.random.key(seed)
    first, second = jax.random.split(key)
    {x} = jax.random.<normal|uniform>(first, (size, <4|8|16>))
    {y} = jnp.<zeros|ones>((size, <4|8|16>), dtype=jnp.<float32|bfloat16|float16>)
    {z} = jnp.arange(size) % <2|3>
    rows = jnp.concatenate([{x}, {x} * <2|0.5>], axis=1)
    table = jnp.full((3, 5), <1|2.5>).reshape(<15|-1>)
    print({y}.shape, table.dtype, second)
    return rows.T @ rows + {z}.sum()
""",
    """
def {function}({x}: Float32[B, D], w: Float32[D, H], bias: Float32[H]) -> Float32[B, H]:
    {y} = {x} @ w
    {z} = nn.<relu|tanh|sigmoid>({y}) * <2.0|0.5>
    total = {z} + {y}
    scaled = total - {z} * <3|0.1>
    print(bias.sum(), scaled.mean(axis=0))
    return jnp.<sin|exp|abs>(scaled)
""",
    """
def {function}({x}: Float32[B, D], steps: Int32[B]) -> Float32[B]:
    {y} = {x}.sum(axis=-1)
    {z} = {y} + jnp.max({x}, axis=1)
    later = steps + <1|2>
    print(later > 0)
    return {z} * <2.0|0.25> - {y}
""",
    """
@jax.jit
def {function}({x}: jax.Array, {y}: jax.Array) -> jax.Array:
    def body(carry: jax.Array, row: jax.Array) -> tuple[jax.Array, jax.Array]:
        carry = carry * <0.9|0.99> + row
        return carry, carry

    last, history = lax.scan(body, {x}, {y})
    best = lax.fori_loop(0, <3|10>, lambda i, value: value * 2.0, last)
    picked = history.at[0].<set|add>(best)
    return picked[<0|1|-1>] + lax.stop_gradient(last)
""",
    """
def {function}(weights: Sequence[jax.Array], {x}: jax.Array, rate: float) -> list[jax.Array]:
    def loss(w: jax.Array) -> jax.Array:
        error = w * {x} - <1.0|0.5>
        return jnp.mean(error**2)

    updated = []
    for w in weights:
        slope = jax.grad(loss)(w)
        updated.append(w - rate * slope)
    return updated
""",
    """
@dataclass
class {Class}:
    name: str
    size: int = <1|16|32>
    rates: tuple[float, ...] = (<0.1|0.2>, 0.5)

    @property
    def label(self) -> str:
        return f"{{self.name}}-{{self.size:03d}}"

    def scaled(self, factor: float) -> list[float]:
        return [rate * factor for rate in self.rates if rate > 0]
""",
    """
def {function}(text: str, size: int = <2|3|5>) -> dict[str, int]:
    words = [word.strip(".,").lower() for word in text.split()]
    counts: dict[str, int] = {{}}
    for word in words:
        if len(word) < size:
            continue
        counts[word] = counts.get(word, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return dict(ordered[:<10|20>])
""",
    """
def {function}(records: Iterable[tuple[str, float]]) -> float:
    total, seen = 0.0, set[str]()
    for name, value in records:
        if name in seen:
            raise ValueError(f"{{name}} occurs twice")
        seen.add(name)
        total += value
    return total / max(len(seen), 1)
""",
)

VARIABLES = ("x", "hidden", "logits", "inputs", "h", "scores", "values", "features", "out", "state", "grid")
VERBS = ("update", "encode", "project", "mix", "score", "step", "merge", "decode", "attend", "pool")


def program(lines: int, stock: bool = False) -> str:
    """A program of about `lines` lines, the same at each call; a longer one continues a shorter one."""
    text = HEAD
    count = text.count("\n")
    for block in _blocks():
        if count >= lines:
            break
        text += block
        count += block.count("\n")
    return for_stock(text) if stock else text


def for_stock(text: str) -> str:
    """The same text without what only our stubs know."""
    text = re.sub(r"^from jaxtyping_core.*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"\b(?:Float|Int)32\[[^\]]*\]", "jax.Array", text)


def _blocks() -> Iterator[str]:
    choice = random.Random(0)
    for number, block in enumerate(itertools.cycle(BLOCKS)):
        x, y, z = choice.sample(VARIABLES, 3)
        verb = choice.choice(VERBS)
        names = {"function": f"{verb}_{number}", "Class": f"{verb.title()}{number}"}
        text = re.sub(r"<([^<>\n]*\|[^<>\n]*)>", lambda match: choice.choice(match[1].split("|")), block)
        yield "\n" + text.format(x=x, y=y, z=z, **names)


if __name__ == "__main__":
    import sys

    print(program(int(sys.argv[1]), stock="stock" in sys.argv), end="")
