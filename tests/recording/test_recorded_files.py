"""Where facts go, and everything that can be wrong with it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from jaxtyping_core.cli.app import app
from jaxtyping_core.errors import CommandError
from jaxtyping_core.recording import DEFAULT, PROCESS, report
from jaxtyping_core.recording.fact_writer import Writer
from jaxtyping_core.recording.facts_file import FORMAT, MAGIC
from jaxtyping_core.recording.observed import Array, Call, Function, Items, Scalar
from jaxtyping_core.recording.store import digest_of, load

from .running import FACTS, calls, facts, plain, recorded, write

F = Function("f", 3)
CALL = Call((("x", Array("float32", (2, None), weak=True)),), Items("tuple", (Scalar("int", 3),)))
BEGUN = Call(CALL.arguments, None)


def test_facts_add_up(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x")
    for digest in ("older", digest_of(b"x")):
        for _ in range(2):
            writer = Writer(tmp_path / "deep" / FACTS)
            file = writer.file(tmp_path / "a.py", digest)
            writer.add_calls(file, F, [(BEGUN, 0)])
            writer.add_calls(file, F, [(CALL, 2), (Call((), None), 1)])
            writer.add_attribute(file, "C", "a", Scalar("str"))
            writer.add_attribute(file, "C", "a", Scalar("int"))
            assert writer.calls(file, F)[CALL] in (2, 4)
            writer.close()
    (entry,) = load(tmp_path / "deep" / FACTS).files.items()
    assert entry[0] == tmp_path / "a.py"
    assert entry[1].digest == digest_of(b"x")  # what was known of the older text is gone
    assert entry[1].calls == {F: {CALL: 4, Call((), None): 2}}
    assert entry[1].attributes == {"C": {"a": frozenset({Scalar("str"), Scalar("int")})}}


def test_a_call_that_only_began_is_known(tmp_path: Path) -> None:
    writer = Writer(tmp_path / FACTS)
    writer.add_calls(writer.file(tmp_path / "a.py", "d"), F, [(BEGUN, 0)])
    (stored,) = facts(tmp_path).files.values()  # while it is still written
    assert stored.calls == {F: {BEGUN: 1}}
    writer.close()


def test_facts_of_a_text_that_another_run_has_dropped_are_dropped(tmp_path: Path) -> None:
    older, newer = Writer(tmp_path / FACTS), Writer(tmp_path / FACTS)
    file = older.file(tmp_path / "a.py", "old")
    newer.add_calls(newer.file(tmp_path / "a.py", "new"), F, [(CALL, 1)])
    older.add_calls(file, F, [(CALL, 5), (BEGUN, 5)])
    (stored,) = facts(tmp_path).files.values()
    assert (stored.digest, stored.calls) == ("new", {F: {CALL: 1}})
    older.close()
    newer.close()


def no_database(file: Path) -> None:
    file.write_text("a text that somebody wrote, and that is long enough to be taken for a database" * 20)


def other_database(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE of_others (x)")


def later_format(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute(f"PRAGMA application_id = {MAGIC}")
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")


def with_more_in_it(file: Path) -> None:
    Writer(file).close()
    with sqlite3.connect(file) as connection:
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        connection.execute(f"CREATE VIEW endless AS {endless}")
        connection.execute("CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM files; END")
        connection.execute("PRAGMA journal_mode = DELETE")


def in_a_file(file: Path) -> None:
    file.parent.rmdir()
    file.parent.write_text("")


def folder(file: Path) -> None:
    file.mkdir()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (no_database, "has no recorded calls; name another file"),
        (other_database, "is a database of another program; name another file"),
        (later_format, "were recorded by another version of jaxtyping-core; delete the file"),
        (with_more_in_it, "not written by jaxtyping-core alone; name another file"),
        (in_a_file, "cannot write"),
        (folder, "cannot record into"),
    ],
)
def test_what_is_no_file_of_facts_is_left_alone(
    tmp_path: Path, make: Callable[[Path], None], message: str
) -> None:
    file = tmp_path / "below" / FACTS
    file.parent.mkdir()
    make(file)
    before = file.read_bytes() if file.is_file() else None
    with pytest.raises(CommandError, match=message) as raised:
        Writer(file)
    assert "\n" not in str(raised.value)
    assert before is None or file.read_bytes() == before
    if before is not None:
        with pytest.raises(CommandError, match=message):
            load(file)


def test_a_program_does_not_begin_where_facts_cannot_be_written(tmp_path: Path) -> None:
    write(tmp_path, main="print('begun')")
    (tmp_path / FACTS).write_text("notes")
    ended = recorded(tmp_path, "main.py")
    assert ended[:3] == (2, "", "")
    assert len(ended.said) == 1 and FACTS in ended.said[0]


def test_what_is_no_program_is_an_error_of_one_line(tmp_path: Path) -> None:
    runner = CliRunner()
    assert "no such file" in recorded(tmp_path, "nowhere.py").said[0].lower()
    assert "this is a folder" in recorded(tmp_path, ".").said[0]
    assert recorded(tmp_path, "nowhere.py").status == 2
    for arguments in ((), ("-m",)):
        result = runner.invoke(app, ["record", *arguments])
        assert result.exit_code == 2 and "name a script" in result.output


def test_the_command_line(tmp_path: Path) -> None:
    write(tmp_path, main="import sys\ndef f(x): return x\ndef g(): pass\nprint(f(sys.argv))\nsys.exit(4)")
    command = (sys.executable, "-W", "error", "-m", "jaxtyping_core", "record")
    arguments = ("main.py", "--out", "x", "-m", "--help")
    ended = subprocess.run([*command, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 4
    assert ended.stdout == plain(tmp_path, *arguments).stdout
    assert ended.stderr == (
        f"jaxtyping-core: recorded 1 call of 1 of 2 functions in 1 file; saved in {DEFAULT}\n"
    )
    lines = list(report.report(tmp_path / DEFAULT))
    assert lines == [
        f"{tmp_path / 'main.py'}: 1 call of 1 of 2 functions",
        f"{tmp_path / 'main.py'}:3: g was not called",
    ]
    write(tmp_path, main="# another text")
    assert list(report.report(tmp_path / DEFAULT)) == [
        f"{tmp_path / 'main.py'}: the file has changed since it was recorded; record the run again"
    ]
    with pytest.raises(CommandError, match="there are no recorded calls"):
        load(tmp_path / "nowhere")


def test_only_the_project_is_recorded(tmp_path: Path) -> None:
    write(
        tmp_path,
        project__src__package__part="def part(): pass",
        project__scripts__main="""
import json, sys
sys.path += ["src", "../beside", "lib/site-packages", "env"]
from package import part
import beside, installed, environment
def main(): part.part(), beside.f(), installed.f(), environment.f(), json.dumps(3)
main()
""",
        beside__beside="def f(): pass",
    )
    for name in ("lib__site-packages__installed", "env__environment"):
        write(tmp_path / "project", **{name: "def f(): pass"})
    (tmp_path / "project" / "env" / "pyvenv.cfg").touch()
    (tmp_path / "project" / ".git").mkdir()
    ended = recorded(tmp_path / "project", "scripts/main.py")
    assert ended.status == 0
    assert {file.name for file in facts(tmp_path / "project").files} == {"main.py", "part.py"}
    recorded(tmp_path / "project", "scripts/main.py", options=("--root", "../beside", "--quiet"))
    assert "beside.py" in {file.name for file in facts(tmp_path / "project").files}


def test_a_file_that_changes_while_it_runs(tmp_path: Path) -> None:
    script = "def f(x): return x\nf(1)\nopen(__file__, 'a').write('# later')\nf(2)\n"
    write(tmp_path, main=script)
    ended = recorded(tmp_path, "main.py")
    assert "main.py changed while the program ran" in ended.said[-1]
    (stored,) = facts(tmp_path).files.values()
    assert stored.digest == digest_of(script.encode())  # so that it is known to be stale
    assert len(stored.calls[Function("f", 1)]) == 2


def test_two_recordings_at_once(tmp_path: Path) -> None:
    write(tmp_path, main="import sys\ndef f(x): return x\nfor n in range(40): f(n + int(sys.argv[1]))")
    command = [sys.executable, PROCESS, "--out", FACTS, "--quiet", "--", "main.py"]
    running = [subprocess.Popen([*command, str(first)], cwd=tmp_path) for first in (0, 20)]
    assert [process.wait() for process in running] == [0, 0]
    stored = calls(tmp_path, "main.py")["f"]
    assert sum(stored.values()) == 80
    assert {call.arguments[0][1] for call in stored} == {Scalar("int", n) for n in range(60)}


def test_a_disk_that_is_full_ends_the_facts_and_not_the_program(tmp_path: Path) -> None:
    write(
        tmp_path,
        main="import resource\ndef f(*x): return x\nf(1)\nlimit()\nfor n in range(50): f([n] * n)\nprint(n)",
    )
    limit = "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    text = (tmp_path / "main.py").read_text()
    write(
        tmp_path,
        main=limit + text.replace("limit()", "resource.setrlimit(resource.RLIMIT_FSIZE, (99000, 99000))"),
    )
    ended = recorded(tmp_path, "main.py")
    assert ended[:3] == (0, "49\n", "")
    assert "later calls are not in" in ended.said[-1]
    assert calls(tmp_path, "main.py")["f"]


def test_other_tools_work_beside(tmp_path: Path) -> None:
    write(
        tmp_path,
        main="""
import cProfile, sys, threading
seen = []
def f(x):
    y = x
    return y
f(0)
def trace(frame, event, arg):
    if "jaxtyping_core" not in frame.f_code.co_filename:  # a probe
        seen.append((frame.f_code.co_name, event))
    return trace
sys.settrace(trace); f(1); sys.settrace(None)
print(seen)
profiler = cProfile.Profile(); profiler.runcall(f, 2)
print([entry.callcount for entry in profiler.getstats() if getattr(entry.code, "co_name", 0) == "f"])
if sys.version_info >= (3, 12):
    tool = sys.monitoring
    tool.use_tool_id(tool.COVERAGE_ID, "mine")
    tool.register_callback(tool.COVERAGE_ID, tool.events.PY_START, lambda code, at: (
        code.co_filename.endswith("main.py") and seen.append(code.co_name)))
    tool.set_events(tool.COVERAGE_ID, tool.events.PY_START)
    f(3)
    tool.restart_events()
    tool.free_tool_id(tool.COVERAGE_ID)
print(seen)
sys.setprofile(lambda *event: None)
f(4)
""",
    )
    ended = recorded(tmp_path, "main.py")
    assert ended[:3] == plain(tmp_path, "main.py")[:3]
    seen = {call.arguments[0][1] for call in calls(tmp_path, "main.py")["f"]}
    if sys.version_info >= (3, 12):
        assert seen == {Scalar("int", n) for n in range(5)}
    else:  # there is but one profile function, and that of the program counts
        assert seen >= {Scalar("int", n) for n in range(2)}
        assert "its own profile function" in ended.said[-1]


def test_a_journal_is_not_played_back(tmp_path: Path) -> None:
    """It may name another file, which SQLite would delete."""
    Writer(tmp_path / FACTS).close()
    journal = tmp_path / f"{FACTS}-journal"
    journal.write_bytes(b"whatever")
    with pytest.raises(CommandError, match="was not written by jaxtyping-core; delete it"):
        load(tmp_path / FACTS)
    assert journal.read_bytes() == b"whatever"
