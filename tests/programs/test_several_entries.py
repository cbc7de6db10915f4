"""Files of one program that are given together are known as they are alone, in whichever order they are given."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from evaluating import evaluate

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python
#: A package that has a function of the name of its module.
FILES = {
    "pkg/__init__.py": "from pkg.scale import scale\n",
    "pkg/scale.py": "import jax.numpy as jnp\n\n\ndef scale(x):\n    y = x * 2\n    return y\n",
    "main.py": "import jax.numpy as jnp\nfrom pkg import scale\n\nz = scale(jnp.ones((2, 3)))\n",
}


@pytest.mark.parametrize("order", [*itertools.permutations(FILES)], ids="-".join)
def test_function_called_like_its_module(
    child: Evaluator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    report = evaluate(child, *map(Path, order))
    known = {place.name: place.value for place in report.places}
    assert known == {"y": "float32[2, 3]", "return": "float32[2, 3]", "z": "float32[2, 3]"}


#: A module with a demonstration, and a script that has its model from an unknown library, and calls it with other arrays.
MODEL = """import jax.numpy as jnp


class Model:
    def __call__(self, x):
        y = x * 2
        return y


if __name__ == "__main__":
    shown = Model()(jnp.ones((2, 3)))
"""
SCRIPT = """import numpy as np
import unknown_library
{imports}

def run():
    model = unknown_library.load(Model)
    return model(np.zeros((7, 5), np.int32))


run()
"""
PROJECTS = {
    "package": ("pkg/model.py", "from pkg.model import Model"),
    "folder": ("lib/model.py", 'import sys\nsys.path.append("lib")\nfrom model import Model'),
    "beside": ("model.py", "from model import Model"),
}


@pytest.mark.parametrize("first", ["model", "script"])
@pytest.mark.parametrize("project", PROJECTS)
def test_what_holds_in_a_demonstration_is_not_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project: str, first: str
) -> None:
    module, imports = PROJECTS[project]
    monkeypatch.chdir(tmp_path)
    Path(module).parent.mkdir(exist_ok=True)
    if project == "package":
        Path("pkg/__init__.py").touch()
    Path(module).write_text(MODEL)
    Path("script.py").write_text(SCRIPT.format(imports=imports))
    files = [Path(module), Path("script.py")]
    report = evaluate_programs(collect(files if first == "model" else files[::-1]), Settings())
    known = {place.name: place.value for place in report.places if not place.is_open}
    assert known == {"shown": "float32[2, 3]"}


def test_what_one_program_calls_is_known_where_another_only_imports_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    other = "import unknown_library\nfrom model import Model\n\nunknown_library.log(1).sent()\nfor i in range(2):\n    pass\n"
    for name, text in {"model.py": MODEL, "other.py": other}.items():
        Path(name).write_text(text)
    report = evaluate_programs(collect([Path("model.py"), Path("other.py")]), Settings())
    known = {place.name: place.value for place in report.places}
    assert known["y"] == "float32[2, 3]"
