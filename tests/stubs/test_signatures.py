"""What an editor shows of a function: few signatures, the first of which reads like JAX's documentation."""

from __future__ import annotations

import ast
import importlib
import inspect
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from conftest import current_jax
from jaxtyping_core_stubs import declared, switches
from jaxtyping_core_stubs.rules import budget

STUBS = Path(__file__).parents[2] / "stubs" / "jax-stubs"
#: The modules whose functions programs call.
PUBLIC = ("jax.numpy", "jax.lax", "jax.nn", "jax.random", "jax.scipy", "jax.image", "jax.ops")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of functions that are looked up


class Shown(NamedTuple):
    """A function with its signatures."""

    path: str
    signatures: list[ast.FunctionDef]


def seen(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that editors read."""
    for node in body:
        if not isinstance(node, ast.If):
            yield node
        elif ast.unparse(node.test) == ast.unparse(ast.parse(switches.NO_PLUGIN)):
            yield from seen(node.body)
        else:
            yield from seen(node.orelse or node.body)


def signatures(body: list[ast.stmt]) -> dict[str, list[ast.FunctionDef]]:
    by_name: dict[str, list[ast.FunctionDef]] = {}
    for node in seen(body):
        if isinstance(node, ast.FunctionDef):
            by_name.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.ClassDef) and node.name.startswith("_ufunc_"):
            by_name[node.name.removeprefix("_ufunc_")] = signatures(node.body).get("__call__", [])
    return by_name


def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def module_of(file: Path) -> str:
    parts = ("jax", *file.relative_to(STUBS).with_suffix("").parts)
    return ".".join(part for part in parts if part != "__init__")


FUNCTIONS = [
    Shown(f"{module}.{name}", definitions)
    for file in sorted(STUBS.rglob("*.pyi"))
    if (module := module_of(file)).startswith(PUBLIC)
    for name, definitions in signatures(tree(file).body).items()
    if not name.startswith("_") and definitions
]


def own(path: str) -> int:
    """The signatures that JAX itself declares."""
    module, _, name = path.rpartition(".")
    return declared.count(path, getattr(importlib.import_module(module), name))


@current_jax
def test_no_function_has_more_signatures_than_people_read() -> None:
    many = {
        shown.path: len(shown.signatures)
        for shown in FUNCTIONS
        if len(shown.signatures) > max(budget.most(shown.path), own(shown.path))
    }
    assert not many


def test_methods_and_transformations_have_no_more_either() -> None:
    members = next(
        node
        for node in tree(STUBS / "_src" / "basearray.pyi").body
        if isinstance(node, ast.ClassDef) and node.name == "ArrayMembers"
    )
    shown = signatures(members.body) | signatures(tree(STUBS / "_transformations.pyi").body)
    assert {"astype", "reshape", "sum", "grad", "scan"} <= shown.keys()
    many = {name: len(rows) for name, rows in shown.items() if len(rows) > budget.MOST and name[0] != "_"}
    assert not many


def test_half_of_the_functions_have_three_or_fewer() -> None:
    assert len(FUNCTIONS) > 700
    assert statistics.median(len(shown.signatures) for shown in FUNCTIONS) <= 3


@current_jax  # older versions of Python do not read the type parameters of some functions
def test_all_rows_together_are_few() -> None:
    overloads = sum(
        isinstance(node, ast.FunctionDef)
        and any("overload" in ast.unparse(each) for each in node.decorator_list)
        for file in STUBS.rglob("*.pyi")
        for node in ast.walk(tree(file))
    )
    assert overloads <= 5_000


@current_jax
def test_one_number_of_arguments_leaves_few_open() -> None:
    many = {}
    for shown in FUNCTIONS:
        limit = max(budget.MORE_OPEN.get(shown.path, budget.MOST_OPEN), own(shown.path) + 1)
        most = max(sum(_may_take(row, other) for row in shown.signatures) for other in shown.signatures)
        if most > limit:
            many[shown.path] = most
    assert not many


def _arguments(row: ast.FunctionDef) -> list[tuple[ast.arg, ast.expr | None]]:
    spec = row.args
    plain = [*spec.posonlyargs, *spec.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(spec.defaults))
    return [
        *zip(plain, [*defaults, *spec.defaults], strict=True),
        *zip(spec.kwonlyargs, spec.kw_defaults, strict=True),
    ]


def _may_take(row: ast.FunctionDef, other: ast.FunctionDef) -> bool:
    """Whether a row may take the shortest call that another is for: not if both spell out an argument, and not the same."""
    own, others = _spelled_out(row), _spelled_out(other)
    same = all(own[name] == others[name] for name in own.keys() & others.keys())
    return same and _needed(row) <= _needed(other) <= _taken(row)


def _spelled_out(row: ast.FunctionDef) -> dict[str, str]:
    """The arguments that must be given and have one value."""
    required = {
        arg.arg: ast.unparse(arg.annotation or arg) for arg, default in _arguments(row) if default is None
    }
    return {name: text for name, text in required.items() if text.startswith("Literal[")}


def _needed(row: ast.FunctionDef) -> frozenset[str]:
    return frozenset(arg.arg for arg, default in _arguments(row) if default is None) - {"self"}


def _taken(row: ast.FunctionDef) -> frozenset[str]:
    """The arguments that it takes, but for those that may only be what they are when they are left out."""
    names = {arg.arg for arg, default in _arguments(row) if default is None or not _is_default(arg, default)}
    return frozenset(names - {"self"})


def _is_default(arg: ast.arg, default: ast.expr) -> bool:
    text = ast.unparse(arg.annotation) if arg.annotation else ""
    return text in (ast.unparse(default), f"Literal[{ast.unparse(default)}]")


@current_jax
@pytest.mark.parametrize(
    "path",
    [
        *("jax.numpy.sum", "jax.numpy.zeros", "jax.numpy.concatenate", "jax.numpy.argmax", "jax.numpy.array"),
        *("jax.numpy.expand_dims", "jax.nn.softmax", "jax.random.normal", "jax.numpy.full", "jax.lax.top_k"),
    ],
)
def test_the_first_signature_has_the_parameters_of_the_function(path: str) -> None:
    module, _, name = path.rpartition(".")
    parameters = inspect.signature(getattr(importlib.import_module(module), name)).parameters
    first = next(shown for shown in FUNCTIONS if shown.path == path).signatures[0]
    names = [arg.arg for arg, _ in _arguments(first)]
    assert names == [parameter for parameter in parameters if parameter in names], "in their order"
    left_out = set(parameters) - set(names)
    assert all(parameters[parameter].default is not inspect.Parameter.empty for parameter in left_out)
