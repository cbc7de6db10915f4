"""What the source of the module that is being checked says beyond types, looked for once."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mypy.nodes import (
    GDEF,
    AssignmentExpr,
    AssignmentStmt,
    ClassDef,
    Context,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    FuncItem,
    GlobalDecl,
    IndexExpr,
    ListExpr,
    MatchStmt,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    StarExpr,
    Statement,
    TryStmt,
    TupleExpr,
    TypeInfo,
    Var,
    WhileStmt,
)

from jaxtyping_core_mypy import force_display_hooks
from jaxtyping_core_mypy.changes import root_of, targets
from jaxtyping_core_mypy.convert import Type, is_array, type_variables
from jaxtyping_core_mypy.convert.dim_strings.open_dims import asserts_sizes
from jaxtyping_core_mypy.convert.equality import EqualDims
from jaxtyping_core_mypy.promotion_contexts import MODULE as LAYER_CONTEXT
from jaxtyping_core_mypy.promotion_contexts import Region, read_regions, system_in
from jaxtyping_core_mypy.trees import (
    PARTS,
    comprehended,
    functions_of,
    imported_modules,
    nodes_inside,
    operands,
    statements_inside,
    statements_of,
)

#: Where the patterns of a match statement keep their parts.
OF_PATTERNS = ("pattern", "name", "patterns", "capture", "values", "rest", "positionals", "keyword_values")


class ModuleFacts:
    """What the source of one module says.

    Args:
        api: the checker, which is at the module.
        now: the place where it is.
        configured: the promotion system that the configuration names.
    """

    def __init__(self, api: Any, now: Context, configured: str) -> None:
        self.tree: MypyFile = api.tree
        self.modules: Mapping[str, MypyFile] = api.modules
        self._configured = configured
        self._mentions_layer = LAYER_CONTEXT in api.modules
        #: The dims that functions find to be equal.
        self.equal_dims = EqualDims(self.statements)
        for function in self._functions:
            for check in filter(asserts_sizes, statements_inside(function.body)):
                self.equal_dims.open_all(function, check)
        self.told_of_redefinition = False
        #: The expressions under which something was put into a container and a hook saw it.
        self.seen_changes: set[int] = set()
        self._generic: dict[FuncItem, bool] = {}
        # A process of `mypy -n` that has read the module again has not marked it yet.
        force_display_hooks.mark(self.statements)

    @functools.cached_property
    def statements(self) -> list[Statement]:
        """Every statement of the module."""
        return statements_of(self.tree)

    def is_generic(self, function: FuncItem) -> bool:
        """Whether type variables are in what a function declares."""
        if function not in self._generic:
            self._generic[function] = function.type is not None and bool(type_variables(function.type))
        return self._generic[function]

    @property
    def has_arrays(self) -> bool:
        """Whether anything in the run imports JAX: if not, nothing is evaluated."""
        return "jax" in self.modules

    @functools.cached_property
    def imports_jaxtyping(self) -> bool:
        """Whether the module has jaxtyping's names from jaxtyping itself."""
        modules = [name for node in self.tree.imports for name in imported_modules(node)]
        return any(name.partition(".")[0] == "jaxtyping" for name in modules)

    @functools.cached_property
    def _assignments(self) -> dict[int, AssignmentStmt]:
        return {id(s.rvalue): s for s in self.statements if isinstance(s, AssignmentStmt)}

    @functools.cached_property
    def _bindings(self) -> dict[str, list[tuple[NameExpr, Statement]]]:
        bindings: dict[str, list[tuple[NameExpr, Statement]]] = defaultdict(list)
        for statement in self.statements:
            for target in () if isinstance(statement, ExpressionStmt) else targets(statement):
                if isinstance(target, NameExpr):
                    bindings[target.name].append((target, statement))
        return bindings

    @functools.cached_property
    def _parameters(self) -> dict[str, list[Var]]:
        parameters: dict[str, list[Var]] = defaultdict(list)
        for function in self._functions:
            for argument in function.arguments:
                parameters[argument.variable.name].append(argument.variable)
        return parameters

    @functools.cached_property
    def _bound_in_parts(self) -> frozenset[str]:
        """The names that expressions and handlers bind, and those in patterns."""
        patterns = [each.patterns for each in self.statements if isinstance(each, MatchStmt)]
        names = {each.name for each in nodes_inside(patterns, OF_PATTERNS) if isinstance(each, NameExpr)}
        for each in nodes_inside(self.tree.defs, PARTS):
            if isinstance(each, AssignmentExpr):
                names.add(each.target.name)
            if isinstance(each, TryStmt):
                names |= {variable.name for variable in each.vars if variable is not None}
        return frozenset(names)

    @functools.cached_property
    def _repeated(self) -> frozenset[int]:
        """The statements of loops, which assign another value each time."""
        return frozenset(id(inner) for loop in self._loops for inner in statements_inside(loop.body))

    def only_value(self, name: NameExpr) -> tuple[Expression, Expression] | None:
        """What the module assigns to a variable once, after the variable or the tuple that it is unpacked to."""
        # mypy's daemon makes new variables where it checks a function again.
        bindings = [each for target, each in self._bindings.get(name.name, ()) if target.node is name.node]
        is_parameter = any(each is name.node for each in self._parameters.get(name.name, ()))
        own = (name.name, f"{self.tree.fullname}.{name.name}")
        if getattr(name.node, "fullname", "") not in own or name.name in self._bound_in_parts:  # or imported
            return None
        if len(bindings) != 1 or is_parameter or not isinstance(bindings[0], AssignmentStmt):
            return None
        if id(bindings[0]) in self._repeated:
            return None
        is_whole = [
            isinstance(target, NameExpr) and target.node is name.node for target in bindings[0].lvalues
        ]
        target = bindings[0].lvalues[is_whole.index(True) if any(is_whole) else 0]
        return target, bindings[0].rvalue

    @functools.cached_property
    def _assigned(self) -> dict[int, list[Expression]]:
        pairs = [
            pair
            for statement in self._assignments.values()
            for lvalue in statement.lvalues
            for pair in _paired(lvalue, statement.rvalue)
        ]
        assigned: dict[int, list[Expression]] = defaultdict(list)
        for target, value in pairs:
            assigned[id(value)].append(target)
        return assigned

    def is_reassigned(self, name: NameExpr) -> bool:
        """Whether the module assigns to a name that it has imported, which mypy takes for what was imported."""
        is_own = getattr(name.node, "fullname", "") == f"{self.tree.fullname}.{name.name}"
        assigned = any(target.kind in (GDEF, None) for target, _ in self._bindings.get(name.name, ()))
        return name.kind == GDEF and not is_own and assigned

    def targets_of(self, value: Context) -> list[Expression]:
        """What the value of the expression `value` is assigned to, also as one of several: ``(a, b), c = value, other``."""
        return self._assigned.get(id(value), [])

    def assignment_of(self, value: Context) -> AssignmentStmt | None:
        """The statement that assigns the value of the expression `value`."""
        return self._assignments.get(id(value))

    def is_inside(self, line: int, function: object) -> bool:
        """Whether a line is of a function, or of no function at all."""
        around = [each for each in self._functions if each.line <= line <= (each.end_line or each.line)]
        return around[0] is function if around else function is None

    @functools.cached_property
    def _functions(self) -> list[FuncDef]:
        """The functions of the module and the methods of its classes, outer ones first."""
        return functions_of(self.tree)

    @functools.cached_property
    def _loops(self) -> list[ForStmt | WhileStmt]:
        return [statement for statement in self.statements if isinstance(statement, (ForStmt, WhileStmt))]

    @functools.cached_property
    def _operands(self) -> dict[int, tuple[Node, Expression]]:
        return {id(operand): (operator, other) for operand, operator, other in operands(self.tree)}

    def operator_over(self, operand: Context) -> tuple[Node, Expression] | None:
        """The operator of which an expression is an operand, and the other one."""
        return self._operands.get(id(operand))

    @functools.cached_property
    def _iterated(self) -> dict[int, Expression]:
        loops = [(loop.expr, loop.index) for loop in self._loops if isinstance(loop, ForStmt)]
        return {id(value): target for value, target in (*loops, *comprehended(self.tree))}

    def target_over(self, value: Context) -> Expression | None:
        """The target of the loop, or of the part of a comprehension, that goes over what the expression `value` gives."""
        return self._iterated.get(id(value))

    def changes_of(self, variable: NameExpr | MemberExpr) -> set[int]:
        """The expressions under which the module puts something into the container that a variable holds."""
        return {id(target) for target, root in self._index_targets if root.node is variable.node}

    @functools.cached_property
    def _index_targets(self) -> list[tuple[IndexExpr, NameExpr | MemberExpr]]:
        items = [t for s in self.statements for t in targets(s) if isinstance(t, IndexExpr)]
        rooted = [(target, root_of(target)[0]) for target in items]
        return [(target, root) for target, root in rooted if root is not None]

    @functools.cached_property
    def _aliases(self) -> list[tuple[NameExpr, NameExpr]]:
        pairs = [(s.lvalues[0], s.rvalue) for s in self.statements if isinstance(s, AssignmentStmt)]
        return [(a, b) for a, b in pairs if isinstance(a, NameExpr) and isinstance(b, NameExpr)]

    def other_names(
        self, variable: NameExpr | MemberExpr, type_of: Callable[[Expression], Type | None]
    ) -> list[NameExpr]:
        """Names of other variables that are assigned this one, or are assigned to it, somewhere in the module.

        `type_of` gives the type of what was assigned, once mypy has been there. An array has no items that are changed.
        """
        pairs = [pair for pair in self._aliases if variable.node in (pair[0].node, pair[1].node)]
        holding = [pair for pair in pairs if (typ := type_of(pair[1])) is not None and not is_array(typ)]
        return [name for pair in holding for name in pair if name.node is not variable.node]

    @functools.cached_property
    def _classes(self) -> list[ClassDef]:
        return [statement for statement in self.statements if isinstance(statement, ClassDef)]

    @functools.cached_property
    def _set_attributes(self) -> dict[str, list[TypeInfo | None]]:
        """The attributes that the module sets, by name: of objects of which class each time, as far as that is known."""
        owners = {id(inner): cls.info for cls in self._classes for inner in statements_inside(cls.defs)}
        setters: dict[str, list[TypeInfo | None]] = defaultdict(list)
        for statement in self.statements:
            for root in (root_of(target)[0] for target in targets(statement)):
                if isinstance(root, MemberExpr):
                    own = isinstance(root.expr, NameExpr) and root.expr.name == "self"
                    setters[root.name].append(owners.get(id(statement)) if own else None)
        for cls in self._classes:
            for target in (target for inner in cls.defs.body for target in targets(inner)):
                if isinstance(target, NameExpr):
                    setters[target.name].append(cls.info)
        return setters

    def is_set_once(self, attribute: str, cls: TypeInfo) -> bool:
        """Whether the module sets such an attribute of objects of a class in one place, and never a part of what is in it."""
        mros = [known.info.mro for known in self._classes if cls in known.info.mro]
        owners = self._set_attributes.get(attribute, ())
        return sum(owner is None or any(owner in mro for mro in mros) for owner in owners) == 1

    @functools.cached_property
    def _first_values_of_globals(self) -> frozenset[int]:
        """The values that the module assigns to variables which a function assigns with ``global``."""
        declared = {name for s in self.statements if isinstance(s, GlobalDecl) for name in s.names}
        return frozenset(
            id(statement.rvalue)
            for statement in self.tree.defs
            if isinstance(statement, AssignmentStmt)
            and any(isinstance(lvalue, NameExpr) and lvalue.name in declared for lvalue in statement.lvalues)
        )

    def is_first_value_of_global(self, value: Context) -> bool:
        """Whether mypy fixes the type of a variable at `value`, to which a function assigns another one."""
        return id(value) in self._first_values_of_globals

    def system(self, api: Any, context: Context) -> str | None:
        """The promotion system of the array layer in force at `context`; None if that is not known."""
        if self._regions is None:
            return None
        return system_in(self._regions, api, context, self._configured) if self._regions else self._configured

    @functools.cached_property
    def _regions(self) -> list[Region] | None:
        return read_regions(self.tree, self.statements, self._configured) if self._mentions_layer else []


def _paired(target: Expression, value: Expression) -> Iterator[tuple[Expression, Expression]]:
    """A target and its value, and those in them where both are written out."""
    yield target, value
    if isinstance(target, (TupleExpr, ListExpr)) and isinstance(value, (TupleExpr, ListExpr)):
        items = [*target.items, *value.items]
        if len(target.items) == len(value.items) and not any(isinstance(item, StarExpr) for item in items):
            for pair in zip(target.items, value.items, strict=True):
                yield from _paired(*pair)
