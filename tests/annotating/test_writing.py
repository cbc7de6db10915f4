"""What is written into a file, and what stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotating.facts_by_hand import annotated, call, floats
from jaxtyping_core.annotating.spelling.common import Needs
from jaxtyping_core.annotating.writing import Signature, _order, write

X = floats(8, 4)
NEEDS = {"typing": {"TypeVar"}, "jaxtyping_core.typing": {"Float32"}}


def imported(head: str) -> str:
    """What stands before the function after it was annotated."""
    needs = Needs({module: set(names) for module, names in NEEDS.items()}, {"B": False})
    text = f"{head}\n\ndef f(x):\n    return x\n" if head else "def f(x):\n    return x\n"
    new = write(text.encode(), {0: Signature({"x": "Float32[B]"})}, needs).decode()
    assert write(new.encode(), {}, Needs()).decode() == new
    return new[: new.index("def f")]


def test_imports_stand_where_a_person_would_put_them() -> None:
    ours, theirs = "from jaxtyping_core.typing import Float32\n", "from typing import TypeVar\n"
    variable = '\nB = TypeVar("B")\n\n'
    assert imported("import os\n\nimport jax\n") == f"import os\n{theirs}\nimport jax\n{ours}{variable}\n"
    assert (
        imported("import jax\nimport numpy as np\n")
        == f"{theirs}\nimport jax\nimport numpy as np\n{ours}{variable}\n"
    )
    assert (
        imported("from __future__ import annotations\n\nimport jax\n")
        == f"from __future__ import annotations\n\n{theirs}\nimport jax\n{ours}{variable}\n"
    )
    assert (
        imported("from typing import Any, cast\n")
        == f"from typing import Any, TypeVar, cast\n\n{ours}{variable}\n"
    )
    assert imported('"""A module."""\n').startswith('"""A module."""\n\n')


def test_no_import_is_written_twice() -> None:
    head = "from typing import TypeVar\n\nfrom jaxtyping_core.typing import Float32\n"
    new = imported(head)
    assert new.count("Float32") == 1 and new.count("import TypeVar") == 1


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_everything_else_stays(newline: str) -> None:
    text = (
        "# -*- coding: latin-1 -*-\n# \N{LATIN SMALL LETTER E WITH ACUTE}\nimport jax\n\n\n"
        "def f( x,y = 1 ) :  # odd\n\treturn x   # kept\n\n\ndef g(a):\n\treturn   a"
    ).replace("\n", newline)
    content = text.encode("latin-1")
    needs = Needs({"jaxtyping_core.typing": {"Float32"}})
    new = write(content, {0: Signature({"x": "Float32", "y": "int"})}, needs)
    lines = new.decode("latin-1").split(newline)
    added = "from jaxtyping_core.typing import Float32"
    assert [line for line in lines if line != added] == [
        line.replace("x,y = 1 ", "x: Float32,y: int = 1 ") for line in text.split(newline)
    ]
    assert not new.endswith(b"\n")
    assert (b"\r\n" in new) == (newline == "\r\n")


def test_a_byte_order_mark_stays() -> None:
    content = b"\xef\xbb\xbfdef f(x):\n    return x\n"
    new = write(content, {0: Signature({"x": "int"}, "int")}, Needs())
    assert new == b"\xef\xbb\xbfdef f(x: int) -> int:\n    return x\n"


def test_a_long_head_gets_a_line_for_each_parameter() -> None:
    text = "def function(first, second, *, third=None):\n    return first\n"
    half = floats(8, 4, dtype="bfloat16")
    calls = {
        "function": [
            call(X, first=X, second=(X, X), third=X),
            call(half, first=half, second=(half, X), third=half),
        ]
    }
    assert annotated(text, calls).endswith(
        "def function(\n    first: Floating,\n    second: tuple[Floating, Float32],\n    *,\n"
        "    third: Floating | None = None,\n) -> Floating:\n    return first\n"
    )


def test_all_type_variables_have_a_bound_if_one_has(tmp_path: Path) -> None:
    text = "import jax.numpy as jnp\n\ndef f(n):\n    return jnp.ones(n)\n\ndef g(x):\n    b, d = x.shape\n    return x\n"
    new = annotated(text, {"f": [call(floats(3), n=3)], "g": [call(X, x=X)]}, tmp_path)
    assert new.count("TypeVar(") == new.count(", bound=int)") == 3


def test_functions_in_functions_and_classes_are_found() -> None:
    text = "def f(x):\n    def f(x):\n        return x\n    return f(x)\n\nclass C:\n    def f(self, x):\n        return x\n"
    calls = {"f": [call(1, x=1)], "f.<locals>.f": [call(1.5, x=1.5)], "C.f": [call("a", self=1, x="a")]}
    assert annotated(text, calls) == (
        "def f(x: int) -> int:\n    def f(x: float) -> float:\n        return x\n    return f(x)\n\n"
        "class C:\n    def f(self, x: str) -> str:\n        return x\n"
    )


def test_a_second_time_nothing_changes() -> None:
    text = "import jax\n\ndef f(x):\n    return x\n"
    once = annotated(text, {"f": [call(X, x=X)]})
    assert once != text
    assert annotated(once, {"f": [call(X, x=X)]}) == once


def test_imported_names_are_in_the_order_of_their_numbers() -> None:
    assert sorted(["Int32", "Int8", "BFloat16", "Float32", "cast"], key=_order) == [
        "BFloat16",
        "Float32",
        "Int8",
        "Int32",
        "cast",
    ]
