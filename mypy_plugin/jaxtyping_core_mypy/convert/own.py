"""The program's own functions, and what is open in the types that they declare."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from mypy.expandtype import expand_type
from mypy.nodes import (
    GDEF,
    Decorator,
    Expression,
    FuncDef,
    ImportFrom,
    MemberExpr,
    MypyFile,
    NameExpr,
    OverloadedFuncDef,
    RefExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.subtypes import is_subtype
from mypy.type_visitor import TypeQuery
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarType,
    get_proper_type,
)

from jaxtyping_core.domain.values import Own
from jaxtyping_core_mypy.convert.abstract import is_abstract_dtype, is_array

#: Folders of installed packages.
PACKAGES = frozenset({"site-packages", "dist-packages"})
INSTALLED = PACKAGES | {"typeshed"}


class _HasAny(TypeQuery[bool]):
    def strategy(self, items: list[bool]) -> bool:
        return any(items)

    def visit_any(self, t: AnyType) -> bool:
        return True

    def visit_type_var(self, t: TypeVarType) -> bool:
        return False  # a call says what it is

    def visit_tuple_type(self, t: TupleType) -> bool:
        return self.query_types(t.items)  # its fallback is often a tuple of anything


class _HasAbstract(_HasAny):
    def visit_any(self, t: AnyType) -> bool:
        return False

    def visit_instance(self, t: Instance) -> bool:
        return is_abstract_dtype(t.type) or self.query_types(t.args)


class _Arrays(TypeQuery[list[Instance]]):
    def strategy(self, items: list[list[Instance]]) -> list[Instance]:
        return [array for arrays in items for array in arrays]

    def visit_instance(self, t: Instance) -> list[Instance]:
        return [t] if is_array(t) and len(t.args) == 2 else self.query_types(t.args)


def declares_shapes(typ: Type) -> bool:
    """Whether the number of dims is said of each array in a type, of which there is one."""
    shapes = [get_proper_type(array.args[1]) for array in typ.accept(_Arrays())]
    return bool(shapes) and all(isinstance(shape, TupleType) for shape in shapes)


def has_open_dtype(typ: Type) -> bool:
    """Whether there is an array in a type whose dtype is not known, or only of which kind it is."""
    return any(has_any(array.args[0]) or has_abstract(array.args[0]) for array in typ.accept(_Arrays()))


def has_any(typ: Type) -> bool:
    """Whether something is open in a type."""
    return typ.accept(_HasAny())


def has_abstract(typ: Type) -> bool:
    """Whether a type says of a dtype only of which kind it is, as `floating` does."""
    return typ.accept(_HasAbstract())


def refines(typ: Type, declared: Type) -> bool:
    """Whether a type is one of those that the declared one allows."""
    return is_subtype(typ, declared)


def takes_calls(typ: Type) -> bool:
    """Whether a value of this type is a function, or what JAX makes of one."""
    proper = get_proper_type(typ)
    return isinstance(proper, FunctionLike) or _is_of_jax(proper)


def _is_of_jax(typ: Type | None) -> bool:
    return isinstance(typ, Instance) and typ.type.module_name.startswith("jax.") and not is_array(typ)


def own_function(expr: RefExpr, modules: Mapping[str, MypyFile]) -> Own | None:
    """The function of the program that a name stands for, under the file of its module.

    None where its annotations say all, and for functions of installed packages.
    """
    node = expr.node
    is_function = isinstance(node, (FuncDef, Decorator, Var)) and _is_open(node)
    return _at_top_level(expr, modules) if is_function else None


def own_class(expr: RefExpr, modules: Mapping[str, MypyFile]) -> Own | None:
    """The class of the program that a name stands for, under the file of its module."""
    return _at_top_level(expr, modules) if isinstance(expr.node, TypeInfo) else None


def own_type(cls: TypeInfo, modules: Mapping[str, MypyFile]) -> Own | None:
    """A class at the top level of a module of the program, under the file of that."""
    tree = _module(cls.module_name, modules)
    name = cls.fullname.removeprefix(f"{cls.module_name}.")
    return None if tree is None or "." in name else Own(tree.path, name)


def own_variable(expr: Expression, modules: Mapping[str, MypyFile]) -> Own | None:
    """The variable of a module of the program that a name stands for, whatever it holds."""
    return _at_top_level(expr, modules) if isinstance(expr, RefExpr) and isinstance(expr.node, Var) else None


def _at_top_level(expr: RefExpr, modules: Mapping[str, MypyFile]) -> Own | None:
    """What has a name at the top level of a module of the program."""
    if expr.kind != GDEF or not isinstance(expr.node, (FuncDef, Decorator, Var, TypeInfo)):
        return None
    module, _, name = expr.node.fullname.rpartition(".")
    tree = _module(module, modules)
    return None if tree is None else Own(tree.path, name)


def of_library(expr: RefExpr, tree: MypyFile, trusted: Collection[str]) -> Own | None:
    """The function or class of a trusted package that a name in the module `tree` stands for, by a public path.

    A package may give it a name by an assignment, as Optax does (``l2_loss = losses.l2_loss``).
    """
    if expr.fullname.partition(".")[0] not in trusted or not isinstance(
        expr.node, (FuncDef, Decorator, OverloadedFuncDef, TypeInfo, Var)
    ):
        return None
    path: str | None = None
    if (
        isinstance(expr, MemberExpr)
        and isinstance(expr.expr, RefExpr)
        and isinstance(expr.expr.node, MypyFile)
    ):
        path = f"{expr.expr.node.fullname}.{expr.name}"
    elif isinstance(expr, NameExpr):
        imports = [node for node in tree.imports if isinstance(node, ImportFrom) and not node.relative]
        paths = {
            f"{node.id}.{name}"
            for node in imports
            for name, alias in node.names
            if (alias or name) == expr.name
        }
        path = paths.pop() if len(paths) == 1 else None
    return None if path is None or "._" in path or path.partition(".")[0] not in trusted else Own("", path)


def gives_back_type(node: SymbolNode | None, modules: Mapping[str, MypyFile]) -> bool:
    """Whether a function of an installed package declares a type variable as its result.

    It stands for a class of arrays, and says nothing of the shape: ``def rearrange(tensor: Tensor, pattern: str) -> Tensor``.
    """
    function = node.func if isinstance(node, Decorator) else node
    if not isinstance(function, (FuncDef, OverloadedFuncDef)):
        return False
    tree = modules.get(function.fullname.rpartition(".")[0])
    if tree is None or PACKAGES.isdisjoint(Path(tree.path).parts):
        return False
    declared = get_proper_type(function.type)
    items = declared.items if isinstance(declared, FunctionLike) else []
    return any(isinstance(get_proper_type(item.ret_type), TypeVarType) for item in items)


def without_type_variable(signature: CallableType) -> CallableType:
    """The signature of such a function, where arrays of any shape fit and what it returns is open."""
    is_open = isinstance(get_proper_type(signature.ret_type), TypeVarType)
    return without_variables(signature) if is_open else signature


def without_variables(signature: CallableType) -> CallableType:
    """A signature that takes and gives anything where it has type variables."""
    solved = {variable.id: AnyType(TypeOfAny.special_form) for variable in signature.variables}
    return expand_type(signature, solved).copy_modified(variables=[])


def is_own_object(typ: Type, modules: Mapping[str, MypyFile], trusted: Collection[str]) -> bool:
    """Whether a type is that of objects of a class of the program, or of a trusted package."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance):
        return False
    name = proper.type.module_name
    return name.partition(".")[0] in trusted or _module(name, modules) is not None


def _module(name: str, modules: Mapping[str, MypyFile]) -> MypyFile | None:
    """A module of the program; None for stubs and installed packages."""
    tree = modules.get(name)
    if tree is None or tree.is_stub or not INSTALLED.isdisjoint(Path(tree.path).parts):
        return None
    return tree


def _is_open(node: SymbolNode) -> bool:
    """Whether the type of a function says less than everything about what it returns."""
    function = node.func if isinstance(node, Decorator) else node
    assert isinstance(function, (FuncDef, Var))
    declared = get_proper_type(function.type)
    if isinstance(node, Var):
        # What JAX made of a function; every other variable is known by its type.
        return declared is not None and _is_of_jax(declared) and has_any(declared)
    if not isinstance(declared, CallableType):
        return True
    return has_any(declared.ret_type) or has_abstract(declared.ret_type)
