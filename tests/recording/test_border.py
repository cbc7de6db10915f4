"""What a recorded run got from libraries that are not trusted and from files is what the evaluation takes for it from then on."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyping_core.recording import PROCESS
from jaxtyping_core.recording.observed import Array, Dict, Items, Many, Object, Scalar

from .running import plain, write
from .zoo import evaluated, kept, record, shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "images = zoo.load('x')\nx = jnp.asarray(images) / 255\nm = x.mean(axis=(1, 2))\n",
            {
                "images": "float32[64, 28, 28] observed",
                "x": "float32[64, 28, 28] observed",
                "m": "float32[64] observed",
            },
            id="a call",
        ),
        pytest.param(
            "env = zoo.Env()\nobs, info = env.reset()\nw = jnp.ones((env.space.shape[0], env.space.n))\n"
            "logits = obs @ w\nmask = jnp.asarray(info['mask'])\nobs, reward, done = env.step(0)\nr = jnp.asarray(reward)\n",
            {
                "obs": "float32[4] observed",
                "w": "float32[4, 2] observed",
                "logits": "float32[2] observed",
                "mask": "float32[3] observed",
                "r": "weak float32[]",
            },
            id="tuples, dicts, attributes and sizes",
        ),
        pytest.param(
            "table = zoo.Table()\na = jnp.asarray(table.values)\nb = jnp.asarray(table['b'])\n",
            {"a": "float32[150, 4] observed", "b": "int32[150] observed"},
            id="attributes and items",
        ),
        pytest.param(
            "loader = zoo.Loader(8)\n\ndef mean(batch):\n    return jnp.asarray(batch['image'], jnp.float32).mean(0)\n\n"
            "for i, batch in enumerate(loader):\n    m = mean(batch)\n"
            "for other in loader:\n    labels = jnp.asarray(other['label'])\n"
            "means = jnp.stack([mean(each) for each in loader])\nsteps = jnp.zeros(len(loader))\n"
            "first = jnp.asarray(next(iter(loader))['image'])\n",
            {
                "m": "float32[28] observed",
                "labels": "int32[?]",
                "steps": "float32[3] observed",
                "first": "uint8[8, 28] observed",
            },
            id="loops over a loader",
        ),
        pytest.param(
            "import functools\nx = jnp.asarray(functools.partial(zoo.load, 'x')())\n",
            {"x": "float32[64, 28, 28] observed"},
            id="a partial function",
        ),
        pytest.param(
            "with zoo.Loader(8) as opened:\n    x = jnp.asarray(opened)\n",
            {"x": "float16[2, 2] observed"},
            id="a context",
        ),
        pytest.param(
            "x = jnp.asarray(np.array(zoo.Picture()))\n",
            {"x": "uint8[16, 24] observed"},
            id="NumPy, of an object of the library",
        ),
        pytest.param(
            "np.save('a.npy', np.zeros((5, 3), np.float16))\nx = jnp.asarray(np.load('a.npy')) * 2\n"
            "np.savez('b.npz', w=np.zeros(3))\nwith np.load('b.npz') as data:\n    w = jnp.asarray(data['w'])\n",
            {"x": "float16[5, 3] observed", "w": "float32[3] observed"},
            id="files of NumPy",
        ),
        pytest.param(
            "a, b = zoo.pair()\nx = jnp.asarray(a)\ny = jnp.asarray(b)\n"
            "stacked = jnp.stack(zoo.rows(3))\nlong = jnp.stack(zoo.rows(30))\n",
            {
                "x": "float32[3, 2] observed",
                "y": "int32[3] observed",
                "stacked": "int16[3, 5, 7] observed",
                "long": "int16[30, 5, 7] observed",
            },
            id="lists",
        ),
    ],
)
def test_what_came_from_outside_is_known(folder: Path, text: str, expected: dict[str, str]) -> None:
    record(folder, text)
    report = evaluated(folder)
    assert {name: shown(report)[name] for name in expected} == expected
    assert not report.refusals
    without = shown(evaluated(folder, observed=False))
    assert not any(text.endswith("observed") for text in without.values())
    assert all(without.get(name, "?") != text for name, text in expected.items() if "observed" in text)


def test_no_numbers_are_kept_but_sizes(folder: Path) -> None:
    record(folder, "env = zoo.Env()\nreward = env.step(0)[1]\nn = env.space.n\nx = zoo.load('x')\n")
    array = Array("float32", (4,), library="numpy")
    step = Items("tuple", (array, Scalar("float"), Scalar("bool")))
    images = Array("float32", (64, 28, 28), library="numpy")
    assert {*kept(folder)} == {step, Scalar("int", 2), images}


def test_what_comes_from_outside_is_told_from_all_else(folder: Path) -> None:
    text = """
import dataclasses, functools, math

@dataclasses.dataclass
class Own:
    x: object
    def double(self):
        return self.x * 2

def own(n):
    return np.ones(n)

made = Own(own(3))
made.double(), made.x.sum(), jnp.sin(made.x), np.asarray(made.x), math.sin(1.0), len([own(2)]), functools.reduce(max, [1, 2])
[own(n) for n in range(3)]
for i, x in enumerate([own(1)]):
    y = x
key = jnp.ones(3).block_until_ready()
np.random.default_rng(0).normal(size=3), np.random.rand(2), functools.partial(own, 2)(), math.fsum([1.0])
"""
    record(folder, text)
    assert not kept(folder)


def test_observations_join(folder: Path) -> None:
    text = """
import sys
for size in (3, 4):
    loader = zoo.Loader(size)
    for batch in loader:
        image = batch["image"]
rows = zoo.rows(int(sys.argv[1]))
picked = zoo.load("x") if len(rows) < 3 else zoo.pair()
def either(kind): return kind()
either(zoo.pair), either(zoo.Table)
"""
    record(folder, text, "2")
    record(folder, text, "30")  # runs add up
    of_rows = [each for each in kept(folder) if isinstance(each, Many)]
    assert of_rows == [Many(Array("int16", (5, 7), library="numpy"), None)]
    dims = {
        array.dims
        for each in kept(folder)
        if isinstance(each, Dict)
        for array in each.items
        if isinstance(array, Array)
    }
    assert dims == {(None, 28), (None,)}
    assert not any(isinstance(each, Object) for each in kept(folder))


def test_a_changed_call_site_forgets_its_own(folder: Path) -> None:
    text = "a = zoo.load('a')\nb = zoo.load('b')\nx = jnp.asarray(a)\ny = jnp.asarray(b)\n"
    record(folder, text)
    assert shown(evaluated(folder))["x"] == "float32[64, 28, 28] observed"
    moved = shown(evaluated(folder, "import os\n\n\n" + text.replace("y =", "y = 1 +")))
    assert (moved["x"], moved["y"]) == ("float32[64, 28, 28] observed",) * 2
    changed = shown(evaluated(folder, text.replace("'b'", "'c'")))
    assert (changed["x"], changed["y"]) == ("float32[64, 28, 28] observed", "?")
    twice = shown(evaluated(folder, text + "a = zoo.load('a')\nz = jnp.asarray(a)\n"))
    assert (twice["z"], twice["y"]) == ("?", "float32[64, 28, 28] observed")


def test_a_changed_binding_forgets_what_is_asked_of_it(folder: Path) -> None:
    text = "def make():\n    return zoo.Table()\n\ntable = make()\nx = jnp.asarray(table.values)\n"
    record(folder, text)
    assert shown(evaluated(folder))["x"] == "float32[150, 4] observed"
    assert shown(evaluated(folder, text.replace("zoo.Table()", "zoo.Other()")))["x"] == "?"


def test_recording_again_drops_what_is_no_longer_there(folder: Path) -> None:
    record(folder, "a = zoo.load('a')\nb = zoo.pair()\n")
    assert len(kept(folder)) == 2
    record(folder, "a = zoo.load('a')\n")
    assert len(kept(folder)) == 1


#: Programs of which each is wrong for the recorded run: by a size, by a dtype, and by a rank.
OF_SIZES = [
    "x = jnp.asarray(zoo.load('x')) @ jnp.ones((27, 3))\n",
    "x = jnp.asarray(zoo.load('x')).reshape(3, 5)\n",
    "a = jnp.asarray(zoo.pair()[0])\nb = a + jnp.ones((4, 2))\n",
    "x = jnp.zeros((3, zoo.Env().space.n)) @ jnp.zeros((3, 2))\n",
    "x = jnp.stack(zoo.rows(3)) + jnp.ones((4, 5, 7))\n",
]
OF_TYPES = {
    "x = jnp.asarray(zoo.load('x')) & 1\n": "array-dtype",
    "x = jnp.asarray(zoo.load('x')).transpose(0, 1)\n": "array-shape",
}


@pytest.mark.parametrize("wrong", [*OF_SIZES, *OF_TYPES])
def test_only_errors_that_rest_on_no_observed_size_are_reported(folder: Path, wrong: str) -> None:
    setup = "\n".join(f"    {line}" for line in wrong.splitlines())
    text = f"try:\n{setup}\nexcept (TypeError, ValueError):\n    pass\n"
    record(folder, text)
    caught = evaluated(folder)
    assert not caught.refusals
    # The statement is the same without the `try` around it.
    report = evaluated(folder, wrong)
    assert report.lacks_sizes
    codes = [refusal.kind for refusal in report.refusals]
    assert codes == ([OF_TYPES[wrong].removeprefix("array-")] if wrong in OF_TYPES else [])


def test_a_loop_stops_being_looked_at(folder: Path) -> None:
    """A run with many calls takes about as long as without."""
    text = "env = zoo.Env()\nfor i in range(200_000):\n    x = env.space.n\n"
    record(folder, text)
    assert kept(folder) == [Scalar("int", 2)]


def test_modules_and_packages_are_looked_at_as_well(folder: Path) -> None:
    write(folder, package____init__="", package__data="import zoo\n\ndef get():\n    return zoo.load('x')\n")
    record(folder, "from package.data import get\nx = jnp.asarray(get())\n")
    assert shown(evaluated(folder))["x"] == "float32[64, 28, 28] observed"


def test_a_program_has_no_names_more(folder: Path) -> None:
    text = "import zoo\nx = [zoo.load(n).shape for n in 'ab']\nprint(sorted(globals()), zoo.load.__module__, x)\n"
    (folder / "plain.py").write_text(text)
    recording = [PROCESS, "--out", "x.sqlite3", "--quiet", "--", "plain.py"]
    assert plain(folder, *recording).stdout == plain(folder, "plain.py").stdout
