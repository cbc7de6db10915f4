"""What real code may be called with: the gate, asked about values that no program should get hold of, and about plain ones."""

from __future__ import annotations

import abc
import collections
import functools
import importlib
import itertools
import math
import operator
import os
import sys
import types
import typing
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyping_core.engine.interpreter import Interpreter
from jaxtyping_core.engine.libraries import registry
from jaxtyping_core.engine.libraries.trust import gate, policy, sealed
from jaxtyping_core.engine.libraries.trust.policy import TrustPolicy
from jaxtyping_core.overlays.jaxtyping.dims import size_of_dim
from jaxtyping_core.settings import TRUSTED


@pytest.fixture(scope="module")
def interpreter() -> Interpreter:
    return Interpreter({}, TrustPolicy(TRUSTED), 60)


def run(text: str) -> Any:
    """`exec`, in all the ways in which a value can have it."""
    return exec


def cycle() -> list[Any]:
    several: list[Any] = []
    several.append(several)
    return several


def doubled(value: Any) -> Any:
    for _ in range(50):
        value = [value, value]
    return value


CLOSED: dict[str, Any] = {
    "exec": exec,
    "open": open,
    "os.system": os.system,
    "os": os,
    "type": type,
    "abc.ABCMeta": abc.ABCMeta,
    "a list": [1, [exec]],
    "a dict": {"a": ({"b": exec},)},
    "a key": {exec: 1},
    "a partial": functools.partial(exec, "1"),
    "a partial's argument": functools.partial(map, eval),
    "a method": types.MethodType(exec, "1"),
    "an object's method": types.SimpleNamespace(f=exec).__init__,
    "a namespace": types.SimpleNamespace(f=exec),
    "a defaultdict": collections.defaultdict(exec),
    "a deque": collections.deque([exec]),
    "a property": property(exec),
    "a static method": staticmethod(exec),
    "a cache": functools.lru_cache(os.system),
    "an alias": types.GenericAlias(type, (int,)),
    "an annotated type": typing.Annotated[os.popen, 1],
    "a proxy": types.MappingProxyType({"a": exec}),
    "values": {"a": exec}.values(),
    "str.format": str.format,
    "a text's format": "{0.__class__}".format,
    "object.__reduce_ex__": object.__reduce_ex__,
    "a descriptor": types.FunctionType.__dict__["__globals__"],
    "a frame": sys._getframe(),
    "code": run.__code__,
    "operator.attrgetter": operator.attrgetter("__class__"),
    "operator.methodcaller": operator.methodcaller("__reduce_ex__", 4),
    "np.load": np.load,
    "jnp.save": jnp.save,
    "an iterator": itertools.count(),
    "a generator": (x for x in [1]),
    "a map": map(exec, ["1"]),
    "a long range": range(10**12),
    "itself": cycle(),
    "too many parts": doubled(1),
    "too deep": functools.reduce(lambda inner, _: [inner], range(200), 1),
    "a special name": {"__array_interface__": {}},
    "a special text": "__reduce_ex__",
}
OPEN: dict[str, Any] = {
    "a number": 1,
    "an array": np.ones(3),
    "jnp.sum": jnp.sum,
    "a partial": functools.partial(jnp.sum, axis=0),
    "jax.nn.relu": jax.nn.relu,
    "many numbers": [1.0] * 100_000,
    "lists": [[1.0] * 300] * 300,
    "a dict": {"a": (jnp.sin, {"b": None})},
    "math.sqrt": math.sqrt,
    "operator.add": operator.add,
    "str.lower": str.lower,
    "a dtype": jnp.float32,
    "int": int,
    "a defaultdict": collections.defaultdict(list),
    "a namespace": types.SimpleNamespace(lr=1.0),
    "a jitted function": jax.jit(jnp.sin),
    "a tree's structure": jax.tree.structure([1]),
    "a ufunc": np.add,
    "object": object,
    "None": type(None),
    "a slice": slice(None, 2),
    "an exception": ValueError("a"),
    "a range": range(100),
    "the name of the main module": "__main__",
}


@pytest.mark.parametrize("name", CLOSED)
def test_what_no_real_code_is_given(interpreter: Interpreter, name: str) -> None:
    assert gate.refusal(interpreter, jnp.sum, [CLOSED[name]], {}) is not None
    assert gate.refusal(interpreter, jnp.sum, [], {"key": CLOSED[name]}) is not None
    assert not gate.may_have(interpreter, CLOSED[name])


@pytest.mark.parametrize("name", OPEN)
def test_what_it_is_given(interpreter: Interpreter, name: str) -> None:
    assert gate.refusal(interpreter, jnp.sum, [OPEN[name]], {}) is None
    assert gate.may_have(interpreter, {"a": [OPEN[name]]})


@pytest.mark.parametrize("f", [exec, type, abc.ABCMeta, os.system, str.format, functools.partial(exec, "1")])
def test_what_is_not_called(interpreter: Interpreter, f: Any) -> None:
    assert gate.refusal(interpreter, f, [], {}) is not None


DIMS = {
    "3": 3,
    "n": 4,
    "n + 1": 5,
    "2*n - m//2": 7,
    "-m % 5": 3,
    "n**2": 16,
    "f'{n}'": "4",
    "f'n + 1'": "n + 1",
    "f'{n + 1}*m'": "5*m",
}
NO_DIMS = [
    "print()",
    "[print()]and 3",
    "n.real",
    "n[0]",
    "f'{print()}'",
    "f'{n!r}'",
    "f'{n:3}'",
    "f'{n.__class__}'",
    "10**10**10",
    "n / 0",
    "n // 0",
    "n if m else 3",
    "lambda: 3",
    "(x := 3)",
    "True",
    "1.5",
    "__import__('os')",
    "unknown",
    "1" * 2000,
    "(" * 500,
]


@pytest.mark.parametrize("text", DIMS)
def test_dims_are_arithmetic(text: str) -> None:
    assert size_of_dim(text, {"n": 4, "m": 2}) == DIMS[text]


@pytest.mark.parametrize("text", NO_DIMS)
def test_other_dims_are_unknown_names(text: str) -> None:
    with pytest.raises(NameError):
        size_of_dim(text, {"n": 4, "m": 2})


@pytest.mark.parametrize(
    "text", ["int", "list[int]", "int | None", "typing.Optional[int]", "tuple[int, ...]", "None"]
)
def test_annotations_are_types(text: str) -> None:
    code = compile(text, "<string>", "eval")
    assert sealed.evaluated_hint(code, {"typing": typing}) == eval(code)


@pytest.mark.parametrize(
    "text", ["print()", "[print() for _ in 'a']", "int + int", "lambda: 3", "f'{print()}'"]
)
def test_other_annotations_are_unknown_names(text: str) -> None:
    with pytest.raises(NameError):
        sealed.evaluated_hint(compile(text, "<string>", "eval"), {})


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ("nowhere", "nowhere is not installed: its results are unknown"),
        ("flax.nothing", "flax.nothing is not in the installed flax: its results are unknown"),
        ("elsewhere.part", "elsewhere.part is not installed: the results of {} are unknown"),
    ],
)
def test_what_is_missing_is_named(missing: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "flax.training" if missing == "elsewhere.part" else missing
    importlib.import_module("flax")

    def raising(module: str) -> None:
        raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    policy = TrustPolicy([*TRUSTED, "nowhere"])
    monkeypatch.setattr(importlib, "import_module", raising)
    monkeypatch.setattr(registry, "load", lambda: None)
    notes: list[str] = []
    policy.module(name, notes.append)
    assert notes == [told.format(name)]


def test_packages_that_libraries_need_for_nothing_here_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "left_out.py").write_text("")
    (tmp_path / "importing.py").write_text(
        "try:\n    import left_out\nexcept ImportError:\n    left_out = None\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(policy, "UNNEEDED", ("left_out",))
    for trusted, is_there in ((["importing"], False), (["importing", "left_out"], True)):
        module = TrustPolicy(trusted).module("importing", print)
        assert (module.left_out is not None) == is_there == ("left_out" in sys.modules)
        for name in ("importing", "left_out"):
            sys.modules.pop(name, None)
