"""Walks through the body of a function, with arguments that its annotations allow."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

from mypy.nodes import FuncDef, TypeInfo

from jaxtyping_core.contracts.binding import Excluded
from jaxtyping_core.contracts.checking import check
from jaxtyping_core.contracts.verdicts import PROVEN, Violated
from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.domain.values import ANY, Anything, Array, Call, Items, Key, Own, Static, Unknown, Value
from jaxtyping_core.evaluation.protocol import BODY, OBJECT
from jaxtyping_core.sampling.tables.ranks import STARRED_ARGUMENTS
from jaxtyping_core.sampling.tables.sizes import BodySample
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.arguments import KEYS, is_open
from jaxtyping_core_mypy.convert import Type, own_type
from jaxtyping_core_mypy.convert.dim_strings import Texts, spell_annotation
from jaxtyping_core_mypy.convert.examples import (
    Example,
    Parameter,
    Signature,
    class_of_object,
)
from jaxtyping_core_mypy.convert.fields import fields_of, initializer_of, kept_arguments
from jaxtyping_core_mypy.convert.forms import comparable, form_of
from jaxtyping_core_mypy.site import Site

#: Objects within objects that are made up.
DEEPEST = 4
#: The ways in which an array is not as declared; of others mypy tells.
CODES = {"array-shape": errors.ARRAY_SHAPE, "array-dtype": errors.ARRAY_DTYPE}
NOT_EXCHANGED: Mapping[str, str] = {}


class Walk(NamedTuple):
    """What a walk has shown."""

    #: Whether it came to an end at which something is known.
    ended: bool
    #: What is returned that is not as declared.
    wrong: Violated | None
    #: Whether all is known of the result that the declaration says.
    is_known: bool
    arguments: dict[str, Value]
    #: Why JAX refuses what the body does with arguments whose dims are all declared; None if it does not.
    refusal: str | None = None
    #: Whether something is known of the result, and nothing else than what is declared.
    is_right: bool = False


class Walker:
    """Walks through a body.

    Args:
        site: a place in the function.
        function: the function.
        signature: what it declares.
        texts: what annotations say.
    """

    def __init__(self, site: Site, function: FuncDef, signature: Signature, texts: Texts) -> None:
        self._site = site
        self._function = function
        self._signature = signature
        self._texts = texts

    def is_right_otherwise(self, draw: BodySample) -> bool:
        """Whether the result is as declared where names in the fields of objects are other dims than the function's of that name."""
        example = Example(draw, self._site.engine.find_class, {})
        self._values(example)
        return any(self.walk(draw, exchanged).is_right for exchanged in example.exchanges())

    def walk(self, draw: BodySample, exchanged: Mapping[str, str] = NOT_EXCHANGED) -> Walk:
        """Walk with what a call may give; names in fields may be `exchanged`."""
        site, function = self._site, self._function
        example = Example(draw, site.engine.find_class, exchanged)
        values = self._values(example)
        module = site.api.tree
        own = Own(module.path, function.fullname.removeprefix(f"{module.fullname}."))
        args: list[Value] = [own]
        kwargs: dict[str, Value] = {}
        for parameter in self._signature.parameters:
            value = values[parameter.name]
            if parameter.is_keyword:
                kwargs[parameter.name] = value
            else:
                args += [value] * (STARRED_ARGUMENTS if parameter.is_starred else 1)
        answer = site.ask(BODY, args, kwargs)
        if answer.result is None:
            # A field may have the size of an argument whatever their dims are called.
            is_told = answer.error is not None and not any(isinstance(v, Call) for v in values.values())
            return Walk(False, None, False, values, answer.error if is_told else None)
        as_text = functools.partial(spell_annotation, as_text=site.facts.imports_jaxtyping)
        form = form_of(self._signature.result, as_text)
        try:
            verdict = check(form, comparable(answer.result), example.environment)
        except Excluded:
            return Walk(False, None, False, values)
        wrong = verdict if isinstance(verdict, Violated) and verdict.code in CODES else None
        is_right = wrong is None and not _says_nothing(answer.result)
        if wrong is not None and not _is_known(wrong.value):
            wrong = None
        return Walk(True, wrong, verdict == PROVEN, values, is_right=is_right)

    def _values(self, example: Example) -> dict[str, Value]:
        """The arguments, those first that others may name."""
        parameters = self._signature.parameters
        values: dict[str, Value] = {}
        for parameter in sorted(parameters, key=self._rank):
            if parameter is parameters[0] and self._signature.of_class is not None:
                continue
            if parameter.name in self._signature.values:
                values[parameter.name] = Static(example.value(parameter.name))
                continue
            value = self._value(example, parameter.typ)
            # Others that are called so are an attention's.
            values[parameter.name] = Key() if parameter.name in KEYS and is_open(value) else value
        cls = self._signature.of_class
        if cls is not None:
            values[parameters[0].name] = self._receiver(example, cls)
        return {parameter.name: values[parameter.name] for parameter in parameters}

    def _rank(self, parameter: Parameter) -> int:
        """Values come first, for annotations of arrays may name them, and objects last."""
        if parameter.name in self._signature.values:
            return 0
        return 2 if class_of_object(parameter.typ) is not None else 1

    def _receiver(self, example: Example, cls: TypeInfo) -> Value:
        """What a method is called on."""
        made = (
            own_type(cls, self._site.facts.modules)
            if self._function.is_class
            else self._object(example, cls, 0)
        )
        return made or Anything((ANY,))

    def _value(self, example: Example, typ: Type, depth: int = 0) -> Value:
        """An argument of some type; an object of the program is one with the fields that its class declares."""
        cls = class_of_object(typ)
        made = None if cls is None or depth == DEEPEST else self._object(example, cls, depth)
        if made is not None:
            return made
        reader = self._site.reader
        with reader.expecting((ANY,)):
            value = reader.of_type(example.field(typ) if depth else example.argument(typ))
        return Anything((ANY,)) if value is None else value

    def _object(self, example: Example, cls: TypeInfo, depth: int) -> Call | None:
        """An object of a class of the program; None for other classes, and those that declare no fields."""
        own, fields = own_type(cls, self._site.facts.modules), fields_of(cls)
        # Of the classes of other modules mypy may have the types from its cache, without the texts.
        if cls.module_name == self._site.api.tree.fullname:
            texts = self._texts.fields(cls)
            fields = {**self._kept(cls), **{name: texts.get(name, typ) for name, typ in fields.items()}}
        if own is None or not fields:
            return None
        values = {name: self._value(example, typ, depth + 1) for name, typ in fields.items()}
        return Call(OBJECT, (own,), values)

    def _kept(self, cls: TypeInfo) -> dict[str, Type]:
        """The attributes of an object that are arguments of its ``__init__``."""
        initializer = initializer_of(cls)
        declared = None if initializer is None else self._texts.signature(initializer)
        if initializer is None or declared is None:
            return {}
        return kept_arguments(cls, initializer, declared, self._site.facts)


def _says_nothing(result: Value) -> bool:
    """Whether nothing is known of a result."""
    if isinstance(result, Items):
        return bool(result.items) and all(map(_says_nothing, result.items))
    return isinstance(result, Unknown) or (
        isinstance(result, Array) and result.dtype is None and result.shape is None
    )


def _is_known(array: AbstractArray) -> bool:
    """Whether all is known of an array: what a walk guesses from a part of it may not be what the program does."""
    return array.dtype is not None and array.shape is not None and None not in array.shape
