"""Whether a result is as its form says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from jaxtyping_core._annotations.elements import dtype_name
from jaxtyping_core.domain.formatting import spell_array

from .axes import Environment
from .forms import (
    ArrayForm,
    Constants,
    Dict,
    Form,
    Items,
    Object,
    Scalar,
    Sequence,
    Tree,
    Union,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a result is not what was declared: `actual` and `expected` as users read them; `here` with sizes."""

    path: str
    actual: str
    expected: str
    here: str = ""
    code: str = "array-shape"


class Planned(NamedTuple):
    """An object that will be made: its class, and what of."""

    type: str
    values: tuple[Any, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """An array of which some sizes are not known: these are `axes.ANY_SIZE`."""

    shape: tuple[Any, ...]
    dtype: Any
    weak_type: bool = True


class Open:
    """A value of which nothing is known: it is as any form says."""


OPEN = Open()


def is_array(value: Any) -> bool:
    """Whether a value has a shape and a dtype, whichever library it is of."""
    return hasattr(value, "shape") and hasattr(value, "dtype")


def spelled(value: Any) -> str:
    """A value as messages have it."""
    if is_array(value):
        name = dtype_name(value.dtype) if isinstance(value.dtype, np.dtype) else str(value.dtype)
        return spell_array(name, list(map(str, value.shape)))
    if isinstance(value, Planned):
        unnamed = len(value.values) - len(value.names)
        texts = list(map(spelled, value.values))
        named = [f"{name}={text}" for name, text in zip(value.names, texts[unnamed:], strict=True)]
        return f"{value.type}({_listed([*texts[:unnamed], *named])})"
    if isinstance(value, tuple | list):
        names = getattr(value, "_fields", None)
        if names is not None:
            inside = [f"{name}={spelled(item)}" for name, item in zip(names, value, strict=True)]
            return f"{type(value).__name__}({_listed(inside)})"
        opened, closed = "()" if isinstance(value, tuple) else "[]"
        return f"{opened}{_listed([spelled(item) for item in value])}{closed}"
    if isinstance(value, Mapping):
        return f"{{{_listed([f'{key!r}: {spelled(item)}' for key, item in value.items()])}}}"
    if value is None or isinstance(value, bool | int | float | complex | str):
        return repr(value)
    return type(value).__name__


def _listed(parts: list[str]) -> str:
    return ", ".join(parts if len(parts) <= 6 else [*parts[:5], "..."])


def difference(form: Form, value: Any, environment: Environment, path: str = "") -> Difference | None:
    """The first place where `value` is not as `form` says; names that stood for nothing stand for its sizes."""
    checker = _CHECKERS.get(type(form))
    return None if checker is None or value is OPEN else checker(form, value, environment, path)


def _array(form: ArrayForm, value: Any, environment: Environment, path: str) -> Difference | None:
    if form.axes is None:
        return None
    if not is_array(value) or (isinstance(value, np.ndarray | np.generic) and form.library == "jax"):
        kind = f"NumPy's {spelled(value)}" if is_array(value) else spelled(value)
        return Difference(path, kind, form.text, code="return-value")
    if not _has_dtype(form, value, environment):
        return Difference(path, spelled(value), form.text, code="array-dtype")
    tried = environment.copy()
    if not tried.accepts(form.axes, tuple(value.shape)):
        here = environment.expected(form.axes)
        is_known = here != Environment().expected(
            form.axes
        )  # some of its sizes are, which the text does not say
        return Difference(path, spelled(value), form.text, here if is_known else "")
    environment.take(tried)
    return None


def _has_dtype(form: ArrayForm, value: Any, environment: Environment) -> bool:
    import jax

    if form.key:
        return bool(jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key))
    if not any(test.accepts(value) for test in form.elements):
        return False
    if form.variable is None:
        return True
    name = dtype_name(value.dtype)
    return environment.dtypes.setdefault(form.variable, name) == name


def _number(form: Scalar | Constants, value: Any, path: str) -> Difference | None:
    """Numbers and `None` are looked at only beside arrays: many a program calls an array without dims a `float`."""
    if not is_array(value):
        return None
    expected = form.kind.__name__ if isinstance(form, Scalar) else " | ".join(map(repr, form.values))
    return Difference(path, spelled(value), expected, code="return-value")


def _union(form: Union, value: Any, environment: Environment, path: str) -> Difference | None:
    misfits: list[Difference] = []
    beside_arrays = any(isinstance(choice, ArrayForm) for choice in form.choices)
    for choice in form.choices:
        tried = environment.copy()
        if beside_arrays and isinstance(choice, Scalar | Constants):
            misfit = _number(choice, value, path)
        else:
            misfit = difference(choice, value, tried, path)
        if misfit is None:
            environment.take(tried)
            return None
        misfits.append(misfit)
    expected = " | ".join(dict.fromkeys(misfit.expected for misfit in misfits))
    here = next((misfit.here for misfit in misfits if misfit.here), "") if len(misfits) == 1 else ""
    code = "array-shape" if any(misfit.code == "array-shape" for misfit in misfits) else misfits[0].code
    return Difference(path, misfits[0].actual, expected, here, code)


def _items(form: Items, value: Any, environment: Environment, path: str) -> Difference | None:
    if not isinstance(value, tuple) or len(value) != len(form.items):
        if is_array(value) or isinstance(value, tuple):
            return Difference(path, spelled(value), f"a tuple of {len(form.items)}", code="return-value")
        return None
    return _first(
        difference(item, part, environment, f"{path}[{i}]")
        for i, (item, part) in enumerate(zip(form.items, value, strict=True))
    )


def _sequence(form: Sequence, value: Any, environment: Environment, path: str) -> Difference | None:
    if not isinstance(value, tuple | list):
        return None
    return _first(difference(form.item, part, environment, f"{path}[{i}]") for i, part in enumerate(value))


def _dict(form: Dict, value: Any, environment: Environment, path: str) -> Difference | None:
    if not isinstance(value, Mapping):
        return None
    return _first(difference(form.item, part, environment, f"{path}[{key!r}]") for key, part in value.items())


def _tree(form: Tree, value: Any, environment: Environment, path: str) -> Difference | None:
    import jax

    leaves, structure = jax.tree_util.tree_flatten_with_path(value)
    is_known = not any(leaf is OPEN for _, leaf in leaves)
    if is_known and form.structure is not None and form.structure.isidentifier():
        known = environment.trees.setdefault(form.structure, structure)
        if known != structure:
            return Difference(
                path, str(structure), f'the structure "{form.structure}", {known}', code="return-value"
            )
    for number, (keys, leaf) in enumerate(leaves):
        environment.leaf = f"{form.structure}:{number}" if form.structure else ""
        misfit = difference(form.leaf, leaf, environment, f"{path}{jax.tree_util.keystr(keys)}")
        if misfit is not None:
            return misfit
    environment.leaf = ""
    return None


def _object(form: Object, value: Any, environment: Environment, path: str) -> Difference | None:
    """The names in the fields of a class are its own, as jaxtyping has it, where the annotation fills none in."""
    own = environment if form.filled else Environment(arguments={"self": value})
    for field in form.fields or ():
        held = value.get(field.name) if isinstance(value, Mapping) else getattr(value, field.name, None)
        if held is None:
            continue
        name = f"{path}[{field.name!r}]" if isinstance(value, Mapping) else f"{path}.{field.name}"
        misfit = difference(field.form, held, own, name)
        if misfit is not None:
            return misfit
    return None


def _first(misfits: Any) -> Difference | None:
    return next((misfit for misfit in misfits if misfit is not None), None)


_CHECKERS: dict[type[Form], Callable[[Any, Any, Environment, str], Difference | None]] = {
    ArrayForm: _array,
    Union: _union,
    Items: _items,
    Sequence: _sequence,
    Dict: _dict,
    Tree: _tree,
    Object: _object,
}
