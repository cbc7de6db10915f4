"""Python's `random` and `secrets`: numbers of which only the type is known, and items of what the program has."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ....identity import identity
from ...language.assignment import forget
from ...language.sequences import items_of
from ...values import arrays, heap
from ...values.callables import Namespace
from ...values.fresh_dims import next_of
from ...values.unknowns import UNKNOWN, AbstractScalar, NumpyArray, Partial, is_many, is_scalar

if TYPE_CHECKING:
    from ..natives import Natives

#: What functions draw whose results are numbers or texts, by their type.
NUMBERS: dict[type, str] = {
    float: "random uniform triangular gauss normalvariate lognormvariate expovariate betavariate gammavariate paretovariate "
    "vonmisesvariate weibullvariate",
    int: "randint randrange getrandbits binomialvariate randbelow randbits",
    str: "token_hex token_urlsafe",
    bytes: "randbytes token_bytes",
}
OF_SECRETS = frozenset({"randbelow", "randbits", "token_hex", "token_urlsafe", "token_bytes", "choice"})
#: Values that are the same wherever they are.
PLAIN = (bool, int, float, complex, str, bytes, type(None))
#: More items than this are not listed.
MOST_DRAWN = 1000


def namespaces(natives: Natives) -> dict[str, Any]:
    """The modules, with what is seen of them."""
    functions: dict[str, Callable[..., Any]] = {
        name: (lambda *_, kind=kind, **__: AbstractScalar(kind))
        for kind, names in NUMBERS.items()
        for name in names.split()
    }
    functions |= {
        "choice": lambda population=UNKNOWN: next_of(items_of(natives.interpreter, population)),
        "choices": lambda population=UNKNOWN, *_, k=1, **__: _several(natives, population, k),
        "sample": lambda population=UNKNOWN, k=UNKNOWN, **_: _several(natives, population, k),
        "shuffle": lambda x=UNKNOWN: shuffle(natives, x),
        "seed": lambda *_, **__: None,
        "setstate": lambda *_: None,
    }
    names = {name: natives.function(function) for name, function in functions.items()}
    generator = {name: function for name, function in names.items() if name not in OF_SECRETS - {"choice"}}
    made = natives.function(lambda *_: Namespace(**generator))
    return {
        "random": Namespace(**generator, Random=made, SystemRandom=made),
        "secrets": Namespace(**{name: names[name] for name in OF_SECRETS}, SystemRandom=made),
    }


def _several(natives: Natives, population: Any, count: Any) -> Any:
    """A list of so many items of something; each may be any of them."""
    items = items_of(natives.interpreter, population)
    item = next_of(items)
    if type(count) is not int or not 0 <= count <= MOST_DRAWN:
        return items.as_many(some=False)
    if count and not _is_fixed(item):
        return items.as_many(some=True)
    return heap.made([next_of(items) for _ in range(count)])  # each is a number, or an array, of its own


def _is_fixed(item: Any) -> bool:
    """Whether no program changes the dtype and the shape of an item: only then may it be in a list more than once."""
    if isinstance(item, tuple):
        return all(map(_is_fixed, item))
    is_number = isinstance(item, PLAIN) or is_scalar(item)
    return is_number or arrays.is_array(item) or isinstance(item, (Partial, NumpyArray, np.ndarray))


def shuffle(natives: Natives, values: Any) -> None:
    """Mix the items of a list: any may be at any place. Of anything else nothing is known afterwards."""
    if type(values) is not list:
        if not is_many(values):
            forget(natives.interpreter, values)
        return
    drawn = _several(natives, values, len(values))
    if type(drawn) is list:
        heap.changing(values)
        values[:] = drawn
    else:
        natives.interpreter.replace({identity(values): (values, drawn)})
