"""Where things live: the fully qualified names that the hooks and the conversion look for."""

from __future__ import annotations

ARRAY = "jax._src.basearray.Array"
UPDATE_HELPER = "jax._src.basearray._IndexUpdateHelper"
UPDATE_REF = "jax._src.basearray._IndexUpdateRef"
SCALAR_TYPES = "jax._src.numpy.scalar_types"
NDARRAY = "numpy.ndarray"

#: Modules whose functions are evaluated, the more specific ones first.
EVALUATED_MODULES = (
    "jax.numpy.linalg",
    "jax.numpy.fft",
    "jax.numpy",
    "jax.nn",
)

#: Modules of JAX's own source that define functions of a public module, for which there is no stub yet.
DEFINED_IN = {
    "jax._src.lax.": "jax.lax",
    "jax._src.random": "jax.random",
    "jax._src.scipy.special": "jax.scipy.special",
    "jax._src.image.": "jax.image",
    "jax._src.ops.": "jax.ops",
}

#: Transformations whose annotation gives back the function's own type, though its arrays gain or lose a
#: dim, or are parts of larger ones.
BATCHING = frozenset(
    {
        *("jax._transformations.vmap", "jax._transformations.pmap", "jax._transformations.shard_map"),
        *("jax._src.api.vmap", "jax._src.api.pmap", "jax._src.shard_map.shard_map"),  # without our stubs
    }
)

#: The prefix of the stubs' class for a ufunc object: ``jnp.add`` is a ``jax.numpy._ufunc_add``.
UFUNC_PREFIX = "jax.numpy._ufunc_"
