"""Walks through the body of a function as a call of it was seen, but with other sizes."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping
from pathlib import Path

from jaxtyping_core.annotating.observed_types import RETURN, Place
from jaxtyping_core.annotating.source import DOUBLE, KEYWORD, STARRED, Definition
from jaxtyping_core.domain.values import (
    ANY,
    Anything,
    Array,
    Call,
    Dict,
    DType,
    List,
    Own,
    Scalar,
    Static,
    Tuple,
    Value,
)
from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation.client import evaluator
from jaxtyping_core.evaluation.protocol import BODY, OBJECT, Answer, request
from jaxtyping_core.evaluation.versions import jax_version, packages_digest
from jaxtyping_core.programs import evaluate
from jaxtyping_core.programs.sources import Program, collect
from jaxtyping_core.recording import observed
from jaxtyping_core.recording.observed import Observed
from jaxtyping_core.sampling.tables.dtypes import PASSED_DTYPES
from jaxtyping_core.settings import Settings
from jaxtyping_core.user import answers_file

#: Processor seconds that one walk may take, and how many more until it is given up: the first one waits for the walk of the modules.
SECONDS, GRACE = 1.0, 30.0
#: A size in a call: where the array is, and which axis.
Slot = tuple[Place, int]
#: The sizes of the arrays that a walk gives, by where they are in the result.
Given = dict[Place, tuple[int | None, ...]]
UNKNOWN = Anything((ANY,))
#: What a dtype is in a walk that is passed one: recordings do not keep which.
DTYPE_PASSED = PASSED_DTYPES[0]


class Walks:
    """Walks through the functions of a file.

    Args:
        file: the file.
        settings: how its program runs JAX.
        attributes: what objects of its classes hold besides arrays, by the class.
        main: what the file's module is called in what was seen.
    """

    def __init__(
        self, file: Path, settings: Settings, attributes: Mapping[str, Mapping[str, frozenset[Observed]]]
    ) -> None:
        self._attributes = attributes
        self._dtype = DTYPE_PASSED
        programs: list[Program] = []
        with contextlib.suppress(CommandError):
            programs = collect([file], settings.trusted) if settings.programs else []
        self._program = programs[0] if programs else None
        if self._program is not None:
            python = sys.executable
            self._module = self._program.entries[0]
            self._project = str(self._program.root.resolve())
            self._child = evaluator(
                *(python, settings.time_limit, answers_file(), jax_version(python)), packages=settings.trusted
            )
            self._request = evaluate.request(self._program, settings, SECONDS, packages_digest(python))

    def walk(
        self, definition: Definition, call: observed.Call, sizes: Mapping[Slot, int]
    ) -> Given | str | None:
        """The sizes that a call gives in which some sizes are others; why JAX refuses it; None where that is not known."""
        answer = self._answer(definition, call, sizes)
        if answer is None or answer.error is not None:
            return None if answer is None else answer.error
        return {place: _sizes(array) for place, array in _arrays(answer.result, (RETURN,))}

    def dtypes(
        self, definition: Definition, call: observed.Call, dtype: str = DTYPE_PASSED
    ) -> dict[Place, str | None] | str | None:
        """The dtypes that a call gives in which each dtype that is passed is this one; as `walk` otherwise."""
        answer = self._answer(definition, call, {}, dtype)
        if answer is None or answer.error is not None:
            return None if answer is None else answer.error
        return {place: array.dtype for place, array in _arrays(answer.result, (RETURN,))}

    def _answer(
        self,
        definition: Definition,
        call: observed.Call,
        sizes: Mapping[Slot, int],
        dtype: str = DTYPE_PASSED,
    ) -> Answer | None:
        """What is known of a call; None if nothing is."""
        self._dtype = dtype
        if self._program is None or definition.is_nested:
            return None
        args: list[Value] = [Own(self._module, definition.qualname)]
        kwargs: dict[str, Value] = {}
        arguments = dict(call.arguments)
        for parameter in definition.parameters:
            if parameter.name not in arguments:
                continue
            value = self._value(arguments[parameter.name], (parameter.name,), sizes)
            if parameter.kind == STARRED and isinstance(value, Tuple):
                args += value.items
            elif parameter.kind == DOUBLE and isinstance(value, Dict):
                kwargs |= {str(key.value): item for key, item in value.pairs if isinstance(key, Static)}
            elif parameter.kind == KEYWORD:
                kwargs[parameter.name] = value
            else:
                args.append(value)
        x64, promotion = self._request["program"]["x64"], self._request["promotion"]
        asked = {**self._request, **request(BODY, args, kwargs, x64=x64, promotion=promotion)}
        answer = self._child.ask(asked, SECONDS + GRACE, self._project)
        return None if answer.result is None and answer.error is None else answer

    def _value(self, value: Observed, place: Place, sizes: Mapping[Slot, int]) -> Value:
        match value:
            case observed.Array(dtype=dtype, dims=dims, weak=weak):
                return Array.of(
                    dtype, weak, tuple(sizes.get((place, at), dim) for at, dim in enumerate(dims))
                )
            case observed.Scalar("NoneType" | "None"):
                return Static(None)
            case observed.Scalar("int", int(number)) if not isinstance(number, bool):
                return Static(sizes.get((place, 0), number))
            case observed.Scalar("bool", bool(flag)):
                return Static(flag)
            case observed.Scalar(kind=kind):
                return Scalar(kind) if kind in ("int", "float", "complex", "bool") else UNKNOWN
            case observed.Items(kind=kind, items=items, type=cls, names=names):
                parts = [self._value(item, (*place, at), sizes) for at, item in enumerate(items)]
                if cls is not None:
                    return self._object(cls, dict(zip(names, parts, strict=False)))
                return List(tuple(parts)) if kind == "list" else Tuple(tuple(parts))
            case observed.Dict(keys=keys, items=items, type=None):
                pairs = zip(keys, items, strict=True)
                return Dict(
                    tuple((Static(key), self._value(item, (*place, key), sizes)) for key, item in pairs)
                )
            case observed.Object(type=observed.DTYPE):
                return DType(self._dtype)
            case observed.Object(type=cls, names=names, fields=fields, called=False):
                held_at = zip(names, fields, strict=True)
                held = {str(name): self._value(each, (*place, name), sizes) for name, each in held_at}
                return self._object(cls, held)
        return UNKNOWN

    def _object(self, cls: str, fields: dict[str, Value]) -> Value:
        """An object of a class of the program, with what is the same in all objects of the class."""
        assert self._program is not None
        owner = self._module if cls.startswith("__main__.") else ""
        modules = {owner} if owner else set(self._program.modules)
        qualname = cls.removeprefix("__main__.")
        for module in modules:
            name = qualname if owner else cls.removeprefix(f"{module}.")
            if owner or name != cls:
                for attribute, seen in self._attributes.get(name, {}).items():
                    if attribute not in fields:
                        only = next(iter(seen)) if len(seen) == 1 else None
                        fields[attribute] = UNKNOWN if only is None else self._value(only, (), {})
                return Call(OBJECT, (Own(module, name),), fields)
        return UNKNOWN


def _sizes(array: Array) -> tuple[int | None, ...]:
    return tuple(dim if isinstance(dim, int) else None for dim in array.shape or ())


def _arrays(value: Value | None, place: Place) -> list[tuple[Place, Array]]:
    """The arrays of known rank in what a call gives, by where they are."""
    match value:
        case Array(shape=dims) if dims is not None:
            return [(place, value)]
        case Tuple(items) | List(items):
            return [leaf for at, item in enumerate(items) for leaf in _arrays(item, (*place, at))]
        case Dict(pairs):
            return [
                leaf
                for key, item in pairs
                if isinstance(key, Static) and isinstance(key.value, (str, int))
                for leaf in _arrays(item, (*place, key.value))
            ]
    return []
