"""Whether a program switches on JAX's 64-bit types, by what its modules say when they are imported or run.

The switch is one of the whole process: a program has 64-bit types if any of its modules switches them on. What is said under a
condition, or in a function that the module does not call at once, is not known to happen: then the settings decide.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.sources import Module, Program, parse, read
from jaxtyping_core.settings import X64_VARIABLE, is_true

#: What a text has that says anything of 64-bit types.
MENTIONS = re.compile(r"enable_x64|ENABLE_X64")
OPTION = "jax_enable_x64"
#: The names under which `jax.config` is known.
CONFIGS = ("jax.config", "config", "jax_config", "jconfig")
#: Functions that switch them on or off when they are called, unless they are contexts.
SWITCHES = ("numpyro.enable_x64",)
#: The file of pytest with what holds for all tests of a folder.
OF_TESTS = "conftest.py"
#: Functions within each other that are followed from the top level.
DEEPEST = 3


def is_on(program: Program, configured: bool) -> bool:
    """Whether a program has 64-bit types; `configured` is what its settings and the environment say."""
    said = [
        said_by(module.text) for module in (*program.modules.values(), *_of_tests(program)) if module.text
    ]
    if True in said:
        return True
    return False if False in said else configured


def _of_tests(program: Program) -> Iterator[Module]:
    """The files of pytest that are imported before the tests of a program."""
    for entry in program.entry_modules:
        file = Path(entry.path)
        if not file.name.startswith("test_") and not file.stem.endswith("_test"):
            continue
        for folder in (file.parent, *file.parent.parents):
            found = folder / OF_TESTS
            if found.is_file():
                try:
                    yield Module(str(found), read(found)[0], False)
                except CommandError:
                    continue
            if folder.resolve() == program.root.resolve():
                break


@functools.lru_cache(maxsize=2_000)
def said_by(text: str) -> bool | None:
    """What a module says of 64-bit types when it is imported or run; the last word counts. None if it says nothing."""
    if not MENTIONS.search(text):
        return None
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    words = [*_words(tree.body, functions, 0)]
    return words[-1] if words else None


def _words(body: Iterable[ast.stmt], functions: dict[str, ast.FunctionDef], depth: int) -> Iterator[bool]:
    """What statements say that are surely run."""
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Call() as call):
                yield from _of_call(call, functions, depth)
            case ast.Assign(targets=[target], value=ast.Constant(value=value)):
                if ast.unparse(target) in {f"{name}.{OPTION}" for name in CONFIGS} and isinstance(
                    value, bool
                ):
                    yield value
                elif _is_variable(target) and isinstance(value, str):
                    yield is_true(value)
            case ast.Assign(value=ast.Call() as call) | ast.AnnAssign(value=ast.Call() as call):
                yield from _of_call(call, functions, depth)
            case ast.If(test=test, body=inner) if _is_main(test):
                yield from _words(inner, functions, depth)
            case ast.Try(body=inner, finalbody=last):
                yield from _words([*inner, *last], functions, depth)
            case ast.With(body=inner):
                yield from _words(inner, functions, depth)


def _of_call(call: ast.Call, functions: dict[str, ast.FunctionDef], depth: int) -> Iterator[bool]:
    name = ast.unparse(call.func)
    if name in {f"{config}.update" for config in CONFIGS}:
        match [*call.args, *(keyword.value for keyword in call.keywords)]:
            case [ast.Constant(value=option), ast.Constant(value=bool(value))] if option == OPTION:
                yield value
    elif name in SWITCHES:
        match [*call.args, *(keyword.value for keyword in call.keywords)]:
            case []:
                yield True
            case [ast.Constant(value=bool(value))]:
                yield value
    elif name == "os.environ.setdefault":
        match call.args:
            case [ast.Constant(value=variable), ast.Constant(value=str(text))] if variable == X64_VARIABLE:
                yield is_true(text)
    elif name in functions and depth < DEEPEST:
        yield from _words(functions[name].body, functions, depth + 1)


def _is_variable(target: ast.expr) -> bool:
    """``os.environ["JAX_ENABLE_X64"]``"""
    match target:
        case ast.Subscript(value=holder, slice=ast.Constant(value=name)):
            return name == X64_VARIABLE and ast.unparse(holder) in ("os.environ", "environ")
    return False


def _is_main(test: ast.expr) -> bool:
    """``__name__ == "__main__"``"""
    return any(isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(test))
