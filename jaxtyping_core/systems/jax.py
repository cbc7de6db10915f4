"""JAX's promotion systems, and the steps on the way to its lattice.

Sources: ``jax._src.dtypes._type_promotion_lattice`` and
https://docs.jax.dev/en/latest/type_promotion.html for JAX itself,
https://docs.jax.dev/en/latest/jep/9407-type-promotion.html for the options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jaxtyping_core import dtypes
from jaxtyping_core.lattice import Lattice
from jaxtyping_core.systems.system import System

Edges = Mapping[str, Sequence[str]]

_PROMOTION = "https://docs.jax.dev/en/latest/type_promotion.html"
_STRICT = f"{_PROMOTION}#strict-dtype-promotion"
_LAX = "https://docs.jax.dev/en/latest/jax.lax.html"
_JEP = "https://docs.jax.dev/en/latest/jep/9407-type-promotion.html"

_ALL = [name for name, row in dtypes.DTYPES.items() if row.promotes]
_INTEGERS = [name for name in _ALL if dtypes.kind(name) in "ui"]
_SMALL_INTEGERS = [name for name in _INTEGERS if dtypes.DTYPES[name].bits < 8]
_FLOATS = [name for name in _ALL if dtypes.kind(name) == "f"]
_SMALL_FLOATS = [name for name in _FLOATS if dtypes.DTYPES[name].bits <= 8]
_COMPLEX = [name for name in _ALL if dtypes.kind(name) == "c"]

#: Option 0 of the design document: mixed integers and floats have no join.
_OPTION_0: Edges = {
    "weak_int": ["weak_float", "uint8", "int8"],
    "weak_float": ["weak_complex", "float16"],
    "weak_complex": ["complex64"],
    "uint8": ["uint16", "int16"],
    "uint16": ["uint32", "int32"],
    "uint32": ["uint64", "int64"],
    "uint64": [],
    "int8": ["int16"],
    "int16": ["int32"],
    "int32": ["int64"],
    "float16": ["float32"],
    "float32": ["float64", "complex64"],
    "float64": ["complex128"],
    "complex64": ["complex128"],
}

#: Option 1 loses no precision, option 2 no width, option 3 sends every integer below every float.
_OPTIONS: dict[str, Edges] = {
    "option-0": _OPTION_0,
    "option-1": {
        **_OPTION_0,
        "int8": ["int16", "float16"],
        "int16": ["int32", "float32"],
        "int32": ["int64", "float64"],
    },
    "option-2": {
        **_OPTION_0,
        "int16": ["int32", "float16"],
        "int32": ["int64", "float32"],
        "int64": ["float64"],
    },
    "option-3": {
        **_OPTION_0,
        "weak_int": ["uint8", "int8"],
        "int64": ["weak_float"],
        "weak_float": ["weak_complex", "float16", "bfloat16"],
        "bfloat16": ["float32"],
    },
}

#: JAX itself: option 3 with bool, uint64, and the dtypes narrower than a byte or without promotion.
_JAX: Edges = {
    **_OPTIONS["option-3"],
    "bool": ["weak_int"],
    "weak_int": ["uint8", "int8", *_SMALL_INTEGERS],
    "uint64": ["weak_float"],
    "weak_float": ["weak_complex", "float16", "bfloat16", *_SMALL_FLOATS],
}

#: With 64-bit types off no join may be wider than its operands; this edge is the only one to change.
_JAX_32: Edges = {**_JAX, "uint32": ["int32", "uint64"]}

#: Strict mode: weak types promote to any dtype of their kind or a higher one, nothing else promotes.
_JAX_STRICT: Edges = {
    **{name: [] for name in _ALL},
    "weak_int": ["weak_float", *_INTEGERS],
    "weak_float": ["weak_complex", *_FLOATS],
    "weak_complex": _COMPLEX,
}


def _lax(x64: bool) -> Edges:
    """Nothing promotes; a Python scalar has its default dtype."""
    weak = {node: [dtypes.default_dtype(kind, x64)] for node, kind in dtypes.WEAK.items()}
    return {**{name: [] for name in _ALL}, **weak}


def _system(name: str, source: str, on: Edges, off: Edges | None = None) -> System:
    with_x64 = Lattice(on, name=name)
    orders = {True: with_x64, False: with_x64 if off is None else Lattice(off, name=name)}
    return System(name, source, orders, follows_x64=True)


SYSTEMS: tuple[System, ...] = (
    _system("jax", _PROMOTION, _JAX, _JAX_32),
    _system("jax-strict", _STRICT, _JAX_STRICT),
    _system("lax", _LAX, _lax(True), _lax(False)),
    *(_system(name, _JEP, edges) for name, edges in _OPTIONS.items()),
)
