"""The stubs offer what the modules of JAX offer: the same names and parameters, none narrower than JAX says."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import pytest

from conftest import PROGRAMS, ROOT, Checker, error_lines

pytestmark = pytest.mark.skipif(
    not jax.__version__.startswith("0.12."),
    reason="the committed stubs describe JAX 0.12, another one is installed",
)

PACKAGE = ROOT / "stubs" / "jax-stubs"
JAX = Path(inspect.getfile(jax)).parent
SURFACE = PROGRAMS / "surface.py"

#: Stubs of what is no module at run time, or has tests of its own.
OTHERS = {
    "jax._arrays",
    "jax._arrays.basearray",
    "jax._defaults",
    "jax._initializers",
    "jax._jaxlib",
    "jax._operands",
    "jax._python",
    "jax._scalars",
    "jax._transformations",
    "jax._src.basearray",
    "jax._src.numpy.scalar_types",
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


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(["jax", *(parts[:-1] if parts[-1] == "__init__" else parts)])


STUBS = {module_name(path): path for path in sorted(PACKAGE.rglob("*.pyi"))}
MODULES = sorted(set(STUBS) - OTHERS)
PUBLIC = [name for name in MODULES if not name.startswith("jax._src")]


def flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements, also those within branches."""
    for node in body:
        yield from (flat([*node.body, *node.orelse]) if isinstance(node, ast.If) else [node])


def exported(tree: ast.Module) -> Iterator[str]:
    for node in flat(tree.body):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=listed)):
                yield from map(ast.literal_eval, listed)
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                yield name
            case ast.ImportFrom(names=names) | ast.Import(names=names):
                yield from (alias.name for alias in names if alias.asname == alias.name)


def definitions(tree: ast.Module) -> dict[str, list[ast.FunctionDef]]:
    by_name: dict[str, list[ast.FunctionDef]] = {}
    for node in flat(tree.body):
        if isinstance(node, ast.FunctionDef):
            by_name.setdefault(node.name, []).append(node)
    return by_name


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


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


#: Names that no module of JAX has: JAX's own stubs export Any, ours the switch of the mypy plugin.
OURS = {"Any", "JAXTYPING_CORE_PLUGIN"}


@pytest.mark.parametrize("name", PUBLIC)
def test_names(name: str) -> None:
    """A public module: its public names, and what it still has for type checkers alone."""
    real = module(name)
    public = {attribute for attribute in dir(real) if not attribute.startswith("_")}
    modules = {attribute for attribute in public if isinstance(getattr(real, attribute), ModuleType)}
    stub = {attribute for attribute in exported(parse(STUBS[name])) if not attribute.startswith("_")}
    assert public - modules - {"annotations"} <= stub
    source = inspect.getsource(real)
    assert all(
        re.search(rf"\b{attribute} = ", source) for attribute in stub - public - OURS
    )  # deprecated ones


@pytest.mark.parametrize("name", sorted(set(MODULES) - set(PUBLIC)))
def test_names_below(name: str) -> None:
    """A private module: all of its names. Its own modules are found without being named."""
    real = module(name)
    own = {attribute for attribute in vars(real) if not is_dunder(attribute)} - {"annotations"}
    nested = {
        attribute
        for attribute in own
        if isinstance(value := getattr(real, attribute), ModuleType)
        and value.__name__ == f"{name}.{attribute}"
    }
    assert own - nested <= set(exported(parse(STUBS[name])))


@pytest.mark.parametrize("name", MODULES)
def test_parameters(name: str) -> None:
    for function, nodes in definitions(parse(STUBS[name])).items():
        own = [
            (parameter.name, parameter.kind) for parameter in signature(getattr(module(name), function, None))
        ]
        if own and not any(described(node) == own for node in nodes):
            # Overloads split a function up: they may leave parameters out, or name `*args`.
            assert len(nodes) > 1, function
            for node in nodes:
                assert keywords(node) <= {parameter for parameter, _ in own}, function


def signature(function: Any) -> list[inspect.Parameter]:
    """The parameters of a function; none where they are not known."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []
    opaque = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    return [] if {parameter.kind for parameter in parameters} <= opaque else parameters


def keywords(node: ast.FunctionDef) -> set[str]:
    return {name for name, kind in described(node) if kind is inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize("name", STUBS)
def test_imports(name: str) -> None:
    """The stubs import from one another what they have, and from JAX's sources nothing."""
    for node in flat(parse(STUBS[name]).body):
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "jax":
            for alias in node.names:
                if alias.name != "*" and f"{node.module}.{alias.name}" not in STUBS:
                    assert alias.name in names_of(str(node.module)), (node.module, alias.name)


@functools.cache
def names_of(name: str) -> set[str]:
    return set(exported(parse(STUBS[name])))


def test_names_of_basearray() -> None:
    """Everything that JAX declares next to its array class, and every attribute of the class."""
    ours, theirs = (parse(path / "_src" / "basearray.pyi") for path in (PACKAGE, JAX))
    assert set(exported(theirs)) <= set(exported(ours))
    for name, node in classes(theirs).items():
        assert members(node) <= with_bases(ours, name.removeprefix("_"))
    attributes = {attribute for attribute in dir(jax.Array) if not attribute.startswith("_")} - {
        "flat"
    }  # only raises
    assert attributes <= with_bases(ours, "Array")


def classes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    return {node.name: node for node in flat(tree.body) if isinstance(node, ast.ClassDef)}


def with_bases(tree: ast.Module, name: str) -> set[str]:
    """What a class defines or inherits from another one of the module."""
    node = classes(tree)[name]
    bases = {ast.unparse(base).partition("[")[0] for base in node.bases} & set(classes(tree))
    return members(node).union(*(with_bases(tree, base) for base in bases))


def members(node: ast.ClassDef) -> set[str]:
    return {statement.name for statement in flat(node.body) if isinstance(statement, ast.FunctionDef)}


def test_names_of_scalar_types() -> None:
    source = importlib.import_module("jax._src.numpy.scalar_types")
    tree = parse(PACKAGE / "_src" / "numpy" / "scalar_types.pyi")
    runtime = {name for name, value in vars(source).items() if isinstance(value, source._ScalarMeta)}
    assert runtime | {"_ScalarMeta"} <= set(exported(tree))


def test_parameters_accept_what_jax_says(mypy: Checker, tmp_path: Path) -> None:
    """Assign each function of ours to a variable that has the type of the same function in JAX's own stub.

    That is allowed only where ours accepts every call that JAX's accepts. Overloads of JAX's are taken one by one:
    mypy wants those of two functions to be in the same order, and ours has more.
    """
    lines, functions = ["import jax.nn", "import jax.numpy", "import stock_nn", "import stock_numpy"], []
    for part in ("numpy", "nn"):
        stub = JAX / part / "__init__.pyi"
        tree = parse(stub)
        single = dict(overloads(tree))
        (tmp_path / f"stock_{part}.pyi").write_text(
            "\n".join(["# mypy: ignore-errors", stub.read_text(encoding="utf-8"), *map(ast.unparse, single)])
        )
        forms = [(name, name) for name in declared(tree) if name not in single.values()]
        for form, name in [*dict.fromkeys(forms), *((node.name, name) for node, name in single.items())]:
            if not name.startswith("_"):
                lines += [f"v{len(lines)} = stock_{part}.{form}", f"v{len(lines)} = jax.{part}.{name}"]
                functions.append(name)
    program = tmp_path / "program.py"
    program.write_text("\n".join(lines) + "\n")
    errors = mypy(program, tmp_path / "stock_numpy.pyi", tmp_path / "stock_nn.pyi")
    refused = {str(re.findall(r"\w+$", lines[line - 1])[0]) for line in error_lines(errors)}
    assert len(functions) > 300
    assert refused == set(JAX_STUB_IS_WRONG), errors


def overloads(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    """The overloads, each as a function of its own with a name of its own, and the name that it has."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            alone = ast.FunctionDef(
                f"{node.name}_{node.lineno}", node.args, node.body, [], node.returns, lineno=node.lineno
            )
            yield alone, node.name


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
    names = set(
        re.findall(r"^(?:    )?def ([a-z]\w+)\(.*-> basearray\.Array\[_bool_, Any\]", source, re.MULTILINE)
    )
    assert len(names) > 20
    with jax.enable_x64(x64):
        for name in names:
            function = getattr(jax.numpy, name)
            required = [
                parameter
                for parameter in inspect.signature(function).parameters.values()
                if parameter.default is parameter.empty
            ]
            for dtype in ("bool", "uint8", "int32", "float32", "bfloat16", "complex64"):
                accepts = not (dtype == "complex64" and name in ("isneginf", "isposinf", "signbit"))
                argument = jax.ShapeDtypeStruct((3,), dtype)
                if accepts:
                    assert jax.eval_shape(function, *[argument] * len(required)).dtype == bool, (name, dtype)


@pytest.mark.one_python
def test_interface_has_no_errors(checker: Checker) -> None:
    """Classes, decorators, context managers and modules keep working in a correct program."""
    assert checker(SURFACE) == []


@pytest.mark.one_python
def test_interface_runs() -> None:
    runpy.run_path(str(SURFACE), run_name="__main__")


def test_sources_are_not_read(tmp_path: Path) -> None:
    """What imports only the public modules makes mypy read the stubs alone."""
    program = tmp_path / "program.py"
    program.write_text("import jax\nimport jax.numpy as jnp\nx = jnp.ones(3)\n")
    command = [sys.executable, "-m", "mypy", "-v", "--config-file=", "--cache-dir=/dev/null", str(program)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    read = {path for path in re.findall(r"Parsing (\S+)", done.stderr) if "site-packages/jax" in path}
    sources = {path for path in read if "jax-stubs" not in path}
    assert all(not re.search(r"^(from|import) ", Path(path).read_text(), re.MULTILINE) for path in sources)


def test_every_name_is_defined() -> None:
    """A checker that does not know a name takes it for anything, and says nothing in a stub."""
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--no-cache",
        "--select",
        "F821",
        str(PACKAGE),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


VOCABULARY = ("SupportsSum", "SupportsPromotion", "BaseArray", "R", "S", "basearray", "ufunc_add")


@pytest.mark.one_python
@pytest.mark.parametrize("name", VOCABULARY)
def test_the_vocabulary_is_no_part_of_public_modules(name: str) -> None:
    """What rows are written with is imported by a module without being exported."""
    assert name in (PACKAGE / "numpy" / "__init__.pyi").read_text(encoding="utf-8")
    assert name not in exported(parse(PACKAGE / "numpy" / "__init__.pyi"))
    assert name not in exported(parse(PACKAGE / "lax" / "__init__.pyi"))
