"""Where trusted libraries make code of texts: each place that a public function reaches, and what is put in its way.

The child shadows `eval` in the modules that use it, by functions that evaluate no more than the library means by it, and has
the names of fields looked at before they get into code. Whatever way a program finds to get there, it ends here.

| library | what | why nothing of the program gets there |
| --- | --- | --- |
| `jaxtyping._array_types` | dims: `eval` of an f-string, then of the result | `size_of_dim`: numbers, names, `+ - * // % **` |
| `jaxtyping._decorator` | `exec` of a signature; `get_type_hints` | `jaxtyped` is never called, only looked at |
| `beartype` | `exec` of checks, `eval` of annotations | `beartype` is never called; its other modules are denied |
| `dataclasses` | `exec` with the names of fields | `named_field`; also Flax's, Chex's and Equinox's |
| `equinox._module._flatten` | `exec` with fields and `__qualname__` | `named_field`; `classes` sets `__qualname__` |
| `collections.namedtuple` | `eval` with the names of fields | looks at the names itself |
| `typing.NamedTuple` | the same | the same; `types` of fields are no code |
| `typing.ForwardRef` | `eval` by `get_type_hints`, as `nnx.Pytree` does | `evaluated_hint`: names, attributes, items |
| `typing_extensions.get_annotations` | `eval` of annotations | denied; annotations of the program are no texts |
| `functools.singledispatch` | `get_type_hints` | denied |
| `enum` | no code, but any module's dict by its name | `_convert_` is private, `global_enum` denied |
| `string.Formatter`, `str.format` | attributes by their names | denied; `natives.format_of` |
| `operator.attrgetter`, `methodcaller` | attributes by their names | denied |
| `flax.linen.Module.apply(method=)` | attributes by their names | `gate`: no special names |
| `numpy.bmat` | names of the caller's frames | denied |
| `numpy.matrix` of a text | `ast.literal_eval` | no code |
| `numpy.dtype`, `einops`, `jax.numpy.einsum` | parsers of their own | no code |
| `numpy.lib.add_newdoc` | imports a module by its name | denied |
| `numpyro.contrib.nested_sampling` | `exec` with the names of sites | denied |
| `jax._src.debugger` | `eval` of what is typed | `jax.debug` is a namespace of ours |
| `warnings` | imports the module of a category | a namespace of ours |
"""

from __future__ import annotations

import ast
import dis
import functools
import keyword
import operator
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

from ...domain.expressions import BINARY

#: Operators of dims. Others, and larger numbers, are no sizes.
OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    **BINARY,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
LARGEST = 1 << 63
LONGEST_DIM = 1000
#: What an annotation does that is a text: it looks at names, attributes and items.
HARMLESS = frozenset(
    {
        *(
            "RESUME",
            "NOP",
            "CACHE",
            "COPY_FREE_VARS",
            "RETURN_VALUE",
            "RETURN_CONST",
            "LOAD_NAME",
            "LOAD_CONST",
        ),
        *(
            "LOAD_GLOBAL",
            "LOAD_ATTR",
            "LOAD_SMALL_INT",
            "BINARY_SUBSCR",
            "BUILD_TUPLE",
            "BUILD_LIST",
            "NOT_TAKEN",
        ),
    }
)
#: Operations of operators, by what they do: ``X | Y``, and items from Python 3.14 on.
OF_OPERATORS = {"BINARY_OP": ("|", "[]")}


class NoSize(NameError):
    """A dim that is no arithmetic of names and numbers. To jaxtyping that is a name that is not known."""


def size_of_dim(text: Any, names: Mapping[str, Any] | None = None, *_: Any) -> Any:
    """What jaxtyping's `eval` gives for a dim, or for the f-string that it is at first."""
    if type(text) is not str or len(text) > LONGEST_DIM:
        raise NoSize("a dim")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NoSize(text) from None
    if isinstance(tree, ast.Constant) and type(tree.value) is str:
        return tree.value
    if isinstance(tree, ast.JoinedStr):
        return "".join(_of_part(part, names or {}) for part in tree.values)
    return _size(tree, names or {})


def _of_part(part: ast.expr, names: Mapping[str, Any]) -> str:
    """A part of an f-string, of which the names are a call's arguments."""
    if isinstance(part, ast.Constant) and type(part.value) is str:
        return part.value
    if isinstance(part, ast.FormattedValue) and part.format_spec is None and part.conversion == -1:
        return str(_size(part.value, names))
    raise NoSize("a dim")


def _size(node: ast.expr, names: Mapping[str, Any]) -> int:
    size: Any = None
    if isinstance(node, ast.Constant):
        size = node.value
    elif isinstance(node, ast.Name):
        if node.id not in names:
            raise NameError(node.id)
        size = names[node.id]
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = _size(node.left, names), _size(node.right, names)
        if not isinstance(node.op, ast.Pow) or 0 <= right < 64:
            size = OPERATORS[type(node.op)](left, right) if right or isinstance(node.op, _WITH_ZERO) else None
    elif isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
        size = OPERATORS[type(node.op)](_size(node.operand, names))
    if type(size) is not int or abs(size) > LARGEST:
        raise NoSize(ast.unparse(node))
    return size


_WITH_ZERO = (ast.Add, ast.Sub, ast.Mult, ast.Pow)


def evaluated_hint(code: Any, *namespaces: Any, **named: Any) -> Any:
    """What `typing` evaluates an annotation by that is a text."""
    if not isinstance(code, types.CodeType) or not all(map(_is_harmless, dis.get_instructions(code))):
        raise NameError("an annotation that is no type")
    return eval(code, *namespaces, **named)


def _is_harmless(instruction: dis.Instruction) -> bool:
    if instruction.opname in OF_OPERATORS:
        return instruction.argrepr in OF_OPERATORS[instruction.opname]
    return instruction.opname in HARMLESS


def _named_field(real: Callable[..., Any]) -> Callable[..., Any]:
    """`dataclasses._get_field`, for fields whose names can be no code."""

    @functools.wraps(real)
    def named_field(cls: Any, name: Any, *args: Any, **kwargs: Any) -> Any:
        if type(name) is not str or not name.isidentifier() or keyword.iskeyword(name):
            raise TypeError(f"Field names must be valid identifiers: {name!r}")
        return real(cls, name, *args, **kwargs)

    return named_field


#: What is put in the place of a name of a module, which may have none of its own as yet.
_SHADOWS: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("jaxtyping._array_types", "eval"): lambda _: size_of_dim,
    ("typing", "eval"): lambda _: evaluated_hint,
    ("annotationlib", "eval"): lambda _: evaluated_hint,
    ("dataclasses", "_get_field"): _named_field,
}
_sealed: set[tuple[str, str]] = set()


def seal() -> None:
    """Put these in the way of what is imported."""
    for module, name in _SHADOWS.keys() - _sealed:
        if module in sys.modules:
            names = vars(sys.modules[module])
            names[name] = _SHADOWS[module, name](names.get(name))
            _sealed.add((module, name))
