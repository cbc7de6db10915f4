"""Functions of which nothing is stated, since the probes do not tell enough of them: the reason, and their names.

Each was found by comparing what the rules said with what JAX gives for other arguments than the probes'.
"""

from __future__ import annotations

_BY_REASON: dict[str, tuple[str, ...]] = {
    "an array without dims is not transformed": (
        *(f"jax.numpy.fft.{name}" for name in ("rfftn", "irfftn")),
        *(f"jax.scipy.fft.{name}" for name in ("dctn", "idctn")),
    ),
    "as many arrays as there are dims": ("jax.numpy.diag_indices_from",),
    "as many arrays as an axis is long": ("jax.numpy.unstack", "jax.lax.unstack"),
    "the sizes of the parts": (
        *(f"jax.numpy.{name}" for name in ("split", "array_split", "dsplit", "hsplit", "vsplit")),
    ),
    "the shape is that of the other array, where that has other dims": (
        *("jax.numpy.linalg.solve", "jax.numpy.linalg.lstsq", "jax.scipy.linalg.solve"),
        *("jax.scipy.linalg.solve_triangular", "jax.lax.linalg.triangular_solve"),
        *("jax.lax.linalg.symmetric_product", "jax.nn.scaled_matmul"),
    ),
    "the result depends on the values of arguments": (
        *(
            "jax.numpy.poly",
            "jax.scipy.linalg.qr",
            "jax.numpy.linalg.tensorinv",
            "jax.numpy.interp",
            "jax.random.choice",
            "jax.image.resize",
            "jax.lax.bitcast_convert_type",
            "jax.scipy.linalg.cho_factor",
        ),
        *("jax.lax.argmin", "jax.lax.argmax", "jax.lax.iota", "jax.lax.empty", "jax.numpy.diagonal"),
    ),
}

#: The functions by name, with the reason.
EXCLUDED: dict[str, str] = {name: reason for reason, names in _BY_REASON.items() for name in names}
