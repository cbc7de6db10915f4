"""JAX's transformations on the layer's arrays; jaxprs; optax; many devices and processes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from typing import Any

import jax
import numpy as np
import optax
import pytest

import jaxtyping_core.numpy as lnp


def arrays(tree: Any) -> list[type]:
    return [type(leaf) for leaf in jax.tree.leaves(tree, is_leaf=lambda leaf: type(leaf) is lnp.Array)]


def loss(params: Any, x: Any) -> Any:
    return lnp.mean((x @ params["w"] + params["b"]) ** 2)


params = {"w": lnp.ones((3, 2)), "b": lnp.zeros(2)}
x = lnp.arange(6.0).reshape(2, 3)


def test_gradients_are_arrays_of_the_layer() -> None:
    value, gradient = lnp.value_and_grad(loss)(params, x)
    assert arrays((value, gradient)) == [lnp.Array] * 3
    plain = {name: p.value for name, p in params.items()}

    def plain_loss(params: Any, x: Any) -> Any:
        return jax.numpy.mean((x @ params["w"] + params["b"]) ** 2)

    theirs = jax.grad(plain_loss)(plain, x.value)
    for name, leaf in theirs.items():
        np.testing.assert_array_equal(gradient[name], leaf)
    assert lnp.grad(lambda p, x: (loss(p, x), x.shape), has_aux=True)(params, x)[1] == (2, 3)
    assert arrays(lnp.jacfwd(lnp.sin)(x)) == arrays(lnp.hessian(lambda x: lnp.sum(x**3))(x)) == [lnp.Array]


def test_every_transformation() -> None:
    primal, tangent = lnp.jvp(lnp.sin, (x,), (x,))
    value, pull = lnp.vjp(lnp.sin, x)
    also, push = lnp.linearize(lnp.sin, x)
    mapped = lnp.vmap(lambda row, k: row * k, in_axes=(0, None))(x, 2.0)
    results = (primal, tangent, value, *pull(x), also, push(x), mapped, lnp.jit(lnp.sin)(x))
    assert arrays(results) == [lnp.Array] * 8
    np.testing.assert_array_equal(tangent, push(x))
    assert lnp.jit(static_argnames="n")(lambda x, n: x.reshape(n))(x, n=(6,)).shape == (6,)


def test_the_function_sees_arrays_of_the_layer() -> None:
    seen = []

    def f(x: Any) -> Any:
        seen.append(type(x))
        return lnp.sum(x)

    for value in (x, x.value, np.ones(3, "float32")):
        lnp.jit(f)(value)
        lnp.grad(f)(value)
        lnp.make_jaxpr(f)(value)
    assert set(seen) == {lnp.Array}


def test_one_function_is_compiled_once() -> None:
    traced = []

    def f(x: Any) -> Any:
        traced.append(1)
        return x

    lnp.jit(f)(x)
    lnp.jit(f)(x)
    assert len(traced) == 1


def jaxpr(function: Any, *args: Any) -> str:
    return " ".join(str(lnp.make_jaxpr(function)(*args)).split())


def test_the_jaxpr_has_only_the_conversions_of_the_lattice() -> None:
    small, half = lnp.ones(3, "int8"), lnp.ones(3, "float16")
    text = jaxpr(lambda a, b: a * b + 1, small, half)
    assert text == (
        "{ lambda ; a:i8[3] b:f16[3]. let c:f16[3] = convert_element_type[new_dtype=float16 weak_type=False] a "
        "d:f16[3] = mul c b e:f16[3] = add d 1.0:f16[] in (e,) }"
    )
    with lnp.promotion("numpy"):
        several = jaxpr(lambda a, b: a + b, lnp.ones(3, "int16"), half)
    assert several.count("convert_element_type") == 2
    assert jaxpr(lambda a: a + a * 2 - a / a, half).count("convert_element_type") == 0


def test_a_compiled_function_is_never_used_under_another_system() -> None:
    traced: list[object] = []

    def f(a: Any, b: Any) -> Any:
        traced.append(lnp.current())
        return a + b

    args = (lnp.ones(3, "int32"), lnp.ones(3, "float16"))
    both = (jax.jit(f), lnp.jit(f), lnp.vmap(f), lambda a, b: lnp.linearize(lambda b: f(a, b), b)[0])
    for function in both:
        for _ in range(2):
            for system, dtype in (("jax", "float16"), ("numpy", "float32"), ("torch", "float16")):
                with lnp.promotion(system):
                    assert function(*args).dtype == dtype
    assert traced[:3] == ["jax", "numpy", "torch"]


def test_control_flow_of_jax_carries_arrays_of_the_layer() -> None:
    total, rows = jax.lax.scan(lambda carry, row: (carry + row, carry * 2), x[0], x)
    assert arrays((total, rows)) == [lnp.Array] * 2
    assert type(jax.lax.fori_loop(0, 3, lambda i, y: y + 1, x)) is lnp.Array
    assert type(jax.lax.cond(True, lambda y: y + 1, lambda y: y, x)) is lnp.Array
    assert type(jax.checkpoint(lambda y: y * 2)(x)) is lnp.Array


def test_optax() -> None:
    optimizer = optax.adam(1e-1)

    @lnp.jit
    def step(params: Any, state: Any) -> Any:
        value, gradient = lnp.value_and_grad(loss)(params, x)
        updates, state = optimizer.update(gradient, state, params)
        return optax.apply_updates(params, updates), state, value

    new, state = params, optimizer.init(params)
    values = []
    for _ in range(5):
        new, state, value = step(new, state)
        values.append(float(value))
    assert values == sorted(values, reverse=True)
    assert set(arrays(new)) == {lnp.Array}


DEVICES = """
import jax, numpy as np
import jaxtyping_core.numpy as lnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

assert len(jax.devices()) == 8
mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))
x = lnp.arange(64.0).reshape(8, 8) / 64
w = lnp.linspace(0, 1, 64).reshape(8, 8)
f = lnp.jit(lambda x, w: lnp.sin(x @ w) + lnp.sum(x, axis=0))
alone = f(x, w)
placed = jax.device_put(x, NamedSharding(mesh, P("data", "model")))
assert type(placed) is lnp.Array and placed.sharding.spec == P("data", "model")
spread = f(placed, jax.device_put(w, NamedSharding(mesh, P("model", None))))
assert len(spread.sharding.device_set) == 8
np.testing.assert_allclose(spread, alone, rtol=1e-6)
local = jax.shard_map(lambda x: x * 2 + 1, mesh=mesh, in_specs=P("data", None), out_specs=P("data", None))
np.testing.assert_array_equal(local(x), x * 2 + 1)
first, second = (jax.device_put(x, device) for device in jax.devices()[:2])
try:
    first + second
except ValueError as error:
    assert "incompatible devices" in str(error), error
else:
    raise AssertionError("arrays on two devices were added")
assert (first + first).device == jax.devices()[0]
print("the same")
"""


def run(code: str, *args: str, **environment: str) -> subprocess.Popen[str]:
    env = {**os.environ, "JAX_PLATFORMS": "cpu", **environment}
    command = [sys.executable, "-c", code, *args]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> str:
    out, error = process.communicate(timeout=120)
    assert process.returncode == 0, error[-3000:]
    return out.strip()


def test_eight_devices() -> None:
    assert finish(run(DEVICES, XLA_FLAGS="--xla_force_host_platform_device_count=8")) == "the same"


PROCESSES = """
import sys, jax, numpy as np
import jaxtyping_core.numpy as lnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

address, index = sys.argv[1], int(sys.argv[2])
jax.distributed.initialize(address, num_processes=2, process_id=index)
assert jax.process_count() == 2
mesh = Mesh(np.array(jax.devices()), ("data",))
whole = np.arange(8.0, dtype="float32")
mine = whole.reshape(2, 4)[index]
x = lnp.asarray(jax.make_array_from_process_local_data(NamedSharding(mesh, P("data")), mine))
assert not x.is_fully_addressable and x.shape == (8,)
f = lnp.jit(lambda x: lnp.sum(lnp.sin(x) * 2))
print(np.asarray(f(x).addressable_data(0)).item().hex(), np.asarray(f(lnp.asarray(whole))).item().hex())
"""


def test_two_processes() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    processes = [run(PROCESSES, address, str(i), JAX_CPU_COLLECTIVES_IMPLEMENTATION="gloo") for i in (0, 1)]
    numbers = {
        float.fromhex(number) for process in processes for number in finish(process).splitlines()[-1].split()
    }
    assert max(numbers) - min(numbers) < 1e-6


@pytest.mark.skipif(jax.default_backend() == "cpu", reason="there is no accelerator here")
def test_memory_stays_on_the_accelerator() -> None:
    with jax.transfer_guard("disallow"):
        y = lnp.sin(x) + x
        assert y.device == x.device
