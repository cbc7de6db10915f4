"""The plugin's configuration: where it is found, and the message for a misspelt one."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy.errors import CompileError

from jaxtyping_core.settings import TRUSTED
from jaxtyping_core_mypy.settings import Settings, load


def toml(folder: Path, text: str) -> Settings:
    (folder / "pyproject.toml").write_text(f"[tool.jaxtyping_core]\n{text}\n")
    return load(folder)


def ini(folder: Path, text: str) -> Settings:
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "mypy.ini").write_text(f"[mypy]\nstrict = true\n\n[jaxtyping_core]\n{text}\n")
    return load(folder, folder / "mypy.ini")


def test_defaults(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert load(tmp_path) == Settings(x64=False, promotion="standard", evaluate=True, time_limit=20.0)


def test_pyproject(tmp_path: Path) -> None:
    text = 'x64 = true\npromotion = "strict"\nevaluate = false\ntime_limit = 5\nprograms = false\ntrust = ["a", "b"]'
    assert toml(tmp_path, text) == Settings(True, "strict", False, 5, False, ignored=("a", "b"))
    (tmp_path / "inner").mkdir()
    assert load(tmp_path / "inner").x64


def test_mypy_ini(tmp_path: Path) -> None:
    text = (
        "x64 = True\npromotion = strict\nevaluate = false\ntime_limit = 2.5\nprograms = false\ntrust = a, b"
    )
    assert ini(tmp_path, text) == Settings(True, "strict", False, 2.5, False, ignored=("a", "b"))


def test_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = toml(tmp_path, 'trust = ["my_layers", "jax"]')
    assert (loaded.trusted, loaded.ignored) == ([*TRUSTED], ("my_layers",))
    monkeypatch.setenv("JAXTYPING_CORE_TRUST", "my_layers")
    assert load(tmp_path).trusted == [*TRUSTED, "my_layers"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x46 = true", ["unknown setting 'x46'", "'x64'"]),
        ("timelimit = 3", ["unknown setting 'timelimit'", "'time_limit'"]),
        ("evalute = false", ["unknown setting 'evalute'", "'evaluate'"]),
        ("x64 = 1", ["unknown value of x64: '1", "'true'"]),
        ("promotion = strct", ["unknown value of promotion: 'strct'", "'strict'"]),
        ("time_limit = 0", ["time_limit must be a positive number of seconds, not 0"]),
        ("time_limit = -2", ["time_limit must be a positive number of seconds"]),
        ("programs = 1", ["unknown value of programs: '1", "'true'"]),
        ("trust = runpy", ["trust must not name 'runpy'", "Python's standard library"]),
        ("trust = a/b", ["trust must name packages as they are imported", "'a/b'"]),
        ("time_limit = soon", ["time_limit must be a positive number of seconds, not 'soon'"]),
    ],
)
def test_misspelt(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(CompileError) as caught:
        ini(tmp_path, text)
    assert all(word in caught.value.messages[0] for word in words), caught.value.messages
    key, _, value = text.partition(" = ")
    value = value if value[-1].isdigit() or value == "true" or value == "false" else f'"{value}"'
    value = f"[{value}]" if key == "trust" else value
    with pytest.raises(CompileError) as caught:
        toml(tmp_path, f"{key} = {value}")
    assert all(word in caught.value.messages[0] for word in words), caught.value.messages


@pytest.mark.parametrize("value", ['"my_layers, optax"', "3", "[3]", "true"])
def test_trust_is_a_list(tmp_path: Path, value: str) -> None:
    if value[0] == '"':
        assert toml(tmp_path, f"trust = {value}").ignored == ("my_layers",)
        return
    with pytest.raises(CompileError, match="trust must be a list of packages"):
        toml(tmp_path, f"trust = {value}")
