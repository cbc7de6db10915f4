"""Data-parallel training over a mesh of devices, a sum that is mapped over one of unknown size, and a kernel of Pallas."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 8)
mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
everything = Mesh(np.array(jax.devices()), ("all",))


def initial(key, sizes):
    params = []
    for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
        key, sub = jax.random.split(key)
        weight = jax.random.normal(sub, (fan_in, fan_out)) / jnp.sqrt(fan_in)
        params.append({"w": weight, "b": jnp.zeros(fan_out)})
    return params


@partial(jax.shard_map, mesh=mesh, in_specs=(P("data", None), P(None, "model")), out_specs=P("data", "model"))
def product(rows, columns):
    part = rows @ columns
    return part


@partial(jax.shard_map, mesh=everything, in_specs=P("all"), out_specs=P())
def total(rows):
    own = rows.sum(axis=0)
    return jax.lax.psum(own, "all")


def loss_fn(params, x, y):
    hidden = jnp.tanh(x @ params[0]["w"] + params[0]["b"])
    out = product(hidden, params[1]["w"]) + params[1]["b"]
    return jnp.mean((out - y) ** 2)


@partial(jax.jit, out_shardings=NamedSharding(mesh, P()))
def update(params, x, y):
    grads = jax.grad(loss_fn)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


def scale_kernel(x_ref, factor_ref, out_ref):
    block = x_ref[...]

    @pl.when(pl.program_id(0) >= 0)
    def _():
        out_ref[...] = jnp.zeros_like(out_ref)

    out_ref[...] += block * factor_ref[0]


def scaled(x, factor):
    rows, columns = x.shape
    spec = pl.BlockSpec((rows // 2, columns), lambda i: (i, 0))
    call = pl.pallas_call(
        scale_kernel,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        grid=(2,),
        in_specs=[spec, pl.BlockSpec((1,), lambda i: (0,))],
        out_specs=spec,
        interpret=True,
    )
    return call(x, factor)


def step(command, x):
    match command:
        case {"op": "scale", "by": by, **rest}:
            result = scaled(x, jnp.asarray([by], x.dtype)) if not rest else x
        case ["transpose", *axes]:
            result = x.transpose(axes)
        case str() as name if name == "total":
            result = total(x)
        case _:
            result = x
    return result


key = jax.random.key(0)
params = initial(key, (6, 16, 4))
x = jax.device_put(jnp.ones((32, 6)), NamedSharding(mesh, P("data")))
y = jnp.zeros((32, 4), jnp.bfloat16)
with jax.set_mesh(mesh):
    for _ in range(3):
        params = update(params, x, y)
    there = jax.lax.with_sharding_constraint(x, P("data", None))
    mapped = jax.shard_map(lambda rows: rows * 2, in_specs=P("data"), out_specs=P("data"))(there)
final = loss_fn(params, x, y)
scaled_up = step({"op": "scale", "by": 2}, x)
turned = step(["transpose", 1, 0], x)
summed = step("total", x)
same = step(3, x)
