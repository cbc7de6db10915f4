"""Follows the bodies of functions whose annotations tell the dims of arrays, and compares what they return with what they declare.

mypy's types tell much of a body, and lose what goes through closures, loops and several dims at once (``*batch``). So each
body is also walked with arrays of some sizes. A result that is not as declared shows a mistake, whatever else the function
may be called with; one that is not known, and a body that refuses these sizes, show nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import FuncDef, MypyFile, ReturnStmt, TypeInfo

from jaxtyping_core.evaluation.protocol import BODY, OBJECT
from jaxtyping_core.evaluation.values import ANY, Anything, Array, Call, Dim, Key, Own, Value, transform
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.arguments import KEYS
from jaxtyping_core_mypy.convert import Type, own_type
from jaxtyping_core_mypy.convert.dim_strings import spell_annotation
from jaxtyping_core_mypy.convert.examples import (
    Example,
    Signature,
    class_of_object,
    contradiction,
    fields_of,
    says_all,
    signature_of,
)
from jaxtyping_core_mypy.facts import imported_modules, statements_inside
from jaxtyping_core_mypy.retraction import hold_back
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.spelling import describe

#: The sizes of dims: all different, none a multiple of another, even, for bodies halve sizes, and larger than what
#: programs write in slices.
SIZES = ((12, 20, 28, 44, 52, 68, 76, 92, 116, 124), (80, 48, 208, 112, 304, 176, 272, 368, 464, 496))
#: How many arguments ``*args`` are.
STARRED = 2
#: Objects within objects that are made up.
DEEPEST = 4


class Walk(NamedTuple):
    """What a walk through a body has shown."""

    #: What is given that is not as declared, and what is declared there, as types of the walk and as it is written.
    wrong: tuple[Type, Type, Type] | None
    #: Whether all is known of the result that the declaration says.
    is_known: bool
    arguments: dict[str, Value]


class Bodies:
    """The functions of the modules that mypy checks, each of which is looked at when mypy comes to it.

    Args:
        fields: of classes, the fields whose types have dims, which are texts in them.
    """

    def __init__(self, fields: Mapping[str, Mapping[str, Type]]) -> None:
        self._fields = fields
        self._current: FuncDef | None = None
        #: The first place in the function at hand: whoever comes to it again may have forgotten what was said.
        self._first: object = None
        #: What was found of each function that declares arrays: "verified", "open" or "wrong".
        self.outcomes: dict[str, str] = {}
        #: The lines with returns of which something was reported, each with its file.
        self._reported: set[tuple[str, int]] = set()
        self._is_said: Callable[[str, ErrorInfo], bool] = (
            self._is_reported
        )  # one object, which can be found again

    def look(self, site: Site) -> None:
        """Look at the body of the function that the place of a hook is in, if mypy has just come to it."""
        function, place = site.api.scope.top_level_function(), site.ctx.context
        if function is self._current and place is not self._first:
            return
        self._current, self._first = function, place
        if not isinstance(function, FuncDef):
            return
        signature = signature_of(function)
        if signature is None or not site.facts.programs:
            return
        walks: list[Walk] = []
        for sizes in SIZES:
            walks.append(self._walk(site, function, signature, iter(sizes)))
            if walks[-1].wrong is None:
                break
        first, last = walks[0], walks[-1]
        self.outcomes[function.fullname] = (
            "wrong" if last.wrong else "verified" if first.is_known and not first.wrong else "open"
        )
        if last.wrong is not None:
            self._report(site, function, first)

    def forget(self) -> None:
        """Look at every function again from now on: something has changed."""
        self._current = None

    def _report(self, site: Site, function: FuncDef, walk: Walk) -> None:
        assert walk.wrong is not None
        given, expected, written = walk.wrong
        reader = site.reader
        actual, wanted = reader.array_of(given), reader.array_of(expected)
        if actual is None:
            return
        sizes = None if wanted is None else wanted.dims
        is_shape = sizes is not None and not _fits(actual.dims, sizes)
        message = errors.BODY.format(
            function=function.name,
            actual=describe(actual),
            arguments=", ".join(
                f"{name}: {describe(value)}"
                for name, value in walk.arguments.items()
                if isinstance(value, Array)
            ),
            annotation=spell_annotation(written, as_text=_imports_jaxtyping(site.api.tree)),
            sizes=f", here [{', '.join(map(_spelled, sizes))}]" if is_shape and sizes is not None else "",
        )
        returns = _returns(function)
        lines = [line for each in returns for line in range(each.line, (each.end_line or each.line) + 1)]
        self._reported |= {(site.api.errors.file, line) for line in lines}
        # What is known of a result is the same on all ways through a body.
        place = returns[-1] if returns else function
        site.fail(message, errors.ARRAY_SHAPE if is_shape else errors.ARRAY_DTYPE, place)
        hold_back(site.api.errors, self._is_said)

    def _walk(self, site: Site, function: FuncDef, signature: Signature, sizes: Iterator[int]) -> Walk:
        """Walk a body with arrays of these sizes."""
        example = Example(sizes, site.engine.find_class)
        args: list[Value] = []
        kwargs: dict[str, Value] = {}
        named: dict[str, Value] = {}
        parameters = iter(signature.parameters)
        if signature.of_class is not None and not function.is_static:
            next(parameters, None)
            cls = signature.of_class
            receiver = (
                own_type(cls, site.facts.modules) if function.is_class else self._object(site, example, cls)
            )
            args.append(receiver or Anything((ANY,)))
        for parameter in parameters:
            value = self._value(site, example, parameter.typ)
            if parameter.name in KEYS and isinstance(value, (Anything, Array)):
                value = Key()
            named[parameter.name] = value
            if parameter.is_keyword:
                kwargs[parameter.name] = value
            else:
                args += [value] * (STARRED if parameter.is_starred else 1)
        module = site.api.tree
        own = Own(module.path, function.fullname.removeprefix(f"{module.fullname}."))
        answer = site.ask(BODY, [own, *args], kwargs)
        if answer.result is None:
            return Walk(None, False, named)
        expected = example.result(signature.result)
        actual = site.writer.value(transform(answer.result, _strong), site.writer.nothing)
        wrong = contradiction(actual, expected, signature.result)
        return Walk(wrong, says_all(actual, expected), named)

    def _value(self, site: Site, example: Example, typ: Type, depth: int = 0) -> Value:
        """An argument of some type; an object of the program is one with the fields that its class declares."""
        cls = class_of_object(typ)
        made = None if cls is None or depth == DEEPEST else self._object(site, example, cls, depth)
        if made is not None:
            return made
        with site.reader.expecting((ANY,)):
            value = site.reader.of_type(example.argument(typ))
        return Anything((ANY,)) if value is None else value

    def _object(self, site: Site, example: Example, cls: TypeInfo, depth: int = 0) -> Call | None:
        """An object of a class of the program; None for other classes, and those that declare no fields."""
        own, fields = own_type(cls, site.facts.modules), fields_of(cls)
        if own is None or not fields:
            return None
        texts = self._fields.get(cls.fullname, {}) if cls.module_name == site.api.tree.fullname else {}
        values = {
            name: self._value(site, example, texts.get(name, typ), depth + 1) for name, typ in fields.items()
        }
        return Call(OBJECT, (own,), values)

    def _is_reported(self, file: str, info: ErrorInfo) -> bool:
        """Whether mypy is about to say of a return what was said already, in other words."""
        return info.code is codes.RETURN_VALUE and (file, info.line) in self._reported


def _strong(value: Value) -> Value:
    """An array as annotations see it, which say nothing of weak types."""
    return replace(value, weak=False) if isinstance(value, Array) else value


def _returns(function: FuncDef) -> list[ReturnStmt]:
    """The statements by which a function returns."""
    statements = list(statements_inside(function.body))
    nested = {
        id(inner)
        for statement in statements
        if isinstance(statement, FuncDef)
        for inner in statements_inside(statement.body)
    }
    return [s for s in statements if isinstance(s, ReturnStmt) and id(s) not in nested]


def _fits(actual: tuple[Dim, ...] | None, declared: tuple[Dim, ...]) -> bool:
    """Whether the sizes that are known may be those that are declared."""
    if actual is None:
        return True
    return len(actual) == len(declared) and all(
        a is None or b is None or a == b for a, b in zip(actual, declared, strict=True)
    )


def _spelled(size: Dim) -> str:
    return "?" if size is None else str(size)


def _imports_jaxtyping(module: MypyFile) -> bool:
    return any(
        name.partition(".")[0] == "jaxtyping" for node in module.imports for name in imported_modules(node)
    )
