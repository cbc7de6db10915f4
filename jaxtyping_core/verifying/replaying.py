"""Recorded calls made again, with arrays of their dtypes and sizes: for functions that take what annotations do not tell."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from jaxtyping_core import dtypes
from jaxtyping_core.contracts.binding import Environment
from jaxtyping_core.contracts.checking import check
from jaxtyping_core.contracts.forms import ArrayForm, Constants, Form, Parameter, Scalar
from jaxtyping_core.contracts.values import is_array, spelled
from jaxtyping_core.contracts.verdicts import UNKNOWN, Violated
from jaxtyping_core.contracts.verdicts import Verdict as Checked
from jaxtyping_core.recording import observed
from jaxtyping_core.recording.observed import Call, Observed
from jaxtyping_core.recording.store import Facts, FileFacts
from jaxtyping_core.sampling.tables.limits import MOST_REPLAYED
from jaxtyping_core.sampling.tables.numbers import STANDING

from .evaluating import CALL_LIMIT, quiet, real_arrays, whole_tracebacks
from .generate_arguments import evaluated, key_dtype
from .limits import TimeLimit, time_limit
from .outcomes import Kind, raised
from .subjects import Subject
from .verdicts import Answer, Verdict, contradicted

#: What a recording calls the kind of None.
NONE = ("NoneType", "None")
MakeArray = Callable[[observed.Array], Any]


class NotKept(Exception):
    """A recording does not tell what an argument was."""


def replayed(subject: Subject, facts: Facts) -> Verdict | None:
    """What recorded calls show of a function; None where none can be made again, or all of them raise."""
    known = facts.files.get(Path(subject.file).resolve())
    if known is None:
        return None
    count = 0
    attributes = {} if subject.owner is None else _attributes(known, subject.owner.type)
    with whole_tracebacks():
        for call in islice(_calls_of(subject, known), MOST_REPLAYED):
            try:
                checked, arguments = _made_again(subject, call, attributes)
            except (Exception, TimeLimit, SystemExit):  # noqa: BLE001, S112  # whatever the program raises: it shows nothing
                continue
            if isinstance(checked, Violated):
                if subject.is_passed:  # another function or text was given than that of the run
                    continue
                message = contradicted(subject, checked, f"{arguments}, in a recorded call")
                return Verdict(subject, Answer.CONTRADICTED, message, checked.code)
            count += 1
    reason = f"with the arguments of {count} recorded call{'s' * (count != 1)}"
    return Verdict(subject, Answer.TESTED, reason) if count else None


def _calls_of(subject: Subject, known: FileFacts) -> Iterator[Call]:
    """The recorded calls of a function that ended; of methods, if a class has them that is made by itself."""
    if subject.owner is None and "." in subject.name:
        return
    for function, calls in known.calls.items():
        if function.qualname == subject.name:
            yield from (call for call in calls if call.returned is not None)


def _attributes(known: FileFacts, cls: type) -> Mapping[str, Observed]:
    """What the objects of a class had, where it was the same in all of them, once it was not None."""
    held = known.attributes.get(cls.__qualname__, {})
    values = {name: set(each) - set(map(observed.Scalar, NONE)) for name, each in held.items()}
    return {name: value for name, each in values.items() if len(each) == 1 for value in each}


def _made_again(subject: Subject, call: Call, attributes: Mapping[str, Observed]) -> tuple[Checked, str]:
    """Whether the result of a call is as declared, and the arguments as users read them.

    Raises:
        NotKept: it cannot be made again, or its arguments are not as declared.
        Exception: whatever the call raises.
    """
    import jax

    needed: list[Any] = []

    def note(value: observed.Array) -> Any:
        needed.append(spec(value))
        return needed[-1]

    arguments = _arguments(subject, call, note)
    _holder(subject, attributes, note)
    text = ", ".join(f"{name}: {spelled(value)}" for name, value in arguments.items())
    checked: list[Checked] = []

    def again(arrays: list[Any]) -> tuple[()]:
        rest = iter(arrays)
        arguments = _arguments(subject, call, lambda _: next(rest))
        checked.append(_called(subject, arguments, _holder(subject, attributes, lambda _: next(rest))))
        return ()

    with quiet(), time_limit(CALL_LIMIT):
        try:
            jax.eval_shape(again, needed)
        except Exception as error:  # whatever the program raises; some calls need numbers
            if raised(error, subject.file, subject.body).kind is not Kind.NEEDS_VALUES:
                raise
            again(real_arrays(needed))
    return checked[-1], text


def _arguments(subject: Subject, call: Call, array: MakeArray) -> dict[str, Any]:
    arguments = dict(call.arguments)
    made: dict[str, Any] = {}
    for parameter in subject.signature.parameters:
        if parameter.name not in arguments:
            continue
        try:
            made[parameter.name] = _made(arguments[parameter.name], parameter, subject, array)
        except NotKept:
            if not parameter.has_default:
                raise
    return made


def _holder(subject: Subject, attributes: Mapping[str, Observed], array: MakeArray) -> list[Any]:
    """The object whose method is called, if it is one, with those of its attributes that are kept."""
    if subject.owner is None:
        return []
    holder: Any = object.__new__(subject.owner.type)
    for name, value in attributes.items():
        with suppress(NotKept):
            object.__setattr__(holder, name, _made(value, None, subject, array))
    return [holder]


def _called(subject: Subject, arguments: dict[str, Any], holder: list[Any]) -> Checked:
    environment = Environment(evaluate=evaluated)
    environment.arguments.update(arguments)
    environment.arguments.update(zip(["self"], holder, strict=False))
    positional: list[Any] = [*holder]
    keywords: dict[str, Any] = {}
    has_gap = False
    for parameter in subject.signature.parameters:
        if parameter.name not in arguments:
            has_gap = True
            continue
        value = arguments[parameter.name]
        if parameter.stars == 1:
            positional.extend(value)
        elif parameter.stars == 2:
            keywords |= value
        else:
            if isinstance(parameter.form, Scalar) and parameter.form.size is not None:
                environment.sizes.setdefault(parameter.form.size, value)
            is_raw = is_raw_key(parameter.form, value)
            if not is_raw and isinstance(check(parameter.form, value, environment), Violated):
                raise NotKept(f"{parameter.name} is not as declared")
            if parameter.keyword or has_gap:
                keywords[parameter.name] = value
            else:
                positional.append(value)
    returned = subject.call(*positional, **keywords)
    form = subject.signature.returned
    return UNKNOWN if form is None else check(form, returned, environment)


def is_raw_key(form: Form, value: Any) -> bool:
    """Whether a value is a random key of the older kind, an array of two uint32, where a key is declared."""
    is_key = isinstance(form, ArrayForm) and form.key
    return is_key and is_array(value) and str(value.dtype) == "uint32" and tuple(value.shape[-1:]) == (2,)


def _made(value: Observed, parameter: Parameter | None, subject: Subject, array: MakeArray) -> Any:
    def inner(part: Observed) -> Any:
        return _made(part, parameter, subject, array)

    match value:
        case observed.Array(library="numpy", dtype=dtype, dims=dims):
            sizes = [size for size in dims if size is not None]
            if len(sizes) == len(dims):
                return np.ones(sizes, dtypes.numpy_dtype(dtype))
        case observed.Array(dims=dims) if None not in dims:
            return array(value)
        case observed.Scalar(kind) if kind in NONE:
            return None
        case observed.Scalar(value=bool() | int()):
            return value.value
        case observed.Scalar("float" | "complex" as kind):
            return STANDING[kind]
        case observed.Items(kind=kind, items=items, type=None):
            made = [inner(item) for item in items]
            return made if kind == "list" else tuple(made)
        case observed.Items(items=items, type=str(path)):
            return _class(path, subject)(*map(inner, items))
        case observed.Dict(keys=keys, items=items, type=None):
            return dict(zip(keys, map(inner, items), strict=True))
        case observed.Object(called=True) | observed.Scalar("str") if parameter and isinstance(
            parameter.form, Constants
        ):
            return parameter.form.values[0]
    raise NotKept("only its type was recorded")


def _class(path: str, subject: Subject) -> Any:
    """The class of a named tuple; one of the script that was recorded is now one of the module."""
    module, _, name = path.rpartition(".")
    places = [script for script in sys.modules.values() if getattr(script, "__file__", None) == subject.file]
    classes = [
        getattr(holder, name, None)
        for holder in ([sys.modules.get(module)] if module != "__main__" else places)
    ]
    made = next((cls for cls in classes if isinstance(cls, type)), None)
    if made is None:
        raise NotKept(f"there is no class {path}")
    return made


def spec(value: observed.Array) -> Any:
    """The shape and the dtype of an array that was seen.

    Raises:
        NotKept: not all of it is known.
    """
    import jax

    dims = tuple(size for size in value.dims if size is not None)
    if len(dims) < len(value.dims):
        raise NotKept("a size that is not known")
    if value.dtype.startswith("key<"):
        if value.dtype != "key<fry>":
            raise NotKept(f"a key of the kind {value.dtype}")
        return jax.ShapeDtypeStruct(dims, key_dtype())
    return jax.ShapeDtypeStruct(dims, dtypes.numpy_dtype(value.dtype), weak_type=value.weak)
