"""Writes annotations into source, of which everything else stays as it is: comments, spaces, line ends, the encoding."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst

from jaxtyping_core.annotating.assignments import Variables
from jaxtyping_core.annotating.fields import Statement, with_fields
from jaxtyping_core.annotating.spelling.common import Needs

#: Columns that a line may have before its parameters get lines of their own; more where the file has longer ones.
COLUMNS = 88
FUTURE = "__future__"


@dataclass(frozen=True, slots=True)
class Signature:
    """What is written into the head of a function: by parameter, and for the result."""

    parameters: Mapping[str, str] = field(default_factory=dict)
    result: str | None = None


def write(
    content: bytes,
    signatures: Mapping[int, Signature],
    needs: Needs,
    fields: Mapping[str, Mapping[str, str]] | None = None,
    made: Sequence[str] = (),
    variables: Mapping[int, str] | None = None,
) -> bytes:
    """The source with annotations.

    Args:
        content: the bytes of the file.
        signatures: by the number of the function, counted from the top of the file.
        needs: the imports and the type variables that they need.
        fields: the annotations of the fields of classes at the top level, by the class.
        made: which of these are made by a call of `collections.namedtuple`, and become classes.
        variables: what is written of variables, by the number of the assignment, counted from the top of the file.
    """
    module = cst.parse_module(content)
    longest = max((len(line) for line in module.code.splitlines()), default=0)
    heads = _Heads(signatures, module, max(COLUMNS, min(longest, 120)))
    annotated = module.visit(heads).visit(Variables(variables or {}))
    body = list(annotated.body)
    if fields:
        base = needs.add("typing", "NamedTuple") if made else ""
        body = with_fields(body, fields, made, base)
    maker = needs.add("typing", "TypeVar") if needs.variables else ""
    body = _with_imports(body, needs.imports)
    body = _with_statements(body, [_variable(maker, *variable) for variable in needs.variables.items()])
    text = annotated.with_changes(body=body)
    return text.bytes


def _variable(maker: str, name: str, is_int: bool) -> str:
    return f'{name} = {maker}("{name}"{", bound=int" * is_int})'


class _Heads(cst.CSTTransformer):
    """Annotates the heads of functions."""

    def __init__(self, signatures: Mapping[int, Signature], module: cst.Module, columns: int) -> None:
        super().__init__()
        self._signatures = signatures
        self._module = module
        self._columns = columns
        self._count = 0
        self._stack: list[tuple[int, int]] = []
        self._depth = 0

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> None:  # noqa: N802
        self._depth += 1

    def leave_IndentedBlock(  # noqa: N802
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.BaseSuite:
        self._depth -= 1
        return updated_node

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:  # noqa: N802
        self._stack.append((self._count, self._depth))
        self._count += 1

    def leave_FunctionDef(  # noqa: N802
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        number, depth = self._stack.pop()
        signature = self._signatures.get(number)
        if signature is None or not (signature.parameters or signature.result):
            return updated_node
        parameters = updated_node.params.with_changes(
            **{
                name: [_annotated(each, signature) for each in getattr(updated_node.params, name)]
                for name in ("posonly_params", "params", "kwonly_params")
            }
        )
        if isinstance(parameters.star_arg, cst.Param):
            parameters = parameters.with_changes(star_arg=_annotated(parameters.star_arg, signature))
        if parameters.star_kwarg is not None:
            parameters = parameters.with_changes(star_kwarg=_annotated(parameters.star_kwarg, signature))
        changed = updated_node.with_changes(params=parameters)
        if signature.result is not None:
            changed = changed.with_changes(
                returns=cst.Annotation(cst.parse_expression(signature.result)),
                whitespace_before_colon=cst.SimpleWhitespace(""),
            )
        return self._wrapped(changed, depth)

    def _wrapped(self, node: cst.FunctionDef, depth: int) -> cst.FunctionDef:
        """The head with a line for each parameter, where it is too long for one line."""
        head = node.with_changes(
            decorators=[],
            leading_lines=[],
            lines_after_decorators=[],
            body=cst.SimpleStatementSuite([cst.Pass()]),
        )
        text = self._module.code_for_node(head).removesuffix("\n").removesuffix(" pass").rstrip()
        indent = self._module.default_indent
        if "\n" in text or len(text) + len(indent.expandtabs(4)) * depth <= self._columns:
            return node
        inner = _line_break(indent)
        params = node.params
        flat = [*params.posonly_params, *params.params, *params.kwonly_params]
        if not flat or params.posonly_params or params.star_kwarg or isinstance(params.star_arg, cst.Param):
            return node
        comma = cst.Comma(whitespace_after=inner)
        last = cst.Comma(whitespace_after=_line_break(""))
        positional = [each.with_changes(comma=comma) for each in params.params]
        keyword = [each.with_changes(comma=comma) for each in params.kwonly_params]
        (keyword or positional)[-1] = (keyword or positional)[-1].with_changes(comma=last)
        star = params.star_arg
        if isinstance(star, cst.ParamStar):
            star = star.with_changes(comma=comma)
        wrapped = params.with_changes(params=positional, kwonly_params=keyword, star_arg=star)
        return node.with_changes(params=wrapped, whitespace_before_params=inner)


def _line_break(indent: str) -> cst.ParenthesizedWhitespace:
    return cst.ParenthesizedWhitespace(
        first_line=cst.TrailingWhitespace(), indent=True, last_line=cst.SimpleWhitespace(indent)
    )


def _annotated(parameter: cst.Param, signature: Signature) -> cst.Param:
    text = signature.parameters.get(parameter.name.value)
    if text is None:
        return parameter
    annotation = cst.Annotation(
        cst.parse_expression(text),
        whitespace_before_indicator=cst.SimpleWhitespace(""),
        whitespace_after_indicator=cst.SimpleWhitespace(" "),
    )
    changed = parameter.with_changes(annotation=annotation)
    if parameter.default is None:
        return changed
    space = cst.SimpleWhitespace(" ")
    return changed.with_changes(equal=cst.AssignEqual(whitespace_before=space, whitespace_after=space))


def _import_of(statement: cst.CSTNode) -> tuple[bool, str, cst.ImportFrom | cst.Import] | None:
    """Whether an import is a ``from``, what module it names, and itself; None for other statements."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    match statement.body[0]:
        case cst.Import(names=names) as node:
            return False, _dotted(names[0].name), node
        case cst.ImportFrom(module=module, relative=relative) as node:
            return True, "." * len(relative) + (_dotted(module) if module else ""), node
    return None


def _dotted(node: cst.CSTNode) -> str:
    match node:
        case cst.Attribute(value=value, attr=cst.Name(value=name)):
            return f"{_dotted(value)}.{name}"
        case cst.Name(value=name):
            return name
    return ""


def _section(module: str) -> int:
    """The section of a sorted list of imports that a module belongs to."""
    if module == FUTURE:
        return 0
    if module.startswith("."):
        return 3
    return 1 if module.partition(".")[0] in sys.stdlib_module_names else 2


def _with_imports(body: list[Statement], imports: Mapping[str, Mapping[str, str]]) -> list[Statement]:
    for module, names in sorted(imports.items()):
        at = next(
            (
                i
                for i, statement in enumerate(body)
                if (imported := _import_of(statement))
                and imported[:2] == (True, module)
                and not isinstance(imported[2].names, cst.ImportStar)
            ),
            None,
        )
        if at is not None:
            body[at] = _extended(body[at], names)
        else:
            written = (_alias(name, names[name]) for name in sorted(names, key=_order))
            _insert_import(body, module, f"from {module} import {', '.join(written)}")
    return body


def _alias(name: str, known_as: str) -> str:
    return name if name == known_as else f"{name} as {known_as}"


def _order(name: str) -> tuple[bool, list[tuple[str, int]]]:
    """As sorted imports have them: classes before functions, Int8 before Int32."""
    parts = re.findall(r"(\D*)(\d*)", name)
    return name[0].islower(), [(text, int(number or -1)) for text, number in parts]


def _extended(statement: Statement, names: Mapping[str, str]) -> Statement:
    """An import with more names."""
    assert isinstance(statement, cst.SimpleStatementLine)
    node = statement.body[0]
    assert isinstance(node, cst.ImportFrom) and not isinstance(node.names, cst.ImportStar)
    new = sorted(names, key=_order)
    aliases = list(node.names)
    separator = aliases[0].comma if len(aliases) > 1 else cst.MaybeSentinel.DEFAULT
    comma = (
        separator
        if isinstance(separator, cst.Comma)
        else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    )
    last = aliases[-1].comma
    for name in new:
        place = next(
            (i for i, a in enumerate(aliases) if _order(_dotted(a.name)) > _order(name)), len(aliases)
        )
        asname = None if names[name] == name else cst.AsName(cst.Name(names[name]))
        aliases.insert(place, cst.ImportAlias(name=cst.Name(name), asname=asname))
    aliases = [alias.with_changes(comma=comma) for alias in aliases]
    aliases[-1] = aliases[-1].with_changes(comma=last)
    return statement.with_changes(body=[node.with_changes(names=aliases)])


def _insert_import(body: list[Statement], module: str, text: str) -> None:
    """Insert an import where a person would: in its section, sorted there as far as that is."""
    imports = [(i, imported[0], imported[1]) for i, s in enumerate(body) if (imported := _import_of(s))]
    imports = _leading(imports, body)
    line = cst.parse_statement(text)
    assert isinstance(line, cst.SimpleStatementLine)
    section = _section(module)
    same = [row for row in imports if _section(row[2]) == section]
    if same:
        before = [row for row in same if (row[1], row[2]) < (True, module)]
        if before:
            body.insert(before[-1][0] + 1, line)
            return
        at = same[0][0]
        first = body[at]
        body[at] = first.with_changes(leading_lines=[])
        body.insert(at, line.with_changes(leading_lines=first.leading_lines))
        return
    earlier = [row for row in imports if _section(row[2]) < section]
    later = [row for row in imports if _section(row[2]) > section]
    blank = cst.EmptyLine(indent=False)
    if earlier:
        body.insert(earlier[-1][0] + 1, line.with_changes(leading_lines=[blank]))
    elif later:
        at = later[0][0]
        first = body[at]
        body.insert(at, line.with_changes(leading_lines=first.leading_lines))
        body[at + 1] = first.with_changes(leading_lines=[blank])
    else:
        at = _after_docstring(body)
        body.insert(at, line.with_changes(leading_lines=[blank] if at else []))
        _separate(body, at + 1)


def _leading(imports: list[tuple[int, bool, str]], body: list[Statement]) -> list[tuple[int, bool, str]]:
    """The imports at the top of a module, before anything else than settings is done."""
    kept: list[tuple[int, bool, str]] = []
    for row in imports:
        between = body[kept[-1][0] + 1 : row[0]] if kept else body[: row[0]]
        if any(isinstance(s, (cst.FunctionDef, cst.ClassDef)) for s in between):
            break
        kept.append(row)
    return kept


def _after_docstring(body: list[Statement]) -> int:
    match body[:1]:
        case [cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString())])]:
            return 1
    return 0


def _separate(body: list[Statement], at: int) -> None:
    """See to it that a blank line stands before a statement."""
    if at < len(body) and not any(line.comment is None for line in body[at].leading_lines[:1]):
        statement = body[at]
        blank = cst.EmptyLine(indent=False)
        body[at] = statement.with_changes(leading_lines=[blank, *statement.leading_lines])


def _with_statements(body: list[Statement], texts: Sequence[str]) -> list[Statement]:
    """Insert statements after the imports, or after the type variables that are there."""
    if not texts:
        return body
    imports = _leading([(i, f[0], f[1]) for i, s in enumerate(body) if (f := _import_of(s))], body)
    at = imports[-1][0] + 1 if imports else _after_docstring(body)
    has_variables = False
    while at < len(body) and _is_type_variable(body[at]):
        at += 1
        has_variables = True
    new = [cst.parse_statement(text) for text in texts]
    if not has_variables:
        new[0] = new[0].with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    body[at:at] = new
    _separate(body, at + len(new))
    return body


def _is_type_variable(statement: Statement) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Assign(value=cst.Call(func=function))]):
            return _dotted(function).rpartition(".")[2].rstrip("_") in ("TypeVar", "TypeVarTuple")
    return False
