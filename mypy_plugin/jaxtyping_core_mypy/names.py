"""Where things live: the fully qualified names that the hooks and the conversion look for."""

from __future__ import annotations

import functools

ARRAY = "jax._src.basearray.Array"
#: The base of that class which defines its attributes: mypy asks for a hook by the name of that class.
ARRAY_MEMBERS = "jax._src.basearray.ArrayMembers"
LAYER = "jaxtyping_core.numpy"
LAYER_ARRAY = f"{LAYER}.Array"
#: The classes of arrays: the second is a subclass of the first.
ARRAYS = frozenset({ARRAY, LAYER_ARRAY})
UPDATE_REF = "jax._src.basearray.IndexUpdateRef"
INDEX_TRICKS = "jax._src.numpy.index_tricks."
#: Dicts and lists that a call gives, which fit wherever Any fits, and the module with their classes.
OF_RESULTS = "jaxtyping_core._results"
DICT_RESULT, LIST_RESULT = f"{OF_RESULTS}.DictResult", f"{OF_RESULTS}.ListResult"
#: ... and the classes above them.
RESULTS = {DICT_RESULT: "builtins.dict", LIST_RESULT: "builtins.list"}
SCALAR_TYPES = "jax._src.numpy.scalar_types"
NDARRAY = "numpy.ndarray"
#: What an array of NumPy is to `Like[Float32[B, D]]`: generic over the array that JAX makes of it.
CONVERTED = "jax._src.basearray.SupportsArrayInterface"

DTYPE_OBJECT = "jax._src.basearray.DTypeObject"
NUMPY_DTYPE = "numpy.dtype"
DTYPE_OBJECTS = (DTYPE_OBJECT, NUMPY_DTYPE)

#: Packages whose functions are evaluated: the stubs define each in the public module that a program imports.
EVALUATED_PACKAGES = (
    *("jax.numpy", "jax.lax", "jax.nn", "jax.random", "jax.scipy", "jax.image", "jax.ops"),
    *("jax.tree", "jax.tree_util", "jax.dtypes"),
    LAYER,
)
#: Modules of the stubs that define what programs import from elsewhere.
PUBLIC = {
    "jax._src.nn.initializers": "jax.nn.initializers",
    "jax._src.lax.lax": "jax.lax",
    "jax._src.lax.slicing": "jax.lax",
    "jax._src.lax.convolution": "jax.lax",
    "jax._src.image.scale": "jax.image",
    "jax._src.dtypes": "jax.dtypes",
    "jax._src.tree": "jax.tree",
    "jax._src.tree_util": "jax.tree_util",
    "jax._src.scipy.stats.kde": "jax.scipy.stats",
    "jax._src.third_party.scipy.interpolate": "jax.scipy.interpolate",
    f"{LAYER}._queries": LAYER,
}
TRANSFORMATIONS = "jax._transformations"
TRANSFORMED = f"{TRANSFORMATIONS}.Transformed"
#: The functions of that module that programs import from ``jax`` and from ``jax.lax``.
OF_JAX = frozenset(
    {
        *("grad", "value_and_grad", "hessian", "jacobian", "jacfwd", "jacrev", "jvp", "linearize", "jit"),
        *("vmap", "checkpoint", "remat", "eval_shape", "vjp"),
    }
)
OF_LAX = frozenset(
    {
        *("scan", "cond", "while_loop", "fori_loop", "switch", "associative_scan", "custom_linear_solve"),
        *("custom_root", "optimization_barrier", "stop_gradient"),
    }
)
#: The stubs' class for scalars of bfloat16, which its limits are.
BFLOAT16_SCALAR = "jax._jaxlib.BFloat16"
IS_ARRAY = "jaxtyping_core.typing.is_array"
PRNG_KEY = "jax._src.dtypes.prng_key"
#: The dtype of a random key, as JAX prints that of its default kind.
KEY = "key<fry>"

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
#: The function of the stubs that without a function gives a decorator, and the class of that.
SHARD_MAP, DECORATOR = f"{TRANSFORMATIONS}.shard_map", f"{TRANSFORMATIONS}.Batching"

#: Classes and forms of types whose parts may be more precise than they say.
COVARIANT = frozenset(
    {
        *(
            "builtins.tuple",
            "typing.Union",
            "typing.Optional",
            "typing.Tuple",
            "typing.Callable",
            "typing.Type",
        ),
        *("typing.Sequence", "typing.Collection", "typing.Iterable", "typing.Iterator", "typing.Generator"),
        *("typing.Awaitable", "typing.Final", "typing.ClassVar", "builtins.type", "types.UnionType"),
    }
)
CALLABLE = frozenset({"typing.Callable", "collections.abc.Callable"})
#: Modules whose names stand for no types with dims.
FOREIGN_TYPES = ("builtins.", "typing.", "typing_extensions.", "numpy.", "jax.", "functools.", "collections.")
#: How deep in a type arrays are looked for.
DEEPEST_TYPE = 8

#: The prefixes of the stubs' classes for ufunc objects: ``jnp.add`` is a ``jax.numpy._ufunc_add``.
UFUNC_PREFIXES = ("jax.numpy._ufunc_", f"{LAYER}._ufunc_")
UFUNC = "jax._src.numpy.ufunc_api.ufunc"


@functools.cache
def public_path(fullname: str) -> str | None:
    """The name under which programs know something that is evaluated; None for everything else."""
    module, _, name = fullname.rpartition(".")
    if module == TRANSFORMATIONS:
        return _of_transformations(name)
    for private, public in PUBLIC.items():
        if fullname.startswith(f"{private}."):
            fullname = public + fullname.removeprefix(private)
    return fullname if fullname.startswith(_EVALUATED) and "._" not in fullname else None


def _of_transformations(name: str) -> str | None:
    if name in OF_LAX:
        return f"jax.lax.{name}"
    if name.startswith("tree_"):
        return f"jax.tree_util.{name}"
    if name == "lax_map":
        return "jax.lax.map"
    return f"jax.{name}" if name in OF_JAX else None


_EVALUATED = tuple(f"{package}." for package in EVALUATED_PACKAGES)
