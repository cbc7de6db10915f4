"""Where things live: the fully qualified names that the hooks and the conversion look for."""

from __future__ import annotations

ARRAY = "jax._src.basearray.Array"
UPDATE_HELPER = "jax._src.basearray._IndexUpdateHelper"
UPDATE_REF = "jax._src.basearray._IndexUpdateRef"
SCALAR_TYPES = "jax._src.numpy.scalar_types"
NDARRAY = "numpy.ndarray"

DTYPE_OBJECT = "jax._src.basearray.DTypeObject"
NUMPY_DTYPE = "numpy.dtype"

#: Packages whose functions are evaluated: the stubs define each in the public module that a program imports.
EVALUATED_PACKAGES = (
    "jax.numpy",
    "jax.lax",
    "jax.nn",
    "jax.random",
    "jax.scipy",
    "jax.image",
    "jax.ops",
)
#: Modules in whose functions a parameter called ``key`` takes a random key.
KEYED_MODULES = ("jax.random", "jax.nn.initializers")

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


def is_evaluated(fullname: str) -> bool:
    """Whether this is the name of something public in one of the evaluated packages."""
    return fullname.startswith(_EVALUATED) and "._" not in fullname


_EVALUATED = tuple(f"{package}." for package in EVALUATED_PACKAGES)
