"""What classes of the program declare of the fields of their objects."""

from __future__ import annotations

import ast
import collections
import typing
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .comparable import contracts
from .declarations import field_annotations, read, value_of

if TYPE_CHECKING:
    from ..interpreter import Interpreter
    from ..scopes import Scope

#: Objects within each other.
DEEPEST = 3
#: Methods that make the fields of an object.
INITIALIZERS = frozenset({"__init__", "setup"})


class Objects:
    """Reads what classes of the program declare of their fields, which may be objects of others."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self._around: list[type] = []

    def form(self, cls: type) -> Any:
        """The form of an object; None if its class is not the program's."""
        if cls not in self.interpreter.classes:
            return None
        forms = contracts("forms")
        if cls in self._around or len(self._around) >= DEEPEST:
            return forms.Object(cls, fields=())
        self._around.append(cls)
        fields: dict[str, Any] = {
            name: read(self.interpreter, annotation, scope, self.form)
            for name, annotation, scope in field_annotations(self.interpreter, cls)
        }
        fields = {**dict(self._made_fields(cls)), **fields}
        self._around.pop()
        if typing.is_typeddict(cls):
            known = {name: form or forms.Unknown("it has no form") for name, form in fields.items()}
            return None if getattr(cls, "__optional_keys__", ()) else _object(cls, known)
        return _object(cls, {name: form for name, form in fields.items() if form is not None})

    def _made_fields(self, cls: type) -> Iterator[tuple[str, Any]]:
        """The fields that a method makes of what it declares, as a type checker infers them: ``self.encoder = Encoder(...)``.

        Fields that the class, or one below it, assigns to in several places are left out.
        """
        below = [node for each, node in self.interpreter.classes.items() if cls in each.__mro__]
        for base in reversed(cls.__mro__):
            if base in self.interpreter.scopes and base in self.interpreter.classes:
                node, scope = self.interpreter.classes[base], self.interpreter.scopes[base]
                stores = (part for each in {node, *below} for part in ast.walk(each))
                counts = collections.Counter(map(_field, stores))
                made = ((name, self._made(value, method, scope)) for name, value, method in _made_in(node))
                yield from ((name, form) for name, form in made if counts[name] == 1)

    def _made(self, value: ast.expr, method: ast.FunctionDef, scope: Scope) -> Any:
        """The form of an object that a method makes, of a size, or of a parameter that it has not assigned to."""
        match value:
            case ast.Call(func=callee):
                cls = value_of(self.interpreter, callee, scope)
                return self.form(cls) if isinstance(cls, type) else None
            case ast.Attribute(attr="shape") | ast.Subscript(value=ast.Attribute(attr="shape")):
                return contracts("forms").Scalar(int)
            case ast.Name(id=name) if not _is_assigned(name, method):
                a = method.args
                annotations = {arg.arg: arg.annotation for arg in (*a.posonlyargs, *a.args, *a.kwonlyargs)}
                annotation = annotations.get(name)
                if annotation is not None:
                    return read(
                        self.interpreter, value_of(self.interpreter, annotation, scope), scope, self.form
                    )
        return None


def _object(cls: type, fields: dict[str, Any]) -> Any:
    forms = contracts("forms")
    return forms.Object(cls, fields=tuple(forms.Parameter(name, form) for name, form in fields.items()))


def _is_assigned(name: str, method: ast.FunctionDef) -> bool:
    stored = (
        part for part in ast.walk(method) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )
    return any(part.id == name for part in stored)


def _made_in(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr, ast.FunctionDef]]:
    """The fields that are assigned to when an object is made, what they are assigned, and the method that does so."""
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
    for method in (method for method in methods if method.name in INITIALIZERS):
        for statement in ast.walk(method):
            match statement:
                case ast.Assign(
                    targets=[ast.Tuple(elts=targets)], value=ast.Attribute(attr="shape") as value
                ):
                    yield from ((name, value, method) for name in map(_field, targets) if name)
                case ast.Assign(targets=[target], value=value) if name := _field(target):
                    yield name, value, method


def _field(node: ast.AST) -> str:
    """The field that an expression assigns to; "" if it does not."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
            return name
    return ""
