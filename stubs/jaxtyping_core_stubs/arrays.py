"""``jax/_src/basearray.pyi``: the array class, generic over dtype and shape.

What an array offers is read from JAX's own stub of the same file; only the types change, by the tables below.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from inspect import Parameter, Signature

import jax
from jax._src.numpy import array_methods

from . import (
    exact,
    functions,
    oracle,
    requests,
    scalars,
    shown,
    switches,
)
from .preamble import BASES, CLASS, HEAD, HELPERS

MODULE = "jax._src.basearray"

#: The classes that know the dtype and the shape of an array, with the class at run time.
CLASSES: dict[str, type] = {
    "Array": jax.Array,
    "_IndexUpdateHelper": array_methods._IndexUpdateHelper,
    "_IndexUpdateRef": array_methods._IndexUpdateRef,
}

SAME = "Array[DT, Sh]"
SAME_DTYPE = "Array[DT, Any]"
SAME_SHAPE = "Array[Any, Sh]"
UNKNOWN = "Array"

#: Methods of which the result is not what the tables below say.
METHODS: dict[str, str] = {
    **dict.fromkeys(("__neg__", "__pos__", "conj", "conjugate", "copy"), SAME),
    **dict.fromkeys(("block_until_ready", "to_device"), SAME),
    **dict.fromkeys(("__abs__", "__round__", "round", "real", "imag", "view"), UNKNOWN),
    **dict.fromkeys(("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"), "Array[bool_, Any]"),
    **dict.fromkeys(("all", "any"), "Array[bool_, Any]"),
    "__rdivmod__": "tuple[Array, Array]",
    "astype": "Array[Any, Sh]",
    "at": "_IndexUpdateHelper[DT, Sh]",
}

#: Results by the class and by what JAX's stub declares.
RESULTS: dict[str, dict[str, str]] = {
    "Array": {"Self": SAME_DTYPE, "Iterator[Self]": f"Iterator[{SAME_DTYPE}]", "np.dtype": "DTypeObject[DT]"},
    "_IndexUpdateHelper": {"_IndexUpdateRef": "_IndexUpdateRef[DT, Sh]"},
    "_IndexUpdateRef": {"Array": SAME},
}

GET = ("_IndexUpdateRef", "get")  # reads: another shape


def render() -> str:
    """The text of the stub."""
    source = oracle.tree(MODULE)
    assert source is not None, "JAX describes its array class in basearray.pyi"
    imports: list[ast.stmt] = [node for node in source.body if isinstance(node, ast.Import | ast.ImportFrom)]
    rest = [node for node in source.body if node not in imports]
    others = switches.thin_in_mypy(exact.descriptors(), ["..."])
    body = "\n".join([*map(_statement, rest), *others])
    head = HEAD.format(
        not_pyright=switches.NOT_PYRIGHT,
        ty_or_pyrefly=switches.TY_OR_PYREFLY,
        asked=requests.definitions(),
    )
    used = scalars.names_in(head + body)
    imports += [ast.ImportFrom(scalars.MODULE, [ast.alias(name) for name in used], 0)]
    lines = [*map(ast.unparse, imports), shown.IMPORTS, head, shown.with_results(body), ""]
    return "\n".join(lines)


def _statement(node: ast.stmt) -> str:
    if isinstance(node, ast.ClassDef) and node.name in CLASSES:
        bases = BASES if node.name == "Array" else ()
        name = "_Members" if bases else node.name
        head = f"\nclass {name}({', '.join([*bases, 'Generic[DT, Sh]'])}):"
        return "\n".join(
            [
                head,
                *([HELPERS] if bases else []),
                *switches.indented(re.sub(r"\bArrayLike\b", shown.OPERAND, line) for line in _body(node)),
                *([CLASS] if bases else []),
            ]
        )
    match node:
        case ast.Assign([ast.Name(name)], value) if name == requests.ALIAS[1]:
            return f"{name}: TypeAlias = Literal{requests.names()} | {ast.unparse(value)}"
        case ast.Assign():
            return ast.unparse(node).replace("np.bool_", "_NumPyBool")
    return ast.unparse(node)


def _body(node: ast.ClassDef) -> Iterator[str]:
    for member in node.body:
        if not isinstance(member, ast.FunctionDef):
            continue
        plain = list(_method(node.name, member))
        stated: list[str] = []
        if node.name == "Array" and member.name in exact.ARRAY:
            stated = list(exact.ARRAY[member.name]())
        elif node.name == "Array" and (rows := exact.rows(member.name, _names(member))):
            stated = [*exact.lines(member.name, rows), "@overload", *plain]
        elif node.name == "_IndexUpdateRef" and member.name in exact.UPDATES:
            stated = list(exact.update(member.name, plain))
        sentence = _sentence(node.name, member.name)
        if stated:
            yield from switches.thin_in_mypy(_described(stated, sentence), plain)
        else:
            yield from _described(plain, sentence)


def _sentence(owner: str, name: str) -> str:
    """The first sentence of JAX's documentation of a member."""
    text = "" if name.startswith("__") else inspect.getdoc(getattr(CLASSES[owner], name, None)) or ""
    return _ROLE.sub(r"`\1`", " ".join(text.partition("\n\n")[0].split()))


_ROLE = re.compile(r":\w+:`~?([^`]*)`")


def _described(lines: list[str], sentence: str) -> Iterator[str]:
    """The definition of a member with the sentence: editors find it in the first overload."""
    first = next((place for place, line in enumerate(lines) if not line.startswith("@")), None)
    for place, line in enumerate(lines):
        if place == first and sentence and line.endswith(": ..."):
            yield line.removesuffix(" ...")
            yield f'    """{sentence}"""'
        else:
            yield line


def _names(node: ast.FunctionDef) -> frozenset[str]:
    return frozenset(oracle.signature(node).parameters)


def _method(owner: str, node: ast.FunctionDef) -> Iterator[str]:
    yield from (f"@{ast.unparse(decorator)}" for decorator in node.decorator_list)
    described = oracle.signature(node)
    parameters = list(widened(owner, node.name, described).parameters.values())[1:]
    declared = "None" if described.return_annotation is Signature.empty else described.return_annotation
    result = _result(owner, node.name, declared)
    yield f"def {node.name}({functions.parameters(parameters, 'self')}) -> {result}: ..."


def widened(owner: str, name: str, described: Signature) -> Signature:
    """A method as JAX's stub describes it, where it also accepts what the method itself says that it accepts."""
    parameters = list(described.parameters.values())
    if [parameter.name for parameter in parameters] == ["self", "other"]:
        return Signature([parameter.replace(kind=Parameter.POSITIONAL_ONLY) for parameter in parameters])
    method = getattr(CLASSES[owner], name, None)
    if name.startswith("__") or not inspect.isfunction(method):
        return described
    own = inspect.signature(method).parameters
    more = [
        parameter
        for parameter in own.values()
        if parameter.name not in described.parameters and parameter.kind is Parameter.KEYWORD_ONLY
    ]
    return described.replace(
        parameters=[*(functions.wider(parameter, own.get(parameter.name)) for parameter in parameters), *more]
    )


def _result(owner: str, method: str, declared: str) -> str:
    if (owner, method) == GET:
        return SAME_DTYPE
    if owner == "_IndexUpdateRef" and method in exact.UPDATES:
        return SAME_SHAPE
    if owner == "Array" and method in METHODS:
        return METHODS[method]
    return RESULTS[owner].get(declared, declared)
