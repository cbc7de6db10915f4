"""What recorded calls gave, of functions that cannot be called again: what they take is not kept, as a text or a model's functions.

It holds for the program as it is now if that does what it did: nothing but annotations has changed since the recording.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from jaxtyping_core import dtypes
from jaxtyping_core.contracts.binding import Environment
from jaxtyping_core.contracts.checking import check
from jaxtyping_core.contracts.forms import Scalar
from jaxtyping_core.contracts.values import OPEN, spelled
from jaxtyping_core.contracts.verdicts import UNKNOWN, Violated
from jaxtyping_core.contracts.verdicts import Verdict as Checked
from jaxtyping_core.reading import read_bytes
from jaxtyping_core.recording import observed
from jaxtyping_core.recording.bodies import bodies_of
from jaxtyping_core.recording.observed import Call, Observed
from jaxtyping_core.recording.store import Facts
from jaxtyping_core.sampling.tables.numbers import STANDING

from .generate_arguments import evaluated
from .replaying import NONE, NotKept, is_raw_key, spec
from .subjects import Subject
from .verdicts import Answer, Verdict, contradicted


def remembered(subject: Subject, facts: Facts) -> Verdict | None:
    """What recorded calls of a function gave; None where there are none, or the program was changed since."""
    file = Path(subject.file).resolve()
    known = facts.files.get(file)
    if known is None or not known.bodies or bodies_of(read_bytes(file)) != known.bodies:
        return None
    count = 0
    own = [calls for function, calls in known.calls.items() if function.qualname == subject.name]
    for call in (call for calls in own for call in calls if call.returned is not None):
        arguments = _arguments(subject, call)
        environment = Environment(evaluate=evaluated)
        if arguments is None or not _fit(subject, arguments, environment):
            continue
        checked = _checked(subject, call, environment)
        if isinstance(checked, Violated):
            text = ", ".join(f"{name}: {spelled(value)}" for name, value in arguments.items())
            message = contradicted(subject, checked, f"{text}, in a recorded call")
            return Verdict(subject, Answer.CONTRADICTED, message, checked.code)
        count += 1
    reason = f"by the results of {count} recorded call{'s' * (count != 1)}"
    return Verdict(subject, Answer.TESTED, reason) if count else None


def _arguments(subject: Subject, call: Call) -> dict[str, Any] | None:
    """What was given for each parameter; None where it is not known which parameters there were."""
    seen = dict(call.arguments)
    names = [parameter.name for parameter in subject.signature.parameters]
    return {name: _standing(seen[name]) for name in names} if seen.keys() >= set(names) else None


def _fit(subject: Subject, arguments: dict[str, Any], environment: Environment) -> bool:
    """Whether arguments are as declared; the names of sizes stand for theirs then."""
    for parameter in subject.signature.parameters:
        value = arguments[parameter.name]
        if isinstance(parameter.form, Scalar) and parameter.form.size is not None and isinstance(value, int):
            environment.sizes.setdefault(parameter.form.size, value)
        parts = value if parameter.stars and isinstance(value, tuple) else (value,)
        for part in parts:
            is_known = not is_raw_key(parameter.form, part) and parameter.stars != 2
            if is_known and isinstance(check(parameter.form, part, environment), Violated):
                return False
    environment.arguments.update(arguments)
    return True


def _checked(subject: Subject, call: Call, environment: Environment) -> Checked:
    form = subject.signature.returned
    assert call.returned is not None
    return UNKNOWN if form is None else check(form, _standing(call.returned), environment)


def _standing(value: Observed) -> Any:
    """What stands for a value that was seen; where nothing is known of it, what fits everything."""
    match value:
        case observed.Array():
            try:
                return _array(value)
            except (NotKept, KeyError):
                return OPEN
        case observed.Scalar(kind) if kind in NONE:
            return None
        case observed.Scalar(value=bool() | int()):
            return value.value
        case observed.Scalar(kind=kind):
            return STANDING.get(kind, OPEN)
        case observed.Items(kind=kind, items=items, type=None):
            parts = map(_standing, items)
            return list(parts) if kind == "list" else tuple(parts)
        case observed.Dict(keys=keys, items=items):
            return dict(zip(keys, map(_standing, items), strict=True))
        case (
            observed.Items(names=names, items=items)
            | observed.Object(names=names, fields=items, called=False)
        ) if names:
            return SimpleNamespace(**dict(zip(map(str, names), map(_standing, items), strict=False)))
    return OPEN


def _array(value: observed.Array) -> Any:
    if value.library == "jax":
        return spec(value)
    sizes = [size for size in value.dims if size is not None]
    return np.broadcast_to(np.zeros((), dtypes.numpy_dtype(value.dtype)), sizes)
