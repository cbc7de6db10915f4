"""Which annotations are lowered for an error, without a run of mypy."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from annotating.facts_by_hand import call, floats, instance, planned
from jaxtyping_core.annotating import proving
from jaxtyping_core.annotating.copies import Copies, _as_mypy
from jaxtyping_core.annotating.error_attribution import Blaming
from jaxtyping_core.annotating.planning import Level
from jaxtyping_core.annotating.proving import Error, _lower, new_errors
from jaxtyping_core.annotating.spelling.common import Precision
from jaxtyping_core.errors import CommandError
from jaxtyping_core.recording.observed import Array

TEXT = "def f(x, y):\n    return x\n\n\ndef g(z):\n    return f(z, None)\n"
FILE = Path("module.py")


def lowered(line: int, message: str, code: str = "arg-type") -> dict[int, Level]:
    x = floats(3)
    plan = planned(TEXT, {"f": [call(x, x=x, y=x)], "g": [call(x, z=x)]})
    levels = {FILE: {0: Level(), 1: Level()}}
    error = Error(line, code, message)
    blamed = Blaming({FILE: (plan, b"")}, FILE, TEXT.encode(), error, levels[FILE]).blames()
    assert _lower(blamed, levels, {FILE: {}}, False)
    return levels[FILE]


def test_an_error_in_a_body_is_of_its_function() -> None:
    # No walk has shown the sizes of `f`, so that these go first.
    assert lowered(2, "Incompatible return value type", "return-value") == {
        0: Level(Precision.RANK),
        1: Level(),
    }


def test_an_error_at_the_top_level_is_of_what_is_named_there() -> None:
    x = floats(3)
    text = TEXT + "\n\ncached = partial(g, 1)\nfor i in range(3):\n    cached(i)\n    other(f)\n"
    plan = planned(text, {"f": [call(x, x=x, y=x)], "g": [call(x, z=x)]})
    for line, number in ((11, 1), (12, 0)):
        error = Error(
            line, "arg-type", 'Argument 1 to "__call__" of "Jitted" has incompatible type "tuple[int]"'
        )
        blamed = Blaming({FILE: (plan, b"")}, FILE, text.encode(), error, {0: Level(), 1: Level()}).blames()
        assert [blame.number for blame in blamed] == [number]


def test_arrays_of_numpy_for_a_parameter_convert_that_alone() -> None:
    x = floats(3)
    plan = planned(TEXT, {"f": [call(x, x=x, y=x)], "g": [call(x, z=x)]})
    message = 'Argument 2 to "f" has incompatible type "ndarray[tuple[Any, ...], dtype[Any]]"; expected "x"'
    levels = {FILE: {0: Level(), 1: Level()}}
    error = Error(9, "arg-type", message)
    expected = [Level(converted=frozenset({"y"})), Level(converted=frozenset({"y"}), left=frozenset({"y"}))]
    for level in expected:
        blamed = Blaming({FILE: (plan, b"")}, FILE, TEXT.encode(), error, levels[FILE]).blames()
        assert _lower(blamed, levels, {FILE: {}}, False)
        assert levels[FILE] == {0: level, 1: Level()}


def test_an_array_of_jax_for_one_of_numpy_converts_that_alone() -> None:
    text = b"def f(x):\n    return x.sum()\n\n\nf(b)\n"
    seen = floats(3, dtype="float64", library="numpy")
    plan = planned(text.decode(), {"f": [call(floats(), x=seen)]})
    levels = {FILE: {0: Level()}}
    assert b"def f(x: ndarray) -> Float32[()]:" in plan.write(text, levels[FILE])
    message = 'Argument 1 to "f" has incompatible type "float32[...]"; expected "ndarray[tuple[Any, ...], dtype[Any]]"'
    error = Error(5, "arg-type", message)
    blamed = Blaming({FILE: (plan, b"")}, FILE, text, error, levels[FILE]).blames()
    assert _lower(blamed, levels, {FILE: {}}, False)
    assert levels[FILE] == {0: Level(converted=frozenset({"x"}))}
    assert b"def f(x: Like[Float32]) ->" in plan.write(text, levels[FILE])


def test_sizes_that_a_function_around_got_are_at_fault_before_those_of_a_function_within() -> None:
    text = "def f(x, y):\n    def loss(scale):\n        return (x - y).sum()\n    return loss(1.0)\n"
    calls = [call(1.0, x=floats(size), y=floats(size)) for size in (3, 5)]
    plan = planned(text, {"f": calls, "f.<locals>.loss": [call(1.0, scale=1.0)]})
    error = Error(3, "array-shape", "float32[N] - float32[B] does not broadcast")
    for is_proven in (False, True):
        plan.functions[0].sizes.proven = is_proven
        levels = {0: Level(), 1: Level()}
        blamed = Blaming({FILE: (plan, b"")}, FILE, text.encode(), error, levels).blames()
        assert [blame.number for blame in blamed] == [0]


@pytest.mark.parametrize(
    "actual",
    ["tuple[ndarray[_AnyShape, dtype[float64]], Array[...]]", "tuple[Array[...], ndarray[Any, dtype[Any]]]"],
)
def test_a_tuple_with_an_array_of_numpy_converts_all_in_it(actual: str) -> None:
    batch = (floats(3, 4), floats(3))
    plan = planned("def f(batch):\n    return batch[0]\n\n\nf(b)\n", {"f": [call(floats(3, 4), batch=batch)]})
    error = Error(5, "arg-type", f'Argument 1 to "f" has incompatible type "{actual}"; expected "tuple"')
    levels = {FILE: {0: Level()}}
    blamed = Blaming({FILE: (plan, b"")}, FILE, b"", error, levels[FILE]).blames()
    assert _lower(blamed, levels, {FILE: {}}, False)
    assert levels[FILE] == {0: Level(converted=frozenset({"batch"}))}
    text = plan.write(b"def f(batch):\n    return batch[0]\n\n\nf(b)\n", levels[FILE]).decode()
    assert "def f(batch: tuple[Like[Float32], Like[Float32]]) -> Float32:" in text


def test_a_list_of_arrays_of_numpy_converts_what_is_taken_as_a_sequence() -> None:
    text = b"def f(layers):\n    return layers[0][0]\n\n\nf(b)\n"
    layers = [(floats(3, 4), floats(3)), (floats(5, 4), floats(5))]
    plan = planned(text.decode(), {"f": [call(floats(3, 4), layers=layers)]})
    actual = "list[tuple[ndarray[Any, dtype[Any]], ndarray[Any, dtype[Any]]]]"
    error = Error(5, "arg-type", f'Argument 1 to "f" has incompatible type "{actual}"; expected "list"')
    levels = {FILE: {0: Level()}}
    blamed = Blaming({FILE: (plan, b"")}, FILE, b"", error, levels[FILE]).blames()
    assert _lower(blamed, levels, {FILE: {}}, False)
    written = plan.write(text, levels[FILE]).decode()
    assert "from collections.abc import Sequence" in written
    assert "def f(layers: Sequence[tuple[Like[Float32], Like[Float32]]]) -> Float32:" in written


def test_a_number_that_a_compiled_function_takes_as_an_array_is_left_open_alone() -> None:
    text = "def f(step, x):\n    return other(step, x)\n"
    step = Array("int32", (), weak=True)
    plan = planned(text, {"f": [call(floats(3), step=step, x=floats(3))]})
    message = 'Argument 1 has incompatible type "int | Array[int32, tuple[()]]"; expected "int"'
    levels = {FILE: {0: Level()}}
    error = Error(2, "arg-type", message)
    blamed = Blaming({FILE: (plan, b"")}, FILE, text.encode(), error, levels[FILE]).blames()
    assert _lower(blamed, levels, {FILE: {}}, False)
    assert levels[FILE] == {0: Level(left=frozenset({"step"}))}


def test_what_is_assigned_to_an_attribute_that_is_none_at_first_has_no_result() -> None:
    message = 'Incompatible types in assignment (expression has type "Array[Any]", variable has type "None")'
    x = floats(3)
    text = "def f(x):\n    return x\n\n\ndef g(self, x):\n    self.w = f(x)\n"
    plan = planned(text, {"f": [call(x, x=x)], "g": [call(None, self=x, x=x)]})
    levels = {FILE: {0: Level(), 1: Level()}}
    error = Error(6, "assignment", message)
    blamed = Blaming({FILE: (plan, b"")}, FILE, text.encode(), error, levels[FILE]).blames()
    assert _lower(blamed, levels, {FILE: {}}, False)
    assert levels[FILE] == {0: Level(result=Precision.NOTHING), 1: Level()}


def test_none_for_a_parameter_opens_that_alone() -> None:
    x = floats(3)
    plan = planned(TEXT, {"f": [call(x, x=x, y=x)]})
    message = 'Argument 2 to "f" has incompatible type "None"; expected "Array[float32, tuple[N]]"'
    levels = {FILE: {0: Level()}}
    error = Error(6, "arg-type", message)
    blamed = Blaming({FILE: (plan, b"")}, FILE, TEXT.encode(), error, levels[FILE]).blames()
    assert _lower(blamed, levels, {FILE: {}}, False)
    assert levels[FILE] == {0: Level(left=frozenset({"y"}))}


def test_what_jax_made_of_a_function_is_no_method_of_the_program() -> None:
    x = floats(3)
    text = "class A:\n    def __call__(self, x):\n        return x\n\n\ndef step(p):\n    return p\n\n\nstep(a)\n"
    plan = planned(text, {"A.__call__": [call(x, x=x)], "step": [call(x, p=x)]})
    message = 'Argument 1 to "__call__" of "Transformed" has incompatible type "FrozenDict[str, Any]"; expected "Array[float32]"'
    error = Error(10, "arg-type", message)
    (blame,) = Blaming({FILE: (plan, b"")}, FILE, text.encode(), error, {0: Level(), 1: Level()}).blames()
    assert (blame.number, blame.parameter) == (1, "p")


def test_what_a_class_is_made_with_is_a_field_of_it() -> None:
    text = 'P = namedtuple("P", "a b")\n\n\ndef f(p):\n    return p\n\n\nf(P(1, None))\n'
    p = instance("P", a=floats(3), b=floats(2))
    plan = planned(text, {"f": [call(p, p=p)]})
    (owner,) = plan.owners
    levels = {FILE: {0: Level(), owner.number: Level()}}
    message = 'Argument 2 to "P" has incompatible type "None"; expected "Array[float32]"'
    error = Error(8, "arg-type", message)
    blamed = Blaming({FILE: (plan, b"")}, FILE, text.encode(), error, levels[FILE]).blames()
    assert _lower(blamed, levels, {FILE: {}}, False)
    assert levels[FILE] == {0: Level(), owner.number: Level(left=frozenset({"b"}))}


def test_functions_of_one_name_in_another_program_are_not_blamed() -> None:
    x = floats(3)
    plan = planned(TEXT, {"f": [call(x, x=x, y=x)]})
    other = planned("def f(a, b):\n    return a\n", {"f": [call(x, a=x, b=x)]})
    plans = {FILE: (plan, b""), Path("other.py"): (other, b"")}
    error = Error(6, "arg-type", 'Argument 2 to "f" has incompatible type "str"; expected "Array[float32]"')
    assert {blame.path for blame in Blaming(plans, FILE, TEXT.encode(), error, {0: Level()}).blames()} == {
        FILE
    }


def test_errors_that_were_there_are_no_new_ones() -> None:
    old, new = b"x = 1\ny = f(x)\n", b"import os\nx = 1\ny = f(x)\n"
    same = [Error(2, "arg-type", "a")]
    assert new_errors(old, new, same, [Error(3, "arg-type", "b")]) == []
    assert new_errors(old, new, same, [Error(3, "misc", "b")]) == [Error(3, "misc", "b")]
    assert len(new_errors(old, new, same, [Error(3, "arg-type", "b"), Error(3, "arg-type", "c")])) == 1
    old, new = b"def f(x):\n    pass\n", b"import os\ndef f(x: int):\n    pass\n"
    same = [Error(1, "no-redef", 'Name "f" already defined on line 8')]
    assert new_errors(old, new, same, [Error(2, "no-redef", 'Name "f" already defined on line 9')]) == []
    assert len(new_errors(old, new, same, [Error(2, "no-redef", 'Name "g" already defined on line 9')])) == 1


def test_an_error_that_stays_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Check:
        def __init__(self, *_: object) -> None:
            pass

        def errors(self, contents: dict[Path, bytes]) -> dict[Path, list[Error]]:
            said = [Error(1, "misc", "no matter what")]  # the line of an import
            return {path: said if b"Float32" in text else [] for path, text in contents.items()}

    monkeypatch.setattr(proving, "Copies", Check)
    monkeypatch.setattr(proving, "MOST_ROUNDS", 0)  # none in which a function gets less
    x = floats(3)
    plan = planned(TEXT, {"f": [call(x, x=x, y=x)]})
    proven, _ = proving.prove({FILE: (plan, TEXT.encode())})
    assert [error.message for error in proven[FILE].left] == ["no matter what"]
    assert b"Float32" in proven[FILE].content


def test_what_pyright_says_is_put_as_mypy_does() -> None:
    x = floats(3)
    plan = planned(TEXT, {"f": [call(x, x=x, y=x)]})
    said = (
        'Argument of type "None" cannot be assigned to parameter "y" of type "Array[float32, tuple[N]]" in function "f"\n'
        '  "None" is not assignable to "Array"'
    )
    record = {"range": {"start": {"line": 5}}, "rule": "reportArgumentType", "message": said}
    error = _as_mypy(record)
    assert error.line == 6
    levels = {FILE: {0: Level()}}
    blamed = Blaming({FILE: (plan, b"")}, FILE, TEXT.encode(), error, levels[FILE]).blames()
    assert _lower(blamed, levels, {FILE: {}}, False)
    assert levels[FILE] == {0: Level(left=frozenset({"y"}))}
    returned = {
        **record,
        "rule": "reportReturnType",
        "message": 'Type "int" is not assignable to return type "B"',
    }
    assert _as_mypy(returned).code == "return-value"


def test_what_a_function_calls_is_at_fault_where_nothing_is_written_of_itself() -> None:
    x = floats(3)
    plan = planned(TEXT, {"f": [call(x, x=x, y=x)], "g": [call(x, z=x)]})
    levels = {0: Level(), 1: Level(Precision.NOTHING, Precision.NOTHING)}
    error = Error(6, "assignment", 'Incompatible types in assignment (expression has type "float32[?]")')
    (blame,) = Blaming({FILE: (plan, b"")}, FILE, TEXT.encode(), error, levels).blames()
    assert (blame.number, blame.of_result) == (0, True)


def test_what_jax_makes_of_a_function_is_laid_to_that() -> None:
    x = floats(3)
    text = "def f(p):\n    def loss(q):\n        return q\n\n    step = jax.jit(loss)\n    step(p.q)\n    return jax.grad(loss)(p.q)\n"
    plan = planned(text, {"f": [call(x, p=x)], "f.<locals>.loss": [call(x, q=x)]})
    levels = {0: Level(Precision.RANK), 1: Level()}
    for line in (6, 7):
        message = (
            'Argument 1 to "__call__" of "Transformed" has incompatible type "dict[str, int]"; expected "x"'
        )
        error = Error(line, "arg-type", message)
        (blame,) = Blaming({FILE: (plan, b"")}, FILE, text.encode(), error, levels).blames()
        assert (blame.number, blame.parameter) == (1, "q")


def test_a_result_that_is_none_and_used_is_left_out_alone() -> None:
    assert lowered(2, '"g" does not return a value (it only ever returns None)', "func-returns-value") == {
        0: Level(),
        1: Level(result=Precision.NOTHING),
    }


def test_pyright_is_asked_with_the_configuration_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Copies, "_ask_mypy", lambda *_: iter(()))
    file = tmp_path / "program.py"
    file.write_text("def f(x: int) -> str:\n    return x\n\n\nf(None)\n")
    (tmp_path / "pyproject.toml").write_text('[tool.pyright]\nreportArgumentType = "none"\n')
    folder = tmp_path / "copies"
    folder.mkdir()
    errors = Copies(folder, [file], None, with_pyright=True).errors({file: file.read_bytes()})
    assert [(error.line, error.code) for error in errors[file]] == [(2, "return-value")]
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(CommandError, match="pip install pyright"):
        Copies(folder, [file], None, with_pyright=True)
