"""Arguments that are as their forms say: made with the sizes of a draw, and one choice wherever there are several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jaxtyping_core import dtypes
from jaxtyping_core.contracts.assuming import in_order, shape_of
from jaxtyping_core.contracts.axes import Axis
from jaxtyping_core.contracts.binding import Environment, Excluded, Shape
from jaxtyping_core.contracts.forms import (
    Anything,
    ArrayForm,
    Constants,
    Dict,
    Form,
    Items,
    Object,
    Parameter,
    Scalar,
    Sequence,
    Signature,
    Tree,
    Union,
    Unknown,
    inside,
)
from jaxtyping_core.contracts.reading import DTYPE
from jaxtyping_core.contracts.values import Planned
from jaxtyping_core.sampling.tables.dtypes import DECLARED_DTYPE_OBJECTS, DTYPES
from jaxtyping_core.sampling.tables.numbers import DICT_KEYS, MADE_UP_INTS, MADE_UP_SHIFT, STANDING
from jaxtyping_core.sampling.tables.ranks import (
    DECLARED_LENGTH,
    DECLARED_RANKS,
    STARRED_ARGUMENTS,
    UNDECLARED_RANKS,
)

from .choices import Choices, dtypes_of, makeable
from .sizes import Supply


class NotMakeable(Exception):
    """An argument cannot be made; the message says why."""


def evaluated(text: str, names: Mapping[str, Any]) -> Any:
    """What Python's expression in an annotation gives: the program is run here anyway."""
    return eval(text, dict(names))


#: Makes an array of a shape and a dtype; the last argument says whether it is weakly typed.
MakeArray = Callable[[Shape, Any, bool], Any]


class Maker:
    """Makes the arguments of one call, one array after the other.

    With `objects` False no classes are called: that is to learn which arrays will be needed.
    """

    def __init__(
        self,
        supply: Supply,
        choices: Choices,
        signature: Signature,
        array: MakeArray,
        objects: bool = True,
    ) -> None:
        self._supply, self._choices, self._signature = supply, choices, signature
        self._make_array, self._objects = array, objects
        self._needed: list[Any] = []
        self._broadcast = self._ints = self._depth = 0
        self.environment = Environment(evaluate=evaluated)
        supply.restart()

    def arguments(self, owner: Object | None = None) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of a call by position and by keyword; the first is the object whose method is called."""
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        if owner is not None:
            positional.append(self.make(owner, "self"))
            self.environment.arguments["self"] = positional[0]
            if not self._objects and any(map(_asks_self, self._signature.parameters)):
                self.environment.arguments["self"] = self._example(owner)
        for parameter in in_order(self._signature.parameters):
            self.environment.arguments[parameter.name] = self._parameter(parameter)
        for parameter in self._signature.parameters:
            if parameter.has_default:
                continue
            value = self.environment.arguments[parameter.name]
            if parameter.stars == 1:
                positional.extend(value)
            elif parameter.stars == 2:
                keywords |= value
            elif parameter.keyword:
                keywords[parameter.name] = value
            else:
                positional.append(value)
        return positional, keywords

    def _example(self, owner: Object) -> Any:
        """An object as it will be made, for the sizes that annotations read from its attributes."""
        import jax

        made: list[Any] = []

        def make(arrays: list[Any]) -> tuple[()]:
            rest = iter(arrays)
            maker = Maker(self._supply, self._choices, self._signature, lambda *_: next(rest))
            made.append(maker.make(owner, "self"))
            return ()

        jax.eval_shape(make, self._needed)
        return made[-1]

    def _parameter(self, parameter: Parameter) -> Any:
        if parameter.has_default:
            return None
        if parameter.stars == 2:
            return {}
        if parameter.stars == 1:
            if isinstance(parameter.form, Unknown):
                return []
            paths = [f"{parameter.name}[{i}]" for i in range(STARRED_ARGUMENTS)]
            return [self.make(parameter.form, path, parameter.name) for path in paths]
        return self.make(parameter.form, parameter.name)

    def _array(self, shape: Shape, dtype: Any, weak: bool) -> Any:
        self._needed.append(self._make_array(shape, dtype, weak))
        return self._needed[-1]

    def make(self, form: Form, path: str, name: str | None = None) -> Any:
        """What a form says, for the parameter at `path`.

        Raises:
            NotMakeable: nothing can be made.
        """
        match form:
            case Unknown(reason) if reason == DTYPE:
                return np.dtype(DECLARED_DTYPE_OBJECTS[self._choices.assumed(len(DECLARED_DTYPE_OBJECTS))])
            case Unknown(reason):
                raise NotMakeable(f"{path}: {reason}")
            case Anything():
                return object()
            case ArrayForm():
                return self._made_array(form, path)
            case Scalar(kind, size):
                return self._scalar(kind, size or name or path)
            case Constants(values):
                return values[self._choices.declared(path, len(values))]
            case Union():
                choices = makeable(form)
                return self.make(choices[self._choices.declared(path, len(choices))], path)
            case Items(items):
                return tuple(self.make(item, f"{path}[{i}]") for i, item in enumerate(items))
            case Sequence(kind, item):
                return kind(self.make(item, f"{path}[{i}]") for i in range(DECLARED_LENGTH))
            case Dict(key, item):
                wanted = [index for index in self._choices.keys if isinstance(index, key)]
                return {index: self.make(item, f"{path}[{index!r}]") for index in wanted or DICT_KEYS[key]}
            case Tree():
                return self._tree(form, path)
            case Object():
                return self._object(form, path)
        raise NotMakeable(f"{path}: its type is unknown")

    def _tree(self, form: Tree, path: str) -> Any:
        if isinstance(form.leaf, Unknown):
            raise NotMakeable(f"{path}: {form.leaf.reason}")
        keys = sorted(self._choices.keys or DICT_KEYS[str], key=str)
        alone = self._choices.assumed(2) == 1
        leaves: list[Any] = []
        for number, key in enumerate(keys[:1] if alone else keys):
            self.environment.leaf = f"{form.structure}:{number}" if form.structure else f"{path}:{number}"
            leaves.append(self.make(form.leaf, f"{path}[{key!r}]"))
        self.environment.leaf = ""
        return leaves[0] if alone else dict(zip(keys, leaves, strict=True))

    def _scalar(self, kind: type, name: str) -> Any:
        if kind is bool:
            return bool(self._choices.declared(name, 2))
        if kind is float:
            return self._array((), np.dtype("float32"), True) if self._symbolic else STANDING["float"]
        if kind is complex:
            return STANDING["complex"]
        if name in self._signature.names or self._symbolic:
            value = self._supply.of(name)
            if name in self._signature.names:
                self.environment.sizes.setdefault(name, value)
            return value
        self._ints += 1
        value = MADE_UP_INTS[self._choices.assumed(len(MADE_UP_INTS))](self._ints - 1)
        return value + MADE_UP_SHIFT if value in self._signature.fixed - {0, 1} else value

    @property
    def _symbolic(self) -> bool:
        return self._supply.symbols

    def _object(self, form: Object, path: str) -> Any:
        routes = [route for route in (form.fields, form.constructor) if route is not None]
        if not routes:
            raise NotMakeable(f"{path}: cannot make up an object of {form.type.__name__}")
        usable = [route for route in routes if not any(map(_is_unknown, route))] or routes
        route = usable[self._choices.assumed(len(usable))]
        made: dict[str, Any] = {}
        positional: list[Any] = []
        self._depth += path != "self"
        for parameter in route:
            if parameter.has_default or parameter.stars:
                continue
            value = self.make(parameter.form, f"{path}.{parameter.name}", parameter.name)
            if parameter.keyword:
                made[parameter.name] = value
            else:
                positional.append(value)
        self._depth -= path != "self"
        if not self._objects and not issubclass(form.type, dict | tuple):
            return Planned(form.type.__name__, (*positional, *made.values()), tuple(made))
        make = form.make if route is form.fields and form.make is not None else form.type
        return make(*positional, **made)

    def _made_array(self, form: ArrayForm, path: str) -> Any:
        shape = self._shape(form, path)
        if form.key:
            return self._array(shape, key_dtype(), False)
        name, weak = self._dtype(form)
        dtype = dtypes.numpy_dtype(name)
        if form.library == "numpy":
            return np.ones(shape, dtype)
        if form.library == "struct":
            import jax

            return jax.ShapeDtypeStruct(shape, dtype)
        return self._array(shape, dtype, weak)

    def _dtype(self, form: ArrayForm) -> tuple[str, bool]:
        if form.variable is not None and form.variable in self.environment.dtypes:
            return self.environment.dtypes[form.variable], False
        if form.axes is None:
            return DTYPES[0]
        candidates = dtypes_of(form.elements)
        if not candidates:
            raise NotMakeable(f"{form.text}: JAX has no arrays of this dtype without jax_enable_x64")
        chosen = candidates[self._choices.declared("dtype", len(candidates))]
        if form.variable is not None:
            self.environment.dtypes[form.variable] = chosen[0]
        return chosen

    def _shape(self, form: ArrayForm, path: str) -> Shape:
        if form.axes is None:
            self._choices.without_dims.add(path)
            rank = UNDECLARED_RANKS[self._choices.assumed(len(UNDECLARED_RANKS))]
            return tuple(self._supply.fresh() for _ in range(rank))
        try:
            shape = shape_of(form.axes, self, self.environment, path)
        except Excluded as error:
            raise NotMakeable(f"{path}: {error}") from None
        assert shape is not None
        return shape

    def of(self, name: str, allowed: frozenset[int] | None = None) -> Any:
        """The size of a name."""
        return self._supply.of(name, allowed)

    def unnamed(self, allowed: frozenset[int] | None = None) -> Any:
        """A size that has no name."""
        return self._supply.fresh() if allowed is None else min(allowed)

    def or_one(self, shape: Shape) -> Shape:
        """The sizes of axes that may be 1, or 1 for each of them."""
        return (1,) * len(shape) if self._is_one() else shape

    def count(self, axis: Axis, path: str) -> int:
        """For how many axes a variadic one stands this time."""
        # A class may be for objects of any rank, and a function for those of one.
        count = len(DECLARED_RANKS)
        if axis.name is None and self._depth:
            self._choices.without_dims.add(path)
        chosen = self._choices.assumed(count) if self._depth else self._choices.declared("rank", count)
        return DECLARED_RANKS[chosen]

    def _is_one(self) -> bool:
        """Whether the axis that may be broadcast is 1 this time."""
        mode = self._choices.declared("broadcast", 3)
        self._broadcast += 1
        return (mode == 1) == (self._broadcast == 1) and mode > 0


def _asks_self(parameter: Parameter) -> bool:
    return any(
        "{self." in (axis.by_value or "")
        for part in inside(parameter.form)
        if isinstance(part, ArrayForm)
        for axis in part.axes or ()
    )


def _is_unknown(parameter: Parameter) -> bool:
    return isinstance(parameter.form, Unknown) and not parameter.has_default and not parameter.stars


def key_dtype() -> Any:
    """The dtype of typed random keys."""
    import jax

    return jax.eval_shape(lambda: jax.random.key(0)).dtype
