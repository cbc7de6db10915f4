"""Whether a revealed type is right about what JAX computes: exact, open, or wrong."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from conformance.truth import ArrayOf, Items, Refused, Truth, Value
from jaxtyping_core import dtypes


class Answer(IntEnum):
    """How much a type says, and whether that is true."""

    EXACT = 0
    OPEN = 1
    WRONG = 2


class Verdict(NamedTuple):
    """The answers about the dtype (or the kind of a result that is no array) and about the shape."""

    dtype: Answer
    rank: Answer  # of the whole shape, where the sizes are asked for as well


EXACT, OPEN, WRONG = Answer
_OPEN = Verdict(OPEN, OPEN)
_WRONG = Verdict(WRONG, WRONG)
_EXACT = Verdict(EXACT, EXACT)

_WEAK_OR_DTYPE = {row.class_name for row in dtypes.DTYPES.values()} | set(dtypes.WEAK)
_PARENTS = {row.class_name: dtypes.ancestors(name) for name, row in dtypes.DTYPES.items()} | {
    "weak_int": ("signedinteger", "integer", "number", "generic"),
    "weak_float": ("floating", "inexact", "number", "generic"),
    "weak_complex": ("complexfloating", "inexact", "number", "generic"),
}
_PYTHON = {"int": int, "float": float, "bool": bool, "complex": complex, "str": str}
_CONTAINERS = {"tuple", "list", "dict"}
#: What no array of JAX is.
_NO_ARRAYS = {
    "np_ndarray",
    "ndarray",
    "NDArray",
    "Callable",
    "Overload",
    "TypedDict",
    "None",
    *_CONTAINERS,
    *_PYTHON,
}
_NO_ITEMS = {"Array", "None", *_PYTHON}


def judge(text: str, truth: Truth, sizes: bool = False) -> Verdict:
    """Compare a revealed type with the truth about an accepted expression; with `sizes`, a rank is not enough."""
    claim = parse(text)
    verdict = _compare(claim, truth)
    if sizes and verdict.rank is EXACT and not _all_sizes(claim):
        return Verdict(verdict.dtype, OPEN)
    return verdict


def _all_sizes(claim: ast.expr) -> bool:
    """Whether every size of every array in a type is a number."""
    arrays = [_split(part) for part in ast.walk(claim) if isinstance(part, ast.Subscript)]
    shapes = [arguments[1] for name, arguments in arrays if name == "Array" and len(arguments) > 1]
    dims = [dim for shape in shapes for dim in _split(shape)[1] if not isinstance(dim, ast.Tuple)]
    return all(_size(dim) is not None for dim in dims)


class UnreadableError(Exception):
    """A type that the judge cannot read, and so must not pass over."""


#: What checkers write besides Python's expressions, and what it means here.
_SPELLINGS = (
    (r"\?", ""),  # the mark of a literal that an assignment would widen, and of a key that may be missing
    (r"\*(?=[],)]|$)", ""),  # the mark of some inferred types
    (r"@_", "Unknown"),  # a type variable that nothing has solved
    (r"\bnumpy\.", "np_"),
    (r"\bjaxtyping_core\._results\.", ""),
)


#: The classes of dicts and lists that a call gives, with those of Python that they are.
_RESULTS = {"DictResult": "dict", "ListResult": "list"}


def parse(text: str) -> ast.expr:
    """A type that a checker has written, as Python's syntax."""
    plain = _without_fallbacks(text)
    for pattern, meaning in _SPELLINGS:
        plain = re.sub(pattern, meaning, plain)
    try:
        return ast.parse(_without_signatures(plain), mode="eval").body
    except SyntaxError as error:
        raise UnreadableError(f"the judge cannot read the type {text!r}") from error


def _without_fallbacks(text: str) -> str:
    """The text without the classes of named tuples, which may be generic."""
    before, named, after = text.partition(", fallback=")
    return before + _without_fallbacks(after[next(_ends(after), len(after)) :]) if named else text


def _without_signatures(text: str) -> str:
    """The text with `Callable` for each `(x: int) -> str`, which some checkers begin with `def`."""
    before, arrow, after = text.rpartition("->")
    if not arrow:
        return text
    start = _opening(before.rstrip())
    end = next(_ends(after), len(after))
    head = re.sub(r"((def|bound method) [\w.]*)? ?(\[[^]]*\] ?)?$", "", before[:start])
    return _without_signatures(f"{head}Callable{after[end:]}")


def _opening(text: str) -> int:
    """Where the bracket that the text ends with was opened."""
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        depth += (text[position] in ")]}") - (text[position] in "([{")
        if depth == 0:
            return position
    raise UnreadableError(f"no bracket closes in {text!r}")


def _ends(text: str) -> Iterator[int]:
    """Where a type at the start of the text may end: at a comma, a bar or a bracket that is not its own."""
    depth = 0
    for position, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0 or (depth == 0 and letter in ",|"):
            yield position


def _compare(claim: ast.expr, truth: Truth) -> Verdict:
    if isinstance(claim, ast.BinOp) and isinstance(claim.op, ast.BitOr):
        return _either([_compare(claim.left, truth), _compare(claim.right, truth)])
    name, arguments = _split(claim)
    if name in ("Never", "NoReturn"):
        return _WRONG
    name = _RESULTS.get(name, name)
    match truth:
        case ArrayOf():
            return _array(name, arguments, truth)
        case Items("dict") if isinstance(claim, ast.Call):
            return _typed_dict(claim, truth)
        case Items():
            return _items(name, arguments, truth)
        case Value():
            return _value(name, arguments, truth)
        case Refused():
            raise AssertionError("refused expressions have no type")


def _split(claim: ast.expr) -> tuple[str, list[ast.expr]]:
    """The name of a class and its type arguments."""
    if isinstance(claim, ast.Subscript):
        inner = claim.slice  # the empty tuple in `tuple[()]` stays as it is: `tuple` alone has no arguments
        several = isinstance(inner, ast.Tuple) and inner.elts
        return _split(claim.value)[0], several or [inner]
    if isinstance(claim, ast.Constant):
        return repr(claim.value), []
    if isinstance(claim, ast.Call):  # of its arguments, only those of a TypedDict say something
        return _split(claim.func)[0], []
    return (claim.id if isinstance(claim, ast.Name) else ""), []


def _either(verdicts: list[Verdict]) -> Verdict:
    """Of a union: open where one member is right."""

    def common(answers: Iterable[Answer]) -> Answer:
        distinct = set(answers)
        return distinct.pop() if len(distinct) == 1 else OPEN

    return Verdict(common(v.dtype for v in verdicts), common(v.rank for v in verdicts))


def _every(verdicts: list[Verdict]) -> Verdict:
    return Verdict(
        max((v.dtype for v in verdicts), default=EXACT), max((v.rank for v in verdicts), default=EXACT)
    )


def _array(name: str, arguments: list[ast.expr], truth: ArrayOf) -> Verdict:
    if name != "Array":
        return _WRONG if name in _NO_ARRAYS else _OPEN
    dtype = dtype_answer(arguments[0], truth.dtype) if arguments else OPEN
    return Verdict(dtype, _rank(arguments[1], truth.shape) if len(arguments) > 1 else OPEN)


def dtype_answer(claim: ast.expr, truth: str) -> Answer:
    """Whether a dtype class is the true one."""
    if isinstance(claim, ast.BinOp):
        answers = {dtype_answer(claim.left, truth), dtype_answer(claim.right, truth)}
        return answers.pop() if len(answers) == 1 else OPEN
    name, _ = _split(claim)
    if name in ("Never", "NoReturn", "None"):
        return WRONG
    if truth not in _WEAK_OR_DTYPE:  # an extended dtype: some class of its own
        return (
            WRONG if name in _WEAK_OR_DTYPE else OPEN if name in {"Any", "Unknown", "generic", ""} else EXACT
        )
    if name in _WEAK_OR_DTYPE:
        return EXACT if name == truth else WRONG
    if name in dtypes.ABSTRACT:
        return OPEN if name in _PARENTS[truth] else WRONG
    return OPEN


def _rank(claim: ast.expr, shape: tuple[int, ...]) -> Answer:
    if isinstance(claim, ast.BinOp):
        answers = {_rank(claim.left, shape), _rank(claim.right, shape)}
        return answers.pop() if len(answers) == 1 else OPEN
    name, dims = _split(claim)
    if name in ("Never", "NoReturn", "None"):
        return WRONG
    if name != "tuple" or not dims:
        return OPEN
    if any(isinstance(dim, ast.Starred) or _is_ellipsis(dim) for dim in dims):
        return OPEN
    if isinstance(dims[0], ast.Tuple):  # tuple[()]
        dims = []
    if len(dims) != len(shape):
        return WRONG
    return max((_dim(dim, size) for dim, size in zip(dims, shape, strict=True)), default=EXACT)


def _dim(claim: ast.expr, size: int) -> Answer:
    claimed = _size(claim)
    return WRONG if claimed not in (None, size) else EXACT


def _size(claim: ast.expr) -> int | None:
    """The size that a dim says: a number, a name such as ``D3``, which means 3 here, or arithmetic over those."""
    name, arguments = _split(claim)
    if name == "Literal" and len(arguments) == 1 and isinstance(arguments[0], ast.Constant):
        value = arguments[0].value
        return value if isinstance(value, int) else int(eval(str(value), dict(_SIZES)))
    return _SIZES.get(name)


_SIZES: dict[str, Any] = {
    **{f"D{size}": size for size in range(200)},
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "max": max,
    "min": min,
}


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _items(name: str, arguments: list[ast.expr], truth: Items) -> Verdict:
    if name in _NO_ITEMS or (name in _CONTAINERS and (name == "dict") != (truth.kind == "dict")):
        return _WRONG
    # Some functions return lists where JAX declares tuples: the items count.
    if name == "tuple":
        if len(arguments) == 2 and _is_ellipsis(arguments[1]):
            return _every([_compare(arguments[0], item) for item in truth.items])
        if arguments and isinstance(arguments[0], ast.Tuple):
            arguments = []
        if any(isinstance(argument, ast.Starred) for argument in arguments):
            return _OPEN
        if len(arguments) != len(truth.items):
            return _WRONG
        return _every([_compare(a, item) for a, item in zip(arguments, truth.items, strict=True)])
    if name in ("list", "dict") and arguments:
        return _every([_compare(arguments[-1], item) for item in truth.items])
    return _OPEN


def _typed_dict(claim: ast.Call, truth: Items) -> Verdict:
    """Compare `TypedDict('Name', {'key': type})`, whose name may be missing."""
    match claim.args:
        case [*_, ast.Dict(keys, values)]:
            declared = {ast.unparse(key): value for key, value in zip(keys, values, strict=True) if key}
            if declared.keys() != set(map(repr, truth.fields)):
                return _WRONG
            return _every(
                [
                    _compare(declared[repr(key)], item)
                    for key, item in zip(truth.fields, truth.items, strict=True)
                ]
            )
    return _OPEN


def _dtype_object(claim: ast.expr, dtype: np.dtype[Any]) -> Answer:
    """The answer about a dtype object; that of a weak array is the default of its kind, and is one wherever it is used."""
    kind = dtypes.WEAK.get(ast.unparse(claim))
    if kind and dtype.name in {dtypes.default_dtype(kind, x64) for x64 in (False, True)}:
        return EXACT
    return dtype_answer(claim, dtypes.DTYPES[dtype.name].class_name)


def _value(name: str, arguments: list[ast.expr], truth: Value) -> Verdict:
    value = truth.value
    if name == "Literal":
        allowed = [a.value for a in arguments if isinstance(a, ast.Constant)]
        return _EXACT if value in allowed else (_WRONG if len(allowed) == len(arguments) else _OPEN)
    if name in _PYTHON:
        return _EXACT if isinstance(value, _PYTHON[name]) else _WRONG
    if name == "None":
        return _EXACT if value is None else _WRONG
    if name == "DTypeObject" and isinstance(value, np.dtype) and value.name in dtypes.DTYPES:
        answer = _dtype_object(arguments[0], value) if arguments else OPEN
        return Verdict(answer, answer)
    if name in {cls.__name__ for cls in type(value).__mro__} - {"object", "dtype"}:
        return _EXACT
    return _WRONG if name in _CONTAINERS or (name == "Array" and not hasattr(value, "dtype")) else _OPEN
