"""The stubs offer what the modules of JAX offer: the same names and parameters, none narrower than JAX says."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import pytest
from conftest import ROOT, Checker, error_lines

pytestmark = pytest.mark.skipif(
    not jax.__version__.startswith("0.12."),
    reason="the committed stubs describe JAX 0.12, another one is installed",
)

PACKAGE = ROOT / "stubs" / "jax-stubs"
JAX = Path(inspect.getfile(jax)).parent
MODULES = {
    "jax.numpy": "numpy/__init__.pyi",
    "jax.numpy.fft": "numpy/fft.pyi",
    "jax.numpy.linalg": "numpy/linalg.pyi",
    "jax.nn": "nn/__init__.pyi",
    "jax.nn.initializers": "nn/initializers.pyi",
}

#: Functions that JAX's own stub describes other than they are.
JAX_STUB_IS_WRONG = {
    "array": "takes `copy` and what follows by keyword only",
    "clip": "has dropped its deprecated parameters",
    **dict.fromkeys(
        ("percentile", "quantile", "nanpercentile", "nanquantile"),
        "has dropped its deprecated `interpolation`",
    ),
    **dict.fromkeys(
        ("frompyfunc", "unique_all", "unique_counts", "unique_inverse"),
        "returns a class that the copy of JAX's stub defines once more",
    ),
}


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def exported(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                yield name
            case ast.ImportFrom(names=names):
                yield from (alias.name for alias in names if alias.asname == alias.name)


def definitions(tree: ast.Module) -> dict[str, list[ast.FunctionDef]]:
    found: dict[str, list[ast.FunctionDef]] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node)
    return found


def described(node: ast.FunctionDef) -> list[tuple[str, Any]]:
    """The parameters with their kinds."""
    args, kinds = node.args, inspect.Parameter
    starred = [(args.vararg.arg, kinds.VAR_POSITIONAL)] if args.vararg else []
    double = [(args.kwarg.arg, kinds.VAR_KEYWORD)] if args.kwarg else []
    return [
        *((arg.arg, kinds.POSITIONAL_ONLY) for arg in args.posonlyargs),
        *((arg.arg, kinds.POSITIONAL_OR_KEYWORD) for arg in args.args),
        *starred,
        *((arg.arg, kinds.KEYWORD_ONLY) for arg in args.kwonlyargs),
        *double,
    ]


def module(name: str) -> ModuleType:
    return importlib.import_module(name)


@pytest.mark.parametrize("name", MODULES)
def test_names(name: str) -> None:
    public = {found for found in dir(module(name)) if not found.startswith("_")}
    stub = {found for found in exported(parse(PACKAGE / MODULES[name])) if not found.startswith("_")}
    assert stub == public


@pytest.mark.parametrize("name", MODULES)
def test_parameters(name: str) -> None:
    for function, nodes in definitions(parse(PACKAGE / MODULES[name])).items():
        own = [
            (one.name, one.kind)
            for one in inspect.signature(getattr(module(name), function)).parameters.values()
        ]
        if len(nodes) == 1:
            assert described(nodes[0]) == own, function
        for node in nodes:  # overloads split a function up: they may leave parameters out, or name `*args`
            keywords = {
                parameter for parameter, kind in described(node) if kind is inspect.Parameter.KEYWORD_ONLY
            }
            assert keywords <= {parameter for parameter, _ in own}, function


def test_names_of_basearray() -> None:
    """Everything that JAX declares next to its array class, and every attribute of the class."""
    ours, theirs = (parse(path / "_src" / "basearray.pyi") for path in (PACKAGE, JAX))
    assert set(exported(theirs)) <= set(exported(ours))
    for own, other in zip(classes(ours), classes(theirs), strict=True):
        assert members(own) == members(other)
    attributes = {found for found in dir(jax.Array) if not found.startswith("_")} - {"flat"}  # only raises
    assert attributes <= set(members(next(one for one in classes(ours) if one.name == "Array")))


def classes(tree: ast.Module) -> list[ast.ClassDef]:
    return [node for node in tree.body if isinstance(node, ast.ClassDef)]


def members(node: ast.ClassDef) -> list[str]:
    return [one.name for one in node.body if isinstance(one, ast.FunctionDef)]


def test_names_of_scalar_types() -> None:
    source = importlib.import_module("jax._src.numpy.scalar_types")
    tree = parse(PACKAGE / "_src" / "numpy" / "scalar_types.pyi")
    runtime = {name for name, value in vars(source).items() if isinstance(value, source._ScalarMeta)}
    assert runtime | {"_ScalarMeta"} <= set(exported(tree))


def test_parameters_accept_what_jax_says(mypy: Checker, tmp_path: Path) -> None:
    """Assign each function of ours to a variable that has the type of the same function in JAX's own stub.

    That is allowed only where ours accepts every call that JAX's accepts.
    """
    lines, functions = ["import jax.nn", "import jax.numpy", "import stock_nn", "import stock_numpy"], []
    for part in ("numpy", "nn"):
        stub = JAX / part / "__init__.pyi"
        (tmp_path / f"stock_{part}.pyi").write_text(
            "# mypy: ignore-errors\n" + stub.read_text(encoding="utf-8")
        )
        for name in dict.fromkeys(name for name in declared(parse(stub)) if not name.startswith("_")):
            lines += [f"v{len(lines)} = stock_{part}.{name}", f"v{len(lines)} = jax.{part}.{name}"]
            functions.append(name)
    program = tmp_path / "program.py"
    program.write_text("\n".join(lines) + "\n")
    errors = mypy(program, tmp_path / "stock_numpy.pyi", tmp_path / "stock_nn.pyi")
    found = {str(re.findall(r"\w+$", lines[line - 1])[0]) for line in error_lines(errors)}
    assert len(functions) > 300
    assert found == set(JAX_STUB_IS_WRONG), errors


def declared(tree: ast.Module) -> Iterator[str]:
    """The functions and ufuncs."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="BinaryUfunc")):
                yield name


@pytest.mark.parametrize("x64", [False, True])
def test_boolean_results(x64: bool) -> None:
    """The functions that are said to return booleans do, for every kind of number."""
    source = (PACKAGE / "numpy" / "__init__.pyi").read_text(encoding="utf-8")
    names = re.findall(r"^def (\w+)\(.*-> Array\[_bool_, Any\]", source, re.MULTILINE)
    assert len(names) > 20
    with jax.enable_x64(x64):
        for name in names:
            function = getattr(jax.numpy, name)
            required = [
                one for one in inspect.signature(function).parameters.values() if one.default is one.empty
            ]
            for dtype in ("bool", "uint8", "int32", "float32", "bfloat16", "complex64"):
                accepts = not (dtype == "complex64" and name in ("isneginf", "isposinf", "signbit"))
                argument = jax.ShapeDtypeStruct((3,), dtype)
                if accepts:
                    assert jax.eval_shape(function, *[argument] * len(required)).dtype == bool, (name, dtype)
