"""The operators of Python, as one table."""

from __future__ import annotations

from typing import NamedTuple


class Operator(NamedTuple):
    """One operator.

    `rule` says how the dtype of its result is found: "join" and "compare" by the promotion lattice, "evaluate" by
    asking JAX for each pair of dtypes, "call" by asking for the whole call.
    """

    symbol: str
    name: str
    rule: str

    @property
    def function(self) -> str:
        """The dotted path of the function that does the same."""
        return f"operator.{self.name}{'_' * (self.name in ('and', 'or'))}"


BINARY = (
    Operator("+", "add", "join"),
    Operator("-", "sub", "join"),
    Operator("*", "mul", "join"),
    Operator("/", "truediv", "evaluate"),
    Operator("//", "floordiv", "evaluate"),
    Operator("%", "mod", "evaluate"),
    Operator("**", "pow", "evaluate"),
    Operator("&", "and", "evaluate"),
    Operator("|", "or", "evaluate"),
    Operator("^", "xor", "evaluate"),
    Operator("<<", "lshift", "evaluate"),
    Operator(">>", "rshift", "evaluate"),
    Operator("@", "matmul", "call"),
)
COMPARISONS = (
    Operator("<", "lt", "compare"),
    Operator("<=", "le", "compare"),
    Operator(">", "gt", "compare"),
    Operator(">=", "ge", "compare"),
    Operator("==", "eq", "compare"),
    Operator("!=", "ne", "compare"),
)
#: The methods that Python calls, each with its operator and whether the operands are swapped.
METHODS: dict[str, tuple[Operator, bool]] = {
    **{f"__{op.name}__": (op, False) for op in (*BINARY, *COMPARISONS)},
    **{f"__r{op.name}__": (op, True) for op in BINARY},
}
