"""The tool on a tiny program: what it sees, and that it finds claims that are wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from truth.__main__ import main
from truth.claims import Claim
from truth.programs import Array, Fact, Facts, Key, facts, programs
from truth.verdicts import Answer, judged

HELPER = """import jax

def both(x):
    half = x / 2
    return half, x
"""
PROGRAM = """import jax
import jax.numpy as jnp
import numpy as np
from helper import both

@jax.jit
def scaled(x):
    y = x * 2
    return y

class Ends:
    low: jax.Array = jnp.zeros(2)

host = np.ones(3)
total = 0
for n in (1, 2):
    a, (b, c) = n, (jnp.ones((n, 3)), scaled(jnp.arange(4)))
    total += b.sum()
rows = jax.vmap(lambda r: (s := r + 1))(jnp.ones((5, 3)))
halves, _ = both(rows)
weak = jnp.asarray(1.0) * 2
raise ValueError("at the end")
"""
KNOWN, OPEN, WRONG = Answer


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program."""
    program = tmp_path_factory.mktemp("programs") / "tiny"
    program.mkdir()
    (program / "helper.py").write_text(HELPER)
    (program / "program.py").write_text(PROGRAM)
    (program / "program.toml").write_text('main = "program.py"')
    return program


@pytest.fixture(scope="module")
def seen(folder: Path) -> Facts:
    return facts(programs(folder)[0], sys.executable, 60)


def _at(seen: Facts, name: str, line: int | None = None) -> Fact:
    (fact,) = (fact for key, fact in seen.places.items() if key.name == name and line in (None, key.line))
    return fact


def test_programs_are_found(folder: Path) -> None:
    assert [program.main.name for program in programs(folder.parent)] == ["program.py"]
    assert [program.name for program in programs(folder)] == ["tiny"]


@pytest.mark.parametrize(
    ("name", "line", "arrays"),
    [
        ("y", 8, [Array("int32", False, (4,))]),
        ("return", 9, [Array("int32", False, (4,))]),
        ("low", 12, [Array("float32", False, (2,))]),
        ("b", 17, [Array("float32", False, (1, 3)), Array("float32", False, (2, 3))]),
        ("s", 19, [Array("float32", False, (3,))]),
        ("half", 4, [Array("float32", False, (5, 3))]),
        ("weak", 21, [Array("float32", True, ())]),
    ],
)
def test_arrays_are_seen(seen: Facts, name: str, line: int, arrays: list[Array]) -> None:
    assert _at(seen, name, line) == Fact(tuple(arrays))


def test_other_values_are_told_apart(seen: Facts) -> None:
    assert _at(seen, "host").others == ("ndarray",)
    assert _at(seen, "total", 15).others == ("int",)
    assert _at(seen, "total", 18) == Fact((Array("float32", False, ()),))


def test_a_failure_leaves_the_facts(seen: Facts) -> None:
    assert seen.failure == "ValueError at program.py:22: at the end"
    assert {file.name for file in seen.files} == {"program.py", "helper.py"}


def test_time_is_limited(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text("import jax.numpy as jnp\nx = jnp.ones(2)\nwhile True: pass\n")
    seen = facts(programs(tmp_path)[0], sys.executable, 8)
    assert seen.failure == "timed out"
    assert _at(seen, "x") == Fact((Array("float32", False, (2,)),))


def test_a_run_imports_from_further_folders(tmp_path: Path) -> None:
    program, made_up = tmp_path / "program", tmp_path / "made_up"
    for folder in (program / "scripts", made_up):
        folder.mkdir(parents=True)
    (program / "inside.py").write_text("import jax.numpy as jnp\nx = jnp.ones(2)\n")
    (made_up / "outside.py").write_text("import jax.numpy as jnp\ny = jnp.ones(3)\n")
    (program / "scripts" / "main.py").write_text("import inside\nimport outside\nz = inside.x, outside.y\n")
    (program / "program.toml").write_text('main = "scripts/main.py"\npaths = [".", "../made_up"]')
    seen = facts(programs(program)[0], sys.executable, 60)
    assert seen.failure is None
    assert [key.name for key, fact in seen.places.items() if fact.arrays] == ["x"]


def test_a_program_chooses_options_before_it_imports_jax(tmp_path: Path) -> None:
    lines = ("import os", "os.environ['JAX_ENABLE_X64'] = '1'", "import jax.numpy as jnp", "x = jnp.ones(2)")
    (tmp_path / "wide.py").write_text("\n".join(lines))
    seen = facts(programs(tmp_path)[0], sys.executable, 60)
    assert _at(seen, "x") == Fact((Array("float64", False, (2,)),))


@pytest.mark.parametrize(
    ("claim", "answers"),
    [
        (Claim(None, None, None), (OPEN, OPEN, OPEN)),
        (Claim("float32", False, (None, 3)), (KNOWN, KNOWN, KNOWN)),
        (Claim("float32", None, ("n", 3)), (KNOWN, KNOWN, KNOWN)),
        (Claim("float32", None, ("n", "m")), (KNOWN, KNOWN, OPEN)),
        (Claim("float32", None, ("n", "n")), (KNOWN, KNOWN, WRONG)),
        (Claim("float32", None, (2, 3)), (KNOWN, KNOWN, WRONG)),
        (Claim("float32", None, (3,)), (KNOWN, WRONG, WRONG)),
        (Claim("float32", True, None), (WRONG, OPEN, OPEN)),
        (Claim("int32", False, (None, 3)), (WRONG, KNOWN, KNOWN)),
    ],
)
def test_claims_are_judged(claim: Claim, answers: tuple[Answer, ...]) -> None:
    key = Key(Path("program.py"), 17, 8, "b")
    fact = Fact((Array("float32", False, (1, 3)), Array("float32", False, (2, 3))))
    (verdict,) = judged(Facts({key: fact}, (), None), {key: claim}).verdicts
    assert (verdict.dtype, verdict.rank, verdict.shape) == answers
    assert bool(verdict.mistakes) == (WRONG in answers)


def test_the_command_finds_what_is_wrong(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    places = [
        {"line": 8, "column": 4, "name": "y", "dtype": "int32", "weak": False, "shape": [4], "calls": 1},
        {
            "line": 20,
            "column": 0,
            "name": "halves",
            "dtype": "float32",
            "weak": False,
            "shape": [4, 3],
            "calls": 1,
        },
        {
            "line": 14,
            "column": 0,
            "name": "host",
            "dtype": "float64",
            "weak": False,
            "shape": [3],
            "calls": 1,
        },
    ]
    show = tmp_path / "show.py"
    show.write_text(f"print({json.dumps({'file': 'program.py', 'places': places})!r})")
    out = tmp_path / "out.json"
    arguments = [str(folder), "--show", f"{sys.executable} {show}", "--json", str(out), "--open"]
    monkeypatch.setattr(sys, "argv", ["truth", *arguments, "--kept", str(tmp_path / "kept")])
    for _ in range(2):  # the second time from the facts that were kept
        assert main() == 1
        said = capsys.readouterr().out.splitlines()
        assert [line for line in said if line.startswith("wrong")] == [
            f"wrong: {folder}/program.py:20:0: halves is float32[5, 3], not float32[4, 3] (size of axis 0: 5)"
        ]
        assert [line for line in said if line.startswith("no array")] == [
            f"no array: {folder}/program.py:14:0: host is of ndarray, and shown as float64[3]"
        ]
        assert said[-1].split() == ["all", "12", "17/17/8", "1"]
    (record,) = json.loads(out.read_text())
    assert [place["shape"] for place in record["places"] if place["mistakes"]] == ["wrong"]
