"""What is written of the fields of classes."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from annotating.facts_by_hand import annotated, call, floats, instance, planned
from jaxtyping_core.annotating.observed_types import Arrays
from jaxtyping_core.annotating.owners import held_in, owners
from jaxtyping_core.annotating.source import Source
from jaxtyping_core.recording.observed import Array, Function, Object, Scalar
from jaxtyping_core.recording.store import FileFacts

MADE = 'import os\nfrom collections import namedtuple\n\nP = namedtuple("P", {fields})\n# kept\ndef f(p):\n    return p.a\n'
FIELDS = 'from typing import NamedTuple\nimport jax\nimport jax.numpy as jnp\n\nclass P(NamedTuple):\n    a: jax.Array  # kept\n    b: "jnp.ndarray" = None\n    n: int = 3\n\ndef f(p):\n    return p.a\n'


def seen(**more: object) -> list[Any]:
    a = floats(3)
    return [call(a, p=instance("P", **{"a": a, "b": floats(2, 2, dtype="bfloat16"), **more}))]


@pytest.mark.parametrize("fields", ['["a", "b"]', '("a", "b")', '"a b"', '"a, b"'])
def test_a_named_tuple_that_a_call_makes_becomes_a_class(fields: str) -> None:
    new = annotated(MADE.format(fields=fields), {"f": seen()})
    assert (
        "\n\n\nclass P(NamedTuple):\n    a: Float32\n    b: BFloat16\n\n\n# kept\ndef f(p: P) -> Float32"
        in new
    )
    assert "namedtuple" not in new and "from typing import NamedTuple" in new
    compile(new, "new", "exec")


@pytest.mark.parametrize(
    "call_",
    [
        'namedtuple("P", ["a", "b"], defaults=[0])',
        'namedtuple("Q", ["a", "b"])',
        'namedtuple("P", names)',
        'namedtuple("P", ["a", "b", "c"])',
    ],
)
def test_other_calls_stay(call_: str) -> None:
    text = f"from collections import namedtuple\n\nP = {call_}\n\ndef f(p):\n    return p.a\n"
    assert call_ in annotated(text, {"f": seen()})


def test_an_import_that_is_needed_stays() -> None:
    text = MADE.format(fields='"a b"') + 'Q = namedtuple("Q", "x")\n'
    assert "from collections import namedtuple" in annotated(text, {"f": seen()})


def test_fields_that_are_only_arrays_are_refined() -> None:
    new = annotated(FIELDS, {"f": seen()}, refine=True)
    assert "    a: Float32  # kept\n    b: BFloat16 = None\n    n: int = 3\n" in new
    assert "a: jax.Array  # kept" in annotated(FIELDS, {"f": seen()})
    assert 'a: Float32[Array, "..."]' in annotated(FIELDS, {"f": seen()}, style="jaxtyping", refine=True)


@pytest.mark.parametrize("other", [Scalar("float"), (1,), None])
def test_what_instances_disagree_on_stays(other: object) -> None:
    new = annotated(FIELDS, {"f": [*seen(), *seen(a=other)]}, refine=True)
    assert ("a: Float32 | None" if other is None else "a: jax.Array") in new


def test_several_dtypes_are_their_class() -> None:
    new = annotated(FIELDS, {"f": [*seen(), *seen(a=floats(3, dtype="float16"))]}, refine=True)
    assert "a: Floating  # kept" in new


def test_random_keys_stay() -> None:
    key = Array("key<fry>", ())
    assert "a: jax.Array  # kept" in annotated(FIELDS, {"f": seen(a=key)}, refine=True)


def test_a_class_of_another_module_is_another() -> None:
    p = instance("P", a=floats(3), b=floats(2))
    other = type(p)(p.kind, p.items, "library.P", p.names)
    plan = planned(FIELDS, {"f": [call(floats(3), p=other)]}, refine=True)
    assert plan.owners == []
    assert isinstance(ast.parse(plan.write(FIELDS.encode(), {})), ast.Module)


@pytest.mark.parametrize(
    ("maker", "expected"), [("", "Float32"), ("    def __init__(self, a): ...\n", "jax.Array")]
)
def test_what_jax_makes_of_a_data_class_says_nothing_of_its_fields(maker: str, expected: str) -> None:
    """JAX makes instances of a tree's class that hold other things; of a class with an own ``__init__`` that is what counts."""
    text = f"import jax\n\n@dataclass\nclass P:\n    a: jax.Array\n{maker}\ndef f(p):\n    return p.a\n"
    source = Source.of(Path("module.py"), text, ast.parse(text))
    facts = FileFacts("", {Function("f", 7): dict.fromkeys(seen(), 1)})
    facts.attributes["P"] = {"a": frozenset({floats(3), Object("builtins.object")})}
    told = [owner.fields["a"] for owner in owners(source, facts, held_in([facts]), refine=True)]
    assert [kind.known.dtype for kind in told if isinstance(kind, Arrays)] == (
        ["float32"] if expected == "Float32" else []
    )
