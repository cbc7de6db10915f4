"""The short spelling of arrays in mypy's messages, and that nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtyping_core.checking import compact_types
from jaxtyping_core.checking.compact_types import shorten, spell
from jaxtyping_core.checking.notation import Bracket, NotationError, parse
from jaxtyping_core.dtypes import ABSTRACT, DTYPES, WEAK
from jaxtyping_core_mypy import names

MODULE = "jax._src.basearray"
RESULTS = "jaxtyping_core._results"
DTYPE = "jax._src.numpy.scalar_types"
W = f"{MODULE}.Array[{DTYPE}.float32, tuple[Literal[4], Literal[8]]]"
B = f"{MODULE}.Array[{DTYPE}.bool_, tuple[B]]"

SPELLED = {
    # dims
    "Array[float32, tuple[B, T, Literal[64]]]": "float32[B, T, 64]",
    "Array[float32, tuple[Literal[3]?, int, Any]]": "float32[3, ?, ?]",
    "Array[float32, tuple[Literal['B + 3'], Literal[3, 4]]]": "float32[B + 3, 3 | 4]",
    "Array[float32, tuple[B@f, Never]]": "float32[B@f, Never]",
    "Array[float32, tuple[()]]": "float32[]",
    "Array[float32, tuple[Any, ...]]": "float32[...]",
    "Array[float32, tuple[B, *tuple[Any, ...]]]": "float32[B, ...]",
    "Array[float32, tuple[*tuple[int, ...], Literal[3]]]": "float32[..., 3]",
    "Array[float32, tuple[Unpack[tuple[Any, ...]], B]]": "float32[..., B]",
    "Array[float32, tuple[*Bs, Literal[3]]]": "float32[*Bs, 3]",
    "Array[float32, S]": "float32[*S]",
    "Array[float32, Any]": "float32[...]",
    # dtypes
    "Array[Any, tuple[Any, Literal[8]]]": "?[?, 8]",
    "Array[Any, Any]": "Array[...]",
    "Array[bool_, tuple[B]]": "bool[B]",
    "Array[weak_float, tuple[()]]": "weak_float[]",
    "Array[floating, Any]": "floating[...]",
    "Array[float32 | bfloat16, tuple[B]]": "float32[B] | bfloat16[B]",
    "Array[D, tuple[B]]": "D[B]",
    f"{MODULE}.Array[jax._src.dtypes.prng_key, tuple[()]]": "key<fry>[]",
    f"{MODULE}.Array[{DTYPE}.float32, tuple[Literal[3]]]": "float32[3]",
    "jaxtyping_core.numpy.Array[float32, tuple[Literal[3]]]": "float32[3]",
    f"type[{DTYPE}.float32]": "type[float32]",
    # inside of other types
    f"list[{W}] | None": "list[float32[4, 8]] | None",
    f"tuple[{W}, {B}, fallback=m.Pair]": "tuple[float32[4, 8], bool[B], fallback=m.Pair]",
    f"TypedDict('m.P', {{'w': {W}, 'b'?: {B}}})": "TypedDict('m.P', {'w': float32[4, 8], 'b'?: bool[B]})",
    f"Callable[[{W}, VarArg(int)], {B}]": "Callable[[float32[4, 8], VarArg(int)], bool[B]]",
    f"def [B, T <: int, P in (int, str)] (x: {B}, *, y: {W} =, **k: Any) -> type[{B}]": (
        "def [B, T <: int, P in (int, str)] (x: bool[B], *, y: float32[4, 8] =, **k: Any) -> type[bool[B]]"
    ),
    f"Overload(def (x: {B}), def ({W}) -> int)": "Overload(def (x: bool[B]), def (float32[4, 8]) -> int)",
    f"Pair[Literal['[', \"it's\"], {B}]": "Pair[Literal['[', \"it's\"], bool[B]]",
    # what a call gives
    f"{RESULTS}.DictResult[str, {MODULE}.Array[{DTYPE}.generic, Any]]": "dict[str, generic[...]]",
    f"ListResult[{B}]": "list[bool[B]]",
}
KEPT = (
    "Array",
    "Array[int, str]",  # somebody's own
    "Array[K, Any]",
    "Array[float, Batch]",
    "Array[int, tuple[str]]",
    "Array[float32]",
    "Array[float32, Never]",
    "Array[float32, tuple[Literal[3], ...]]",
    "Literal['Array[float32, Any]']",
    'Literal["it\'s Array[float32, Any]"]',
    "numpy.ndarray[tuple[int], numpy.dtype[Any]]",
    "overloaded function",
    "<partial list[?]>",
    "x: list[<type>] = ...",
    "tuple[()]",
)


@pytest.mark.parametrize(("written", "expected"), SPELLED.items())
def test_types(written: str, expected: str) -> None:
    typ, end = parse(written)
    assert (spell(typ), end) == (expected, len(written))
    message = f'Argument 1 to "f" has incompatible type "{written}"; expected "int"'
    assert shorten(message) == message.replace(written, expected)
    assert shorten(f"    def f(x: {written})" if '"' not in written else "") in (
        f"    def f(x: {expected})",
        "",
    )


@pytest.mark.parametrize("written", KEPT)
def test_types_that_are_no_arrays_of_ours(written: str) -> None:
    message = f'Argument 1 to "f" has incompatible type "{written}"; expected "list[{written}]"'
    assert shorten(message) == message


@pytest.mark.parametrize(
    "message",
    [
        "isn't Array[float32, Any] in words",
        'Name "x[" is not defined; it isn\'t Array[float32, Any]',
        # two types that the short spelling would make one
        'Argument 1 has incompatible type "Array[float32, tuple[Any]]"; expected "Array[float32, tuple[int]]"',
        # two classes of arrays, of which one is a subclass of the other
        'got "jaxtyping_core.numpy.Array[float32, Any]", expected "jax._src.basearray.Array[int8, Any]"',
    ],
)
def test_messages_that_stay(message: str) -> None:
    assert shorten(message) == message


def test_what_is_quoted_but_no_type_is_passed_over() -> None:
    message = 'Cannot parse "x[(" (it isn\'t "Array[float32, Any]")'
    assert shorten(message) == message.replace("Array[float32, Any]", "float32[...]")


def test_more_brackets_than_a_type_can_have() -> None:
    for text in ("[" * 100_000 + "]" * 100_000, "[" * 100_000):
        assert shorten(f'"{text}" and "Array[float32, Any]"').startswith(f'"{text}" and ')
        assert shorten(f"    {text}") == f"    {text}"


def test_the_tree_of_a_type() -> None:
    typ, end = parse('dict[str, A.B["]"]] | None" and', 0)
    inner = Bracket("A.B", "[", (('"]"',),))
    assert typ == (Bracket("dict", "[", (("str",), (" ", inner))), " ", "|", " ", "None")
    assert end == len('dict[str, A.B["]"]] | None')
    for text in ("a]", "(a]", "[a", "f({)}"):
        with pytest.raises(NotationError):
            parse(text)


@given(st.text(alphabet="\"'\\[](){}<>,.=*| aBé3"))
def test_other_text_is_untouched(text: str) -> None:
    """Whatever mypy says, between quotes or not."""
    assert shorten(text) == text
    assert shorten(f"    {text}") == f"    {text}"


def test_the_names_are_those_of_the_plugin() -> None:
    assert {*names.ARRAYS, "Array"} == compact_types.ARRAYS
    assert compact_types.DTYPE_NAMES["prng_key"] == names.KEY
    assert f"{compact_types.MODULES[0]}x" == f"{names.SCALAR_TYPES}.x"


def test_every_dtype_has_a_spelling() -> None:
    for name in (*(row.class_name for row in DTYPES.values()), *WEAK, *ABSTRACT):
        assert shorten(f'"Array[{name}, Any]"') == f'"{"bool" if name == "bool_" else name}[...]"'
