"""What both styles write alike: containers, classes, Python's own types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from jaxtyping_core import dtypes
from jaxtyping_core.annotating.classes import public_path
from jaxtyping_core.annotating.dims import named_size
from jaxtyping_core.annotating.observed_types import (
    Arrays,
    DType,
    Function,
    Instance,
    Key,
    Kind,
    Optional,
    Place,
    Plain,
    Record,
    Sequence_,
    Table,
    Tuple,
)
from jaxtyping_core.annotating.source import Source
from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.domain.dtypes import smallest_class

#: What is known of a size, and how it is called if it has a name.
Sized = Callable[[Place, int], Dim]


#: Modules that have the same things as another one.
SAME = {"typing": ("typing_extensions",), "collections.abc": ("typing",)}


#: Names that annotations may import, which no type variable has.
RESERVED = frozenset(
    {
        "Any",
        "Array",
        "ArrayLike",
        "Callable",
        "DTypeLike",
        "Like",
        "Literal",
        "NDArray",
        "NamedTuple",
        "TypeVar",
    }
    | {row.alias for row in dtypes.DTYPES.values()}
    | set(dtypes.ABSTRACT_ALIASES.values())
)


class Precision(IntEnum):
    """How much is written of arrays, most first."""

    FULL = 0
    #: Every size is open.
    RANK = 1
    DTYPE = 2
    #: An array of any dtype, or what JAX makes one of.
    LIKE = 3
    NOTHING = 4


@dataclass(slots=True)
class Needs:
    """What the annotations of a module need.

    Attributes:
        source: the module.
        imports: by module, what is imported of it, each with the name that it has in the source.
        variables: the type variables, with whether they have a bound.
    """

    source: Source
    imports: dict[str, dict[str, str]] = field(default_factory=dict)
    variables: dict[str, bool] = field(default_factory=dict)

    def add(self, module: str, name: str) -> str:
        """What the source calls a thing of a module. It is imported if it is not yet: under a name that means nothing else there."""
        same = (module, *SAME.get(module, ()))
        known = next((known for each in same if (known := self.source.named(f"{each}.{name}"))), None)
        if known is not None:
            return known
        free = name
        while free in self.source.bound:
            free += "_"
        self.imports.setdefault(module, {})[name] = free
        return free


@dataclass(slots=True)
class Place_:
    """Where an annotation is written, and with what.

    Attributes:
        line: of the function or the class.
        names: of the sizes of the function.
        sized: what is known of each size.
        stated: the sizes that the parameters' annotations state.
    """

    line: int
    precision: Precision
    names: dict[int, str]
    sized: Sized
    is_result: bool = False
    stated: frozenset[int] = frozenset()
    inner: bool = False


class Speller:
    """Writes annotations for a module.

    Args:
        source: the module.
        x64: whether its JAX has 64-bit dtypes.
    """

    #: The module with the annotations of arrays.
    module = ""
    is_text = False

    def __init__(self, source: Source, x64: bool) -> None:
        self.source = source
        self.x64 = x64

    def spell(self, kind: Kind, at: Place_, needs: Needs) -> str | None:
        """The annotation; None where nothing is to be said."""
        match kind:
            case Plain(name):
                return name
            case Arrays():
                return self._arrays(kind, at, needs)
            case Key():
                return self._any_array(needs)
            case Optional(inner):
                text = self.spell(inner, at, needs)
                if text is None or inner == Plain("None"):
                    return text
                return f"{text} | None"
            case Function():
                known = self._imported("typing.Callable") or self._imported("collections.abc.Callable")
                return known or needs.add("collections.abc", "Callable")
            case DType():
                # What calls get of a function that gives a dtype would be open; so nothing is said of it.
                return None if at.is_result else self._dtype_like(needs)
            case Instance(path):
                return self._class(path, at)
            case Tuple(items):
                return self._tuple(items, at, needs)
            case Sequence_(name, item):
                text = self.spell(item, _inside(at), needs)
                if text is None:
                    return name
                if name != "list":
                    return f"tuple[{text}, ...]"
                # A list of arrays of one library is no list of arrays of either.
                of_either = not at.is_result and is_of_either(item)
                return f"{needs.add('collections.abc', 'Sequence') if of_either else 'list'}[{text}]"
            case Record(_, items):
                return self._dict("str", [self.spell(item, _inside(at), needs) for item in items], needs)
            case Table(key, item):
                return self._dict(key, [self.spell(item, _inside(at), needs)], needs)
        return None

    def _arrays(self, kind: Arrays, at: Place_, needs: Needs) -> str | None:
        if at.precision >= Precision.NOTHING:
            return None
        if kind.library == "numpy" and not (kind.scalars and not at.is_result):
            return self._numpy(kind, at, needs)
        is_both = kind.library == "both"
        scalars = kind.scalars
        if scalars and at.is_result and kind.rank != 0:
            return None
        if at.precision == Precision.LIKE or (scalars and kind.rank != 0) or (is_both and self.is_text):
            return self._any_array(needs) if at.is_result else self.array_like(needs)
        text = self.array(kind, at, needs)
        if is_both:
            return (
                f"{needs.add('jaxtyping_core.typing', 'Like')}[{text}]"
                if not at.is_result
                else self._any_array(needs)
            )
        widest = [name for name in ("complex", "float", "int", "bool") if name in scalars][:1]
        return " | ".join([*widest, text])

    def array(self, kind: Arrays, at: Place_, needs: Needs) -> str:
        """An array of JAX."""
        raise NotImplementedError

    def variable(self, kind: Arrays, at: Place_, needs: Needs) -> str | None:
        """The annotation of a variable that was arrays of one dtype; None where nothing is to be said."""
        return self.spell(kind, at, needs)

    def _numpy(self, kind: Arrays, at: Place_, needs: Needs) -> str | None:
        known = self._imported("numpy.ndarray")
        is_free = not re.search(r"\bndarray\b", self.source.text)  # the module's own may be another one
        return known or (needs.add("numpy", "ndarray") if is_free else None)

    def array_like(self, needs: Needs) -> str:
        return self._imported("jax.typing.ArrayLike") or needs.add(self.module, "ArrayLike")

    def _dtype_like(self, needs: Needs) -> str:
        return self._imported("jax.typing.DTypeLike") or needs.add("jax.typing", "DTypeLike")

    def _any_array(self, needs: Needs) -> str:
        known = (
            self.source.named("jaxtyping.Array")
            or self.source.named("jax.Array")
            or self._imported("jax.Array")
        )
        return known or needs.add(self.module, "Array")

    def dtype_alias(self, kind: Arrays) -> str:
        """The alias of the dtype, or of the abstract class that holds all of them."""
        known = kind.known.dtypes
        if known is not None and kind.library != "jax":
            known = frozenset(dtypes.canonical(name, self.x64) for name in known)
        if known is not None and len(known) == 1 and known <= dtypes.DTYPES.keys():
            return dtypes.DTYPES[next(iter(known))].alias
        return dtypes.ABSTRACT_ALIASES[smallest_class(known) or "generic"]

    def _tuple(self, items: tuple[Kind, ...], at: Place_, needs: Needs) -> str | None:
        states = [is_optax_state(item) for item in items]
        if items and all(states) and (state := self._imported("optax.OptState")):
            return state
        if not items:
            return "tuple[()]"
        texts = [self.spell(item, at, needs) for item in items]
        if all(text is None for text in texts):
            return "tuple"
        return f"tuple[{', '.join(text or needs.add('typing', 'Any') for text in texts)}]"

    def _dict(self, key: str, items: list[str | None], needs: Needs) -> str:
        different = set(items)
        if len(different) == 1 and (only := different.pop()) is not None:
            return f"dict[{key}, {only}]"
        if None not in different and items and all(self._is_array(text) for text in different):
            return f"dict[{key}, {self._any_array(needs)}]"
        return f"dict[{key}, {needs.add('typing', 'Any')}]" if items else "dict"

    def _is_array(self, text: str | None) -> bool:
        aliases = {row.alias for row in dtypes.DTYPES.values()} | set(dtypes.ABSTRACT_ALIASES.values())
        return text is not None and text.partition("[")[0].rstrip("_") in aliases | {"Array", "jax.Array"}

    def _class(self, path: str, at: Place_) -> str | None:
        if path.startswith("builtins."):
            name = path.removeprefix("builtins.")
            return name if name in ("range", "set", "bytes", "frozenset", "slice") else None
        module, _, name = path.rpartition(".")
        if name in self.source.classes and (module in ("__main__", self.source.path.stem) or "." in module):
            return self._own_class(name, at)
        if is_optax_state(Instance(path)):
            return self._imported("optax.OptState")
        return next(
            (spelled for p in public_path(path, self.source.imports) if (spelled := self._imported(p))), None
        )

    def _own_class(self, name: str, at: Place_) -> str:
        node = self.source.classes[name]
        is_made = (node.end_lineno or node.lineno) < at.line
        return name if is_made or self.source.postpones else LATER + name

    def _imported(self, path: str) -> str | None:
        """How the module calls what has a dotted path; None where no import leads to it."""
        best = None
        for name, root in self.source.imports.items():
            if path == root:
                return name
            if path.startswith(f"{root}.") and (best is None or len(root) > len(best[1])):
                best = (name, root)
        return None if best is None else best[0] + path.removeprefix(best[1])


def _inside(at: Place_) -> Place_:
    """The same in a list or a dict, where nothing but dtypes is written."""
    precision = max(at.precision, Precision.DTYPE)
    return Place_(at.line, precision, at.names, at.sized, at.is_result, at.stated, True)


def is_of_either(kind: Kind) -> bool:
    """Whether there are arrays among the parts of a kind that were of JAX in some calls, and of NumPy in others."""
    match kind:
        case Arrays(library=library):
            return library == "both"
        case Tuple(items):
            return any(map(is_of_either, items))
        case Optional(item) | Sequence_(_, item):
            return is_of_either(item)
    return False


def is_optax_state(kind: Kind) -> bool:
    """Whether something is written as `optax.OptState`: to checkers that is any tree."""
    match kind:
        case Instance(path):
            return path.startswith("optax.") and path.endswith("State")
        case Tuple(items):
            return bool(items) and all(map(is_optax_state, items))
    return False


#: Stands around the name of a class that is made later than the annotation: the whole of that is then quoted.
LATER = "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}"


def quoted(text: str) -> str:
    """An annotation as it is written, in quotes where a class in it is made later."""
    if LATER not in text:
        return text
    plain = text.replace(LATER, "")
    quote = "'" if '"' in plain else '"'
    return f"{quote}{plain}{quote}"


def named_sizes(kind: Kind, sized: Sized) -> Iterator[int]:
    """The named sizes of the arrays in a description that are written with dims."""
    match kind:
        case Arrays(rank=int(rank), place=tuple(place), library="jax" | "both"):
            for axis in range(rank):
                of = named_size(sized(place, axis))
                if of is not None:
                    yield of
        case Optional(inner):
            yield from named_sizes(inner, sized)
        case Tuple(items):
            for item in items:
                yield from named_sizes(item, sized)
