"""Where trusted libraries make code of texts: each place that a public function reaches, and what is put in its way.

The child shadows `eval` in the modules that use it, by functions that evaluate no more than the library means by it, and has
the names of fields looked at before they get into code. Whatever way a program finds to get there, it ends here. Overlays have
the rows of other libraries.

| library | what | why nothing of the program gets there |
| --- | --- | --- |
| `dataclasses` | `exec` with the names of fields | `named_field`; also those of libraries that use it |
| `collections.namedtuple` | `eval` with the names of fields | looks at the names itself |
| `typing.NamedTuple` | the same | the same; `types` of fields are no code |
| `typing.ForwardRef` | `eval` by `get_type_hints`, as some libraries do | `evaluated_hint`: names, attributes, items |
| `typing_extensions.get_annotations` | `eval` of annotations | denied; annotations of the program are no texts |
| `functools.singledispatch` | `get_type_hints` | `dispatchers` in place of it; its methods are denied |
| `enum` | no code, but any module's dict by its name | `_convert_` is private, `global_enum` denied |
| `string.Formatter`, `str.format` | attributes by their names | denied; `natives.format_of` |
| `operator.attrgetter`, `methodcaller` | attributes by their names | denied |
| `numpy.bmat` | names of the caller's frames | denied |
| `numpy.matrix` of a text | `ast.literal_eval` | no code |
| `numpy.dtype`, `jax.numpy.einsum` | parsers of their own | no code |
| `numpy.lib.add_newdoc` | imports a module by its name | denied |
| `jax._src.debugger` | `eval` of what is typed | `jax.debug` is a namespace of ours |
| `warnings` | imports the module of a category | a namespace of ours |
"""

from __future__ import annotations

import dis
import functools
import keyword
import sys
import types
from collections.abc import Callable
from typing import Any

from .. import registry

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
    """A dim of an annotation that is no arithmetic of names and numbers. To a library, that is a name that is not known."""


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
    ("typing", "eval"): lambda _: evaluated_hint,
    ("annotationlib", "eval"): lambda _: evaluated_hint,
    ("dataclasses", "_get_field"): _named_field,
}
_sealed: set[tuple[str, str]] = set()


def seal() -> None:
    """Put these, and those of overlays, in the way of what is imported."""
    shadows = {**_SHADOWS, **registry.seals()}
    for module, name in shadows.keys() - _sealed:
        if module in sys.modules:
            names = vars(sys.modules[module])
            names[name] = shadows[module, name](names.get(name))
            _sealed.add((module, name))
