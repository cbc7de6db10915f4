"""The functions of the layer under the systems "torch" and "tensorflow", compared with what these libraries answered.

    python tests/layer/library_differences.py record torch    # where PyTorch is installed: writes tests/layer/data/torch.json
    python tests/layer/library_differences.py                 # writes docs/reference/layer/torch.md and tensorflow.md

The libraries are no dependencies of this project: what they answer is recorded, with their version, and compared with the
layer wherever the tests run.
"""

from __future__ import annotations

import importlib
import json
import sys
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import jax
from numpy_differences import DTYPES, ROOT, SCALARS, Call, answer, calls, of_the_layer

sys.path.insert(0, str(ROOT / "benchmarks"))
from layer_calls import ROWS

import jaxtyping_core.numpy as lnp

DATA = Path(__file__).parent / "data"


class Library(NamedTuple):
    """A library: its name to people, and why its dtypes are not the layer's, by the function."""

    name: str
    reasons: dict[str, str]


_INDEX = "JAX returns int32 here, even with 64-bit types on"

LIBRARIES: dict[str, Library] = {
    "torch": Library(
        "PyTorch",
        {
            **dict.fromkeys(("add", "multiply", "pow", "subtract"), "JAX has no complex32"),
            **dict.fromkeys(
                ("all", "any"), "PyTorch returns uint8 for uint8, from before it had a boolean dtype"
            ),
            "heaviside": "PyTorch keeps integers and booleans; JAX computes in floating point",
            **dict.fromkeys(
                ("median", "nanmedian"),
                "PyTorch returns the lower of two middle elements; JAX returns their mean",
            ),
            "searchsorted": _INDEX,
            "square": "PyTorch multiplies booleans as int64, JAX as int32",
            "vander": "PyTorch turns integers into int64; JAX keeps their dtype",
        },
    ),
    "tensorflow": Library(
        "TensorFlow",
        {
            "argsort": "TensorFlow returns indices as int32",
            **dict.fromkeys(
                ("linalg.eigh", "linalg.eigvalsh"), "TensorFlow returns real eigenvalues in a complex dtype"
            ),
            "linalg.matrix_rank": "TensorFlow returns the rank as int32",
            "linalg.norm": "TensorFlow returns the norm of complex numbers in a complex dtype",
            "linalg.svd": "TensorFlow returns the singular values first, JAX the left singular vectors",
        },
    ),
}


def shape(name: str) -> tuple[int, ...]:
    """The shape of the operands."""
    return (
        (3, 3)
        if name.startswith("linalg.") or name in ("matmul", "trace", "tril", "triu", "diagonal")
        else (3,)
    )


def _torch() -> tuple[Any, Callable[[Call], list[Any]]]:
    torch = importlib.import_module("torch")

    def operands(call: Call) -> list[Any]:
        return [
            SCALARS[part] if part in SCALARS else torch.ones(shape(call[0]), dtype=getattr(torch, part))
            for part in call[1:]
        ]

    return torch, operands


def _tensorflow() -> tuple[Any, Callable[[Call], list[Any]]]:
    tf = importlib.import_module("tensorflow")

    class Functions:
        """TensorFlow's functions of the names of NumPy's."""

        linalg, where, concatenate = tf.linalg, tf.where, staticmethod(lambda arrays: tf.concat(arrays, 0))

        def __getattr__(self, name: str) -> Any:
            return getattr(tf.math, name) if hasattr(tf.math, name) else getattr(tf, name)

    def operands(call: Call) -> list[Any]:
        return [
            SCALARS[part] if part in SCALARS else tf.ones(shape(call[0]), dtype=part) for part in call[1:]
        ]

    return Functions(), operands


def _has(functions: Any, name: str) -> bool:
    for part in name.split("."):
        functions = getattr(functions, part, None)
    return callable(functions)


def record(library: str, into: Path = DATA) -> None:
    """Writes into a folder what `library` answers to every call: a letter for each, in the order of `calls`; "-" where it refuses."""
    functions, operands = {"torch": _torch, "tensorflow": _tensorflow}[library]()
    letters: dict[str, str] = {}
    answers: dict[str, str] = {}
    for name in ROWS:
        if not _has(functions, name) or not ROWS[name].operands:
            continue
        said = []
        for call in calls(name):
            try:
                values = operands(call)
            except Exception:  # no such dtype
                dtype = None
            else:
                dtype = answer(call, functions, values)
            dtype = (
                None
                if dtype is None
                else dtype.removeprefix("torch.").removeprefix("<dtype: '").removesuffix("'>")
            )
            said.append("-" if dtype is None else letters.setdefault(dtype, chr(ord("a") + len(letters))))
        if set(said) - {"-"}:
            answers[name] = "".join(said)
    version = importlib.import_module(library).__version__
    content = {"version": version, "letters": {v: k for k, v in letters.items()}, "answers": answers}
    (into / f"{library}.json").write_text(json.dumps(content, indent=1) + "\n")


def recorded(library: str, folder: Path = DATA) -> dict[Call, str]:
    """What `library` answered to the calls that it took."""
    content = json.loads((folder / f"{library}.json").read_text())
    return {
        call: content["letters"][letter]
        for name, said in content["answers"].items()
        for call, letter in zip(calls(name), said, strict=True)
        if letter != "-"
    }


def differing(library: str, answers: Iterable[tuple[Call, str]]) -> dict[Call, tuple[str, str]]:
    """The calls that the layer takes too, with another dtype: the layer's and the library's."""
    different = {}
    with warnings.catch_warnings(), jax.enable_x64(True), lnp.promotion(library):
        warnings.simplefilter("ignore")
        for call, theirs in answers:
            ours = of_the_layer(call, shape(call[0]))
            if ours is not None and ours != theirs:
                different[call] = ours, theirs
    return different


def text(library: str) -> str:
    """The table of differences."""
    answers = recorded(library)
    version = json.loads((DATA / f"{library}.json").read_text())["version"]
    differences = differing(library, answers.items())
    names = {call[0] for call in answers}
    library_name = LIBRARIES[library].name
    lines = [
        f"# Differences from {library_name}",
        "",
        f"This page lists the functions of the [array layer](index.md) whose dtype differs from {library_name}'s under the",
        f"system `{library}`, with 64-bit types on.",
        "",
        f"{library_name} {version} was called with {len(DTYPES)} dtypes and the Python scalars, in all pairs where a function takes two",
        f"operands. It has {len(names)} functions of the layer and accepts {len(answers):,} calls. The dtype differs in {len(differences):,}.",
        "`tests/layer/library_differences.py` generates this page.",
        "",
        f"| function | calls that differ | for example | layer | {library_name} | reason |",
        "| --- | --: | --- | --- | --- | --- |",
    ]
    for name in sorted({call[0] for call in differences}):
        of_name = {call: pair for call, pair in differences.items() if call[0] == name}
        call, (ours, theirs) = next(iter(of_name.items()))
        why = LIBRARIES[library].reasons[name]
        lines.append(f"| `{name}` | {len(of_name)} | {', '.join(call[1:])} | {ours} | {theirs} | {why} |")
    return "\n".join(lines) + "\n"


def table(library: str) -> Path:
    """Where the table is."""
    return ROOT / "docs" / "reference" / "layer" / f"{library}.md"


if __name__ == "__main__":
    if sys.argv[1:2] == ["record"]:
        record(sys.argv[2])
    else:
        for each in LIBRARIES:
            table(each).write_text(text(each))
