"""Files of answers that somebody else has made: they are neither believed nor touched, and nothing in them is run."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
import time
from pathlib import Path

import pytest

from jaxtyping_core import user
from jaxtyping_core.evaluation.cache import Cache
from jaxtyping_core.evaluation.database import MAGIC, TABLE

#: A view without an end, which a trigger reads, or the index of a statement.
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
HOSTILE = {
    "trigger over an endless view": f"""
        {TABLE}; CREATE VIEW endless AS {ENDLESS};
        CREATE TRIGGER t AFTER INSERT ON answers BEGIN INSERT INTO answers SELECT i, i, i FROM endless; END;""",
    "trigger": f"{TABLE}; CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM answers; END;",
    "another table": f"{TABLE}; CREATE TABLE mine (x)",
    "no table of ours": "CREATE TABLE mine (x)",
    "view in its place": f"CREATE VIEW answers AS SELECT i AS key, i AS answer, i AS proof FROM ({ENDLESS})",
    "virtual table": f"{TABLE}; CREATE VIRTUAL TABLE v USING fts5(x)",
    "another index": f"{TABLE}; CREATE INDEX i ON answers (answer)",
    "index of an expression": f"{TABLE}; CREATE INDEX i ON answers (length(answer))",
    "column that is computed": TABLE.replace("proof BLOB", "proof BLOB AS (x'00')"),
}

pytestmark = pytest.mark.one_python


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    return tmp_path / "folder" / "answers.sqlite3"


def make(file: Path, script: str = TABLE, mark: int = MAGIC) -> bytes:
    """A database with the mark of ours; its bytes."""
    connection = sqlite3.connect(file)
    connection.executescript(f"PRAGMA application_id = {mark}; {script}")
    connection.close()
    return file.read_bytes()


def use(file: Path) -> Cache:
    """Ask for an answer, and have one kept, in little time."""
    start = time.monotonic()
    cache = Cache(file, "1")
    assert cache.get("question") is None
    cache.put("question", "answer")
    cache.put("another question", "answer")
    cache.close()
    assert time.monotonic() - start < 2
    return cache


@pytest.mark.parametrize("script", HOSTILE.values(), ids=HOSTILE)
def test_a_file_with_more_in_it(file: Path, script: str, capsys: pytest.CaptureFixture[str]) -> None:
    content = make(file, script)
    assert use(file).get("question") is None
    assert file.read_bytes() == content
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert "tables, views or triggers that" in capsys.readouterr().err


def test_what_we_make_is_ours(file: Path) -> None:
    make(file)
    assert use(file).get("question") == "answer"


def test_a_database_of_another_program(file: Path) -> None:
    content = make(file, mark=0)
    use(file)
    assert file.read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
@pytest.mark.parametrize("link", ["symbolic", "hard", "to nothing", "of the folder"])
def test_a_link_is_not_followed(tmp_path: Path, link: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own").mkdir()
    other, folder = tmp_path / "own" / "answers.sqlite3", tmp_path / "folder"
    content = None if link == "to nothing" else make(other)
    if link == "of the folder":
        folder.symlink_to(other.parent)
    else:
        folder.mkdir()
        (os.link if link == "hard" else os.symlink)(other, folder / other.name)
    use(folder / other.name)
    assert (other.read_bytes() if other.exists() else None) == content
    assert "answers are not cached" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
def test_no_file_at_all(file: Path) -> None:
    os.mkfifo(file)
    use(file)
    file.unlink()
    file.mkdir()
    use(file)
    assert file.is_dir()


@pytest.mark.parametrize("name", ["-journal", "-wal", "-shm"])
def test_what_is_beside_it_is_not_read(file: Path, name: str) -> None:
    content = make(file)
    beside = file.with_name(file.name + name)
    beside.write_bytes(b"whatever")
    use(file)
    assert (file.read_bytes(), beside.read_bytes()) == (content, b"whatever")


def test_a_database_with_a_log(file: Path) -> None:
    content = make(file, f"PRAGMA journal_mode = WAL; {TABLE}")
    use(file)
    assert file.read_bytes() == content
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_others_cannot_read_it(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "answers.sqlite3"
    use(file)
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_a_folder_that_others_may_write_into(file: Path) -> None:
    file.parent.chmod(0o777)
    use(file)
    assert not file.exists()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="where the user's folders are on Linux")
def test_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    for value in ("", os.devnull, "relative", "off"):
        monkeypatch.setenv(user.CACHE_VARIABLE, value)
        assert user.answers_file() is None
    monkeypatch.setenv(user.CACHE_VARIABLE, str(tmp_path / "other"))
    assert user.answers_file() == tmp_path / "other" / user.ANSWERS
    monkeypatch.delenv(user.CACHE_VARIABLE)
    assert user.answers_file() == tmp_path / ".cache" / "jaxtyping_core" / user.ANSWERS
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert user.answers_file() == tmp_path / "xdg" / "jaxtyping_core" / user.ANSWERS
    monkeypatch.setenv("XDG_CACHE_HOME", "in_the_project")  # which does not count
    assert user.answers_file() == tmp_path / ".cache" / "jaxtyping_core" / user.ANSWERS
