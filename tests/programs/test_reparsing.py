"""A text that differs from a known one in a few definitions is parsed there alone, and has the tree that Python gives it."""

from __future__ import annotations

import ast
import itertools
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from random_edits import edits, half_typed
from sample_program import program

from jaxtyping_core.programs.incremental_parse import parsed_in_part

pytestmark = pytest.mark.one_python

TEXT = '''\
import math

x = 1


@staticmethod
def first(a):
    """Text."""
    return a


class Second:
    y = 2
    def third(self):
        return self.y
z = 3; w = 4


def fourth(): return 5
# end
'''
#: Edits that leave the number of lines, and whether the rest of the tree serves for them.
EDITS = (
    ("return a", "return b", True),
    ("return a", "# return a", True),
    ("    return a", "return_a = 1", True),
    ("return a", "return (a", False),
    ("return a", 'return """a', False),
    ("    return a", "    return a \\\\", False),
    ("@staticmethod", "@property", True),
    ("y = 2", "y = 3", True),
    ("class Second:", "class Other:", True),
    ("self.y", 'self.y + """z', False),
    ("x = 1", "x = 2", False),
    ("z = 3; w = 4", "z = 3; w = 5", False),
    ("# end", "# End", False),
)


@pytest.mark.parametrize(("old", "new", "serves"), EDITS)
def test_edits(old: str, new: str, serves: bool) -> None:
    text = TEXT.replace(old, new, 1)
    tree = parsed_in_part(text, {TEXT: ast.parse(TEXT)})
    assert (tree is not None) == serves
    assert tree is None or _dumped(tree) == _dumped(ast.parse(text))


def test_a_text_with_an_error_has_no_tree() -> None:
    tree = ast.parse(TEXT)
    assert parsed_in_part(TEXT.replace("return a", "return a a"), {TEXT: tree}) is None


def test_the_other_statements_are_the_same_objects() -> None:
    known = ast.parse(TEXT)
    tree = parsed_in_part(TEXT.replace("return a", "return b"), {TEXT: known})
    assert tree is not None
    assert [old is new for old, new in zip(known.body, tree.body, strict=True)].count(False) == 1


def test_random_edits() -> None:
    generator, before, count = random.Random(0), program(200), 0
    for text in itertools.islice(edits(before, generator), 60):
        for now in (text, half_typed(before, text, generator)):
            tree = parsed_in_part(now, {before: ast.parse(before)})
            if tree is not None:
                count += 1
                assert _dumped(tree) == _dumped(ast.parse(now))
        before = text
    assert count > 20


def _dumped(tree: ast.Module) -> str:
    return ast.dump(tree, include_attributes=True)
