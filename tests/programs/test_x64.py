"""Where a program, its tests, or the environment say that JAX has 64-bit types, all that looks at the program knows it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import mypy_cache
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.programs.x64 import Switches, contexts_in, said_by
from jaxtyping_core.settings import Settings, load

pytestmark = pytest.mark.one_python
UPDATE = 'jax.config.update("jax_enable_x64", {})\n'
ON = UPDATE.format(True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"import jax\n{ON}", True),
        ('from jax import config\nconfig.update("jax_enable_x64", True)\n', True),
        ("import jax\njax.config.jax_enable_x64 = True\n", True),
        ('import os\nos.environ["JAX_ENABLE_X64"] = "1"\n', True),
        ('import os\nos.environ["JAX_ENABLE_X64"] = "false"\n', False),
        ('import os\nos.environ.setdefault("JAX_ENABLE_X64", "True")\n', True),
        ('import os\nos.environ["JAX_ENABLE_X64"] = "1"\nimport jax\n', True),
        ('import os\nimport jax.numpy as jnp\nos.environ["JAX_ENABLE_X64"] = "1"\n', None),
        ('import os\nfrom flax import nnx\nos.environ.setdefault("JAX_ENABLE_X64", "1")\n', None),
        (f"import jax\n{UPDATE.format(False)}", False),
        (f"import jax\n{ON}{UPDATE.format(False)}", False),
        (f"import jax\ndef main():\n    {ON}\nif __name__ == '__main__':\n    main()\n", True),
        (f"import jax\ntry:\n    {ON}except AttributeError:\n    pass\n", True),
        ("import numpyro\nnumpyro.enable_x64()\n", True),
        (f"import jax\ndef double():\n    {ON}", None),
        (f"import jax\nif wide:\n    {ON}", None),
        (f"import jax\n{UPDATE.format('wide')}", None),
        ("x = 'jax_enable_x64'\n", None),
        ("jax_enable_x64 (\n", None),
        ("import jax\nwith jax.enable_x64(True):\n    pass\n", None),
    ],
)
def test_what_a_module_says(text: str, said: bool | None) -> None:
    assert said_by(text) is said


def write(folder: Path, files: dict[str, str]) -> list[Path]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return [folder / name for name in files]


ARRAY = "import jax\nimport jax.numpy as jnp\n{}x = jnp.zeros(3)\nprint(x)\n"
FUNCTION = "import jax.numpy as jnp\ndef f(n):\n    y = jnp.zeros(n)\n    return y\n"
PROJECTS = {
    "one file": ({"a.py": ARRAY.format(ON)}, {"a.py": True}),
    "the variable before JAX": (
        {"a.py": 'import os\nos.environ["JAX_ENABLE_X64"] = "1"\n' + ARRAY.format("")},
        {"a.py": True},
    ),
    "the variable after JAX": (
        {"a.py": ARRAY.format('import os\nos.environ["JAX_ENABLE_X64"] = "1"\n')},
        {"a.py": False},
    ),
    "another one": ({"a.py": ARRAY.format(ON), "b.py": ARRAY.format("")}, {"a.py": True, "b.py": False}),
    "what a script imports": (
        {"main.py": f"import jax\nfrom lib import f\n{ON}f(3)\n", "lib.py": FUNCTION},
        {"main.py": True, "lib.py": True},
    ),
    "what imports the switch": (
        {"switch.py": f"import jax\n{ON}", "main.py": "import switch\n" + ARRAY.format("")},
        {"main.py": True},
    ),
    "beside the switch": (
        {"switch.py": f"import jax\n{ON}", "lib.py": FUNCTION, "main.py": "import switch, lib\nlib.f(3)\n"},
        {"lib.py": True},
    ),
    "scripts that differ": (
        {
            "on.py": f"import jax\nfrom lib import f\n{ON}f(3)\n",
            "off.py": "from lib import f\nf(3)\n",
            "lib.py": FUNCTION,
        },
        {"on.py": True, "off.py": False, "lib.py": False},
    ),
    "tests": (
        {
            "tests/conftest.py": f"import jax\n{ON}",
            "tests/test_a.py": "import jax.numpy as jnp\ndef test_a():\n    x = jnp.zeros(3)\n    assert x.sum() == 0\n",
            "train.py": ARRAY.format(""),
        },
        {"tests/test_a.py": True, "train.py": False},
    ),
}


@pytest.mark.parametrize("project", PROJECTS)
def test_modules_of_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project: str) -> None:
    texts, expected = PROJECTS[project]
    files = write(tmp_path, texts)
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    switches = Switches(files, False, ())
    assert {name: switches.of(str(tmp_path / name)) for name in expected} == expected


@pytest.mark.parametrize(
    "project",
    ["one file", "the variable before JAX", "the variable after JAX", "what a script imports", "tests"],
)
def test_evaluated_dtypes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project: str) -> None:
    texts, expected = PROJECTS[project]
    files = [file for file in write(tmp_path, texts) if file.name != "conftest.py"]
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    report = evaluate_programs(collect(files), Settings(), cached=False)
    dtypes = {str(Path(place.file).relative_to(tmp_path)): place.dtype for place in report.places}
    known = {name: dtype for name, dtype in dtypes.items() if name in expected}
    assert known == {name: "float64" if expected[name] else "float32" for name in known}
    assert known


def test_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAX_ENABLE_X64", raising=False)
    assert not load(tmp_path).x64
    monkeypatch.setenv("JAX_ENABLE_X64", "True")
    assert load(tmp_path).x64
    (tmp_path / "pyproject.toml").write_text("[tool.jaxtyping_core]\nx64 = false\n")
    assert not load(tmp_path).x64


def test_contexts(tmp_path: Path) -> None:
    (file,) = write(tmp_path, {"a.py": "import jax\nwith jax.enable_x64():\n    a = 1\n    b = 1\nc = 1\n"})
    (context,) = contexts_in(file)
    assert (list(context.lines), context.is_on) == ([3, 4], True)


CHECKED = {
    "on.py": ARRAY.format(ON) + "reveal_type(x)\n",
    "off.py": ARRAY.format("")
    + "with jax.enable_x64(True):\n    y = jnp.ones(2)\n    reveal_type(y)\nreveal_type(x)\n",
}


def test_mypy_knows_each_program(tmp_path: Path) -> None:
    write(tmp_path, {**CHECKED, "mypy.ini": "[mypy]\nplugins = jaxtyping_core.mypy\n"})
    mypy_cache.begin(tmp_path / ".mypy_cache")
    command = [sys.executable, "-P", "-m", "mypy", *CHECKED]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    lines = dict(
        line.split(": note: Revealed type is ") for line in done.stdout.splitlines() if "Revealed" in line
    )
    dtypes = {place: "float64" if "float64" in told else "float32" for place, told in lines.items()}
    assert dtypes == {"on.py:6": "float64", "off.py:7": "float64", "off.py:8": "float32"}


HEAD = "import sys\nimport jax\nimport jax.numpy as jnp\n"
#: Programs in which 64-bit types may be on or off: what is known of each place, without options on the command line.
EITHER = {
    "under a condition": (
        (
            "import argparse\nparser = argparse.ArgumentParser()\n"
            'parser.add_argument("--wide", action="store_true")\n'
            f"if parser.parse_args().wide:\n    {ON}x = jnp.ones(3)\ny = jnp.ones(3, jnp.float16)\n"
        ),
        {"x": "?[3]", "y": "float16[3]"},
    ),
    "an unknown value": (
        f"{UPDATE.format('len(sys.argv) > 3')}x = jnp.ones(3)\ny = jnp.ones(3, bool)\n",
        {"x": "?[3]", "y": "bool[3]"},
    ),
    "both, one after the other": (
        (
            "def run(wide):\n    jax.config.update('jax_enable_x64', wide)\n    x = jnp.ones(3)\n    return x\n"
            "y = run(False)\nz = run(True)\ndef uncalled():\n    k = jnp.ones(3)\n"
        ),
        {"x": "?[3]", "y": "float32[3]", "z": "float64[3]", "k": "?[3]"},
    ),
    "in functions that nothing calls": (
        f"def setup():\n    {ON}def uncalled():\n    k = jnp.ones(3)\n",
        {"k": "float32[3]"},
    ),
    "a function that something unknown has": (
        (
            "from nowhere import decorator\n@decorator\ndef f(n):\n    k = jnp.ones(3)\n    return None\n"
            f"f(1)\n{ON}f(1)\n"
        ),
        {"k": "?[3]"},
    ),
    "a function that is decorated": (
        (
            "@jax.enable_x64(True)\ndef wide():\n    z = jnp.ones(3)\n    return None\n"
            "def narrow():\n    k = jnp.ones(3)\n"
        ),
        {"z": "float64[3]", "k": "float32[3]"},
    ),
    "a function that is decorated with a promotion system": (
        (
            "import jaxtyping_core.numpy as jnc\nfrom jaxtyping_core.numpy import promotion\n"
            "def add():\n    return jnc.add(jnc.ones(3, jnp.int32), jnc.ones(3, jnp.float16))\n"
            '@promotion("numpy")\ndef wide():\n    z = add()\n    return None\n'
            "def narrow():\n    k = add()\n    return None\n"
        ),
        {"z": "float32[3]", "k": "float16[3]"},
    ),
    "what is called from a context": (
        (
            "import unknown_library\nclass Solver:\n    def solve(self):\n        y = jnp.ones(3)\n"
            "x = jnp.ones(3)\nwith jax.enable_x64(True):\n    unknown_library.make(Solver).solve()\n"
        ),
        {"x": "float32[3]", "y": "?[3]"},
    ),
}


@pytest.mark.parametrize("case", EITHER)
def test_where_they_may_be_on_or_off(tmp_path: Path, case: str) -> None:
    text, expected = EITHER[case]
    file = tmp_path / "program.py"
    file.write_text(HEAD + text)
    report = evaluate_programs(collect([file]), Settings())
    known = {place.name: place.value for place in report.places if place.name != "return"}
    assert {name: known[name].removeprefix("weak ") for name in expected} == expected


@pytest.mark.parametrize("first", ["a", "b"])
def test_a_module_switches_them_on_for_each_script_that_imports_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    monkeypatch.chdir(tmp_path)
    script = "import wide\nimport jax.numpy as jnp\n{0} = jnp.ones(3)\nprint({0}.dtype)\n"
    files = {"wide.py": f"import jax\n{ON}", "a.py": script.format("a"), "b.py": script.format("b")}
    write(tmp_path, files)
    order = [Path("a.py"), Path("b.py")]
    report = evaluate_programs(collect(order if first == "a" else order[::-1]), Settings())
    assert {place.name: place.value for place in report.places} == {"a": "float64[3]", "b": "float64[3]"}
    for name in "ab":
        run = subprocess.run([sys.executable, f"{name}.py"], capture_output=True, text=True, check=True)
        assert run.stdout == "float64\n"


def test_switches_and_contexts_at_run_time(tmp_path: Path) -> None:
    """What is expected above of programs that can be run."""
    for case, functions in {
        "both, one after the other": "",
        "a function that is decorated": "wide()\nnarrow()\n",
        "a function that is decorated with a promotion system": "wide()\nnarrow()\n",
    }.items():
        text, expected = EITHER[case]
        probes = text.replace("    z = jnp.ones(3)\n", "    z = jnp.ones(3)\n    print('z', z.dtype)\n")
        probes = probes.replace("    k = jnp.ones(3)\n", "    k = jnp.ones(3)\n    print('k', k.dtype)\n")
        probes = probes.replace("    z = add()\n", "    z = add()\n    print('z', z.dtype)\n")
        probes = probes.replace("    k = add()\n", "    k = add()\n    print('k', k.dtype)\n")
        probes = probes.replace("    x = jnp.ones(3)\n", "    x = jnp.ones(3)\n    print('x', x.dtype)\n")
        (tmp_path / "program.py").write_text(HEAD + probes + functions)
        run = subprocess.run(
            [sys.executable, str(tmp_path / "program.py")], capture_output=True, text=True, check=True
        )
        seen: dict[str, set[str]] = {}
        for name, dtype in map(str.split, run.stdout.splitlines()):
            seen.setdefault(name, set()).add(dtype)
        assert seen
        for name, dtypes in seen.items():
            assert expected[name] == (f"{dtypes.pop()}[3]" if len(dtypes) == 1 else "?[3]")
