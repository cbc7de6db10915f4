"""What the plugin and the evaluation child exchange: one JSON object a line, one answer a request.

Before its first answer the child writes ``{"ready": true}``, or a fault where it has no JAX.

A request has `function`, `args`, `kwargs`, `x64`, `promotion` and, where that is not "jax", `system`, the
promotion system of the array layer. `function` is the dotted path of a function of ``jax``, of the layer
(``jaxtyping_core.numpy.add``) or of ``operator``, or one of

    "method:NAME"     the first argument's method
    "attribute:NAME"  the first argument's attribute
    "update:NAME"     ``args[0].at[args[1]].NAME(*args[2:])``
    "builtin:NAME"    a function of Python that arrays answer, such as ``abs``
    "value"           the first argument itself is called

A value, in both directions, is a list whose first item says what it is:

    ["array", dtype, weak, dims]  dims: a list of ints, symbolic expressions (str) and None (unknown);
                                  dtype and dims may themselves be None
    ["layer", array]              an array of ``jaxtyping_core.numpy`` around that one
    ["scalar", kind]              a Python scalar whose value is unknown: "bool", "int", "float", "complex"
    ["static", value]             None, or a bool, int, float or str
    ["complex", real, imag]
    ["dim", expression]           a symbolic Python int
    ["key"]                       a random key of unknown kind; an array of dtype "key<fry>" is a typed one
    ["dtype", name]
    ["builtin", name]             bool, int, float or complex, used as a dtype
    ["tuple", [values...]]        also for named tuples
    ["list", [values...]]
    ["dict", [[key, value]...]]
    ["call", function, args, kwargs]   what that call returns, arrays or not
    ["lambda", [names...], value]      a function, in whose value there are
    ["parameter", name]
    ["slice", start, stop, step]
    ["ellipsis"]
    ["named", path]               an object of jax found under its dotted path, e.g. a function or an enum
    ["unknown"]                   (only in answers, inside a tuple or a list)

An answer is ``{"result": value}``, ``{"error": {"kind": "dtype" | "shape", "message": str}}`` where JAX
refuses the call whatever the unknown parts are, or ``{"unknown": reason}``; with ``"fault": true`` beside it
where that is not JAX's answer but a fault of ours, or a lack of memory or of JAX itself; and with ``"again": true``
where another child may have what this one lacks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

#: A value in the encoding above.
Value = list[Any]


class Array(NamedTuple):
    """An abstract array: `dims` are ints, symbolic expressions, or None where unknown."""

    dtype: str
    weak: bool
    dims: tuple[int | str | None, ...]

    def encode(self) -> Value:
        return ["array", self.dtype, self.weak, list(self.dims)]


class Answer(NamedTuple):
    """Exactly one of `result`, `error` and `unknown` is set; `kind` goes with `error`.

    `fault` tells, of what is unknown, that it is not JAX's answer: evaluation did not work; `again`, that it may work
    in another child.
    """

    result: Value | None = None
    error: str | None = None
    kind: str | None = None
    unknown: str | None = None
    fault: bool = False
    again: bool = False


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
        "args": list(args),
        "kwargs": dict(kwargs),
        "x64": x64,
        "promotion": promotion,
        **of_layer,
    }


def decode_answer(message: Mapping[str, Any]) -> Answer:
    """The child's JSON object as an `Answer`."""
    if "result" in message:
        return Answer(result=message["result"])
    if "error" in message:
        return Answer(error=message["error"]["message"], kind=message["error"]["kind"])
    reason = str(message.get("unknown", "no answer"))
    return Answer(unknown=reason, fault=bool(message.get("fault")), again=bool(message.get("again")))
