"""What files of NumPy's arrays say of these: they are not read beyond their beginnings, and never where they are not plain."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jaxtyping_core.programs import data_files
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings
from jaxtyping_core.showing.listing import value

pytestmark = pytest.mark.one_python
HEAD = """
from pathlib import Path
import sys
import jax.numpy as jnp
import numpy as np
FOLDER = "data"
class Config:
    DATA = "./data/"
"""
PROGRAMS = {
    'x = jnp.asarray(np.load("data/one.npy"))': "float16[3, 4]",
    'x = jnp.load("data/one.npy")': "float16[3, 4]",
    'x = jnp.load(f"{Config.DATA}/one.npy")': "float16[3, 4]",
    'x = jnp.asarray(np.load(Path(FOLDER) / "one.npy"))': "float16[3, 4]",
    'x = jnp.asarray(np.load("data/scalar.npy"))': "int8[]",
    'x = jnp.asarray(np.load("data/wide.npy"))': "float32[5]",
    'd = np.load("data/all.npz")\nx = jnp.asarray(d["u"])[None]': "float32[1, 2, 3]",
    'with np.load("data/all.npz") as d:\n    u, v = d["u"], d["v"]\nx = jnp.asarray(v)': "bool[7]",
    'd = np.load("data/all.npz")\nx = jnp.stack([jnp.asarray(d[n]) for n in d.files if n == "u"])': "float32[1, 2, 3]",
    'd = np.load("data/all.npz")\nx = {k: jnp.asarray(v) for k, v in d.items()}["v"]': "bool[7]",
    'x = jnp.load("data/none.npy") + jnp.ones(3, jnp.int32)': "?",
    'x = jnp.asarray(np.load("data/objects.npy", allow_pickle=True))': "?",
    'x = jnp.asarray(np.load("data/all.npz")["w"])': "?",
    'np.save("data/one", np.ones(n))\nx = jnp.asarray(np.load("data/one.npy"))': "?",
    'np.savez(sys.argv[2], np.ones(n))\nx = jnp.asarray(np.load("data/one.npy"))': "?",
    'x = jnp.asarray(np.load("../outside.npy"))': "?",
}


def project(folder: Path, text: str = "") -> Path:
    """A program beside a folder of data; a file of arrays is outside of the project, too."""
    inside = folder / "project"
    (inside / "data").mkdir(parents=True)
    (inside / "pyproject.toml").touch()
    arrays = {"one": np.ones((3, 4), "float16"), "scalar": np.int8(3), "wide": np.ones(5)}
    for name, array in arrays.items():
        np.save(inside / "data" / f"{name}.npy", array)
    np.save(inside / "data" / "objects.npy", np.array([{}], dtype=object), allow_pickle=True)
    np.savez_compressed(inside / "data" / "all.npz", u=np.ones((2, 3), "float32"), v=np.ones(7, bool))
    np.save(folder / "outside.npy", np.ones(3))
    (inside / "program.py").write_text(f"{HEAD}n = int(sys.argv[1])\n{text}\n")
    return inside / "program.py"


@pytest.mark.parametrize("text", PROGRAMS)
def test_what_is_known(tmp_path: Path, text: str) -> None:
    report = evaluate_programs([*collect([project(tmp_path, text)], ())], Settings(), cached=False)
    places = [value(place) for place in report.places if place.name == "x"]
    assert places == [PROGRAMS[text]]


def test_files_that_are_broken_say_nothing(tmp_path: Path) -> None:
    file = project(tmp_path, 'np.load("data/one.npy")')
    data = file.parent / "data"
    whole = (data / "one.npy").read_bytes()
    described = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({'3, ' * 2000}), }}".encode()
    broken = {
        "short": whole[:7],
        "long": b"\x93NUMPY\x02\x00" + len(described).to_bytes(4, "little") + described,
        "code": whole.replace(b"(3, 4)", b"f(3,4)"),
        "other": b"PK\x03\x04",
    }
    for name, content in broken.items():
        (data / f"{name}.npy").write_bytes(content)
        (data / f"{name}.npz").write_bytes(content)
    np.savez(data / "many.npz", **{f"array number {i}": np.int8(0) for i in range(1500)})
    (program,) = collect([file], ())
    known = {Path(path).name for path in data_files.arrays_of(program)}
    assert known == {"one.npy", "scalar.npy", "wide.npy", "all.npz"}


def test_files_of_a_program_that_loads_none_are_left(tmp_path: Path) -> None:
    (program,) = collect([project(tmp_path)], ())
    assert data_files.arrays_of(program) == {}
