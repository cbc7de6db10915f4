"""What an editor shows: real language servers, asked as an editor asks them."""

from __future__ import annotations

import itertools
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from language_server import Document, LanguageServer

pytestmark = pytest.mark.one_python

HEAD = '''\
from typing import TypeVar

import jax
import jax.numpy as jnp
from jaxtyping_core.typing import Array, Float32

B = TypeVar("B")
D = TypeVar("D")
H = TypeVar("H")


def project(x: Float32[B, D], w: Float32[D, H], *, scale: float = 1.0) -> Float32[B, H]:
    """Projects onto other dims."""
    return x @ w * scale


fast = jax.jit(project)


@jax.jit
def shift(x: Float32[B, D], by: int = 1) -> Float32[B, D]:
    """Moves everything."""
    return x + by


class Layer:
    """A layer."""

    @jax.jit
    def call(self, x: Float32[B, D], deep: bool = False) -> Float32[B, D]:
        """Applies the layer."""
        return x


def f(x: Float32[B, D], w: Float32[D, H], layer: Layer, name: str) -> None:
'''
NAMES = itertools.count()


@pytest.fixture(scope="module", params=["pyright", "basedpyright"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LanguageServer]:
    command = shutil.which(f"{request.param}-langserver", path=str(Path(sys.executable).parent))
    if command is None:
        pytest.skip(f"{request.param} is not installed")
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "standard"}')
    with LanguageServer(command, folder, sys.executable) as running:
        yield running


def show(server: LanguageServer, body: str) -> Document:
    """A document in which `body` is inside of a function, and has the cursor."""
    return server.open(f"document{next(NAMES)}.py", HEAD + f"    {body}\n")


def hover(server: LanguageServer, body: str) -> str:
    return server.hover(show(server, body))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("^x", r"Array\[float32, tuple\[B\S*, D\S*\]\]|Float32\[B\S*, D\S*\]"),
        ("y^ = x * 2", r"Array\[float32, tuple\[B\S*, D\S*\]\]"),
        ("y^ = x + x", r"Array\[float32, tuple\[B\S*, D\S*\]\]"),
        ("y^ = x @ w", r"Array\[float32, tuple\[B\S*, H\S*\]\]"),
        ("y^ = x.astype(jnp.bfloat16)", r"Array\[bfloat16, tuple\[B\S*, D\S*\]\]"),
        # The name by which the stubs call what is float64 where 64-bit types are on.
        ("y^ = jnp.zeros((2, 3))", r"Array\[float32, tuple\[\w+, \w+\]\]"),
        ("y^ = fast(x, w)", r"Array\[float32, tuple\[B\S*, H\S*\]\]|Float32\[B\S*, H\S*\]"),
        ("y^ = shift(x)", r"Array\[float32, tuple\[B\S*, D\S*\]\]|Float32\[B\S*, D\S*\]"),
    ],
)
def test_hover_over_a_variable_is_one_line(server: LanguageServer, body: str, expected: str) -> None:
    text = hover(server, body).strip()
    assert "\n" not in text
    assert re.fullmatch(rf"\((variable|parameter)\) \w: ({expected})", text), text


def test_hover_over_a_function_shows_its_docstring(server: LanguageServer) -> None:
    assert "Projects onto other dims." in hover(server, "project^")
    assert "Create an array full of zeros." in hover(server, "jnp.zeros^")


@pytest.mark.parametrize("body", ["fast^", "shift^", "layer.call^"])
def test_hover_over_a_jitted_function(server: LanguageServer, body: str) -> None:
    text = hover(server, body)
    assert "Any, **" not in text and "..." not in text.split("\n")[0], text


def test_completion_of_attributes(server: LanguageServer) -> None:
    offered = server.completions(show(server, "y = x @ w\n    y.^"))
    assert {"astype", "reshape", "at", "mT", "dtype", "shape", "sum", "mean", "block_until_ready"} <= set(
        offered
    )
    assert len([name for name in offered if not name.startswith("_")]) < 100


@pytest.mark.parametrize(
    "call", ['jnp.zeros(3, dtype="^")', 'x.astype("^")', 'jnp.asarray(x, dtype="^")', 'jnp.sum(x, dtype="^")']
)
def test_completion_of_dtypes(server: LanguageServer, call: str) -> None:
    offered = [word.strip("\"'") for word in server.completions(show(server, call))]
    assert {"float32", "bfloat16", "int8", "bool", "complex64"} <= set(offered)


@pytest.mark.parametrize(
    ("call", "parameters"),
    [
        ("fast(^)", ["x", "w", "scale"]),
        ("shift(^)", ["x", "by"]),
        ("layer.call(^)", ["x", "deep"]),
        ("project(^)", ["x", "w", "scale"]),
    ],
)
def test_signature_help(server: LanguageServer, call: str, parameters: list[str]) -> None:
    (signature,) = server.signatures(show(server, call))
    assert [word for word in re.findall(r"(\w+): ", signature) if word in parameters] == parameters
    assert "self" not in signature


def test_options_of_a_jitted_function(server: LanguageServer) -> None:
    assert {"lower", "trace", "eval_shape", "clear_cache"} <= set(server.completions(show(server, "fast.^")))


def test_swapped_dims_are_an_error(server: LanguageServer) -> None:
    (error,) = server.errors(show(server, "fast(w, x)^"))
    assert "Float32" in error or "Array[float32" in error or "tuple[" in error
