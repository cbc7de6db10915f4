"""Between values and the interpreter's objects: the arguments of a call, the call itself, and what it gives."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from ....domain.dims import Dim
from ....domain.values import (
    BOUND,
    REST,
    Anything,
    Array,
    Builtin,
    Call,
    Complex,
    Dict,
    Dots,
    DType,
    Items,
    Key,
    Lambda,
    List,
    Named,
    Own,
    Parameter,
    Scalar,
    Size,
    Slice,
    Static,
    Tuple,
    Unknown,
    Value,
)
from ....domain.values import Many as ManyValue
from ....engine.facts import known_of
from ....engine.interpreter import Interpreter
from ....engine.language import functions
from ....engine.language.attributes import attribute
from ....engine.values import arrays
from ....engine.values.callables import STAR_ARGS, Function
from ....engine.values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence, is_dim
from ....sampling.errors import Undecided
from ....sampling.names import jax_object
from ....sampling.objects import TYPES, dtype_of
from ...protocol import BODY, OBJECT

#: What the parameters of the functions around a value stand for.
Parameters = Mapping[str, Any]


class Maker:
    """Makes the objects that values stand for.

    Args:
        interpreter: what calls are made with.
        find: finds what has a name in the program.
        body: finds a function of the program as it is defined, without its decorators.
        dim: reads a size.
        holds: tells whether an object is still as it was made, under the name that it has.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        find: Callable[[Own], Any],
        body: Callable[[Own], Function],
        dim: Callable[[Dim], int],
        holds: Callable[[Any, str], bool],
    ) -> None:
        self.interpreter = interpreter
        self.find = find
        self.body = body
        self.dim = dim
        self.holds = holds

    def make(self, value: Value, parameters: Parameters) -> Any:
        """The object that `value` stands for.

        Raises:
            Undecided: there is none.
        """
        make = _MAKE.get(type(value))
        if make is None:
            raise Undecided(f"a value of kind {value.tag!r}")
        return make(self, value, parameters)

    def of_array(self, value: Array, _: Parameters) -> Any:
        if value.layer:
            raise Undecided("an array of the layer")
        dims = None if value.shape is None else tuple(d if d is None else self.dim(d) for d in value.shape)
        return arrays.array(value.dtype, None if value.dtype is None else value.weak, dims)

    def of_items(self, value: Items, parameters: Parameters) -> Any:
        items = [self.make(item, parameters) for item in value.items]
        return tuple(items) if isinstance(value, Tuple) else items

    def of_dict(self, value: Dict, parameters: Parameters) -> Any:
        return {self.make(key, parameters): self.make(item, parameters) for key, item in value.pairs}

    def of_slice(self, value: Slice, parameters: Parameters) -> Any:
        return slice(*(self.make(part, parameters) for part in (value.start, value.stop, value.step)))

    def of_many(self, value: ManyValue, parameters: Parameters) -> Any:
        return AbstractSequence(
            self.make(value.item, parameters), kind=tuple if value.kind == Tuple.tag else list
        )

    def of_lambda(self, value: Lambda, parameters: Parameters) -> Any:
        def called(*args: Any) -> Any:
            return self.make(value.body, {**parameters, **dict(zip(value.names, args, strict=True))})

        return self.interpreter.natives.function(called)

    def of_body(self, value: Call, parameters: Parameters) -> Any:
        own, *arguments = value.args
        if not isinstance(own, Own):
            raise Undecided("the body of what is no function of the program")
        args = [self.make(arg, parameters) for arg in arguments]
        kwargs = {name: self.make(arg, parameters) for name, arg in value.kwargs.items()}
        return functions.invoke(self.interpreter, self.body(own), args, kwargs, is_believed=False)

    def of_call(self, value: Call, parameters: Parameters) -> Any:
        if value.function == BODY:
            return self.of_body(value, parameters)
        args = [self.make(arg, parameters) for arg in value.args]
        kwargs = {name: self.make(arg, parameters) for name, arg in value.kwargs.items()}
        kind, _, name = value.function.rpartition(":")
        if value.function == OBJECT:
            return _with_fields(args[0], kwargs)
        if kind == "attribute":
            return attribute(self.interpreter, args[0], name)
        if kind == BOUND:
            if not self.holds(args[0], name):
                raise Undecided(f"{name} may have been changed")
            return args[0]
        if value.function == "value":
            called: Any = args.pop(0)
        elif kind == "method":
            called = attribute(self.interpreter, args.pop(0), name)
        elif kind == "builtin":
            called = self.interpreter.natives.names.get(name, UNKNOWN)
        elif value.function.startswith("operator."):
            called = getattr(operator, value.function.removeprefix("operator."))
        elif kind:
            raise Undecided(f"a call of {value.function}")
        else:
            called = jax_object(value.function)
        return self.interpreter.call(called, args, kwargs)


def _with_fields(cls: Any, fields: Mapping[str, Any]) -> Any:
    """An object of a class of the program whose fields are these, whatever its ``__init__`` takes.

    Raises:
        Undecided: the class is not known, or its objects are not made of fields.
    """
    if not isinstance(cls, type):
        raise Undecided("an object of an unknown class")
    if issubclass(cls, tuple):
        names = getattr(cls, "_fields", ())
        if set(names) != fields.keys():
            raise Undecided("a tuple whose items are not known")
        return tuple.__new__(cls, [fields[name] for name in names])
    try:
        made = object.__new__(cls)
        for name, field in fields.items():
            object.__setattr__(made, name, field)
    except (TypeError, AttributeError):
        raise Undecided(f"no object of {cls.__name__} is made of fields") from None
    return made


#: What makes the objects of each kind of value.
_MAKE: dict[type[Value], Callable[[Maker, Any, Parameters], Any]] = {
    Array: Maker.of_array,
    Tuple: Maker.of_items,
    List: Maker.of_items,
    Dict: Maker.of_dict,
    Slice: Maker.of_slice,
    ManyValue: Maker.of_many,
    Lambda: Maker.of_lambda,
    Call: Maker.of_call,
    DType: lambda _, dtype, __: dtype_of(dtype),
    Own: lambda maker, own, _: maker.find(own),
    Parameter: lambda _, parameter, parameters: parameters[parameter.name],
    Key: lambda _, key, __: arrays.array("key<fry>", False, ()),
    Scalar: lambda _, scalar, __: AbstractScalar(TYPES[scalar.kind]),
    Static: lambda _, static, __: static.value,
    Complex: lambda _, number, __: complex(number.real, number.imag),
    Size: lambda maker, size, _: maker.dim(size.expression),
    Builtin: lambda _, builtin, __: TYPES[builtin.name],
    Dots: lambda _, dots, __: ...,
    Named: lambda _, named, __: jax_object(named.path),
    Unknown: lambda _, unknown, __: UNKNOWN,
    Anything: lambda _, anything, __: STAR_ARGS if REST in anything.kinds else UNKNOWN,
}


def value_of(out: Any) -> Value:
    """An object of the interpreter as a value: unknown where it is more than arrays and Python's own plain objects."""
    if out is None or type(out) in (bool, str, int, float):
        return Static(out)
    if type(out) is complex:
        return Complex(out.real, out.imag)
    if is_dim(out):
        return Scalar("int")
    if isinstance(out, AbstractScalar):
        return Scalar(out.kind.__name__) if out.kind.__name__ in TYPES else Unknown()
    if type(out) in (tuple, list):  # a named tuple is more
        return (List if type(out) is list else Tuple)(tuple(map(value_of, out)))
    if type(out) is dict:
        return Dict(tuple((value_of(key), value_of(item)) for key, item in out.items()))
    known = known_of(out)
    if known is None:
        return Unknown()
    # Whether an array is weak is a part of its dtype's type.
    is_certain = known.dtype is not None and known.weak is not None
    return Array.of(known.dtype if is_certain else None, bool(is_certain and known.weak), known.shape)
