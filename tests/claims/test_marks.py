"""Marks and directives: what they are read as, and what is no mark."""

from __future__ import annotations

import pytest

from claims.cases import Case, read
from claims.expected import Error, expected, said
from claims.marks import MarkError, marks_of, spelled
from claims.running import run
from claims.test_true import mistakes
from jaxtyping_core.programs.places import Place

TEXT = """\
import jax.numpy as jnp


# %% a product
# argv: 3 4
# argv: 5 6
x = jnp.ones((3, 4)) @ jnp.ones(4)  # P: x: float32[3]  # P(plugin): x: ?
y = x @ jnp.ones(5)  # E: shape: got (3,) ... (5,)
# %% a number
# only: engine, true - the others know too much
z = jnp.asarray(2) * 1  # P: z: weak int32[]
"""


@pytest.fixture
def product() -> Case:
    """The first case of the text."""
    return read("file", TEXT)[0]


@pytest.mark.parametrize(
    ("mark", "array"),
    [
        ("x: float32[3, ?]", ("float32", False, (3, None))),
        ("x: weak int32[]", ("int32", True, ())),
        ("x: maybe weak float32[...]", ("float32", None, None)),
        ("x: ?[B, 2*a, max(a, b)]", (None, None, ("B", "2*a", "max(a, b)"))),
        ("x: key<fry>[2]", ("key<fry>", False, (2,))),
        ("x: ?", (None, None, None)),
    ],
)
def test_arrays(mark: str, array: tuple[object, ...]) -> None:
    ((place,), _) = marks_of("file", 7, f"x = f()  # P: {mark}")
    assert (place.place.dtype, place.place.weak, place.place.shape) == array
    assert f"x: {spelled(place.place)}" == mark


def test_several_marks() -> None:
    line = "x, y, x = f()  # P: x: int8[]; y: ?; x: int8[2]  # P(plugin, show): y: bool[]  # E: dtype"
    places, errors = marks_of("file", 7, line)
    assert [(each.place.name, each.place.column, each.clients) for each in places] == [
        ("x", 0, None),
        ("y", 0, None),
        ("x", 1, None),
        ("y", 0, {"plugin", "show"}),
    ]
    assert [(str(each), each.clients) for each in errors] == [("dtype", None)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("# P: x", "'x' tells of no place"),
        ("# P: x: float32", "'float32' is no array"),
        ("# P: x: float32[3,4]", "'float32[3,4]' is written 'float32[3, 4]'"),
        ("# P: x: float32[3, ]", "'' is no size"),
        ("# P: x: maybe weak ?[3]", "is written '?[3]'"),
        ("# P: x.y: float32[3]", "tells of no place"),
        ("# P: x: int8[]; ", "tells of no place"),
        ("# P(pluggin): x: int8[]", "there is no client 'pluggin'; the clients are engine, plugin"),
        ("# P x: int8[]", "a mark is written"),
        ("#P: x: int8[]", "a mark is written"),
        ("# p: x: int8[]", "a mark is written"),
        ("# E: shapes", "there is no kind 'shapes'; the kinds are dtype, shape"),
        ("# E: -", "tells of no error"),
        ("# e: shape", "a mark is written"),
    ],
)
def test_what_is_no_mark(line: str, reason: str) -> None:
    with pytest.raises(MarkError) as raised:
        marks_of("file", 7, f"x = f()  {line}")
    assert str(raised.value).startswith("file:7: ")
    assert reason in str(raised.value)


def test_programs(product: Case) -> None:
    assert product.id == "file: a product"
    assert product.lines[0] == "import jax.numpy as jnp"
    assert (product.first, len(product.lines)) == (4, 8)
    assert product.directives.argv == (("3", "4"), ("5", "6"))
    number = read("file", TEXT)[1]
    assert number.directives.only == {"engine", "true"}
    assert number.lines[:3] == product.lines[:3]
    assert [line for line in number.lines[3:] if line] == TEXT.splitlines()[-2:]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = 1\n", "file: there is no program"),
        ("# %%\nx = 1\n", "file:1: the program has no name"),
        ("# %% a\n# %% a\n", "file: 2 programs are called 'a'"),
        ("# %% a\n# only: engine\n", "file:2: say why"),
        ("# %% a\n# only: engines - for this\n", "file:2: there is no client 'engines'"),
        ("# %% a\n# onyl: engine - for this\n", "file:2: '# onyl: engine - for this' is no directive"),
    ],
)
def test_what_is_no_program(text: str, reason: str) -> None:
    with pytest.raises(MarkError, match=reason):
        read("file", text)


def test_what_is_expected(product: Case) -> None:
    known = {client: expected(product, client).places[7, "x"] for client in ("engine", "plugin", "show")}
    assert known == {"engine": ["float32[3]"], "plugin": ["?"], "show": ["float32[3]"]}
    assert expected(product, "engine").errors == {8: ["shape: got (3,) ... (5,)"]}


def test_what_is_said(product: Case) -> None:
    right = [
        Place.of("file", 7, 0, "x", "float32", False, (3,)),
        Place.of("file", 8, 0, "y", "int8", False, ()),
    ]
    error = Error(8, "shape", "they got (3,) and (5,)")
    assert said(product, "engine", right, [error]) == expected(product, "engine")
    for place in (Place.of("file", 7, 0, "x", "float32", None, (3,)), Place.of("file", 6, 0, "x")):
        assert said(product, "engine", [place], [error]) != expected(product, "engine")
    for other in (error._replace(line=7), error._replace(kind="dtype"), error._replace(message="(5,)")):
        assert said(product, "engine", right, [other]) != expected(product, "engine")
    assert said(product, "engine", right, []) != expected(product, "engine")
    assert said(product, "engine", right, [error, Error(1, "dtype", "")]) != expected(product, "engine")


@pytest.mark.parametrize(
    ("mark", "mistake"),
    [
        ("float32[3]", []),
        ("?[?]", []),
        ("float32[4]", ["line 7: x is not float32[4]: size of axis 0: 3"]),
        ("int32[3]", ["line 7: x is not int32[3]: dtype: float32"]),
        ("weak float32[3]", ["line 7: x is not weak float32[3]: weakness: not weak"]),
        ("float32[3]; y: int8[]", ["line 7: y holds nothing in any run"]),
    ],
)
def test_what_is_true(mark: str, mistake: list[str]) -> None:
    (case, _) = read("file", TEXT.replace("x: float32[3]", f"x: {mark}"))
    runs = run(case)
    assert [failure and {*failure.lines} for failure in runs.ends] == [{8}, {8}]
    assert mistakes(case, runs) == mistake


def test_what_is_true_of_the_types_of_a_client() -> None:
    (case, _) = read("file", TEXT.replace("x: ?", "x: float32[4]"))
    assert mistakes(case, run(case)) == ["line 7: x is not float32[4]: size of axis 0: 3"]
