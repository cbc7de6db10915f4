"""The promotion systems of NumPy, PyTorch and TensorFlow.

None of them is a lattice. NumPy breaks ties between several candidates. PyTorch looks at the rank and
rejects some pairs. TensorFlow looks at the first operand. Versions: NumPy 2.1 to 2.5 with ml_dtypes 0.6,
PyTorch 2.13, TensorFlow 2.21.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from jaxtyping_core import dtypes
from jaxtyping_core.lattice import Casts, PartialOrder
from jaxtyping_core.systems.system import ByCategory, FirstDecides, System

_NEP_50 = "https://numpy.org/neps/nep-0050-scalar-promotion.html"
_TORCH = "https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc"
_TENSORFLOW = "https://www.tensorflow.org/api_docs/python/tf/convert_to_tensor"


def _pairs(left: Iterable[str], right: Iterable[str]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in itertools.product(left, right)}


#: The safe casts of NumPy (``numpy.can_cast``) and, below the blank line, of ml_dtypes.
_NUMPY_CASTS = {
    "bool": ["uint8", "int8", "uint1", "int1"],
    "uint8": ["uint16", "int16", "float16", "float4_e2m1fn", "float8_e8m0fnu", "float8_e5m2", "bfloat16"],
    "int8": ["int16", "float16", "float4_e2m1fn", "float8_e8m0fnu", "float8_e5m2", "bfloat16"],
    "uint16": ["uint32", "int32", "float32"],
    "int16": ["int32", "float32"],
    "uint32": ["uint64", "int64", "float64"],
    "int32": ["int64", "float64"],
    "uint64": ["float64"],
    "int64": ["float64"],
    "float16": ["float32"],
    "float32": ["float64", "complex64"],
    "float64": ["complex128"],
    "complex64": ["complex128"],

    "uint1": ["uint2"],
    "uint2": ["uint4"],
    "uint4": ["uint8", "int8"],
    "int1": ["int2"],
    "int2": ["int4"],
    "int4": ["int8"],
    "float4_e2m1fn": ["float6_e3m2fn"],
    "float6_e3m2fn": ["float6_e2m3fn"],
    "float6_e2m3fn": ["float8_e5m2fnuz"],
    "float8_e5m2fnuz": ["float8_e4m3fnuz"],
    "float8_e4m3fnuz": ["float8_e4m3fn"],
    "float8_e4m3fn": ["float8_e4m3b11fnuz"],
    "float8_e4m3b11fnuz": ["float8_e4m3"],
    "float8_e4m3": ["float8_e3m4"],
    "float8_e3m4": ["float32"],
    "float8_e8m0fnu": ["float32"],
    "float8_e5m2": ["float32"],
    "bfloat16": ["float32"],
}  # fmt: skip
_SUB_BYTE = ["uint1", "uint2", "uint4", "int1", "int2", "int4"]
_ML_DTYPES = frozenset(_NUMPY_CASTS) - {
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("float16", "float32", "float64", "complex64"),
}


def _numpy_refused() -> set[frozenset[str]]:
    """The pairs without a common dtype (``numpy.result_type``), which compute in a loop that takes both.

    A dtype of ml_dtypes has no table of promotions: one operand must cast to the other. The exception
    is float8_e5m2, which NumPy orders among its own floats. ml_dtypes also lacks some casts that follow
    from others.
    """
    casts = PartialOrder(_NUMPY_CASTS, name="numpy casts").upper_bounds
    unordered = {
        frozenset((a, b))
        for a, b in itertools.product(_ML_DTYPES - {"float8_e5m2"}, casts)
        if a not in casts[b] and b not in casts[a]
    }
    missing = _pairs(_SUB_BYTE, ["bfloat16", "float8_e5m2", "float8_e8m0fnu"])
    return unordered | missing | _pairs(["uint4", "int4"], ["float6_e2m3fn"])


#: The loops of NumPy's own arithmetic, in the order in which they are tried.
_NUMPY_LOOPS = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)

_NUMPY = System(
    "numpy",
    _NEP_50,
    dict.fromkeys(
        (False, True),
        Casts(_NUMPY_CASTS, name="numpy", refused=_numpy_refused(), prefer="biufc", loops=_NUMPY_LOOPS),
    ),
    ByCategory(
        {"weak_int": "int64", "weak_float": "float64", "weak_complex": "complex128"},
        choosy=_ML_DTYPES,
        tries={"i": ["int8", "uint8"], "f": ["float16", "float64"], "c": ["complex64"]},
    ),
)

#: Unsigned dtypes that PyTorch has for storage: they promote to floating dtypes, but not to complex ones.
_BAREBONES = ["uint1", "uint2", "uint4", "uint16", "uint32", "uint64"]
_TORCH_CASTS = {
    "bool": ["uint8", "int8"],
    "uint8": ["int16"],
    "int8": ["int16"],
    "int16": ["int32"],
    "int32": ["int64"],
    "int64": ["float16", "bfloat16"],
    "float16": ["float32"],
    "bfloat16": ["float32"],
    "float32": ["float64", "complex64"],
    "float64": ["complex128"],
    "complex64": ["complex128"],
    **{name: ["float16", "bfloat16"] for name in _BAREBONES},
    **{name: [] for name in ("int1", "int2", "int4")},
    **{
        name: []
        for name in ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu")
    },
}
_PYTORCH = System(
    "torch",
    _TORCH,
    dict.fromkeys(
        (False, True),
        Casts(_TORCH_CASTS, name="torch", refused=_pairs(_BAREBONES, ["complex64", "complex128"])),
    ),
    ByCategory({"weak_int": "int64", "weak_float": "float32", "weak_complex": "complex64"}),
    ranked=True,
)

#: What JAX has and TensorFlow lacks.
_NOT_IN_TENSORFLOW = {
    "uint1",
    "int1",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e8m0fnu",
}
_TF = System(
    "tensorflow",
    _TENSORFLOW,
    dict.fromkeys(
        (False, True),
        PartialOrder(
            {
                name: []
                for name, row in dtypes.DTYPES.items()
                if row.promotes and name not in _NOT_IN_TENSORFLOW
            },
            name="tensorflow",
        ),
    ),
    FirstDecides(
        {"weak_int": "int32", "weak_float": "float32", "weak_complex": "complex128"},
        accepts={"b": "", "u": "i", "i": "i", "f": "if", "c": "ifc"},
    ),
)

SYSTEMS: tuple[System, ...] = (_NUMPY, _PYTORCH, _TF)
