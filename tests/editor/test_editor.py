"""What an editor shows: real language servers, asked as an editor asks them."""

from __future__ import annotations

import itertools
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import jax
import pytest
from jax._src.numpy import array_methods, setops

import sweeps

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from language_server import CURSOR, Document, LanguageServer

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


#: What no hover shows: a name of the stubs' own that begins with an underscore, or the module of one.
PRIVATE = re.compile(r"(?<![\w.'\"])_(?!_)[A-Za-z]\w*|\bjax\._\w+(?:\.\w+)*")
#: Classes of JAX, of NumPy and, in `jax.tree.static`, of the standard library.
KNOWN_BY_THESE_NAMES = frozenset({"_AnyShape", "_ScalarMeta", *vars(setops), "_T", "_MISSING_TYPE"})


def private_names(shown: str) -> set[str]:
    """The names of the stubs' own in the signatures of a hover; a parameter is what JAX calls it."""
    signatures = re.split(r"\n\n(?=[^\s)d])", shown)[0]
    names = set(PRIVATE.findall(re.sub(r"\b\w+:", "", signatures)))
    return names - KNOWN_BY_THESE_NAMES


def places(server: LanguageServer, expressions: list[str]) -> Iterator[tuple[str, Document]]:
    """Each of the expressions, with the place of its `CURSOR` in one document of all of them."""
    document = show(
        server, "\n    ".join(expression.replace(CURSOR, "") for expression in expressions) + CURSOR
    )
    first = document.line - len(expressions) + 1
    for number, expression in enumerate(expressions):
        yield expression, document._replace(line=first + number, character=4 + expression.index(CURSOR))


def functions(module: ModuleType, prefix: str) -> list[str]:
    """The public functions of a module, as a program calls them."""
    values = {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
    return [
        f"{prefix}.{name}"
        for name, value in values.items()
        if callable(value)
        and not isinstance(value, type)
        and str(getattr(value, "__module__", "jax")).startswith("jax")
    ]


PUBLIC = [
    *functions(jax.numpy, "jnp"),
    *functions(jax.numpy.linalg, "jnp.linalg"),
    *functions(jax.nn, "jax.nn"),
    *functions(jax.random, "jax.random"),
    *functions(jax.lax, "jax.lax"),
    *functions(jax.tree, "jax.tree"),
    *("jax.jit", "jax.grad", "jax.vmap", "jax.value_and_grad", "jax.checkpoint", "jax.eval_shape"),
]


def test_hovers_show_no_private_names(server: LanguageServer) -> None:
    wrong = {
        name: names
        for name, place in places(server, [f"{name}^" for name in sweeps.some("checkers", PUBLIC)])
        if (names := private_names(server.hover(place)))
    }
    assert not wrong


def test_signature_help_shows_no_private_names(server: LanguageServer) -> None:
    wrong = {
        name: names
        for name, place in places(server, [f"{name}(^)" for name in sweeps.some("checkers", PUBLIC)])
        if (names := private_names(", ".join(server.signatures(place))))
    }
    assert not wrong


#: The members of which JAX says nothing, one that raises an error, and descriptors, of which the servers show no docstring.
UNDESCRIBED = {"array", "index", "flat", "T", "mT"}
MEMBERS = [name for name in dir(jax.Array) if not name.startswith("_")]


UPDATES = [name for name in dir(array_methods._IndexUpdateRef) if not name.startswith("_")]


def test_hovers_over_members_of_arrays(server: LanguageServer) -> None:
    expressions = [*(f"x.{name}^" for name in MEMBERS), *(f"x.at[0].{name}^" for name in UPDATES)]
    shown = {expression: server.hover(place) for expression, place in places(server, expressions)}
    assert not {name: names for name, text in shown.items() if (names := private_names(text))}
    bare = [name for name, text in shown.items() if not re.search(r"\n\n[A-Z].*", text)]
    assert {name.rpartition(".")[2].removesuffix(CURSOR) for name in bare} <= UNDESCRIBED


def test_hover_over_a_call_of_a_method_shows_its_docstring(server: LanguageServer) -> None:
    assert "Sum of the elements of the array over a given axis." in hover(server, "x.sum^(axis=0)")


@pytest.mark.parametrize(
    ("signature", "result", "expected"),
    [
        ("x: jax.Array", "x * 2", r"x: Array\) -> Array\[Any, Any\]"),
        (
            "x: jax.Array, y: Float32[B]",
            "jnp.sum(y)",
            r"x: Array,\s+y: Float32\[B@\w+\]\s*\) -> Array\[float32, tuple\[\(\)\]\]",
        ),
    ],
)
def test_arrays_have_one_name(server: LanguageServer, signature: str, result: str, expected: str) -> None:
    text = hover(server, f"def g({signature}):\n        return {result}\n    g^")
    assert re.search(expected, text), text
