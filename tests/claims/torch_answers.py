"""PyTorch's answers to the expressions of `cases/rule_port_torch.py`, as data: PyTorch itself is too large for each test run.

``python tests/claims/torch_answers.py``, with a Python that has PyTorch, writes them anew.
"""

from __future__ import annotations

import ast
import importlib
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from claims import port_calls

FOLDER = Path(__file__).parent
FILE = FOLDER / "data" / "torch.json"
CASES = FOLDER / "cases" / "rule_port_torch.py"
#: The functions whose dtypes are asked for, with how many operands they have.
NAMES = {
    **dict.fromkeys(
        [
            "add",
            "sub",
            "mul",
            "maximum",
            "minimum",
            "outer",
            "fmax",
            "fmin",
            "dot",
            "matmul",
            "concatenate",
            "stack",
            "hstack",
            "vstack",
        ],
        2,
    ),
    "truediv": 2,
    **dict.fromkeys(
        [
            "exp",
            "exp2",
            "expm1",
            "log",
            "log2",
            "log10",
            "log1p",
            "sqrt",
            "sin",
            "cos",
            "tan",
            "sinh",
            "cosh",
            "tanh",
        ],
        1,
    ),
    **dict.fromkeys(
        ["arcsin", "arccos", "arctan", "mean", "var", "std", "sum", "prod", "cumsum", "cumprod", "trace"], 1
    ),
    **dict.fromkeys(["argmax", "argmin", "argsort", "searchsorted", "count_nonzero", "bincount"], 0),
    **dict.fromkeys(["zeros", "ones", "empty", "eye", "linspace", "logspace"], 0),
    **dict.fromkeys(["linalg.inv", "linalg.det", "linalg.norm"], 1),
}
#: The variable of a case with the expression of the other library.
VARIABLE = "torch"


def expressions() -> list[str]:
    """What the cases compare with."""
    tree = ast.parse(CASES.read_text(encoding="utf-8"))
    return [
        value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id == VARIABLE
        for value in [ast.literal_eval(node.value)]
    ]


def answer(torch: Any, expression: str) -> dict[str, Any]:
    """What PyTorch gives: a dtype and numbers, another type, or an error."""
    try:
        result = eval(expression, {"torch": torch})
    except Exception as error:  # whatever PyTorch raises
        return {"raises": type(error).__name__}
    if not isinstance(result, torch.Tensor):
        return {"type": type(result).__name__}
    numbers = result.tolist()
    return {"dtype": str(result.dtype).removeprefix("torch."), "numbers": json.loads(json.dumps(numbers))}


def dtypes(torch: Any) -> dict[str, dict[str, str]]:
    """The dtypes that PyTorch's functions give, by the function and the dtypes of the operands."""
    return {
        name: {" ".join(nodes): port_calls.dtype(torch, name, nodes) for nodes in port_calls.operands(arity)}
        for name, arity in NAMES.items()
    }


def main() -> None:
    """Write the answers of the PyTorch that is installed."""
    torch = importlib.import_module("torch")
    answers = {expression: answer(torch, expression) for expression in expressions()}
    known = {"version": torch.__version__, "answers": answers, "dtypes": dtypes(torch)}
    FILE.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
