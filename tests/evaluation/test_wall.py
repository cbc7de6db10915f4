"""The wall around the child: what the filter of system calls says of each call, and what a walled process can do still."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kernel
from jaxtyping_core.evaluation import client, process
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.wall import FULL, NONE, Wall, environ, required, seccomp, system_calls
from jaxtyping_core.evaluation.wall.system_calls import ARCHITECTURES, NEWEST, REFUSED, number_of
from jaxtyping_core.installation.diagnosis import Verdict, _wall

pytestmark = pytest.mark.own_processes  # the wall is that of a new process

linux = pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are of Linux")
walled = pytest.mark.skipif(not kernel.isolates(), reason="this kernel has no Landlock or no seccomp")
PID = 4321
PERMITTED, DENIED, UNKNOWN, KILLED = (
    seccomp.ALLOW,
    seccomp.ERROR | seccomp.PERMISSION,
    seccomp.ERROR | seccomp.NO_SUCH_CALL,
    seccomp.KILL,
)


def verdict(architecture: str, call: str | int, *arguments: int, speaks: str | None = None) -> int:
    """What the filter says of a call: the kernel's machine, in Python."""
    code = seccomp.program(architecture, PID)
    number = number_of(call, architecture) if isinstance(call, str) else call
    data = {0: number, 4: ARCHITECTURES[speaks or architecture]}
    for i, argument in enumerate(arguments):
        data[16 + 8 * i], data[20 + 8 * i] = argument & 0xFFFFFFFF, argument >> 32
    value, at = 0, 0
    while True:
        operation, yes, no, constant = code[at]
        at += 1
        if operation == seccomp.LOAD:
            value = data.get(constant, 0)
        elif operation == seccomp.RETURN:
            return constant
        else:
            holds = {
                seccomp.EQUAL: value == constant,
                seccomp.GREATER: value > constant,
                seccomp.ANY_BIT: bool(value & constant),
            }[operation]
            at += yes if holds else no


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_every_call_of_the_list_is_refused(machine: str) -> None:
    names = [name for name, numbers in REFUSED.items() if machine in numbers]
    assert len(names) > 130
    assert [name for name in names if verdict(machine, name, 0, 0, 0) != DENIED] == []


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_calls_that_are_refused_for_some_arguments(machine: str) -> None:
    reading, writing = os.O_RDONLY | os.O_CLOEXEC, os.O_WRONLY | os.O_CREAT
    assert verdict(machine, "openat", 3, 0, reading) == PERMITTED
    assert verdict(machine, "openat", 3, 0, writing) == DENIED
    assert verdict(machine, "openat", 3, 0, os.O_RDWR) == DENIED
    assert verdict(machine, "clone", 0x3D0F00) == PERMITTED  # a thread, as the C library starts it
    assert verdict(machine, "clone", 0x1200011) == DENIED  # a process
    assert verdict(machine, "clone3") == verdict(machine, "openat2") == UNKNOWN
    assert verdict(machine, "kill", PID, 6) == PERMITTED
    assert verdict(machine, "kill", PID + 1, 0) == DENIED
    assert verdict(machine, "tgkill", PID, 1, 6) == PERMITTED
    assert verdict(machine, "prlimit64", 0, 7, 0, 0x7FFF_0000_0000) == PERMITTED
    assert verdict(machine, "prlimit64", 0, 7, 0x7FFF_0000_0000, 0) == DENIED  # the low half is zero
    assert verdict(machine, "prlimit64", 0, 7, 0x1000, 0) == DENIED
    assert verdict(machine, "ioctl", 1, 0x5401) == PERMITTED
    assert verdict(machine, "ioctl", 1, 0x5412) == DENIED  # TIOCSTI, which types into a terminal
    assert verdict(machine, "fcntl", 1, 1) == PERMITTED
    assert verdict(machine, "fcntl", 1, 4, 0) == DENIED
    assert verdict(machine, "prctl", 15) == PERMITTED
    assert verdict(machine, "prctl", 4, 1) == DENIED


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_calls_that_the_list_does_not_know(machine: str) -> None:
    read = {"x86_64": 0, "aarch64": 63}[machine]
    assert verdict(machine, read, 0) == PERMITTED
    assert verdict(machine, NEWEST + 1) == UNKNOWN
    assert verdict(machine, 0x40000000 + 83) == UNKNOWN  # `mkdir` by its number under x32
    (other,) = set(ARCHITECTURES) - {machine}
    assert verdict(machine, read, speaks=other) == KILLED


HEADERS = {
    "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    "aarch64": "/usr/include/asm-generic/unistd.h",
}


@pytest.mark.parametrize("machine", HEADERS)
def test_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    header = Path(HEADERS[machine])
    if not header.exists():
        pytest.skip("the headers of the kernel are not installed (Debian: linux-libc-dev)")
    numbers = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text()))
    rows = {**REFUSED, **system_calls._CONDITIONAL_ROWS}
    known = {name: row[machine] for name, row in rows.items() if machine in row and name in numbers}
    assert len(known) > 130
    assert known == {name: int(numbers[name]) for name in known}


#: Raises the wall in a process that has imported JAX, and says what each attempt gives.
ATTEMPTS = """
import json, os, sys
sys.path.insert(0, {root!r})
import jax.numpy as jnp
from jaxtyping_core.evaluation.wall import packages, raise_wall
found = list(packages.specs(["flax", "equinox"]))
wall = raise_wall(packages.folders(found))
import ctypes, signal, socket, subprocess, threading, urllib.request
def tried(attempt):
    try:
        return repr(attempt())[:60]
    except BaseException as error:
        return type(error).__name__
folder = {folder!r}
secret = os.path.join(folder, "secret")
done = {{"wall": list(wall)}}
for name, attempt in {{
    "write": lambda: open(folder + "/pwned", "w"),
    "append": lambda: open(secret, "a"),
    "read": lambda: open(secret).read(),
    "read by the system's own": lambda: ctypes.CDLL(None).open(secret.encode(), 0),
    "list": lambda: os.listdir(folder),
    "passwd": lambda: open("/etc/passwd").read(),
    "environment of the parent": lambda: open(f"/proc/{{os.getppid()}}/environ").read(),
    "make a folder": lambda: os.mkdir(folder + "/pwned"),
    "remove": lambda: os.unlink(secret),
    "rename": lambda: os.rename(secret, folder + "/pwned"),
    "link": lambda: os.link(secret, folder + "/pwned"),
    "symlink": lambda: os.symlink(secret, folder + "/pwned"),
    "mode": lambda: os.chmod(secret, 0o777),
    "time": lambda: os.utime(secret),
    "cut": lambda: os.truncate(secret, 0),
    "fork": os.fork,
    "exec": lambda: os.execv("/bin/true", ["true"]),
    "spawn": lambda: os.posix_spawn("/bin/true", ["true"], {{}}),
    "run": lambda: subprocess.run(["true"]),
    "tcp": lambda: socket.create_connection(("127.0.0.1", {port})),
    "udp": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "unix": lambda: socket.socket(socket.AF_UNIX),
    "signal": lambda: os.kill(os.getppid(), 0),
    "memory file": lambda: os.memfd_create("x"),
    "higher limit": lambda: __import__("resource").setrlimit(1, (1 << 20, 1 << 20)),
}}.items():
    done[name] = tried(attempt)
    thread = threading.Thread(target=lambda: done.update({{name + " in a thread": tried(attempt)}}))
    thread.start(); thread.join()
works = {{
    "compute": lambda: float((jnp.ones(3) + 1).sum()),
    "flax": lambda: __import__("flax.linen").linen.Dense,
    "equinox": lambda: __import__("equinox").Module,
    "sqlite": lambda: __import__("sqlite3").connect(":memory:"),
}}
done["works"] = {{name: tried(attempt) for name, attempt in works.items()}}
print(json.dumps(done))
"""


@walled
def test_a_kernel_that_can_isolate_does() -> None:
    assert client.wall_of(sys.executable) == Wall(FULL)


@pytest.fixture(scope="module")
def attempts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("secret")
    (folder / "secret").write_text("secret")
    root = str(Path(client.__file__).parents[2])
    script = ATTEMPTS.format(root=root, folder=str(folder), port=9)
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        env=environ.scrubbed(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in folder.iterdir()] == ["secret"]
    assert (folder / "secret").read_text() == "secret"
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@walled
def test_what_a_walled_process_cannot_do(attempts: dict[str, Any]) -> None:
    assert attempts.pop("wall") == [FULL, ""]
    works = attempts.pop("works")
    allowed = {
        "PermissionError",
        "ValueError",
        "-1",
    }  # of Python's functions, of `setrlimit`, of the C library's
    assert len(attempts) == 50
    assert {name: said for name, said in attempts.items() if said not in allowed} == {}
    attempts.update(wall=[FULL, ""], works=works)


@walled
def test_what_a_walled_process_can_do(attempts: dict[str, Any]) -> None:
    works = attempts["works"]
    assert works["compute"] == "6.0"
    assert "Dense" in works["flax"]
    assert "Module" in works["equinox"]
    assert "Connection" in works["sqlite"]


def test_environment_has_no_secret() -> None:
    seen = environ.scrubbed(
        {
            "PATH": "/bin",
            "AWS_SECRET_ACCESS_KEY": "s",
            "JAX_ENABLE_X64": "1",
            "LC_ALL": "C",
            "GITHUB_TOKEN": "s",
        }
    )
    assert seen == {"PATH": "/bin", "JAX_ENABLE_X64": "1", "LC_ALL": "C", **environ.SET}


#: Starts a child, says its number, and has it hold its interpreter lock for ever in C code.
HOLDS = """
import sys, threading, time
from pathlib import Path
from jaxtyping_core.evaluation.process import Child
script = Path({script!r})
script.write_text({child!r})
child = Child(sys.executable, script)
child._write(b"\\n")
print(child.pid, child.read_line(60.0).decode(), flush=True)
time.sleep(600)
"""
HOLDING = f"""
import itertools, sys
sys.path.insert(0, {str(Path(client.__file__).parents[2])!r})
from jaxtyping_core.evaluation.wall import lifeline
print(lifeline.hold_on(sys.argv), flush=True)
-1 in itertools.count()
"""


@linux
def test_a_child_that_holds_its_interpreter_lock_ends_with_its_parent(tmp_path: Path) -> None:
    script = HOLDS.format(script=str(tmp_path / "child.py"), child=HOLDING)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        number, held = parent.stdout.readline().split()
        assert held == "True"
        time.sleep(0.3)
        assert _runs(int(number))
        parent.kill()
        parent.wait()
        end = time.monotonic() + 10
        while _runs(int(number)) and time.monotonic() < end:
            time.sleep(0.02)
        assert not _runs(int(number))


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def said_by_a_child(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """Makes evaluators whose child says this when it is ready, and answers nothing but unknowns."""
    made: list[Evaluator] = []

    def make(ready: dict[str, Any]) -> Evaluator:
        script = tmp_path / "child.py"
        script.write_text(
            f"import json, sys\nprint({json.dumps(ready)!r}, flush=True)\nfor line in sys.stdin:\n"
            "    nonce = json.loads(line)['nonce']\n"
            "    print(json.dumps({'unknown': 'as always', 'nonce': nonce}), flush=True)\n"
        )
        monkeypatch.setattr(client, "CHILD", script)
        made.append(Evaluator(sys.executable))
        return made[-1]

    monkeypatch.setattr(required._State, "by_this_process", False)
    monkeypatch.delenv(required.VARIABLE, raising=False)
    yield make
    for evaluator in made:
        evaluator.close()


def test_a_wall_that_is_required(said_by_a_child: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    weak = {"ready": True, "wall": NONE, "why": "an old kernel"}
    assert said_by_a_child(weak).ask({"function": "x"}).unknown == "as always"
    monkeypatch.setenv(required.VARIABLE, "1")
    answer = said_by_a_child(weak).ask({"function": "x"})
    assert answer.fault
    assert "an old kernel" in str(answer.unknown)
    assert said_by_a_child({"ready": True, "wall": FULL}).ask({"function": "x"}).unknown == "as always"


@pytest.mark.parametrize("ready", [{"ready": True, "wall": "very high"}, {"ready": True, "wall": 3}])
def test_a_wall_that_there_is_not(said_by_a_child: Any, ready: dict[str, Any]) -> None:
    answer = said_by_a_child(ready).ask({"function": "x"})
    assert answer.fault
    assert "an invalid answer" in str(answer.unknown)


def test_packages_of_a_child_are_names(said_by_a_child: Any) -> None:
    child = said_by_a_child({"ready": True, "wall": FULL, "uncompiled": ["flax", "-c", "a b"]})
    child.wall()
    assert child._ready is not None
    assert child._ready.uncompiled == ("flax",)


@linux
def test_a_child_that_sleeps_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process, "MOST_SLEEP", 1.0)
    script = tmp_path / "child.py"
    script.write_text("import time\ntime.sleep(600)")
    child = process.Child(sys.executable, script)
    start = time.monotonic()
    with pytest.raises(TimeoutError):
        child.ask("{}", 60.0)
    assert time.monotonic() - start < 20
    child.close()


def test_doctor_says_what_isolates() -> None:
    assert [*_wall(None)] == []
    (good,) = _wall(Wall(FULL))
    (bad,) = _wall(Wall(NONE, "an old kernel"))
    assert (good.verdict, bad.verdict) == (Verdict.GOOD, Verdict.NOTE)
    assert "an old kernel" in bad.fact
