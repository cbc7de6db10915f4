"""`check`: whether a value is as its annotation says. Every client compares by it.

A value may be a real array, a tracer, or an `AbstractArray` of which not all is known. What is not known may be as declared:
only what contradicts an annotation whatever it is counts as violated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jaxtyping_core._annotations.elements import ElementTest
from jaxtyping_core.domain.arrays import AbstractArray

from .binding import Environment
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
from .values import OPEN, OneOf, abstract, is_array, spelled
from .verdicts import PROVEN, UNKNOWN, Clash, Proven, Verdict, Violated, any_fit, every, every_fit, of_fit


def check(form: Form, value: Any, dims: Environment, path: str = "") -> Verdict:
    """Whether `value` is as `form` says; names that stood for nothing in `dims` stand for its sizes then.

    Raises:
        Excluded: the annotations themselves exclude the call.
    """
    if isinstance(value, OneOf):
        return _one_of(form, value, dims, path)
    checker = _CHECKERS.get(type(form))
    return UNKNOWN if checker is None or value is OPEN else checker(form, value, dims, path)


def _one_of(form: Form, value: OneOf, dims: Environment, path: str) -> Verdict:
    """It is as declared if every member is. What the names stand for is not known then."""
    verdicts = [check(form, member, dims.copy(), path) for member in value.members]
    if verdicts and all(isinstance(verdict, Violated) for verdict in verdicts):
        return verdicts[0]
    return PROVEN if verdicts and all(verdict == PROVEN for verdict in verdicts) else UNKNOWN


def _array(form: ArrayForm, value: Any, dims: Environment, path: str) -> Verdict:
    if form.axes is None:
        return PROVEN if is_array(value) else UNKNOWN
    if not is_array(value) or (isinstance(value, np.ndarray | np.generic) and form.library == "jax"):
        kind = f"NumPy's {spelled(value)}" if is_array(value) else spelled(value)
        return Violated(path, kind, form.text, code="return-value", value=value)
    array = abstract(value)
    has_dtype = _has_dtype(form, array, dims)
    if has_dtype is False:
        known = dims.dtypes.get(form.variable or "")
        clash = None if known in (None, array.dtype) else Clash(str(form.variable), known, array.dtype)
        return Violated(path, spelled(value), form.text, code="array-dtype", value=value, clash=clash)
    tried = dims.copy()
    fits = tried.accepts(form.axes, array.shape)
    verdict = of_fit(fits and has_dtype) if fits is not False else None
    if verdict is None:
        here = dims.expected(form.axes)
        is_known = here != Environment().expected(form.axes)  # some sizes are, which the text does not say
        here = here if is_known else ""
        return Violated(path, spelled(value), form.text, here, value=value, clash=tried.clash)
    dims.take(tried)
    return verdict


def _has_dtype(form: ArrayForm, array: AbstractArray, dims: Environment) -> bool | None:
    if array.dtypes is None:
        return None
    if form.key:
        are_keys = [name.startswith("key<") for name in array.dtypes]
        return None if any(are_keys) and not all(are_keys) else all(are_keys)
    fits = [any_fit(_accepts(test, name, array.weak) for test in form.elements) for name in array.dtypes]
    if any_fit(fits) is False:
        return False
    if form.variable is not None:
        if array.dtype is None:
            return None
        known = dims.dtypes.get(form.variable, array.dtype)
        if known != array.dtype:
            return None if array.weak else False  # a weak dtype may become another one
        if not array.weak:
            dims.dtypes[form.variable] = known
    return every_fit(fit or None for fit in fits)


def _accepts(test: ElementTest, dtype: str, weak: bool | None) -> bool | None:
    if test.names is not None and dtype not in test.names:
        return False
    return weak if test.weak else True


def _scalar(form: Scalar, value: Any, dims: Environment, path: str) -> Verdict:
    """Whether a number is of a type; of what is none nothing is said, for many a program calls an array without dims a float."""
    return PROVEN if type(value) is form.kind else UNKNOWN


def _constants(form: Constants, value: Any, dims: Environment, path: str) -> Verdict:
    return PROVEN if any(value is each for each in form.values) else UNKNOWN


def _beside_arrays(form: Scalar | Constants, value: Any, dims: Environment, path: str) -> Verdict:
    """Whether a value is a number or `None` where the annotation names arrays too: an array is neither."""
    if not is_array(value):
        return check(form, value, dims, path)
    expected = form.kind.__name__ if isinstance(form, Scalar) else " | ".join(map(repr, form.values))
    return Violated(path, spelled(value), expected, code="return-value", value=value)


def _union(form: Union, value: Any, dims: Environment, path: str) -> Verdict:
    """The names of one choice stand for the sizes only where that is the choice for sure."""
    beside_arrays = any(isinstance(choice, ArrayForm) for choice in form.choices)
    misfits: list[Violated] = []
    open_choices: list[Environment] = []
    for choice in form.choices:
        tried = dims.copy()
        if beside_arrays and isinstance(choice, Scalar | Constants):
            verdict = _beside_arrays(choice, value, tried, path)
        else:
            verdict = check(choice, value, tried, path)
        if isinstance(verdict, Proven):
            dims.take(tried)
            return verdict
        if isinstance(verdict, Violated):
            misfits.append(verdict)
        else:
            open_choices.append(tried)
    if open_choices:
        if len(open_choices) == 1:
            dims.take(open_choices[0])
        return UNKNOWN
    expected = " | ".join(dict.fromkeys(misfit.expected for misfit in misfits))
    here = next((misfit.here for misfit in misfits if misfit.here), "") if len(misfits) == 1 else ""
    code = "array-shape" if any(misfit.code == "array-shape" for misfit in misfits) else misfits[0].code
    return Violated(path, misfits[0].actual, expected, here, code, misfits[0].value)


def _items(form: Items, value: Any, dims: Environment, path: str) -> Verdict:
    if not isinstance(value, tuple) or len(value) != len(form.items):
        if is_array(value) or isinstance(value, tuple):
            expected = f"a tuple of {len(form.items)}"
            return Violated(path, spelled(value), expected, code="return-value", value=value)
        return UNKNOWN
    return every(
        check(item, part, dims, f"{path}[{i}]")
        for i, (item, part) in enumerate(zip(form.items, value, strict=True))
    )


def _sequence(form: Sequence, value: Any, dims: Environment, path: str) -> Verdict:
    if not isinstance(value, tuple | list):
        return UNKNOWN
    return every(check(form.item, part, dims, f"{path}[{i}]") for i, part in enumerate(value))


def _dict(form: Dict, value: Any, dims: Environment, path: str) -> Verdict:
    if not isinstance(value, Mapping):
        return UNKNOWN
    return every(check(form.item, part, dims, f"{path}[{key!r}]") for key, part in value.items())


def _tree(form: Tree, value: Any, dims: Environment, path: str) -> Verdict:
    import jax  # only programs with trees need it, and the plugin's process has none

    leaves, structure = jax.tree_util.tree_flatten_with_path(value)
    is_known = not any(leaf is OPEN for _, leaf in leaves)
    if is_known and form.structure is not None and form.structure.isidentifier():
        known = dims.trees.setdefault(form.structure, structure)
        if known != structure:
            expected = f'the structure "{form.structure}", {known}'
            return Violated(path, str(structure), expected, code="return-value", value=value)
    verdicts: list[Verdict] = [PROVEN if is_known else UNKNOWN]
    for number, (keys, leaf) in enumerate(leaves):
        dims.leaf = f"{form.structure}:{number}" if form.structure else ""
        verdicts.append(check(form.leaf, leaf, dims, f"{path}{jax.tree_util.keystr(keys)}"))
        if isinstance(verdicts[-1], Violated):
            break
    else:
        dims.leaf = ""
    return every(verdicts)


def _object(form: Object, value: Any, dims: Environment, path: str) -> Verdict:
    """The names in the fields of a class are its own, as jaxtyping has it, where the annotation fills none in."""
    own = dims if form.filled else Environment(arguments={"self": value}, evaluate=dims.evaluate)
    verdicts: list[Verdict] = [UNKNOWN]  # what else there is of an object is not looked at
    for field in form.fields or ():
        held = value.get(field.name) if isinstance(value, Mapping) else getattr(value, field.name, None)
        if held is not None:
            name = f"{path}[{field.name!r}]" if isinstance(value, Mapping) else f"{path}.{field.name}"
            verdicts.append(check(field.form, held, own, name))
            if isinstance(verdicts[-1], Violated):
                break
    return every(verdicts)


_CHECKERS: dict[type[Form], Callable[[Any, Any, Environment, str], Verdict]] = {
    ArrayForm: _array,
    Scalar: _scalar,
    Constants: _constants,
    Union: _union,
    Items: _items,
    Sequence: _sequence,
    Dict: _dict,
    Tree: _tree,
    Object: _object,
}
