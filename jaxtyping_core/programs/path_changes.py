"""The folders that a script puts on Python's path before it imports from them: ``sys.path.insert(0, ...)`` and the like.

Only the text is read. Followed are the ways in which scripts write a folder beside them: texts, `__file__`, functions of `os.path`,
and `pathlib.Path`. A relative folder is taken from the folder of the file, where notebooks run, and scripts mostly.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

#: Methods that change ``sys.path``, with the argument that has the folder, or the folders.
METHODS = {"insert": 1, "append": 0, "extend": 0}
#: Functions of a path that scripts call, by their last name.
FUNCTIONS: dict[str, Callable[..., Path]] = {
    "abspath": Path,
    "as_posix": Path,
    "absolute": Path,
    "dirname": lambda path: Path(path).parent,
    "expanduser": Path,
    "fspath": Path,
    "join": Path,
    "joinpath": Path,
    "normpath": Path,
    "Path": Path,
    "realpath": Path,
    "resolve": Path,
    "str": Path,
}


class _NotFollowedError(Exception):
    """An expression is none of those that scripts write for a folder."""


def folders_added(file: Path, text: str) -> list[Path]:
    """The folders that the top level of a file adds to the path, as far as they are there.

    Args:
        file: where the text is.
        text: a program that can be parsed.
    """
    if "sys.path" not in text:
        return []
    absolute = file.absolute()
    names: dict[str, Path] = {"__file__": absolute}
    folders: list[Path] = []
    for statement in _statements(ast.parse(text).body):
        if isinstance(statement, ast.Assign):
            _assign(statement, names, absolute)
        for expression in _added(statement):
            try:
                folder = absolute.parent / _path(expression, names, absolute)
            except _NotFollowedError:
                continue
            if folder.is_dir():
                folders.append(_as_written(Path(os.path.normpath(folder)), file))
    return folders


def _as_written(folder: Path, file: Path) -> Path:
    """A folder, relative to where the command runs if the file is."""
    near = not file.is_absolute() and folder.is_relative_to(Path.cwd())
    return folder.relative_to(Path.cwd()) if near else folder


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of the top level, and those under its conditions."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try, ast.With, ast.For)):
            yield from _statements(statement.body)


def _assign(statement: ast.Assign, names: dict[str, Path], file: Path) -> None:
    for target in statement.targets:
        if isinstance(target, ast.Name):
            names.pop(target.id, None)
            try:
                names[target.id] = _path(statement.value, names, file)
            except _NotFollowedError:
                continue


def _added(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of the folders that a statement adds."""
    if isinstance(statement, ast.AugAssign) and _is_path(statement.target):
        yield from _parts(statement.value)
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and _is_path(call.func.value):
        place = METHODS.get(call.func.attr)
        if place is not None and len(call.args) > place:
            yield from _parts(call.args[place])


def _parts(expression: ast.expr) -> list[ast.expr]:
    return expression.elts if isinstance(expression, (ast.List, ast.Tuple)) else [expression]


def _is_path(expression: ast.expr) -> bool:
    return ast.unparse(expression) == "sys.path"


def _path(node: ast.expr, names: dict[str, Path], file: Path) -> Path:
    """The path that an expression stands for.

    Raises:
        _NotFollowedError: it is no expression that is followed.
    """
    match node:
        case ast.Constant(value=str(text)):
            return Path(text)
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.Attribute(attr="parent", value=value):
            return _path(value, names, file).parent
        case ast.Attribute(attr="pardir"):
            return Path("..")
        case ast.Subscript(
            value=ast.Attribute(attr="parents", value=value), slice=ast.Constant(value=int(up))
        ):
            parents: Any = _path(value, names, file).parents
            if up < len(parents):
                return Path(parents[up])
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            return _path(left, names, file) / _path(right, names, file)
        case ast.Call(func=ast.Attribute(attr="getcwd" | "cwd"), args=[]):
            return file.parent
        case ast.Call(func=function, args=arguments):
            return _called(function, arguments, names, file)
    raise _NotFollowedError


def _called(function: ast.expr, arguments: list[ast.expr], names: dict[str, Path], file: Path) -> Path:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    make = FUNCTIONS.get(name)
    if make is None:
        raise _NotFollowedError
    values = [_path(argument, names, file) for argument in arguments]
    if isinstance(function, ast.Attribute) and name in (
        "resolve",
        "absolute",
        "as_posix",
        "joinpath",
        "expanduser",
    ):
        values = [_path(function.value, names, file), *values]
    if not values:
        raise _NotFollowedError
    return make(*values)
