"""What the plugin and the evaluation child exchange: one JSON object a line, one answer a request.

Before its first answer the child writes ``{"ready": true}``, or a fault where it has no JAX.

A request has `function`, `args`, `kwargs`, `x64`, `promotion` and, where that is not "jax", `system`, the
promotion system of the array layer. `args` and `kwargs` hold values as `values.encode` writes them. `function` is
the dotted path of a function of ``jax``, of the layer (``jaxtyping_core.numpy.add``) or of ``operator``, or one of

    "method:NAME"     the first argument's method
    "attribute:NAME"  the first argument's attribute
    "update:NAME"     ``args[0].at[args[1]].NAME(*args[2:])``
    "builtin:NAME"    a function of Python that arrays answer, such as ``abs``
    "value"           the first argument itself is called
    "body"            the first argument is called as it is defined, without its decorators
    "object"          an object of the class that is the first argument, with these fields, made by none of its functions

A request may be about a whole program instead: `program` in place of `function`, `args` and `kwargs`, which
`jaxtyping_core.programs.evaluate` writes; the answer is then ``{"program": {...}}``, or unknown.

With `program` beside these, `function` is "body", and the first argument a function of the program (`values.Own`). Requests that follow each other
about one program share the walk of its modules. The seconds of the program are those of one call.

A child that is started with the argument `STOPS` stops evaluating a program when more input waits, an empty line perhaps: the program has
been edited, and nobody wants the answer, which is not complete.

A request about a program may have `skipped`: statements, as `progress.Position` has them, that an earlier child did not
get beyond, and that are left out. Where that was not enough, the program has `ends`: the walk
ends at that statement.

An answer is ``{"result": value}``, ``{"error": {"kind": "dtype" | "shape", "message": str}}`` where JAX
refuses the call whatever the unknown parts are, or ``{"unknown": reason}``; with ``"fault": true`` beside it
(or beside what is known of a program) where that is not JAX's answer but a fault of ours, or a lack of memory or of JAX itself; and with ``"again": true``
where another child may have what this one lacks.

Each request has a `nonce`, which its answer repeats.

The child runs this module too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..domain.merging import merge
from ..domain.values import Call, Value, decode, encode
from ..rules import RULES

#: The argument of a child that stops evaluating a program when more input waits.
STOPS = "stops"
#: What a request and its answer have in common. A child that says more than it is asked for, as one that a program has got
#: hold of may do, cannot have that taken for the answer to the next request.
NONCE = "nonce"
#: What a call is of the body of a function, whatever its decorators make of it.
BODY = "body"
#: What stands in a message about a function that declares arrays before the arguments for which it holds.
EXAMPLE = "; for example with "
#: What a call is that makes an object of its fields.
OBJECT = "object"
#: The error code of each kind of refusal; a call that a function has no parameters for has mypy's own.
CODES = {
    "dtype": "array-dtype",
    "shape": "array-shape",
    "tracing": "array-tracing",
    "leak": "array-leak",
    "donated": "donated",
    "removed": "array-removed",
    **{rule.kind: rule.code for rule in RULES},
    "call": "call-arg",
}
#: The kinds of what JAX accepts, and is hardly meant.
ACCEPTED = frozenset(rule.kind for rule in RULES)
OWN_CODES = frozenset(CODES.values()) - {"call-arg"}
#: What is said of an unpacking, by whoever walks over it.
UNPACKED = (
    "{value} has length {count}, but is unpacked into {targets} targets; "
    "the numbers must be equal, or one target must be starred"
)
#: Why nothing is known of a call that took longer than it may.
TOO_LONG = "the function takes too long"


class Answer(NamedTuple):
    """Exactly one of `result`, `error`, `unknown` and `program` is set; `kind` goes with `error`.

    `fault` tells, of what is unknown or of a program, that it is not JAX's answer: evaluation did not work; `again`, that it may work
    in another child. Both are set where the parent has no answer: the child died, or was ended.
    """

    result: Value | None = None
    error: str | None = None
    kind: str | None = None
    unknown: str | None = None
    fault: bool = False
    again: bool = False
    program: Mapping[str, Any] | None = None


def agreed(answers: Iterable[Answer]) -> Answer:
    """What holds whichever of `answers` is the right one; a refusal only if all refuse."""
    results, refusals = [], []
    for answer in answers:
        if answer.unknown is not None:
            return answer
        if answer.result is None:
            refusals.append(answer)
        else:
            results.append(answer.result)
    return Answer(result=merge(results)) if results else refusals[0]


def request(
    function: str,
    args: Sequence[Value],
    kwargs: Mapping[str, Value],
    *,
    x64: bool,
    promotion: str,
    system: str = "jax",
) -> dict[str, Any]:
    """The request for one call."""
    of_layer = {} if system == "jax" else {"system": system}
    return {
        "function": function,
        "args": [encode(arg) for arg in args],
        "kwargs": {name: encode(arg) for name, arg in kwargs.items()},
        "x64": x64,
        "promotion": promotion,
        **of_layer,
    }


def requested_call(message: Mapping[str, Any]) -> Value:
    """The call that a request is about."""
    return decode([Call.tag, message["function"], message["args"], message["kwargs"]])


def encode_answer(answer: Answer) -> dict[str, Any]:
    """An answer as a JSON object."""
    if answer.result is not None:
        return {"result": encode(answer.result)}
    if answer.error is not None:
        return {"error": {"kind": answer.kind, "message": answer.error}}
    flags = {name: True for name, is_set in {"fault": answer.fault, "again": answer.again}.items() if is_set}
    if answer.program is not None:
        return {"program": answer.program, **flags}
    return {"unknown": answer.unknown, **flags}


def decode_answer(message: Mapping[str, Any]) -> Answer:
    """The answer in a JSON object of the child's."""
    if "result" in message:
        return Answer(result=decode(message["result"]))
    if "error" in message:
        return Answer(error=message["error"]["message"], kind=message["error"]["kind"])
    fault, again = bool(message.get("fault")), bool(message.get("again"))
    if "program" in message:
        return Answer(program=message["program"], fault=fault, again=again)
    return Answer(unknown=str(message.get("unknown", "no answer")), fault=fault, again=again)
