"""Overloads that are written down: how templates are filled in from the functions that they are about."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from inspect import Parameter
from pathlib import Path
from typing import Any

import jax
import pytest

from jaxtyping_core_stubs import requests
from jaxtyping_core_stubs.rules import stated


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Writes the templates of the module `some`."""

    def write(text: str) -> None:
        (tmp_path / "some.txt").write_text(text, encoding="utf-8")
        stated._templates.cache_clear()

    monkeypatch.setattr(stated, "FOLDER", tmp_path)
    yield write
    stated._templates.cache_clear()


def function(x: jax.Array, axis: int = 0, keepdims: bool = False, *, where: jax.Array | None = None) -> Any:
    return x


def lines(made: list[stated.Made]) -> list[str]:
    """Overloads as readers see them."""
    return [f"({', '.join(map(_parameter, overload.parameters))}) -> {overload.result}" for overload in made]


def _parameter(parameter: Parameter) -> str:
    star = "*" if parameter.kind is Parameter.KEYWORD_ONLY else ""
    return f"{star}{parameter.name}: {parameter.annotation}" + (
        "" if parameter.default is Parameter.empty else f" = {parameter.default}"
    )


def overloads(name: str = "f") -> list[str]:
    return lines(stated.overloads(f"some.{name}", function))


def test_defaults_and_kinds_are_those_of_the_function(write: Callable[[str], None]) -> None:
    write("def f(x: Array, axis: Any = ..., keepdims: _bool = ...) -> Array[_R]: ...")
    assert overloads() == [
        "(x: Array, axis: Any = 0, keepdims: _bool = False, *where: None = None) -> Array[_R]"
    ]


def test_what_follows_a_parameter_that_is_left_out_is_a_keyword(write: Callable[[str], None]) -> None:
    write("def f(x: Array, *, keepdims: Literal[True]) -> Array[_R]: ...")
    assert overloads() == ["(x: Array, *keepdims: Literal[True], *where: None = None) -> Array[_R]"]


def test_the_rest_has_the_annotations_of_the_function(write: Callable[[str], None]) -> None:
    write("def f(x: Array, **_) -> Array[_R]: ...")
    assert overloads() == [
        "(x: Array, axis: int = 0, keepdims: _bool = False, *where: Array | None = None) -> Array[_R]"
    ]


def test_alternatives_of_a_line_go_in_step(write: Callable[[str], None]) -> None:
    write("def f(x: {A|B | C}, axis: int = ...) -> {_R|_S}: ...")
    assert [line.split(",")[0] + line[-3:] for line in overloads()] == ["(x: A _R", "(x: B | C _S"]


def test_alternatives_of_other_numbers_are_multiplied(write: Callable[[str], None]) -> None:
    write("def f(x: {A|B}, axis: {int|str|Any}) -> {_R|_S}: ...")
    assert len(overloads()) == 6


def test_names_share_overloads_that_may_come_after_others(write: Callable[[str], None]) -> None:
    write("def f__g__after(x: Array, axis: int = ...) -> Array: ...\ndef f(x: int) -> Array: ...")
    assert [overload.after for overload in stated.overloads("some.f", function)] == [True, False]
    assert [overload.after for overload in stated.overloads("some.g", function)] == [True]
    assert overloads("h") == []


def test_a_function_without_a_parameter_has_no_such_overload(write: Callable[[str], None]) -> None:
    write("def f(x: Array, other: int) -> Array: ...\ndef f(x: Array) -> Array: ...")
    assert len(overloads()) == 1


@pytest.mark.parametrize(
    ("word", "request_"),
    [("ASK", requests.BY_CLASS), ("ASK_FLOAT", requests.with_default("DefaultFloat"))],
)
def test_a_dtype_is_asked_for(write: Callable[[str], None], word: str, request_: requests.Request) -> None:
    write(f"def f(x: Array, axis: {word}) -> Array[REQUESTED]: ...")
    (only,) = stated.overloads("some.f", function)
    assert only.parameters[1].annotation == request_.annotation
    assert only.result == f"Array[{request_.result}]"


def test_starred_arguments_are_given_one_by_one(write: Callable[[str], None]) -> None:
    def several(*arrays: jax.Array, axis: int = 0) -> Any:
        return arrays

    write("def f(arrays_0: Array[_O], arrays_1: Array[_R], /, *, axis: int = ...) -> Array: ...")
    made = stated.overloads("some.f", several)
    assert lines(made) == ["(arrays_0: Array[_O], arrays_1: Array[_R], *axis: int = 0) -> Array"]


def test_a_function_that_returns_lists_returns_no_tuples(write: Callable[[str], None]) -> None:
    def lists(x: jax.Array) -> list[jax.Array]:
        return [x]

    write("def f(x: Array) -> tuple[Array, Array]: ...\ndef f(x: Array) -> list[Array]: ...")
    assert lines(stated.overloads("some.f", lists)) == ["(x: Array) -> list[Array]"]


def test_keywords_of_any_name_are_given_by_name(write: Callable[[str], None]) -> None:
    def padded(x: jax.Array, mode: str = "constant", **kwargs: Any) -> Any:
        return x

    write("def f(x: Array, mode: str = ..., *, values: float = ..., size: int) -> Array: ...")
    assert lines(stated.overloads("some.f", padded)) == [
        "(x: Array, mode: str = constant, *values: float = Ellipsis, *size: int) -> Array"
    ]


@pytest.mark.parametrize("module", sorted(file.stem for file in stated.FOLDER.glob("*.txt")))
def test_every_template_is_about_a_function(module: str) -> None:
    for name, templates in stated._templates(module).items():
        if name != stated.AFTER:
            value = getattr(importlib.import_module(module), name, None)
            needed = jax.__version__.startswith("0.12.")
            assert value is not None or not needed, f"{module}.{name}"
            if needed:
                parameters = stated._given(f"{module}.{name}", value)
                known = {parameter.name for parameter in parameters}
                starred = tuple(f"{each}_" for each in known)
                if parameters[-1].parameter.kind is Parameter.VAR_KEYWORD:
                    continue  # any name is one
                for template in templates:
                    unknown = {
                        each
                        for each in template.annotations
                        if each not in known and not each.startswith(starred)
                    }
                    assert not unknown, f"{module}.{name} has no {unknown}"
