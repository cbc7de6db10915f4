"""Sizes that programs read from configurations are known, and the programs' runs have them."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from configurations import CASES, CONFIG_DICT, OMEGACONF
from running import agrees, held

from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings
from jaxtyping_core.showing.listing import value


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The programs, each in a folder of its own with the files that it reads; runs are in copies of these folders."""
    made = {}
    for number, (name, case) in enumerate(CASES.items()):
        folder = tmp_path_factory.mktemp(f"program_{number}")
        for path, text in {**case.files, "program.py": case.text}.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text)
        made[name] = folder / "program.py"
    return made


@pytest.fixture(scope="module")
def really(
    programs: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Mapping[str, str]]:
    """What the variables of each program hold after its run, which may change files: that of a copy."""
    folder = tmp_path_factory.mktemp("runs")
    copies = {name: folder / file.parent.name / file.name for name, file in programs.items()}
    for name, file in programs.items():
        shutil.copytree(file.parent, copies[name].parent)
    runs = held([*copies.values()])
    return {name: runs[file] for name, file in copies.items()}


@pytest.mark.parametrize("name", CASES)
def test_what_is_shown_is_so(
    programs: Mapping[str, Path], really: Mapping[str, Mapping[str, str]], name: str
) -> None:
    program, known = programs[name], CASES[name].known
    report = evaluate_programs([*collect([program], ())], Settings(), cached=False, with_defaults=True)
    assert {place.name: value(place) for place in report.places if place.name in known} == known
    assert not report.refusals
    assert {place: text for place, text in known.items() if not agrees(text, really[name][place])} == {}


def test_what_a_command_line_may_change_is_certain_nowhere(programs: Mapping[str, Path]) -> None:
    (place,) = evaluate_programs(
        [*collect([programs["a file of the program"]], ())], Settings(), cached=False
    ).places
    assert value(place) == "float32[?, ?]"


@pytest.mark.parametrize(
    "changing",
    [
        "from elsewhere import change\nchange(config)\n",
        "import time\nconfig[str(time.time())] = 3\n",
        "config.update_from_flattened_dict({'n': 3})\n",
        "config.get_ref('n').set(3)\n",
        "config.update(3 if config.n else config)\n",
    ],
)
def test_what_may_have_changed_is_unknown(tmp_path: Path, changing: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(
        f"{CONFIG_DICT}config = ml_collections.ConfigDict({{'n': 2}})\n{changing}x = jnp.ones((config.n, 1))\n"
    )
    (place,) = evaluate_programs([*collect([file], ())], Settings(), cached=False).places
    assert value(place) == "float32[?, 1]"


@pytest.mark.parametrize(
    ("made", "size"),
    [
        ("wandb.init(config={'n': 2})", "2"),
        ("wandb.init(config={'n': 3})\nwandb.init(config={'n': 2})", "2"),
        ("wandb.init(config={'m': 3})\nwandb.config.update({'n': 2})", "2"),
        ("wandb.init()", "?"),
        ("wandb.init(config={'m': 2})", "?"),
        ("wandb.init(config=wandb.unknown())", "?"),
        ("wandb.init(config=wandb.unknown())\nwandb.init(config={'n': 2})", "?"),
    ],
)
def test_what_a_run_is_passed_is_its_configuration_by_default(tmp_path: Path, made: str, size: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(
        f"import wandb\nimport jax.numpy as jnp\n{made}\nx = jnp.ones((wandb.config.n, 1))\n"
        "y = jnp.ones((wandb.config['n'], 2))\n"
    )
    with_defaults = evaluate_programs([*collect([file], ())], Settings(), cached=False, with_defaults=True)
    end = "" if size == "?" else " by default"
    assert {value(place) for place in with_defaults.places} == {f"float32[{size}, {n}]{end}" for n in (1, 2)}
    of_any_run = evaluate_programs([*collect([file], ())], Settings(), cached=False)
    assert {value(place) for place in of_any_run.places} == {"float32[?, 1]", "float32[?, 2]"}


@pytest.mark.parametrize(
    "made",
    [
        "OmegaConf.create({'n': '???'})",
        "OmegaConf.create({'n': '${twice:3}'})",
        "OmegaConf.create({'n': '${m}', 'm': '${n}'})",
        "OmegaConf.create({'n': '${elsewhere}'})",
        "OmegaConf.merge({'n': 3}, OmegaConf.from_cli())",
        "OmegaConf.merge({'n': 3}, OmegaConf.load('nowhere.yaml'))",
        "OmegaConf.create('n: !!python/name:os.getpid')",
        "OmegaConf.create({'n': 3} if len(str(OmegaConf)) > 3 else {'n': 4})",
    ],
)
def test_what_a_configuration_does_not_say_is_unknown(tmp_path: Path, made: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"{OMEGACONF}config = {made}\nx = jnp.ones((config.n, 1))\n")
    (place,) = evaluate_programs([*collect([file], ())], Settings(), cached=False).places
    assert value(place) in ("float32[?, 1]", "float32[...]")


@pytest.mark.parametrize(
    "text",
    [
        f"{OMEGACONF}c = OmegaConf.create({{'n': 1}})\nfor _ in range(40):\n    c.a = c\n    c.b = c\n",
        f"{OMEGACONF}c = OmegaConf.create({{'a': '${{b}}' * 2000, 'b': '${{c}}' * 2000, 'c': 'x' * 2000}})\nd = c.a\n",
        f"{OMEGACONF}c = OmegaConf.create('[' * 20000)\n",
        (
            f"{CONFIG_DICT}c = ml_collections.ConfigDict()\nfor _ in range(40):\n    d = ml_collections.ConfigDict()\n"
            "    d.a = d.b = c\n    c = d\ne = c.to_dict()\nf = ml_collections.ConfigDict(e)\n"
        ),
        f"{CONFIG_DICT}c = ml_collections.ConfigDict()\nc.c = c\nd = c.to_dict(), c.copy_and_resolve_references()\n",
    ],
)
def test_a_configuration_that_grows_without_end_takes_no_time(tmp_path: Path, text: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"{text}x = jnp.ones(3)\n")
    start = time.monotonic()
    report = evaluate_programs([*collect([file], ())], Settings(), cached=False)
    assert [value(place) for place in report.places if place.name == "x"] == ["float32[3]"]
    assert time.monotonic() - start < 30
