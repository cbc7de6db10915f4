"""The rules: what `check` finds in programs that JAX accepts, and that are hardly meant as they are.

Each has a row here, a module in `engine/rules/`, a page in `docs/reference/codes/`, and programs in `tests/claims/cases/`.
"""

from __future__ import annotations

from typing import NamedTuple

#: How grave a finding is, the gravest first: an error is what surely fails.
ERROR, WARNING, INFO, OFF = SEVERITIES = ("error", "warning", "info", "off")


class Rule(NamedTuple):
    """A rule: the kind of its findings, their code, how grave they are where the settings say nothing, and what it is for."""

    kind: str
    code: str
    severity: str
    purpose: str


RULES = (
    Rule("key", "key-reuse", WARNING, "Check that no random key is used twice"),
    Rule("index", "index-bounds", WARNING, "Check that indices are inside of their axes"),
    Rule("overflow", "int-overflow", WARNING, "Check that ints fit into their dtypes"),
    Rule("outer", "outer-broadcast", WARNING, "Check that rows and columns do not meet by mistake"),
    Rule("dispatch", "traced-dispatch", WARNING, "Check that a traced array takes the function for arrays"),
    Rule("compiled", "recompile", INFO, "Check that jitted functions are not compiled again and again"),
    Rule("widening", "widening", INFO, "Check that arrays of few bits stay so"),
    Rule("nan-perhaps", "nan-gradient", INFO, "Check that no gradient may become NaN"),
    Rule("nan", "nan-gradient", WARNING, "Check that no gradient becomes NaN"),
    Rule("port-numpy", "port-numpy", WARNING, "Check what NumPy gives in place of JAX"),
    Rule("port-torch", "port-torch", WARNING, "Check what PyTorch gives in place of JAX"),
    Rule("x64", "x64-lost", WARNING, "Check that 64-bit dtypes are not narrowed"),
)
#: The libraries that files are ported from, each with the rule that follows only the files that are named.
PORTS = ("numpy", "torch")
