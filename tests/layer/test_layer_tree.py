"""Trees of the layer's arrays: `jaxtyping_core.numpy.tree`."""

from __future__ import annotations

import warnings
from typing import Any

import jax
import pytest

import jaxtyping_core as jc
import jaxtyping_core.numpy as jnp
from jaxtyping_core.numpy import tree

halves = {"a": jnp.ones(3, "float16"), "b": [jnp.zeros(2, "float16"), None]}
wholes = {"a": jnp.ones(3, "int32"), "b": [jnp.ones(2, "int32"), None]}


def kinds(values: Any) -> set[type]:
    return {type(value) for value in jax.tree.leaves(values, is_leaf=lambda leaf: type(leaf) is jnp.Array)}


def test_nothing_of_jax_is_missing() -> None:
    assert [name for name in dir(jax.tree) if not name.startswith("_") and not hasattr(tree, name)] == []


def test_a_map_promotes_by_the_system_in_force() -> None:
    def add(x: Any, y: Any) -> Any:
        return x + y

    with jnp.promotion("numpy"):
        for left, right in (
            (halves, wholes),
            (halves, jax.tree.map(lambda x: x.value, wholes, is_leaf=_is_array)),
        ):
            total = tree.map(add, left, right)
            assert kinds(total) == {jnp.Array}
            assert {leaf.dtype.name for leaf in tree.leaves(total)} == {"float32"}
        assert jax.jit(lambda x, y: tree.map(add, x, y))(halves, wholes)["a"].dtype == "float32"
        with pytest.warns(jc.PromotionWarning):
            assert jax.tree.map(add, halves, wholes)["a"].dtype == "float16"  # by JAX, as documented
    assert tree.map(add, halves, wholes)["a"].dtype == "float16"


@pytest.mark.parametrize("name", ["map", "map_with_path"])
@pytest.mark.parametrize("jit", [lambda function: function, jax.jit])
def test_a_map_of_jax_that_promotes_by_other_rules_is_a_warning(name: str, jit: Any) -> None:
    def add(*leaves: Any) -> Any:
        return leaves[-2] + leaves[-1]

    with jnp.promotion("numpy"), pytest.warns(jc.PromotionWarning) as warned:
        jit(lambda x, y: getattr(jax.tree, name)(add, x, y))(halves, wholes)
    assert str(warned[0].message).startswith(
        "jax.tree.map produced 'float16' from 'float16' and 'int32', by JAX's rules; promotion system 'numpy' makes 'float32'"
    )
    assert warned[0].filename == __file__
    with (
        jnp.promotion("lax"),
        pytest.warns(jc.PromotionWarning, match="'lax' refuses them. Use jaxtyping_core.numpy.tree"),
    ):
        jax.tree.map(add, halves, wholes)


def test_what_a_map_of_jax_does_as_the_system_would_is_none() -> None:
    singles = jax.tree.map(lambda x: x.astype("float32"), halves)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        jax.tree.map(lambda x, y: x + y, halves, wholes)  # the system is JAX's
        with jnp.promotion("numpy"):
            assert jax.tree.map(lambda x: x * 2.5, wholes)["a"].dtype == "float32"
            assert jax.tree.map(lambda x, y: x + y, halves, singles)["a"].dtype == "float32"
            assert jax.tree.map(lambda x, y: x + y, singles, wholes)["a"].dtype == "float32"
            assert jax.tree.map(lambda x, y: x + y.astype("float32"), halves, wholes)["a"].dtype == "float32"
            assert jax.tree.map(lambda x, y: x.astype("float32"), halves, wholes)["a"].dtype == "float32"
            assert jnp.tree.map(lambda x, y: x + y, halves, wholes)["a"].dtype == "float32"
            assert jax.tree.map(lambda x, y: y, singles, jax.tree.map(lambda _: 1, singles))["a"].value == 1


def test_a_map_of_jax_with_functions_of_the_layer() -> None:
    """Its results are arrays of the layer, whose trees are those of the arguments."""
    moments = jax.tree.map(jnp.zeros_like, halves)
    assert jax.tree.structure(moments) == jax.tree.structure(halves)
    assert type(moments["a"].value) is not jnp.Array
    assert kinds(jax.tree.map(lambda x, y: x + y, moments, halves)) == {jnp.Array}


def _is_array(leaf: Any) -> bool:
    return type(leaf) is jnp.Array


def test_trees_of_both_kinds_of_array() -> None:
    assert kinds(tree.map(lambda x, y: x * y, {"a": jnp.ones(2)}, {"a": jax.numpy.ones(2)})) == {jnp.Array}
    assert kinds(tree.map(lambda x, y: x * y, {"a": jax.numpy.ones(2)}, {"a": jnp.ones(2)})) == {jnp.Array}


def test_leaves_and_back() -> None:
    leaves, structure = tree.flatten(halves)
    assert kinds(leaves) == {jnp.Array}
    assert tree.leaves(halves) == leaves
    assert tree.structure(halves) == structure
    assert "CustomNode" not in str(structure)
    again = tree.unflatten(structure, leaves)
    assert again["a"] is leaves[0]
    assert tree.leaves(halves, is_leaf=lambda node: isinstance(node, list))[1] is halves["b"]
    assert tree.leaves(halves, lambda node: isinstance(node, list))[1] is halves["b"]


def test_paths() -> None:
    paths = [jax.tree_util.keystr(path) for path, _ in tree.leaves_with_path(halves)]
    assert paths == ["['a']", "['b'][0]"]
    assert [jax.tree_util.keystr(path) for path, _ in tree.flatten_with_path(halves)[0]] == paths
    seen = {}
    tree.map_with_path(lambda path, leaf: seen.update({jax.tree_util.keystr(path): type(leaf)}), halves)
    assert seen == dict.fromkeys(paths, jnp.Array)


def test_the_other_functions() -> None:
    with jnp.promotion("numpy"):
        mixed = [jnp.ones(3, "float16"), jax.numpy.ones(3, "int32")]
        assert tree.reduce(lambda x, y: x + y, mixed).dtype == "float32"
        assert tree.reduce_associative(lambda x, y: x + y, mixed).dtype == "float32"
        assert tree.reduce(lambda x, y: x + y, mixed, jnp.zeros(3, "int8")).dtype == "float32"
    assert tree.all({"a": jnp.asarray(True)})
    assert not tree.all({"a": jnp.asarray(False)})
    spread = tree.broadcast(jnp.ones(2), {"a": 1, "b": jnp.ones(3)})
    assert [spread[name].shape for name in "ab"] == [(2,), (2,)]
    pairs = {"a": (jnp.ones(1), jnp.ones(2)), "b": (jnp.ones(3), jnp.ones(4))}
    turned = tree.transpose(tree.structure({"a": 0, "b": 0}), tree.structure((0, 0)), pairs)
    assert kinds(turned) == {jnp.Array}
    assert [turned[1][name].shape for name in "ab"] == [(2,), (4,)]


def test_errors_are_those_of_jax() -> None:
    with pytest.raises(ValueError, match="different pytree metadata at key path"):
        tree.map(lambda x, y: x, {"a": jnp.ones(1)}, {"b": jnp.ones(1)})
