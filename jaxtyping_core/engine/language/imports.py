"""``import``: modules of the program are walked, trusted libraries imported, all others unknown."""

from __future__ import annotations

import ast
import sys
import types
from typing import TYPE_CHECKING, Any

import jax

from ...identity import identity
from ..control import Frame, RaisedException, Return
from ..facts import entered_from
from ..libraries.calls.memo import X64
from ..libraries.trust.policy import NOT_TRUSTED
from ..scopes import Module, Scope
from ..unresolved import Unresolved
from ..values.callables import Namespace
from ..values.unknowns import UNKNOWN, is_unknown

if TYPE_CHECKING:
    from ..interpreter import Interpreter


def import_modules(interpreter: Interpreter, node: ast.Import, scope: Scope) -> None:
    for alias in node.names:
        whole = module(interpreter, alias.name)
        first = alias.name.partition(".")[0]
        if alias.asname:
            scope.bind(alias.asname, whole)
        else:
            scope.bind(first, module(interpreter, first) if "." in alias.name else whole)


def import_names(interpreter: Interpreter, node: ast.ImportFrom, scope: Scope) -> None:
    source = absolute(node, scope.module)
    if source == "__future__":
        return
    holder = UNKNOWN if source is None else module(interpreter, source)
    for alias in node.names:
        if alias.name == "*":
            _import_all(interpreter, holder, scope)
            continue
        scope.bind(
            alias.asname or alias.name, _imported(interpreter, holder, f"{source}.{alias.name}", alias.name)
        )


def _imported(interpreter: Interpreter, holder: Any, path: str, name: str) -> Any:
    try:
        return name_in(interpreter, holder, path, name, is_import=True)
    except RaisedException as raised:
        if isinstance(raised.value, AttributeError):
            raise RaisedException(ImportError(f"cannot import name {name!r}")) from None
        raise


def absolute(node: ast.ImportFrom, where: Module) -> str | None:
    """The full name of the module that names are imported from."""
    if not node.level:
        return node.module
    parts = where.name.split(".")
    up = node.level - (1 if where.is_package else 0)
    if up > len(parts):
        return None
    base = parts[: len(parts) - up]
    return ".".join([*base, *([node.module] if node.module else [])]) or None


def name_in(interpreter: Interpreter, holder: Any, path: str, name: str, is_import: bool = False) -> Any:
    """A name of a module, or the module of that name in a package; with `is_import`, for an ``import``."""
    if isinstance(holder, Module):
        if holder.scope.holder(name) is not None:
            interpreter.unresolved.reads(holder.scope.variables[name], is_import)
            return holder.scope.variables[name]
        return module(interpreter, path)
    if is_unknown(holder):
        return holder
    value = interpreter.attribute(holder, name)
    return (
        module(interpreter, path) if value is UNKNOWN and not interpreter.natives.has(holder, name) else value
    )


def _import_all(interpreter: Interpreter, holder: Any, scope: Scope) -> None:
    if isinstance(holder, Module):
        listed = holder.scope.variables.get("__all__")
        names = listed if isinstance(listed, list) else [n for n in holder.scope.variables if n[:1] != "_"]
        for name in names:
            scope.bind(name, holder.scope.variables.get(name, UNKNOWN))
    elif isinstance(holder, Namespace):
        for name, value in holder.names.items():
            scope.bind(name, value)
    elif isinstance(holder, types.ModuleType):
        for name in getattr(holder, "__all__", None) or [n for n in vars(holder) if n[:1] != "_"]:
            scope.bind(name, interpreter.attribute(holder, name))


def module(interpreter: Interpreter, name: str) -> Any:
    """The module of this name: the program's own come first, as they do for Python in a script's folder."""
    if name in interpreter.texts:
        parent = name.rpartition(".")[0]
        if parent and parent in interpreter.texts:
            module(interpreter, parent)
        return of_program(interpreter, name)
    if any(known.startswith(f"{name}.") for known in interpreter.texts):  # a folder without ``__init__.py``
        return interpreter.modules.setdefault(name, Module(name, "", True))
    special = interpreter.natives.whole.get(name)
    if special is not None:
        return special
    if package := interpreter.libraries.untrusted(name):
        interpreter.diagnostics.note(NOT_TRUSTED.format(package), package)
    seen = interpreter.libraries.module(name, interpreter.diagnostics.note)
    if seen is UNKNOWN and name.partition(".")[0] not in sys.stdlib_module_names:
        interpreter.has_unknown_libraries = True
        interpreter.may_raise_epoch += 1  # it may not be installed
    return seen


def _import_again(interpreter: Interpreter, module: Module) -> None:
    """A module is imported that was walked before: if that was for another entry, it switches 64-bit types here, too."""
    interpreter.unresolved.imports(module)
    if module.name in interpreter.imported:
        return
    interpreter.imported.add(module.name)
    of_module = interpreter.of_modules.get(identity(module))
    if of_module is not None and not interpreter.context.is_made_up:
        interpreter.imported |= of_module.modules
        for setting in of_module.switches[-1:]:
            jax.config.update(X64, setting)


def of_program(interpreter: Interpreter, name: str, called: str | None = None) -> Module:
    """A module of the program; its top level is walked when it is first needed.

    Args:
        called: its ``__name__``, if that is another.
    """
    if name in interpreter.modules:
        _import_again(interpreter, interpreter.modules[name])
        return interpreter.modules[name]
    interpreter.imported.add(name)
    path, tree, is_package = interpreter.texts[name]
    made = interpreter.modules[name] = Module(name, path, is_package)
    made.scope.variables.update(__name__=called or name, __file__=path, __doc__=None)
    parent, _, last = name.rpartition(".")
    # A module that is run as a script becomes no attribute of its package, which may have a function of that name.
    if parent in interpreter.modules and called is None:
        interpreter.modules[parent].scope.assign(last, made)
    caller = interpreter.node
    frame = Frame(made.scope, "<module>", path, 0, entry=entered_from(interpreter.entry, "", 0))
    interpreter.frames.append(frame)
    outer = interpreter.unresolved
    interpreter.of_modules[identity(made)] = interpreter.unresolved = Unresolved(interpreter)
    try:
        interpreter.top_level(tree.body, made.scope)
    except RaisedException as raised:
        made.failed = True
        if not isinstance(raised.value, SystemExit):  # where it does not fail, it may go on
            interpreter.unresolved.skips(tree)
        interpreter.diagnostics.note(f"{path}: the module raises {type(raised.value).__name__}")
    except Return:
        pass
    finally:
        interpreter.frames.pop()
        interpreter.node, interpreter.unresolved = caller, outer
        outer.imports(made)
    return made
