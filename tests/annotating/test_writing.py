"""What is written into a file, and what stays as it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from annotating.facts_by_hand import annotated, call, floats
from jaxtyping_core.annotating.source import Source
from jaxtyping_core.annotating.spelling.common import Needs
from jaxtyping_core.annotating.writing import Signature, _order, write

X = floats(8, 4)


def needs_of(text: str, *names: str) -> Needs:
    """Of a module that needs annotations of these names."""
    needs = Needs(Source.of(Path("module.py"), text, ast.parse(text)))
    for name in names:
        needs.add("jaxtyping_core.typing", name)
    return needs


def imported(head: str) -> str:
    """What stands before the function after it was annotated."""
    text = f"{head}\n\ndef f(x):\n    return x\n" if head else "def f(x):\n    return x\n"
    needs = needs_of(text, "Float32")
    needs.variables["B"] = False
    new = write(text.encode(), {0: Signature({"x": "Float32[B]"})}, needs).decode()
    assert write(new.encode(), {}, needs_of(new, "Float32")).decode() == new
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
    needs = needs_of(text, "Float32")
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
    new = write(content, {0: Signature({"x": "int"}, "int")}, needs_of(""))
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


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("class Float32:\n    pass\n", "from jaxtyping_core.typing import Float32 as Float32_\n"),
        ("from jaxtyping import Float32\n", "from jaxtyping_core.typing import Float32 as Float32_\n"),
        ("from layer import *\n\ny = Float32\n", "from jaxtyping_core.typing import Float32 as Float32_\n"),
        ("Float32 = Float32_ = 4\n", "from jaxtyping_core.typing import Float32 as Float32__\n"),
        ("def g(Float32):\n    pass\n", "from jaxtyping_core.typing import Float32 as Float32_\n"),
        ("from jaxtyping_core.typing import Float32 as F\n", ""),
        ("from jaxtyping_core.typing import Int32\n\nFloat32 = 4\n", "import Float32 as Float32_, Int32\n"),
        ("from typing import TypeVar as T\n", 'B = T("B")\n'),
        (
            "from typing_extensions import TypeVar\n",
            'from typing_extensions import TypeVar\n\nB = TypeVar("B")\n',
        ),
        ("class TypeVar:\n    pass\n", 'B = TypeVar_("B")\n'),
    ],
)
def test_names_of_the_module_keep_what_they_mean(own: str, expected: str) -> None:
    head = imported(f"import jax\n{own}")
    assert own.strip() in head or expected.partition(" as ")[0] in head
    assert expected in head


def test_an_annotation_has_the_name_that_was_free() -> None:
    text = "import jax\n\nclass Float32:\n    pass\n\ndef f(x):\n    return x\n"
    once = annotated(text, {"f": [call(X, x=X)]})
    assert "def f(x: Float32_[B, D]) -> Float32_:" in once
    assert annotated(once, {"f": [call(X, x=X)]}) == once


def test_what_checkers_alone_import_is_no_name_of_the_program() -> None:
    text = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from jax import Array\n\ndef f(x):\n    return x\n"
    key = {"f": [call(floats(dtype="key<fry>"), x=floats(dtype="key<fry>"))]}
    new = annotated(text, key)
    assert "def f(x: Array_) -> Array_:" in new
    exec(compile(new.replace("from jax import Array", "1 / 0"), "module.py", "exec"), {})  # noqa: S102  # it is ours
    later = f"from __future__ import annotations\n{text}"
    assert "def f(x: Array) -> Array:" in annotated(later, key)


def test_imported_names_are_in_the_order_of_their_numbers() -> None:
    assert sorted(["Int32", "Int8", "BFloat16", "Float32", "cast"], key=_order) == [
        "BFloat16",
        "Float32",
        "Int8",
        "Int32",
        "cast",
    ]
