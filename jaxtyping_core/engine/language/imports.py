"""``import``: modules of the program are walked, trusted libraries imported, all others unknown."""

from __future__ import annotations

import ast
import types
from typing import TYPE_CHECKING, Any

from ..control import Frame, Raised, Return
from ..facts import entered_from
from ..scopes import Module, Scope
from ..values.callables import Namespace
from ..values.unknowns import UNKNOWN, is_unknown

if TYPE_CHECKING:
    from ..interpreter import Machine


def import_modules(machine: Machine, node: ast.Import, scope: Scope) -> None:
    for alias in node.names:
        whole = module(machine, alias.name)
        first = alias.name.partition(".")[0]
        if alias.asname:
            scope.bind(alias.asname, whole)
        else:
            scope.bind(first, module(machine, first) if "." in alias.name else whole)


def import_names(machine: Machine, node: ast.ImportFrom, scope: Scope) -> None:
    source = absolute(node, scope.module)
    if source == "__future__":
        return
    holder = UNKNOWN if source is None else module(machine, source)
    for alias in node.names:
        if alias.name == "*":
            _import_all(machine, holder, scope)
            continue
        scope.bind(
            alias.asname or alias.name, _imported(machine, holder, f"{source}.{alias.name}", alias.name)
        )


def _imported(machine: Machine, holder: Any, path: str, name: str) -> Any:
    try:
        return name_in(machine, holder, path, name)
    except Raised as raised:
        if isinstance(raised.value, AttributeError):
            raise Raised(ImportError(f"cannot import name {name!r}")) from None
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


def name_in(machine: Machine, holder: Any, path: str, name: str) -> Any:
    """A name of a module, or the module of that name in a package."""
    if isinstance(holder, Module):
        if holder.scope.holder(name) is not None:
            machine.unresolved.reads(holder.scope.variables[name])
            return holder.scope.variables[name]
        return module(machine, path)
    if is_unknown(holder):
        return holder
    value = machine.attribute(holder, name)
    return module(machine, path) if value is UNKNOWN and not machine.natives.has(holder, name) else value


def _import_all(machine: Machine, holder: Any, scope: Scope) -> None:
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
            scope.bind(name, machine.attribute(holder, name))


def module(machine: Machine, name: str) -> Any:
    """The module of this name: the program's own come first, as they do for Python in a script's folder."""
    if name in machine.texts:
        parent = name.rpartition(".")[0]
        if parent and parent in machine.texts:
            module(machine, parent)
        return of_program(machine, name)
    if any(known.startswith(f"{name}.") for known in machine.texts):  # a folder without ``__init__.py``
        return machine.modules.setdefault(name, Module(name, "", True))
    special = machine.natives.whole.get(name)
    return machine.libraries.module(name, machine.diagnostics.note) if special is None else special


def of_program(machine: Machine, name: str, called: str | None = None) -> Module:
    """A module of the program; its top level is walked when it is first needed.

    Args:
        called: its ``__name__``, if that is another.
    """
    if name in machine.modules:
        return machine.modules[name]
    path, tree, is_package = machine.texts[name]
    made = machine.modules[name] = Module(name, path, is_package)
    made.scope.variables.update(__name__=called or name, __file__=path, __doc__=None)
    parent, _, last = name.rpartition(".")
    # A module that is run as a script becomes no attribute of its package, which may have a function of that name.
    if parent in machine.modules and called is None:
        machine.modules[parent].scope.assign(last, made)
    caller = machine.node
    frame = Frame(made.scope, "<module>", path, 0, entry=entered_from(machine.entry, "", 0))
    machine.frames.append(frame)
    try:
        machine.top_level(tree.body, made.scope)
    except Raised as raised:
        made.failed = True
        if not isinstance(raised.value, SystemExit):  # where it does not fail, it may go on
            machine.unresolved.skips(tree)
        machine.diagnostics.note(f"{path}: the module raises {type(raised.value).__name__}")
    except Return:
        pass
    finally:
        machine.frames.pop()
        machine.node = caller
    return made
