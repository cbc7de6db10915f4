"""Several programs with modules in common: each function that nothing calls is looked at in one of them, and none takes all the time."""

from __future__ import annotations

import importlib
import math
import sys
from pathlib import Path

import pytest

from jaxtyping_core.engine import entries, session, uncalled
from jaxtyping_core.engine.interpreter import Interpreter
from jaxtyping_core.engine.language import contracts
from jaxtyping_core.engine.libraries import registry
from jaxtyping_core.evaluation import lanes
from jaxtyping_core.evaluation.versions import packages_digest
from jaxtyping_core.programs import evaluate
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.shares import divided, share
from jaxtyping_core.programs.sources import Program, collect
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python  # no matter of Python or JAX

HEAD = "import jax.numpy as jnp\nfrom jaxtyping import Array, Float\n\n"
FILES = {
    "pyproject.toml": "",
    "src/package/__init__.py": "",
    "src/package/sums.py": f'{HEAD}def wrong(x: Float[Array, "3"]):\n    return x + jnp.ones(4)\n\ndef uncalled(x):\n    ones = jnp.ones(3)\n',
    # A folder without a file of its own is a part of the package that it is in.
    "src/package/parts/halves.py": f'{HEAD}from . import sizes\n\ndef wrong(x: Float[Array, "3"]):\n    return x + jnp.ones(sizes.SIZE)\n',
    "src/package/parts/sizes.py": "SIZE = 4\n",
    "scripts/run.py": "from package import sums\nfrom package.parts import halves\n\nprint(sums.wrong, halves.wrong)\n",
    "tools/again.py": "from package import sums\n\nprint(sums)\n",
}


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Program]:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        file = Path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    names = ("src/package/sums.py", "src/package/parts/halves.py", "scripts/run.py", "tools/again.py")
    return collect([*map(Path, names)])


def test_each_file_belongs_to_one_program(programs: list[Program]) -> None:
    own = [
        (str(program.root), sorted(names))
        for program, names in zip(programs, divided(programs, [False] * len(programs)), strict=True)
    ]
    assert own == [
        (
            "src",
            ["package", "package.parts", "package.parts.halves", "package.parts.sizes", "package.sums"],
        ),
        ("scripts", ["run"]),
        ("tools", ["again"]),
    ]


def test_a_file_of_programs_with_and_without_64_bit_types_belongs_to_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(f"{HEAD}def f(n):\n    k = jnp.ones(3)\n    return None\n")
    on = 'import jax\njax.config.update("jax_enable_x64", True)\nimport model\n'
    folder = Path("notebooks")
    folder.mkdir()
    (folder / "main.py").write_text(f"import sys\nsys.path.append('..')\n{on}")
    programs = collect([folder / "main.py", Path("model.py")])
    assert len(programs) == 2
    report = evaluate_programs(programs, Settings(), cached=False)
    (place,) = [place for place in report.places if place.name == "k"]
    assert place.known.dtypes == {"float32", "float64"}


def test_what_is_found_is_what_each_program_alone_would_find(programs: list[Program]) -> None:
    together = evaluate_programs(programs, Settings(), cached=False)
    alone = [evaluate_programs([program], Settings(), cached=False) for program in programs]
    places = {("src/package/sums.py", 5), ("src/package/parts/halves.py", 7)}
    assert {(each.file, each.line) for each in together.refusals} == places
    assert {(each.file, each.line) for report in alone for each in report.refusals} == places
    assert not together.incomplete
    assert [place.name for place in together.places] == ["ones"]


def test_errors_alone(programs: list[Program], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only errors of a large program are wanted, functions that nothing calls are looked at if they declare arrays."""
    monkeypatch.setattr(evaluate, "MOST_WHOLE", 0)
    both = [program for program in programs if str(program.root) == "scripts"]
    both[0].entries.append("package.sums")
    errors, every, kept = (
        evaluate_programs(both, Settings(), cached=False, errors_alone=alone) for alone in (True, False, True)
    )
    assert {*every.refusals} == {*errors.refusals} != set()
    assert errors.places == []
    assert [place.name for place in every.places] == ["ones"]
    assert kept.places == every.places  # what was asked before has the errors, too


def test_annotated_alone(programs: list[Program]) -> None:
    """Where nobody looks at functions without annotations, those that nothing calls are left out, but for answers that are kept."""
    alone, every, kept = (
        evaluate_programs(programs, Settings(), cached=False, annotated_alone=is_alone)
        for is_alone in (True, False, True)
    )
    assert alone.refusals == every.refusals != []
    assert [place.name for place in every.places] == ["ones"] and not alone.places
    assert kept.places == every.places


def test_whole_answers_are_kept_as_such(tmp_path: Path) -> None:
    """What is asked about annotated functions alone is the answer about all where no other function was left out."""
    for number, text in enumerate(
        ("def f(n: int):\n    x = jnp.ones(3)\n", "def f(n):\n    x = jnp.ones(3)\n")
    ):
        file = tmp_path / f"program_{number}.py"
        file.write_text(HEAD + text)
        (program,) = collect([file])
        evaluate_programs([program], Settings(), cached=False, annotated_alone=True)
        child = evaluate._children(sys.executable, Settings(), None, (), 1)[0]
        request = evaluate.request(program, Settings(), 1.0, packages_digest(sys.executable))
        assert (child.kept(request, str(program.root.resolve())) is not None) == (number == 0)


@pytest.mark.parametrize("share_of_called", [0.25, 0.0])
def test_what_the_program_may_call_is_not_checked_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share_of_called: float
) -> None:
    """Whether a walk says so, or there is no time for walks, and the names in the functions say it."""
    monkeypatch.setattr(uncalled, "SHARE_OF_CALLED", share_of_called)
    wrong = 'x: Float[Array, "3"]) -> Array:\n    return x + jnp.ones(4)\n'
    text = f"{HEAD}import nowhere\n\ndef called({wrong}\ndef inner({wrong}\ndef alone({wrong}"
    text += "\ndef outer(x):\n    return inner(x)\n\nnowhere.run().called(), nowhere.run().outer()\n"
    modules = {"program": {"path": str(tmp_path / "program.py"), "text": text}}
    asked = {"entries": ["program"], "modules": modules, "trust": ["jax", "jaxtyping"], "errors_alone": True}
    importlib.import_module("jaxtyping")  # nothing is sealed in the process of the tests
    registry.load({"jaxtyping"})
    contracts.prepare(["jaxtyping"])
    answer = session.evaluate(asked)
    assert answer["complete"] and not answer["lost"]
    lines = text.splitlines()
    assert {lines[each["line"] - 2].partition("(")[0] for each in answer["refusals"]} == {"def alone"}


def test_limits(programs: list[Program], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each program gets a share of the time of all lanes, and the usual limit where there is time enough."""
    limits: list[float] = []

    def ask(child: object, program: Program, settings: Settings, seconds: float, *_: object) -> Report:
        limits.append(seconds)
        return Report()

    monkeypatch.setattr(evaluate, "ask", ask)
    monkeypatch.setattr(lanes, "count", lambda parts: 1)
    for most, expected in {
        math.inf: [66.0, 60.0, 60.0],
        10_000.0: [66.0, 60.0, 60.0],
        50.0: [50 * 10 / 12, 50 * 2 / 8, 50 * 2 / 8],
    }.items():
        limits.clear()
        evaluate_programs(programs, Settings(), cached=False, most=most)
        assert limits == pytest.approx(expected, abs=1)


def test_one_program_may_take_all_the_time() -> None:
    assert share(30.0, 5, 5) == 30.0
    assert share(30.0, 1, 2) == pytest.approx(20.0)


def test_modules_in_common_take_no_share_of_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only errors are wanted, they are imported before the entries."""
    seen: list[set[str]] = []

    def walked(interpreter: Interpreter, name: str, seconds: float) -> bool:
        seen.append(set(interpreter.modules))
        return True

    monkeypatch.setattr(entries, "_walk_entry", walked)
    asked = {
        "entries": ["run"],
        "modules": {
            "run": {
                "path": "run.py",
                "text": "import shared\nif __name__ == '__main__':\n    print(shared)\n",
            },
            "shared": {"path": "shared.py", "text": "size = 3\n"},
        },
        "trust": ["jax"],
    }
    for errors_alone in (True, False):
        session.evaluate({**asked, "errors_alone": errors_alone})
    assert seen == [{"shared"}, set()]


@pytest.mark.parametrize(
    ("needed", "not_ended"), [({}, []), ({"a": 60.0}, ["a.py"]), ({"a": 60.0, "i": 170.0}, ["a.py", "i.py"])]
)
def test_entries_that_need_more_than_their_share(
    monkeypatch: pytest.MonkeyPatch, needed: dict[str, float], not_ended: list[str]
) -> None:
    """They are named, and the others are not."""
    clock = 0.0
    whole_walk = entries._walk_entry

    def walk(interpreter: Interpreter, name: str, seconds: float) -> bool:
        nonlocal clock
        is_whole = needed.get(name, 0.1) <= seconds
        clock += min(needed.get(name, 0.1), seconds)
        return whole_walk(interpreter, name, 10.0) and is_whole

    monkeypatch.setattr(entries, "_walk_entry", walk)
    monkeypatch.setattr("time.process_time", lambda: clock)
    names = "abcdefghi"
    modules = {name: {"path": f"{name}.py", "text": f"print({name!r})\n"} for name in names}
    answer = session.evaluate({"entries": [*names], "modules": modules, "trust": ["jax"], "seconds": 200.0})
    assert answer["cut_off"] == not_ended
    assert answer["complete"] == (not not_ended)
