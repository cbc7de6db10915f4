"""What an overlay says of a library: all that running its code on abstract values cannot tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ...domain.arrays import AbstractArray
    from ..interpreter import Interpreter
    from .natives import Natives

#: Makes what is called in place of a function.
Maker = Callable[["Interpreter"], Callable[..., Any]]


def words(text: str) -> frozenset[str]:
    """The names in a text."""
    return frozenset(text.split())


def _nothing(_: Any) -> Mapping[str, Any]:
    return {}


def _unknown(_: Any) -> None:
    return None


class Boxes(Protocol):
    """Objects that hold an array, and have its items."""

    def has(self, method: str, holder: Any) -> bool:
        """Whether a method of an object is that of such objects."""
        ...

    def array_in(self, holder: Any) -> Any:
        """What an object holds."""
        ...

    def set_item(self, interpreter: Interpreter, holder: Any, key: Any, value: Any) -> bool:
        """Assign to items of the array in an object; whether there is one."""
        ...


class Scopes(Protocol):
    """Layers that keep their arrays in a scope beside them."""

    #: Attributes that say where a layer stands, and are no part of it.
    SURROUNDINGS: frozenset[str]

    def has(self, cls: type) -> bool:
        """Whether a class is one of such layers."""
        ...

    def variables(self, f: Any, layer: Any) -> Any:
        """What a layer keeps beside it, if a call of `f` may use that; None for others."""
        ...

    def changes(self, layer: Any) -> bool:
        """Whether a call of such a layer may make or change variables."""
        ...

    def declares(self, f: Any) -> bool:
        """Whether `f` is a method by which a layer of the program declares a variable."""
        ...

    def declared(self, args: list[Any]) -> list[Any]:
        """The arguments of such a method, with ints for sizes that are not known."""
        ...

    def leave_open(self, f: Any, layer: Any, args: list[Any]) -> None:
        """Make unknown what a call may have made that could not be walked."""
        ...

    def leave_others(self) -> None:
        """Something unknown was called, which may have made layers: the layer that is called may have more variables."""
        ...

    def apart(self, layer: Any) -> list[Any]:
        """What a layer refers to and cannot change."""
        ...


class Calls(Protocol):
    """Objects that are not called for real."""

    def is_handled(self, f: Any) -> bool:
        """Whether a call of `f` is one of such an object."""
        ...

    def handled(self, interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """What the call gives."""
        ...


@dataclass(frozen=True, kw_only=True)
class Overlay:
    """What is known of a library. Names of modules stand for all that begins with them.

    Attributes:
        library: the package, as it is imported.
        denied: public names that are not seen, by the module or class that has them: they reach files, code, or the process.
        within: other packages of which it hands out functions.
        takes_lists: whether its functions take lists for arrays, or trees.
        is_onlooker: whether its functions keep nothing of what they are passed, and change nothing of it.
        annotates: whether its annotations say something of arrays, as `contracts` reads them.
        checkers: names of its decorators of classes whose objects are checked when they are made.
        has_layers: whether its objects are layers, which only the program changes: what one does keeps dtypes and shapes.
        is_assignable: whether a program may assign to attributes of its objects.
        layers: modules whose classes are layers, which are called with an array or several.
        of_arrays: modules whose functions are functions of arrays.
        unchanged: modules whose layers change nothing when they are called.
        key: the parameter of its layers for a random key, from which only the numbers in their arrays come.
        transforms: what its transformations of functions do, by their paths, as `jax.transformations.PATHS` has it.
        restoring: modules with transformations that put back what a function has changed in objects, so that no tracer is left in them.
        numbers_stay: whether numbers are no arrays to the functions that its transformations make.
        of_classes: functions that write into a class, or keep for the rest of the process what they are told of one.
        checks: functions that check arrays, with the attribute that they ask for: "shape", "ndim" or "dtype";
            "like" for one that compares the shapes of several.
        compared: functions that compare two arrays item by item, sooner or later, each with what finds both in the arguments of
            a call, as `AbstractArray`, or gives None. Functions of modules `of_arrays` compare their first two arguments.
        frozen_dicts: classes of dicts that may not be changed.
        is_current: of an object that notes a trace, and says nothing of arrays, whether that trace is there; None for others.
        fields: the attributes of an object that has no dict of them; None for one of which the overlay knows nothing.
        seals: what is put in the place of names of its modules that make code of texts, made of what is there.
        limits: functions that take longer, or give more, than their arguments are large: whether a call is too much.
        functions: what is called in place of functions, by their paths.
        namespaces: what is seen in place of modules, by their names, if the library is trusted and imported.
        may_fail: whether functions that are seen in place of its own read files or a network: a call may raise an error.
        instead: what a program sees in place of the library's modules. The library is not imported, so it need not be trusted.
        differentiated: what a gradient is like that one of its transformations gives, by that function and its argument.
        boxes: its objects whose items are those of the array in them.
        scopes: its layers that keep their arrays beside them.
        calls: its objects that the engine calls in its place.
    """

    library: str
    denied: Mapping[str, frozenset[str]] = field(default_factory=dict)
    within: frozenset[str] = frozenset()
    takes_lists: bool = False
    is_onlooker: bool = False
    annotates: bool = False
    checkers: frozenset[str] = frozenset()
    has_layers: bool = False
    is_assignable: bool = False
    layers: frozenset[str] = frozenset()
    of_arrays: frozenset[str] = frozenset()
    unchanged: frozenset[str] = frozenset()
    key: str | None = None
    transforms: Mapping[str, str] = field(default_factory=dict)
    restoring: frozenset[str] = frozenset()
    numbers_stay: bool = False
    of_classes: tuple[str, ...] = ()
    checks: Mapping[str, str] = field(default_factory=dict)
    compared: Mapping[str, Callable[..., tuple[AbstractArray, AbstractArray] | None]] = field(
        default_factory=dict
    )
    frozen_dicts: frozenset[str] = frozenset()
    is_current: Callable[[Any], bool | None] = _unknown
    fields: Callable[[Any], dict[str, Any] | None] = _unknown
    seals: Mapping[tuple[str, str], Callable[[Any], Any]] = field(default_factory=dict)
    limits: Mapping[str, Callable[[list[Any], dict[str, Any]], bool]] = field(default_factory=dict)
    functions: Mapping[str, Maker] = field(default_factory=dict)
    namespaces: Callable[[Natives], Mapping[str, Any]] = _nothing
    may_fail: bool = False
    instead: Callable[[Natives], Mapping[str, Any]] = _nothing
    differentiated: Callable[[Any, Any], Any] | None = None
    boxes: Boxes | None = None
    scopes: Scopes | None = None
    calls: Calls | None = None
