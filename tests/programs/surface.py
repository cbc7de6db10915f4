"""JAX's interface beside the functions on arrays: a correct program, in which every checker finds no error."""

from __future__ import annotations

import functools
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import jax
import jax.experimental.sparse
import jax.flatten_util
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.mesh import Mesh as DefinedMesh
from jax.experimental import mesh_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from jax.tree_util import DictKey, KeyPath, SequenceKey


def same_class(mesh: jax.sharding.Mesh) -> DefinedMesh:
    return mesh


class OwnMesh(jax.sharding.Mesh):
    pass


def place(x: jax.Array, devices: list[jax.Device]) -> jax.Array:
    mesh = Mesh(np.array(devices), ("x",))
    sharding: jax.sharding.Sharding = NamedSharding(mesh, P("x"))
    with mesh:
        print(mesh.shape["x"], mesh.axis_names, mesh.devices.shape, sharding.device_set)
    return jax.device_put(x, sharding)


def switches(x: jnp.ndarray) -> jax.Array:
    jax.config.update("jax_debug_nans", False)
    with jax.disable_jit(), jax.default_device(jax.devices("cpu")[0]), jax.default_matmul_precision("high"):
        if not jax.config.jax_debug_nans:
            return jnp.sin(x)
    with jax.numpy_dtype_promotion("standard"), jax.named_scope("scope"), jax.checking_leaks():
        return jnp.cos(x)


@jax.default_matmul_precision("high")
def decorated(x: jax.Array) -> jax.Array:
    return x @ x


@contextmanager
def traced(name: str) -> Generator[None]:
    with jax.profiler.TraceAnnotation(name):
        yield


def is_traced(x: jax.typing.ArrayLike) -> bool:
    if isinstance(x, jax.core.Tracer):
        y: jax.Array = x
        return y.ndim == x.ndim
    return isinstance(x, jax.Array | np.ndarray)


@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, first: jax.Array, second: jax.Array) -> None:
        self.first, self.second = first, second

    def tree_flatten(self) -> tuple[tuple[jax.Array, jax.Array], None]:
        return (self.first, self.second), None

    @classmethod
    def tree_unflatten(cls, aux: None, children: tuple[jax.Array, jax.Array]) -> Pair:
        return cls(*children)


def trees(pair: Pair) -> Pair:
    leaves, structure = jax.tree.flatten(pair)
    same = jax.tree_util.tree_unflatten(structure, leaves)
    print(structure.num_leaves, len(leaves), jax.tree.structure(same) == structure, same)
    for path, _ in jax.tree_util.tree_leaves_with_path({"a": [1, 2]}):
        print(jax.tree_util.keystr(path), names(path))
    return Pair(pair.second, pair.first)


def names(path: KeyPath) -> list[Any]:
    return [key.key if isinstance(key, DictKey) else key.idx for key in path if isinstance(key, DictKey | SequenceKey)]


@jax.custom_jvp
def clipped(x: jax.Array) -> jax.Array:
    return jnp.clip(x, 0.0, 1.0)


@clipped.defjvp
def clipped_jvp(primals: tuple[jax.Array], tangents: tuple[jax.Array]) -> tuple[jax.Array, jax.Array]:
    return clipped(*primals), tangents[0]


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def scaled(x: jax.Array, factor: float) -> jax.Array:
    return x * factor


def scaled_forward(x: jax.Array, factor: float) -> tuple[jax.Array, None]:
    return scaled(x, factor), None


def scaled_backward(factor: float, _: None, cotangent: jax.Array) -> tuple[jax.Array]:
    return (cotangent * factor,)


scaled.defvjp(scaled_forward, scaled_backward)


def shapes() -> tuple[int, ...]:
    struct = jax.ShapeDtypeStruct((2, 3), jnp.float32)
    print(struct.dtype, struct.sharding, jnp.finfo(struct.dtype).eps, jax.dtypes.canonicalize_dtype(int))
    shape: tuple[int, ...] = jax.eval_shape(jnp.sin, struct).shape
    return shape


def samples(key: jax.Array) -> jax.Array:
    first, second = jax.random.split(key)
    x = jax.random.normal(first, (3,)) + jax.random.uniform(second, (3,), minval=0.0, maxval=1.0)
    init = jax.nn.initializers.glorot_uniform()
    return x @ init(key, (3, 3), jnp.float32)


def functions(x: jax.Array) -> jax.Array:
    y = jax.scipy.special.gammaln(x) + jax.scipy.stats.norm.logpdf(x, loc=0.0) + jax.nn.softmax(x)
    z = lax.dot_general(x, y, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST)
    return jax.ops.segment_sum(y * z, jnp.array([0, 0, 1]), num_segments=2)


def below(x: jax.Array) -> None:
    flat, unravel = jax.flatten_util.ravel_pytree({"x": x})
    print(unravel(flat), jax.experimental.sparse.BCOO.fromdense(x).shape)
    print(mesh_utils.create_device_mesh((len(jax.devices()),)).shape)
    jax.debug.print("x = {}", x)


def main() -> None:
    x = place(jnp.arange(3.0), jax.devices())
    print(same_class(OwnMesh(np.array(jax.devices()), ("x",))).empty, switches(x), decorated(x), is_traced(x))
    print(trees(Pair(x, x)).first, clipped(x), scaled(x, 2.0), shapes(), functions(x + 1))
    with traced("samples"):
        print(samples(jax.random.key(0)), samples(jax.random.PRNGKey(0)))
    below(x)
    try:
        jax.jit(bool)(x)
    except (jax.errors.ConcretizationTypeError, ValueError):
        devices = np.array(jax.devices()[:1]).reshape(1, -1)
        print(Mesh(devices, ("x", "y")).shape, np.asarray(jax.devices()).size)
        print(jax.devices()[0].platform, jax.local_device_count(), jax.__version__)


if __name__ == "__main__":
    main()
