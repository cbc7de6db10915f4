"""The plugin says at an annotation what the run time says, word for word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docs.pages import blocks
from harness import Messages, run_mypy
from jaxtyping_core._annotations.elements import DTypeParameterError

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "annotations.md"
PRELUDE = """\
from typing import Annotated, Any, Literal, Optional, TypeVar, TypeVarTuple, Union
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping_core.typing import *
from jaxtyping_core.typing import Array
B = TypeVar("B"); M = TypeVar("M", bound=int); F = TypeVar("F", bound=floating); W = TypeVar("W", int, str)
Bs = TypeVarTuple("Bs")
class Box: ...
Batch = Float32[B, M]
"""
REFUSED = """
Float32[3]  Float32[-1]  Float32[True]  Float32[Literal[-1]]  Float32[Literal[True]]  Float32[Literal["x"]]  Float32["B D"]
Float32[B, ...]  Float32[...]  Float32[None]  Float32[str]  Float32[Box]  Float32[F]  Float32[W]  Float32[bool]
Float32[list[int]]  Float32[[B, M]]  Float32[tuple[B, M]]  Float32[float32]  Float32[Array]  Float32[Float32]
Float32[B | str]  Float32[Optional[str]]  Float32[Annotated[str, 1]]  Float32[Literal[3, -1]]  Int8[3]  Shaped[3]
Array[float32, M]  Array[float32, F]  Array[float32, W]  Array[float32, (3, 4)]  Array[float32, [B, M]]
Array[float32, list[B]]  Array[float32, tuple[B, str]]  Array[float32, tuple[3, 4]]  Array[float32, B, M]
Array[float32, 3]  Array[float32, Literal[3]]  Array[float32, None]  Array[float32, "B D"]  Array[float32, Box]
Array[float, tuple[B]]  Array[bool]  Array[np.float32]  Array[np.ndarray]  Array[tuple[B]]  Array[Box]  Array[Float32]
Array[float32 | int]  Array[M]  Array[None]  Array[Literal["float32"]]  Batch[3, B]  Batch[B]  Batch[B, M, M]
Batch[str, B]  Float32[*Bs, *tuple[Any, ...]]
"""
SPELLINGS = [part.strip() for line in REFUSED.splitlines() for part in line.split("  ") if part]
NAMES: dict[str, Any] = {"__name__": "program"}
exec(PRELUDE, NAMES)  # noqa: S102 - the names as a program has them


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> Messages:
    functions = "".join(f"def f{i}(x: {spelling}) -> None: ...\n" for i, spelling in enumerate(SPELLINGS))
    return run_mypy({"program": PRELUDE + functions}, tmp_path_factory.mktemp("refused"))


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_words(spelling: str, messages: Messages) -> None:
    with pytest.raises(TypeError) as error:
        eval(spelling, NAMES)
    code = "array-dtype" if isinstance(error.value, DTypeParameterError) else "array-shape"
    line = PRELUDE.count("\n") + SPELLINGS.index(spelling) + 1
    assert messages["program"][line] == [f"E: {error.value}  [{code}]"]


@pytest.mark.one_python
def test_the_page_on_annotations(tmp_path: Path) -> None:
    """The plugin reports exactly the lines that raise."""
    page = blocks(PAGE.read_text(encoding="utf-8"))
    programs = {f"block_{block.line}": block.text for block in page if block.language == "python"}
    said = run_mypy(programs, tmp_path)
    raising = {
        name: [number for number, line in enumerate(code.splitlines(), 1) if "  # raises " in line]
        for name, code in programs.items()
    }
    assert {name: list(said[name]) for name in programs} == raising
    assert [len(lines) for lines in raising.values() if lines] == [1, 1]
