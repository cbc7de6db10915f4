"""Functions that declare arrays in jaxtyping's notation, and that nothing calls."""

from typing import Dict, List, Mapping, NamedTuple, Sequence, Tuple

import chex
import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, BFloat16, Bool, Float, Float32, Int, Num, PRNGKeyArray, PyTree, Shaped


def wrong_mean_without_keepdims(x: Float[Array, "b d"]) -> Float[Array, "b d"]:
    return x / jnp.mean(x, axis=-1)  # error


def wrong_product(x: Float[Array, "b d"], w: Float[Array, "f d"]) -> Float[Array, "b f"]:
    return x @ w  # error


def wrong_dtype(x: Float32[Array, "b d"], w: Float32[Array, "d f"]) -> BFloat16[Array, "b f"]:
    return x @ w  # error


def wrong_result(x: Float[Array, "b d"]) -> Float[Array, "b"]:
    return jnp.sum(x, axis=0)  # error


def column(x: Float[Array, "24 48"]) -> Float[Array, "48"]:
    return x[0]


def wrong_argument(x: Float[Array, "48 24"]) -> Float[Array, "48"]:
    return column(x)  # error


def wrong_mask(x: Float[Array, "b d"], mask: Bool[Array, "b"]) -> Float[Array, "b d"]:
    return x * ~jnp.ones(x.shape)  # error


def wrong_key(key: PRNGKeyArray, x: Float[Array, "n"]) -> Float[Array, "n"]:
    return x[jax.random.uniform(key, (3,))]  # error


def wrong_condition(x: Float[Array, "n"]) -> Float[Array, "n"]:
    @jax.jit
    def inner(y):
        if y.sum() > 0:  # error
            return y
        return -y

    return inner(x)


class Scales(NamedTuple):
    scale: Float[Array, "d"]


def wrong_with_field(scales: Scales, x: Float[Array, "b d"]) -> Float[Array, "b d"]:
    return (x * scales.scale)[0]  # error


def wrong_under_vmap(x: Float[Array, "n d"], y: Float[Array, "m k"]) -> Float[Array, "n m"]:
    return jax.vmap(lambda a: y @ a)(x)  # error


def right_mean(x: Float[Array, "b d"]) -> Float[Array, "b d"]:
    return x / jnp.mean(x, axis=-1, keepdims=True)


def right_asserted(x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n d"]:
    assert x.shape == y.shape
    return x + y


def right_raised(x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n d"]:
    if x.shape != y.shape:
        raise ValueError("x and y have different shapes")
    return x + y


def right_asserted_by_a_library(x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n d"]:
    chex.assert_equal_shape([x, y])
    return x + y


def right_if_it_divides(x: Float[Array, "n d"]) -> Float[Array, "n 7 e"]:
    return x.reshape(x.shape[0], 7, x.shape[1] // 7)


def right_caught(x: Float[Array, "n d"], y: Float[Array, "m"]) -> Float[Array, "..."]:
    try:
        return x + y
    except TypeError:
        return x


def right_of_one_size(x: Float[Array, "b c"]) -> Float[Array, "b"]:
    r, g, b = x.T
    return r + g + b


def right_where_it_is_told(x: Float[Array, "n d"], y: Float[Array, "m"], same: bool) -> Float[Array, "..."]:
    if same:
        return x[:, 0] + y
    return x.sum() + y.sum()


def right_if_sizes_of_fields_are_those_of_arguments(scales: Scales, x: Float[Array, "b n"]) -> Float[Array, "b n"]:
    return x * scales.scale


class Linear(eqx.Module):
    weight: Float[Array, "out in"]
    bias: Float[Array, "out"]

    def __call__(self, x: Float[Array, "k"]) -> Float[Array, "out"]:
        return self.weight @ x + self.bias


def right_tree(tree: PyTree[Float[Array, "..."]]) -> PyTree[Float[Array, "..."]]:
    return jax.tree.map(lambda a, b: a + b, tree, tree)


def right_dict(arrays: dict[str, Float[Array, "..."]], x: Float[Array, "n d"]) -> Float[Array, "n"]:
    return x @ arrays["w"] + arrays["b"]


def right_class_of_dtypes(x: Num[Array, "n"]) -> Num[Array, "n"]:
    return x * 2


def right_any_dtype(x: Shaped[Array, "n"], i: Int[Array, "k"]) -> Shaped[Array, "k"]:
    return x[i]


def right_batch(x: Float[Array, "*b n"], y: Float[Array, "*b n"]) -> Float[Array, "*b"]:
    return jnp.einsum("...n,...n->...", x, y)


def right_raw_or_new_key(key: jax.Array, n: int) -> Float[Array, "n"]:
    return jax.random.normal(key, (n,))


def right_prefix(x: Float[Array, "n"]) -> Float[Array, "m"]:
    return x[:50]


def right_loop(x: Float[Array, "n d"], layers: list[Float[Array, "d e"]]) -> Float[Array, "n e"]:
    for layer in layers:
        x = x @ layer
    return x


OPTIONS: Dict = {}


def right_bare_containers(
    x: Float[Array, "n"], a: Dict, b: List, c: Mapping, d: Sequence, e: Tuple
) -> Float[Array, "n"]:
    return x + len(a) + len(b) + len(c) + len(d) + len(e)
