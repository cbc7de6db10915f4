"""Which files of data go with a program, and what is made of their texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyping_core.programs import data_files
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings
from jaxtyping_core.showing.listing import value

HEAD = "import json\nimport jax.numpy as jnp\nimport yaml\n"
READ = f"{HEAD}x = jnp.ones((json.load(open('n.json'))['n'], 1))\n"


def project(folder: Path, text: str = READ, **files: str) -> Path:
    """A program in a project, and its other files, with the suffix .json or the one of their names."""
    (folder / "pyproject.toml").touch()
    for name, content in files.items():
        (folder / f"{name}.json").write_text(content)
    (folder / "program.py").write_text(text)
    return folder / "program.py"


def shown(file: Path, cached: bool = False) -> str:
    (place,) = evaluate_programs([*collect([file], ())], Settings(), cached=cached).places
    return value(place)


def test_a_change_of_a_file_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAXTYPING_CORE_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "project").mkdir()
    file = project(tmp_path / "project", n='{"n": 3}')
    assert [shown(file, cached=True), shown(file, cached=True)] == ["float32[3, 1]"] * 2
    project(tmp_path / "project", n='{"n": 4}')
    assert shown(file, cached=True) == "float32[4, 1]"


@pytest.mark.parametrize(
    "path", ["../secret.json", "link.json", "{outside}/secret.json", ".hidden.json", "large.json", "no.json"]
)
def test_files_that_are_not_read(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    path = path.format(outside=tmp_path)
    file = project(folder, READ.replace("n.json", path), **{".hidden": '{"n": 3}'})
    (tmp_path / "secret.json").write_text('{"n": 3}')
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    (folder / "large.json").write_text('{"n": 3, "text": "' + "x" * data_files.MOST_BYTES + '"}')
    (program,) = collect([file], ())
    assert data_files.texts_of(program) == {}
    assert shown(file) == "float32[?, 1]"


def test_a_path_that_may_mean_two_files_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    project(tmp_path, n='{"n": 3}')
    file = project(tmp_path / "inner", n='{"n": 4}')
    (tmp_path / "inner" / "pyproject.toml").unlink()
    assert shown(file) == "float32[?, 1]"
    (tmp_path / "n.json").unlink()
    assert shown(file) == "float32[4, 1]"


def test_files_of_what_reads_none_are_left(tmp_path: Path) -> None:
    (program,) = collect([project(tmp_path, "import jax.numpy as jnp\nname = 'n.json'\n", n="{}")], ())
    assert data_files.texts_of(program) == {}


def test_there_are_only_so_many(tmp_path: Path) -> None:
    for number in range(2 * data_files.MOST_FILES):
        (tmp_path / "all").mkdir(exist_ok=True)
        (tmp_path / "all" / f"{number}.json").write_text("{}")
    (program,) = collect([project(tmp_path, f"{HEAD}FOLDER = 'all'\n")], ())
    assert 0 < len({Path(path).name for path in data_files.texts_of(program)}) <= data_files.MOST_FILES


@pytest.mark.parametrize(
    "text",
    [
        "n: !!python/object/apply:os.getpid []",
        "n: !!python/name:os.getpid",
        "n: !thing 3",
        "n: 3\n---\nn: 3",
        "n: [",
        "n: &n [*n]",
        "n: 2024-01-01",
        (
            "a: &a [1, 1, 1, 1, 1, 1, 1, 1]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\n"
            "c: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c]\n"
            "e: &e [*d, *d, *d, *d, *d, *d, *d, *d]\nf: &f [*e, *e, *e, *e, *e, *e, *e, *e]\n"
            "g: &g [*f, *f, *f, *f, *f, *f, *f, *f]\nn: 3"
        ),
    ],
)
def test_a_text_of_yaml_that_is_no_plain_data_is_unknown(tmp_path: Path, text: str) -> None:
    file = project(tmp_path, f"{HEAD}x = jnp.ones((yaml.unsafe_load({text!r})['n'], 1))\n")
    assert shown(file) in ("float32[?, 1]", "float32[...]")


def test_options_of_a_reader_are_none_of_ours(tmp_path: Path) -> None:
    text = READ.replace("open('n.json'))", "open('n.json'), parse_int=lambda text: int(text) + 1)")
    assert shown(project(tmp_path, text, n='{"n": 3}')) == "float32[?, 1]"


@pytest.mark.parametrize(
    ("path", "sizes"),
    [
        ("str(Path(__file__).parent) + '/n.json'", "[3, 1]"),
        ("f'{Path(__file__).resolve().parent}/n.json'", "[3, 1]"),
        ("Path('n.toml').with_suffix('.json').with_name('n.json')", "[3, 1]"),
        ("os.path.join(os.path.dirname(os.path.realpath(__file__)), 'n.json')", "[3, 1]"),
        ("Path(__file__).resolve().parents[0] / 'n.json'", "[3, 1]"),
        ("Path('a/b.py').parents[1] / 'n.json'", "[3, 1]"),
        # What is above the folder is not in the project.
        ("Path(__file__).resolve().parents[1] / 'n.json'", "[?, 1]"),
        ("Path('program.py').resolve().parent.parent / 'n.json'", "[?, 1]"),
        ("os.path.join(os.path.dirname(os.path.dirname(os.path.abspath('program.py'))), 'n.json')", "[?, 1]"),
        ("os.path.abspath('n.json')[1:]", "[?, 1]"),
    ],
)
def test_paths_of_constants(tmp_path: Path, path: str, sizes: str) -> None:
    text = f"import os\nfrom pathlib import Path\n{READ.replace(repr('n.json'), path)}"
    assert shown(project(tmp_path, text, n='{"n": 3}')) == f"float32{sizes}"
