"""Writes annotations of the fields of classes, and classes for what `collections.namedtuple` makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
#: Blank lines around a class at the top level.
AROUND = 2


def with_fields(
    body: list[Statement], fields: Mapping[str, Mapping[str, str]], made: Sequence[str], base: str
) -> list[Statement]:
    """The statements of a module with annotations of fields.

    Args:
        body: the statements.
        fields: the annotations, by the class and the field.
        made: the classes that are assigned, and become statements of their own.
        base: what the module calls `typing.NamedTuple`, if there are any.
    """
    new: list[Statement] = []
    after_class = False
    for statement in body:
        name = _assigned(statement)
        if isinstance(statement, cst.ClassDef) and statement.name.value in fields:
            statement = _annotated(statement, fields[statement.name.value])
        elif isinstance(statement, cst.SimpleStatementLine) and name in made:
            leading = statement.leading_lines if not new else _spaced(statement.leading_lines)
            statement = _class(name, base, fields[name]).with_changes(leading_lines=leading)
        elif after_class:
            statement = statement.with_changes(leading_lines=_spaced(statement.leading_lines))
        after_class = name in made
        new.append(statement)
    return _without_import(new) if made else new


def _assigned(statement: Statement) -> str:
    """The name that a statement assigns to."""
    match statement:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))])]
        ):
            return name
    return ""


def _annotated(node: cst.ClassDef, texts: Mapping[str, str]) -> cst.ClassDef:
    def changed(part: cst.BaseSmallStatement) -> cst.BaseSmallStatement:
        match part:
            case cst.AnnAssign(target=cst.Name(value=name)) if name in texts:
                annotation = part.annotation.with_changes(annotation=cst.parse_expression(texts[name]))
                return part.with_changes(annotation=annotation)
        return part

    lines = [
        line.with_changes(body=[changed(part) for part in line.body])
        if isinstance(line, cst.SimpleStatementLine)
        else line
        for line in node.body.body
    ]
    return node.with_changes(body=node.body.with_changes(body=lines))


def _class(name: str, base: str, texts: Mapping[str, str]) -> cst.ClassDef:
    lines = "".join(f"    {field}: {text}\n" for field, text in texts.items())
    made = cst.parse_statement(f"class {name}({base}):\n{lines}")
    assert isinstance(made, cst.ClassDef)
    return made


def _spaced(lines: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """Lines before a statement, with at least as many blank ones first as stand around a class."""
    blank = 0
    while blank < len(lines) and lines[blank].comment is None:
        blank += 1
    return [*[cst.EmptyLine(indent=False)] * (AROUND - blank), *lines]


def _without_import(body: list[Statement]) -> list[Statement]:
    """The statements without an import of `namedtuple` that nothing needs any more."""
    imported = "from collections import namedtuple"
    module = cst.Module(body)
    plain = [cst.Module([each.with_changes(leading_lines=[])]).code.strip() for each in body]
    if module.code.count("namedtuple") > 1 or imported not in plain:
        return body
    return [each for each, text in zip(body, plain, strict=True) if text != imported]
