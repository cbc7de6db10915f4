"""SciPy: what its functions compute of arrays, and what it calls of a program.

| module | what it has |
| --- | --- |
| `tables`, `computed` | functions that SciPy itself is asked about, with arrays of zeros |
| `stand_ins`, `linalg` | functions that need other arrays than those |
| `calling`, `optimize`, `integrate` | functions that call functions of the program |
| `objects` | distributions, what interpolates, sparse matrices |
| `sequences` | points of `scipy.stats.qmc` |

Nothing else of SciPy is called, and no function of a program gets to it. What reads or writes files is unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.libraries.overlay import Overlay
from ...engine.values.callables import Namespace
from ...engine.values.unknowns import UNKNOWN, NumpyArray
from .._describing import shape_of
from . import integrate, linalg, objects, optimize, sequences, stand_ins
from .computed import computing, real
from .tables import ROWS

if TYPE_CHECKING:
    from ...engine.libraries.natives import Natives

NAME = "scipy"
MODULES = tuple(
    sorted(
        {path.rpartition(".")[0] for path in ROWS}
        | {"scipy.interpolate", "scipy.sparse", "scipy.io", "scipy.io.wavfile", sequences.MODULE}
    )
)


def _of_unknown_dtype(natives: Natives) -> Any:
    def call(a: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        natives.interpreter.may_raise_epoch += 1
        shape = shape_of(a)
        return (
            UNKNOWN
            if shape is None
            else NumpyArray(None, tuple(d if type(d) is int else None for d in shape))
        )

    return natives.function(call)


def _seen(natives: Natives) -> dict[str, Any]:
    """What is seen in place of names of SciPy, by their paths."""
    computed = {path: (lambda path=path: real(path), row) for path, row in ROWS.items()}
    called = {**optimize.functions(natives), **integrate.functions(natives)}
    others = stand_ins.FUNCTIONS | linalg.FUNCTIONS
    computed |= {path: (lambda f=f: f, row) for path, (f, row) in others.items()}
    return {
        **{path: computing(natives, function, row) for path, (function, row) in computed.items()},
        **{path: natives.function(function) for path, function in called.items()},
        **objects.functions(natives),
        **sequences.functions(natives),
        **{f"scipy.linalg.{name}": _of_unknown_dtype(natives) for name in linalg.OF_UNKNOWN_DTYPE},
    }


def _namespaces(natives: Natives) -> dict[str, Any]:
    modules = {NAME: Namespace(NAME)}
    for module in MODULES:
        outer, _, name = module.rpartition(".")
        modules[module] = modules[outer].names[name] = Namespace(module)
    for path, value in _seen(natives).items():
        outer, _, name = path.rpartition(".")
        modules[outer].names[name] = value
    return modules


OVERLAY = Overlay(library=NAME, is_onlooker=True, may_fail=True, instead=_namespaces)
