"""What is written into a file: from the facts of its functions to annotations, as precisely as is asked for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from jaxtyping_core.annotating.annotation_adjust import converted, of_any_width, starred, with_default
from jaxtyping_core.annotating.assignments import ASKED, Assignment, assignments
from jaxtyping_core.annotating.declared import Classes, Declared, declared
from jaxtyping_core.annotating.dims import named_size
from jaxtyping_core.annotating.dtype_dependencies import with_dependent
from jaxtyping_core.annotating.hints import hints
from jaxtyping_core.annotating.naming import Group, Names
from jaxtyping_core.annotating.observed_types import (
    RETURN,
    Agreement,
    Arrays,
    Instance,
    Kind,
    Open,
    Plain,
    Tuple,
    agree,
)
from jaxtyping_core.annotating.owners import Held, Owner, owners, without_numbers
from jaxtyping_core.annotating.sizes import Sizes, solve
from jaxtyping_core.annotating.source import DOUBLE, STARRED, Definition, Source, is_updating, own_nodes
from jaxtyping_core.annotating.spelling.common import (
    RESERVED,
    Needs,
    Place_,
    Precision,
    Speller,
    is_optax_state,
    named_sizes,
    quoted,
)
from jaxtyping_core.annotating.walking import Walks
from jaxtyping_core.annotating.writing import Signature, write
from jaxtyping_core.domain import dtypes
from jaxtyping_core.recording.store import FileFacts

#: Decorators of functions that are left alone.
LEFT_ALONE = ("overload", "typing.overload", "no_type_check")


@dataclass(slots=True)
class Level:
    """How precisely a function is annotated."""

    parameters: Precision = Precision.FULL
    result: Precision = Precision.FULL
    #: Parameters of which nothing is said.
    left: frozenset[str] = frozenset()
    #: Parameters that are given arrays of NumPy as well, which a function that `jit` compiles does not see.
    converted: frozenset[str] = frozenset()


@dataclass(slots=True)
class Planned:
    """A function that was seen, by its number in the source."""

    number: int
    definition: Definition
    agreement: Agreement
    sizes: Sizes
    declared: Declared
    names: dict[int, str] = field(default_factory=dict)


class Plan:
    """The annotations of a file.

    Args:
        source: the file.
        facts: what was seen of it.
        walks: through its functions.
        speller: the style.
        refine: whether annotations that say of an array only that it is one are replaced.
        held: what instances of classes held.
        with_places: whether variables are annotated where checkers do not know the dtype.
        classes: what the classes of all files declare; those of this one if it is None.
    """

    def __init__(
        self,
        source: Source,
        facts: FileFacts,
        walks: Walks,
        speller: Speller,
        refine: bool = False,
        held: Held | None = None,
        with_places: bool = False,
        classes: Classes | None = None,
    ) -> None:
        self.source = source
        classes = classes or Classes.of([source])
        self._speller = speller
        self._refine = refine
        self.functions: list[Planned] = []
        overloaded = {d.qualname for d in source.definitions if set(d.decorators) & set(LEFT_ALONE)}
        numbers = {id(definition): number for number, definition in enumerate(source.definitions)}
        for function, calls in facts.calls.items():
            definition = source.find(function)
            if definition is None or definition.qualname in overloaded:
                continue
            if any(planned.definition is definition for planned in self.functions):
                continue
            agreement = agree(calls, source.uses_raw_keys)
            if not self._open(definition):
                continue
            told = (
                declared(agreement.calls[0], definition, classes, source) if agreement.calls else Declared()
            )
            sizes = solve(source, definition, agreement, walks, classes)
            result = with_dependent(agreement.kinds[RETURN], definition, agreement, told, walks)
            agreement = replace(agreement, kinds={**agreement.kinds, RETURN: result})
            self.functions.append(Planned(numbers[id(definition)], definition, agreement, sizes, told))
        self.functions.sort(key=lambda planned: planned.number)
        self.owners = list(owners(source, facts, {} if held is None else held, refine))
        assigned = assignments(source, facts) if with_places else []
        self.assignments = [each for each in assigned if self._variable(each, Needs(source)) is not None]
        self._name(facts)

    def _open(self, definition: Definition) -> bool:
        """Whether there is anything to annotate in a function."""
        parameters = [p for p in definition.parameters if p.name != definition.receiver]
        written = [*(p.annotation for p in parameters), definition.node.returns]
        return any(self._may_write(annotation) for annotation in written)

    def _may_write(self, annotation: ast.expr | None) -> bool:
        from jaxtyping_core.annotating.source import is_bare

        return annotation is None or (self._refine and is_bare(annotation))

    def _name(self, facts: FileFacts) -> None:
        """Give the sizes that are written names."""
        taken = (self.source.bound | RESERVED) - self.source.type_variables
        names = Names(taken, self._speller.is_text)
        groups: list[dict[int, Group]] = []
        for planned in self.functions:
            written = self._written_sizes(planned)
            call = planned.agreement.calls[0]
            known = hints(self.source, planned.definition, planned.sizes, call, facts.attributes)
            groups.append(
                {
                    of: Group(
                        known.get(of, ()),
                        planned.sizes.seen[of],
                        [
                            (slot, len(planned.agreement.sizes[slot[0]]))
                            for slot in planned.sizes.slots[of]
                            if slot[0] in planned.agreement.sizes
                        ],
                        self._declared_names(planned, of),
                    )
                    for of in written
                }
            )
            names.learn(groups[-1].values())
        for planned, of_function in zip(self.functions, groups, strict=True):
            planned.names = names.of(of_function, planned.declared.reserved)

    def _declared_names(self, planned: Planned, of: int) -> list[str]:
        """What annotations that are there call a size, in words or in type variables as the style has them."""
        named = (planned.declared.names.get(slot) for slot in planned.sizes.slots[of])
        names = dict.fromkeys(name for name, _ in filter(None, named))
        return [name for name in names if (name in self.source.type_variables) != self._speller.is_text]

    def _written_sizes(self, planned: Planned) -> list[int]:
        """The sizes that the annotations name, in the order in which they do."""
        sized = planned.sizes.of
        kinds = planned.agreement.kinds
        sizes: dict[int, None] = {}
        for parameter in planned.definition.parameters:
            if self._may_write(parameter.annotation) and parameter.name in kinds:
                sizes |= dict.fromkeys(named_sizes(kinds[parameter.name], sized))
        result = list(named_sizes(kinds[RETURN], sized))
        if self._speller.is_text:
            return list(sizes | dict.fromkeys(result))
        for name in self._size_parameters(planned):
            if (of := _size_of(planned, name)) in result:
                sizes[of] = None
        return list(sizes)

    def _size_parameters(self, planned: Planned) -> list[str]:
        """The parameters that are a size and have no default: their types may be type variables."""
        return [
            p.name
            for p in planned.definition.parameters
            if p.default is None
            and p.annotation is None
            and planned.agreement.kinds.get(p.name) == Plain("int")
        ]

    def write(
        self,
        content: bytes,
        levels: Mapping[int, Level],
        chosen: Iterable[Assignment] = (),
        asked: Iterable[Assignment] = (),
    ) -> bytes:
        """The file with annotations, each function's as precise as `levels` says, and of the chosen variables; mypy is asked of others."""
        needs = Needs(self.source)
        signatures: dict[int, Signature] = {}
        for planned in self.functions:
            signature = self._signature(planned, levels.get(planned.number, Level()), needs)
            if signature.parameters or signature.result:
                signatures[planned.number] = signature
        fields = {
            owner.name: self._fields(owner, levels.get(owner.number, Level()), needs) for owner in self.owners
        }
        fields = {name: texts for name, texts in fields.items() if texts}
        variables = {each.number: text for each in chosen if (text := self._variable(each, needs))}
        variables |= {each.number: ASKED for each in asked}
        if not signatures and not fields and not variables:
            return content
        # A variable without a bound does not fit where one with it is declared: all have it, or none.
        is_bound = any(needs.variables.values())
        new = [name for name in needs.variables if name not in self.source.type_variables]
        needs.variables = dict.fromkeys(new, is_bound)
        made = [owner.name for owner in self.owners if owner.is_call and owner.name in fields]
        return write(content, signatures, needs, fields, made, variables)

    def _variable(self, assignment: Assignment, needs: Needs) -> str | None:
        """What is written of a variable: its dtype; None if that has no name in the module."""
        at = Place_(assignment.line, Precision.DTYPE, {}, lambda place, axis: None, inner=True)
        text = self._speller.variable(assignment.kind, at, needs)
        return None if text is None else quoted(text)

    def _fields(self, owner: Owner, level: Level, needs: Needs) -> dict[str, str]:
        """What is written of the fields of a class."""
        if level.parameters == Precision.NOTHING:
            return {}
        at = Place_(owner.node.lineno, Precision.DTYPE, {}, lambda place, axis: None, inner=True)
        texts: dict[str, str] = {}
        for name, kind in owner.fields.items():
            text = None if name in level.left else self._speller.spell(without_numbers(kind), at, needs)
            if text is None and owner.is_call:
                text = needs.add("typing", "Any")
            if text is not None:
                texts[name] = quoted(text)
        return texts

    def _signature(self, planned: Planned, level: Level, needs: Needs) -> Signature:
        definition, kinds = planned.definition, planned.agreement.kinds
        is_full = level.parameters == Precision.FULL
        stated = frozenset(
            of
            for parameter in definition.parameters
            if is_full
            and parameter.name in kinds.keys() - level.left
            and self._may_write(parameter.annotation)
            for of in named_sizes(self._kind(planned, parameter.name), planned.sizes.of)
            if of in planned.names
        )
        result_sizes = set(named_sizes(kinds[RETURN], planned.sizes.of))
        variables: dict[str, str] = {}
        if is_full and level.result == Precision.FULL and not self._speller.is_text:
            for name in self._size_parameters(planned):
                of = _size_of(planned, name)
                if of is not None and of in result_sizes and of in planned.names:
                    variables[name] = planned.names[of]
                    needs.variables[planned.names[of]] = True
                    stated |= {of}
        at = Place_(definition.node.lineno, level.parameters, planned.names, planned.sizes.of, stated=stated)
        parameters: dict[str, str] = {}
        for parameter in definition.parameters:
            if parameter.name == definition.receiver or not self._may_write(parameter.annotation):
                continue
            if level.parameters == Precision.NOTHING or parameter.name not in kinds.keys() - level.left:
                continue
            kind = self._kind(planned, parameter.name)
            if parameter.name in level.converted:
                kind = converted(kind)
            text = variables.get(parameter.name) or self._speller.spell(kind, at, needs)
            if text is not None and (
                parameter.annotation is None or text != ast.unparse(parameter.annotation)
            ):
                parameters[parameter.name] = quoted(text)
        result = None
        if self._may_write(definition.node.returns) and level.result != Precision.NOTHING:
            result = self._result(planned, replace_(at, level.result), needs)
        return Signature(parameters, result)

    def _kind(self, planned: Planned, name: str) -> Kind:
        """What a parameter takes: what was seen, and its default."""
        parameter = next(p for p in planned.definition.parameters if p.name == name)
        kind = planned.agreement.kinds[name]
        if name in planned.definition.updated and not isinstance(kind, Instance):
            return Open()
        if self._may_be_none(planned.definition, name):
            return Open()
        if is_optax_state(kind) and name in planned.definition.looked_into:
            return Open()
        others = {dtype for of, dtype in planned.definition.recast if of == name}
        if isinstance(kind, Arrays) and not dtypes.leq(frozenset(others), kind.known.dtypes):
            kind = of_any_width(kind)
        if parameter.kind in (STARRED, DOUBLE):
            return starred(kind)
        if parameter.default is None:
            return Open() if kind == Plain("None") else kind
        return with_default(kind, parameter.default)

    def _may_be_none(self, definition: Definition, name: str) -> bool:
        """Whether a call in the module gives a parameter an attribute that is None at first, which checkers would report."""
        names = [p.name for p in definition.parameters if p.name != definition.receiver]
        if name not in names:
            return False
        optional = self.source.given_optional
        return not {(definition.name, name), (definition.name, names.index(name))}.isdisjoint(optional)

    def _result(self, planned: Planned, at: Place_, needs: Needs) -> str | None:
        definition = planned.definition
        kind = planned.agreement.kinds[RETURN]
        if definition.is_generator or isinstance(definition.node, ast.AsyncFunctionDef):
            return None
        if kind == Plain("None") and any(
            isinstance(node, ast.Return) and node.value is not None for node in own_nodes(definition.node)
        ):
            return None
        text = self._speller.spell(_without(kind, definition), at, needs)
        return None if text is None else quoted(text)


def _without(kind: Kind, definition: Definition) -> Kind:
    """What a function gives, but for what `optax.apply_updates` gives it."""
    if isinstance(kind, Instance):
        return kind
    returned = [node.value for node in own_nodes(definition.node) if isinstance(node, ast.Return)]
    for value in returned:
        match value:
            case ast.expr() if _is_updated(value, definition):
                return Open()
            case ast.Tuple(elts=parts) if isinstance(kind, Tuple) and len(parts) == len(kind.items):
                opened = [_is_updated(part, definition) for part in parts]
                kind = Tuple(
                    tuple(
                        Open() if is_open and not isinstance(item, Instance) else item
                        for is_open, item in zip(opened, kind.items, strict=True)
                    )
                )
    return kind


def _is_updated(node: ast.expr, definition: Definition) -> bool:
    return is_updating(node) or (isinstance(node, ast.Name) and node.id in definition.updated)


def replace_(at: Place_, precision: Precision) -> Place_:
    return replace(at, precision=precision, is_result=True)


def _size_of(planned: Planned, name: str) -> int | None:
    return named_size(planned.sizes.of((name,), 0))
