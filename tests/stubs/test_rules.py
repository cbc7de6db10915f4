"""The rules of functions are those of JAX: claims that are not true are rejected, those that are made hold."""

from __future__ import annotations

import re
from inspect import Parameter
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtyping_core_stubs import tables
from jaxtyping_core_stubs.probing.evaluate import Call, Many, Other, Spec, evaluate
from jaxtyping_core_stubs.rules import (
    budget,
    by_axis,
    claims,
    dim_expressions,
    function_rules,
    named,
    operands,
    overloads,
    pairs,
    probe,
    rows,
    shapes,
)
from jaxtyping_core_stubs.rules.claims import Claim
from jaxtyping_core_stubs.rules.making import Purpose
from jaxtyping_core_stubs.rules.overload_pruning import Overload

pytestmark = pytest.mark.one_python  # of the committed stubs, and long

STUBS = Path(__file__).parents[2] / "stubs" / "jax-stubs"

# evaluation


def outcome(function: Any, *args: Any, x64: bool = False) -> Any:
    (result,) = evaluate(function, [Call(args)], x64)
    return result


def test_outcomes_have_dtype_weakness_and_shape() -> None:
    assert outcome(jnp.sin, Spec("int32", (3,))) == Spec("float32", (3,))
    assert outcome(jnp.sin, Spec("weak_int", (3,))) == Spec("weak_float", (3,))
    assert outcome(jnp.sum, Spec("int8", (2, 3)), x64=True) == Spec("int64", ())
    assert outcome(jnp.add, Spec("int8"), 2.0) == Spec("weak_float")


def test_outcomes_of_several_arrays() -> None:
    assert outcome(jnp.frexp, Spec("float16", (2,))) == Many(
        "tuple", (Spec("float16", (2,)), Spec("int32", (2,)))
    )


def test_refusals_and_other_values() -> None:
    assert outcome(jnp.bitwise_not, Spec("float32")) is None
    assert outcome(jnp.ndim, Spec("float32", (3,))) == Other("int")


def test_a_refused_call_does_not_disturb_the_others() -> None:
    calls = [Call((Spec("float32", shape), Spec("float32", (3,)))) for shape in ((3,), (4,), (2, 3))]
    results = evaluate(jnp.add, calls)
    assert results == [Spec("float32", (3,)), None, Spec("float32", (2, 3))]


# claims


def observed(function: Any, *inputs: tuple[str, ...]) -> claims.Observations:
    calls = {key: Call(tuple(Spec(node, (2,)) for node in key)) for key in inputs}
    narrow = {key: call for key, call in calls.items() if not claims.wide(key)}
    on = dict(zip(calls, evaluate(function, list(calls.values()), x64=True), strict=True))
    off = on | dict(zip(narrow, evaluate(function, list(narrow.values())), strict=True))
    return {
        key: (low.node, high.node)
        for key in inputs
        if isinstance(low := off[key], Spec) and isinstance(high := on[key], Spec)
    }


def unary(function: Any) -> claims.Observations:
    return observed(function, *((node,) for node in tables.nodes()))


@pytest.mark.parametrize(
    ("function", "claim"),
    [
        (jnp.isnan, Claim("constant", "bool")),
        (jnp.argmax, Claim("constant", "DefaultInt")),
        (jnp.flip, Claim("same", "", (0,))),
    ],
)
def test_claims_are_found(function: Any, claim: Claim) -> None:
    assert claims.find(unary(function)) == claim


@pytest.mark.parametrize(("function", "name"), [(jnp.cos, "inexact"), (jnp.prod, "sum")])
def test_functions_that_agree_share_a_table(function: Any, name: str) -> None:
    claim = claims.find(unary(function))
    assert (claim.kind, claim.arguments) == ("table", (0,))
    named.learn(f"somewhere.{function.__name__}", claim.results)
    assert named.name(claim.results) == name


def test_a_rare_dtype_has_no_table_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those that differ in it alone, one says what it gives, and all others share one that leaves it open."""
    monkeypatch.setattr(named, "_known", {"first": {"int8": ("int8", "int8"), named.RARE: ("int8", "int8")}})
    monkeypatch.setattr(named, "_names", {})
    each = [
        (("int8", ("int8", "int8")), (named.RARE, rare))
        for rare in (("int8", "int8"), ("int4", "int4"), claims.OPEN, ("int2", "int2"))
    ]
    for number, results in enumerate((*each, (each[0][0],), (("int8", ("int4", "int4")), each[0][1]))):
        named.learn(f"somewhere.f{number}", results)
    assert list(named._names.values()) == ["first", "f1", "f1", "f1", "first", "f5"]
    assert named.known()["first"][named.RARE] == ("int8", "int8")
    assert named.known()["f1"][named.RARE] == claims.OPEN


def test_what_depends_on_the_shape_is_left_open() -> None:
    seen = {("float32",): ("float32", "float32"), ("weak_float",): ("float32", "float64")}
    elsewhere = {("float32",): ("float32", "float32"), ("weak_float",): ("weak_float", "weak_float")}
    claim = claims.find({**seen, ("int8",): ("float32", "float32")}, [elsewhere])
    assert dict(claim.results)["weak_float"] == claims.OPEN
    assert dict(claim.results)["int8"] == ("float32", "float32")


def test_a_claim_that_is_not_true_is_rejected() -> None:
    assert not claims.holds(Claim("same", "", (0,)), unary(jnp.sin))
    of_sine = claims.find(unary(jnp.sin))
    assert not claims.holds(of_sine, unary(jnp.mean))  # weak types become strong
    assert not claims.holds(Claim("constant", "float32"), unary(jnp.sin))


def test_one_observation_refutes_a_claim() -> None:
    seen = dict(unary(jnp.flip))
    seen["float32",] = ("float16", "float16")
    assert not claims.holds(Claim("same", "", (0,)), seen)
    assert dict(claims.find(seen).results)["float32"] == ("float16", "float16")


def test_64_bit_inputs_do_not_count_without_64_bit_types() -> None:
    seen = {("int32",): ("int32", "int64"), ("int64",): ("int64", "int64")}
    assert claims.find(seen) == Claim("constant", "DefaultInt")


def test_no_table_is_read_off_where_arguments_do_not_decide() -> None:
    keys = [(a, b) for a in probe.PAIRED for b in probe.PAIRED]
    seen = dict(observed(jnp.heaviside, *keys))
    assert claims.find(seen).kind == "table"
    seen["float16", "float32"] = ("float16", "float16")
    assert claims.find(seen) == claims.UNKNOWN


def test_pairs_of_bools_may_be_an_exception() -> None:
    keys = [(a, b) for a in probe.PAIRED for b in probe.PAIRED]
    claim = claims.find(observed(jnp.floor_divide, *keys))
    assert (claim.kind, claim.arguments) == ("table", (0, 1))
    assert dict(claim.results)["bool"] == ("int32", "int32")
    assert claims.find(observed(jnp.add, *keys)) == Claim("binary", "join", (0, 1))


# dims


def test_dims_are_told_by_their_sizes() -> None:
    assert shapes.infer([([(2, 3)], (3, 2)), ([(5, 7)], (7, 5))]) == ((0, 1), (0, 0))
    assert shapes.infer([([(2, 3)], (1, 3)), ([(5, 7)], (1, 7))]) == (None, (0, 1))


def test_a_coincidence_is_no_dim() -> None:
    assert shapes.infer([([(2, 3)], (2,)), ([(5, 7)], (2,))]) == (None,)
    assert shapes.infer([([(2, 3)], (2,))]) == (None,), "one call shows nothing"


def test_ranks_that_vary_are_unknown() -> None:
    assert shapes.infer([([(2, 3)], (2,)), ([(1, 3)], ())]) is None


@pytest.mark.parametrize(
    ("function", "relation"),
    [
        (jnp.add, pairs.BROADCAST),
        (jnp.isin, pairs.FIRST),
        (jnp.searchsorted, pairs.SECOND),
        (jnp.outer, None),
        (jnp.matmul, None),
    ],
)
def test_shapes_of_two_arrays(function: Any, relation: str | None) -> None:
    probed = probe.probe(f"jax.numpy.{function.__name__}", function)
    made = probe.base(probed)
    assert made is not None
    assert pairs.relation(probed, made) == relation


# functions


def studied(path: str) -> function_rules.Study:
    (only,) = function_rules.studies(probe.probe(path, getattr(jnp, path.rpartition(".")[2])))
    return only


def test_a_parameter_that_changes_the_dtype_is_not_safe() -> None:
    nan_to_num = studied("jax.numpy.nan_to_num")
    assert "copy" in nan_to_num.safe
    assert "where" in studied("jax.numpy.sum").safe
    assert "dtype" not in studied("jax.numpy.sum").safe
    assert studied("jax.numpy.sum").takes_dtype == "dtype"


def test_what_cannot_be_called_has_no_rules() -> None:
    def strange(x: jax.Array, unheard_of: int) -> jax.Array:
        return x

    assert overloads.rules("jax.numpy.strange", strange) == overloads.NOTHING


def test_results_that_vary_in_kind_have_no_rules() -> None:
    assert function_rules.studies(probe.probe("jax.numpy.gradient", jnp.gradient)) == []


def test_a_dtype_that_depends_on_an_argument_is_told_by_it() -> None:
    studies = function_rules.studies(probe.probe("jax.numpy.arange", jnp.arange))
    assert [each.claims for each in studies] == [
        (Claim("constant", "DefaultInt"),),
        (Claim("constant", "DefaultFloat"),),
    ]


def test_what_a_claim_is_not_about_is_left_open() -> None:
    strong = dim_expressions.without_exceptions(Claim("same", "", (0,), strong=True))
    assert dict(strong.results)["weak_float"] == dict(strong.results)["bool"] == claims.OPEN
    assert dict(strong.results)["int8"] == ("int8", "int8")
    assert dim_expressions.without_exceptions(Claim("binary", "join", (0, 1), strong=True)) == claims.UNKNOWN


def test_the_join_of_two_bools_may_be_something_else() -> None:
    claim = dim_expressions.without_exceptions(Claim("binary", "join", (0, 1), exception="DefaultInt"))
    assert dict(claim.results)["bool"] == ("int32", "int64")
    assert claims.predict(claim, ("bool", "bool")) == ("int32", "int64")
    assert claims.predict(claim, ("bool", "int8")) == ("int8", "int8")


def test_a_number_beside_an_array_is_told_where_it_does_not_matter_which() -> None:
    numbers = operands.of_numbers(dim_expressions.plain(studied("jax.numpy.maximum")))
    assert numbers is not None
    assert dict(numbers)["bfloat16"] == ("bfloat16", "bfloat16")
    assert dict(numbers)["int32"] == dict(numbers)["bool"] == claims.OPEN
    assert operands.of_numbers(studied("jax.numpy.greater")) == ()


@pytest.mark.parametrize(
    ("name", "axis", "accepted", "result"),
    [
        ("sum", "Literal[-1]", "tuple[*_Ts, Any]", "tuple[*_Ts]"),
        ("sum", "Literal[0]", "tuple[Any, *_Ts]", "tuple[*_Ts]"),
        ("expand_dims", "Literal[-1]", "tuple[*_Ts]", "tuple[*_Ts, Unk]"),
        ("stack", "Literal[1]", "tuple[_K, *_Ts]", "tuple[_K, Unk, *_Ts]"),
        ("concatenate", "Literal[0]", "tuple[Any, *_Ts]", "tuple[Unk, *_Ts]"),
    ],
)
def test_an_axis_is_told_for_any_rank(name: str, axis: str, accepted: str, result: str) -> None:
    study = studied(f"jax.numpy.{name}")
    for claim in study.claims:
        named.learn(f"jax.numpy.{name}", claim.results)
    array = study.probe.arrays[0].name
    told = [
        row
        for row in by_axis.rows(study, study.groups)
        if row.choices.get("axis") and row.choices["axis"].annotations == (axis,)
    ]
    assert any(
        accepted in row.choices[array].annotations[0] and row.result.endswith(f"{result}]") for row in told
    )


@pytest.mark.parametrize(("own", "kept"), [(1, ["GUARD", "AXIS", "DTYPE"]), (6, ["DTYPE"])])
def test_no_row_is_stated_without_its_guard(own: int, kept: list[str]) -> None:
    """Where there is room for two rows, one of them may not be a guard of nothing, nor one that needs a guard."""
    x, axis = (Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation="Any") for name in ("a", "axis"))
    of_axis = axis.replace(annotation="Literal[0]")
    rows = [
        Overload(Purpose.GUARD, [x, axis], "guard"),
        Overload(Purpose.AXIS, [x, of_axis], "axis"),
        Overload(Purpose.DTYPE, [x, axis], "dtype"),
    ]
    assert [row.purpose.name for row in budget.select("jax.numpy.sum", rows, own)] == kept


def test_two_new_axes_tell_the_rank_alone() -> None:
    """They may be anywhere."""
    every = rows.rows(studied("jax.numpy.expand_dims"))
    pairs = [row for row in every if "tuple[int, int]" in row.choices["axis"].annotations]
    assert pairs and all("_Ts" not in row.result and "_K" not in row.result for row in pairs)


@pytest.mark.parametrize(
    ("annotation", "parts"),
    [
        ("Array[_Join[_O, _R], tuple[_M, Any]]", ("_Join[_O, _R]", "tuple[_M, Any]")),
        ("Array[Any, _S]", ("Any", "_S")),
        ("_Base[_R, _S, _T]", None),
        ("int | None", None),
    ],
)
def test_annotations_of_arrays_have_parts(annotation: str, parts: tuple[str, str] | None) -> None:
    assert overloads.parts(annotation) == parts


def test_no_placeholder_is_left_in_an_annotation() -> None:
    left = re.compile(r"\{\w+\}|\b(?:ASK|ASK_FLOAT|ASK_INT|REQUESTED|OF_TWO)\b")
    for file in sorted(STUBS.rglob("*.pyi")):
        text = file.read_text(encoding="utf-8")
        assert not left.search(text), f"{file.relative_to(STUBS)}: {left.search(text)}"
