"""Parameters for which programs pass numbers although their annotations have sizes, as ``Float[ArrayLike, "n"]``."""

from __future__ import annotations

import ast
from typing import Any

from .comparable import contracts


def parameters(node: ast.AST) -> set[str]:
    """The parameters that are annotated as ``Float[ArrayLike, "n"]``: programs pass numbers for these arrays, whatever the sizes say."""
    return {
        arg.arg
        for arg in ast.walk(node)
        if isinstance(arg, ast.arg)
        and arg.annotation is not None
        and any(map(_is_alike, ast.walk(arg.annotation)))
    }


def _is_alike(part: ast.AST) -> bool:
    if not (isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Tuple) and part.slice.elts):
        return False
    kind = part.slice.elts[0]
    return getattr(kind, "attr", getattr(kind, "id", "")) == "ArrayLike"


def loosened(form: Any) -> Any:
    """A form of arrays, or of numbers in their places."""
    forms = contracts("forms")
    if isinstance(form, forms.Union):
        choices = dict.fromkeys(map(loosened, form.choices))
        return forms.Union((*choices,)) if len(choices) > 1 else next(iter(choices))
    is_array = isinstance(form, forms.ArrayForm) and form.axes
    return forms.ArrayForm("ArrayLike", None, library="any") if is_array else form
