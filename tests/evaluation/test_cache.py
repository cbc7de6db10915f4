"""Answers on disk: found again, never believed when damaged, and never in the way."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from jaxtyping_core.domain.values import Array
from jaxtyping_core.evaluation import cache as cache_module
from jaxtyping_core.evaluation import client
from jaxtyping_core.evaluation.cache import Cache
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import Answer, request
from jaxtyping_core.evaluation.versions import sources_digest

F = Array.of("float32", False, (3,))
SIN = request("jax.numpy.sin", [F], {}, x64=False, promotion="standard")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "answers.sqlite3"


def test_answers_are_found_by_a_later_run(file: Path) -> None:
    first = Cache(file, "1")
    first.put("question", "answer")
    first.put("question", "better answer")
    first.close()
    assert Cache(file, "1").get("question") == "better answer"
    assert Cache(file, "1").get("another question") is None
    assert Cache(file, "2").get("question") is None  # another version of JAX


def test_nothing_is_made_to_look_something_up(file: Path) -> None:
    assert Cache(file, "1").get("question") is None
    assert not file.parent.exists()


@pytest.mark.parametrize("kept", [0, 100, 4096])
def test_a_damaged_file_is_replaced(file: Path, kept: int) -> None:
    cache = Cache(file, "1")
    cache.put("question", "answer")
    cache.close()
    file.write_bytes(file.read_bytes()[:kept] + b"\xff" * 5000 * bool(kept))
    cache = Cache(file, "1")
    assert cache.get("question") is None
    cache.put("question", "answer")
    cache.put("question", "answer")  # the first may have found the damage
    cache.close()
    assert Cache(file, "1").get("question") == "answer"


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_not_ours_stays_as_it_is(
    file: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    for _ in range(2):
        cache = Cache(file, "1")
        assert cache.get("question") is None
        cache.put("question", "answer")
        cache.close()
    assert file.read_bytes() == content
    assert capsys.readouterr().err == (
        f"jaxtyping-core: answers are not cached: {file} was not made by jaxtyping-core\n"
    )


def test_the_oldest_answers_go(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "MOST_BYTES", 400_000)
    cache = Cache(file, "1")
    for number in range(2000):
        cache.put(f"{number}", "x" * 1000)
    cache.close()
    assert file.stat().st_size < 800_000
    assert cache.get("0") is None
    assert cache.get("1999") == "x" * 1000


def test_half_of_a_file(file: Path) -> None:
    cache = Cache(file, "1")
    for number in range(300):
        cache.put(f"question {number}", f"answer {number}" * 20)
    cache.close()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    cache = Cache(file, "1")
    for number in range(300):
        assert cache.get(f"question {number}") in (None, f"answer {number}" * 20)
        cache.put(f"question {number}", "new")
    assert cache.get("question 299") == "new"


def test_a_changed_row_is_not_believed(file: Path) -> None:
    cache = Cache(file, "1")
    cache.put("question", '{"result": ["static", 1]}')
    with sqlite3.connect(file) as connection:
        connection.execute("""UPDATE answers SET answer = '{"result": ["static", 2]}'""")
    assert cache.get("question") is None


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = Cache(tmp_path / "file" / "answers.sqlite3", "1")
    cache.put("question", "answer")
    assert cache.get("question") is None


def test_several_processes_write_at_once(file: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from jaxtyping_core.evaluation.cache import Cache\n"
        "cache = Cache(Path(sys.argv[1]), '1')\n"
        "for n in range(200): cache.put(f'{n}', f'answer {n}'); cache.put(f'{sys.argv[2]} {n}', 'own')\n"
    )
    children = [subprocess.Popen([sys.executable, "-c", program, str(file), str(i)]) for i in range(4)]
    assert [child.wait() for child in children] == [0] * 4
    cache = Cache(file, "1")
    assert [cache.get(f"{n}") for n in range(200)] == [f"answer {n}" for n in range(200)]
    assert all(cache.get(f"{i} {n}") == "own" for i in range(4) for n in range(200))


def test_a_warm_run_starts_no_child(file: Path) -> None:
    first = Evaluator(sys.executable, cache=Cache(file, "1"))
    assert first.ask(SIN) == Answer(result=F)
    first.close()
    second = Evaluator("no such interpreter", cache=Cache(file, "1"))
    assert second.ask(SIN) == Answer(result=F)
    assert second._child is None


@pytest.mark.parametrize(
    "changed",
    [
        *("sampling/attempts.py", "domain/values.py", "numpy/_rules.py", "systems/jax.py"),
        *("contracts/checking.py", "sampling/tables/limits.py", "_annotations/sizes.py", "dtypes.py"),
        *("engine/interpreter.py", "engine/language/calls.py", "engine/libraries/calls/abstract_calls.py"),
    ],
)
def test_answers_are_those_of_the_code_as_it_is(tmp_path: Path, changed: str) -> None:
    package = shutil.copytree(client.CHILD.parents[1], tmp_path / "package")
    before = sources_digest(package)
    assert sources_digest(package) == before
    with (package / changed).open("a") as source:
        source.write("# changed\n")
    assert sources_digest(package) != before


def test_what_went_wrong_is_not_kept(file: Path) -> None:
    broken = Evaluator("no such interpreter", cache=Cache(file, "1"))
    assert broken.ask(SIN).fault
    working = Evaluator(sys.executable, cache=Cache(file, "1"))
    assert working.ask(SIN) == Answer(result=F)
    working.close()


def test_answers_are_those_of_the_packages_that_are_installed(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Projects share the file, and each has packages of its own."""
    monkeypatch.setattr(client, "_evaluators", {})
    caches: list[Cache | None] = []
    for packages in ("some", "others", "some"):
        monkeypatch.setattr(client, "packages_digest", lambda _, packages=packages: packages)
        client._evaluators.clear()
        caches.append(client.evaluator("no such interpreter", cache_file=file, jax_version="1")._cache)
    first, second, third = caches
    assert first is not None and second is not None and third is not None
    first.put("question", "answer")
    assert second.get("question") is None
    assert third.get("question") == "answer"
