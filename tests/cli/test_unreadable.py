"""Files of a project that never end, or that nobody writes to: they are refused by name, and nothing waits for them."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import mypy_cache
from jaxtyping_core import reading
from jaxtyping_core.reading import UnreadableError, read_bytes, read_text, unreadable

if sys.platform == "win32":
    pytest.skip("links, pipes and limits of POSIX", allow_module_level=True)
pytestmark = pytest.mark.one_python

PROGRAM = "import jax.numpy as jnp\nx = jnp.zeros(3)\n"
#: Bytes of memory, and seconds, in which a command says what is wrong.
MEMORY, SECONDS = 8_000_000_000, 100.0


def large(path: Path) -> None:
    """A file without content that takes no space on the disk."""
    with path.open("wb") as file:
        file.truncate(5_800_000_000)


MAKE: dict[str, tuple[Callable[[Path], object], str]] = {
    "device": (lambda path: path.symlink_to("/dev/zero"), "it is a device, not a file"),
    "pipe": (os.mkfifo, "it is a named pipe, not a file"),
    "large": (large, "5.8 GB is too large to be read; the limit is 16 MB"),
}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command, whose memory ends."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "jaxtyping_core", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)),
    )


@pytest.mark.parametrize("kind", MAKE)
def test_it_is_not_read(tmp_path: Path, kind: str) -> None:
    make, reason = MAKE[kind]
    make(tmp_path / "m.py")
    with pytest.raises(UnreadableError, match=reason):
        read_bytes(tmp_path / "m.py")
    assert unreadable(tmp_path / "m.py") == reason


def test_a_folder_and_the_memory_of_a_process(tmp_path: Path) -> None:
    (tmp_path / "x.py").mkdir()
    with pytest.raises(UnreadableError, match="it is a folder, not a file"):
        read_bytes(tmp_path / "x.py")
    (tmp_path / "m.py").symlink_to("/proc/self/mem")
    with pytest.raises(OSError, match="Input/output error"):
        read_bytes(tmp_path / "m.py")
    assert unreadable(tmp_path / "nothing.py") is None


def test_a_file_that_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its size said that it is small."""
    file = tmp_path / "m.py"
    file.write_bytes(b"x = 1\r\n")
    assert (read_bytes(file), read_text(file)) == (b"x = 1\r\n", "x = 1\n")
    monkeypatch.setattr(reading, "_CHUNK", 1000)
    monkeypatch.setattr(reading.os, "read", lambda *_: b"#" * 1000)
    with pytest.raises(UnreadableError, match="more than 16 MB is too large to be read; the limit is 16 MB"):
        read_bytes(file)


@pytest.mark.parametrize("kind", MAKE)
def test_a_file_that_is_given(tmp_path: Path, kind: str) -> None:
    make, reason = MAKE[kind]
    make(tmp_path / "m.py")
    for command in ("show", "check"):
        done = run(tmp_path, command, "m.py")
        assert done.returncode == 2, done.stderr
        assert done.stderr.startswith(f"jaxtyping-core: m.py: {reason}"), done.stderr
        assert done.stderr.count("\n") == 1


def test_a_folder_that_is_given(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    mypy_cache.begin(tmp_path / ".mypy_cache", config=mypy_cache.OF_CHECK)
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "inner" / "m.py").symlink_to("/dev/zero")
    done = run(tmp_path, "check", ".", "--mypy")
    assert (done.returncode, done.stdout) == (2, "")
    assert "inner/m.py: it is a device, not a file; leave it out with --exclude" in done.stderr
    assert run(tmp_path, "check", ".", "--mypy", "--exclude", "inner").returncode == 0
    done = run(tmp_path, "check", ".")
    assert done.returncode == 2
    assert done.stdout.startswith("inner/m.py: error: it is a device, not a file\n")
    done = run(tmp_path, "show", ".", "--output-format", "json")
    assert done.returncode == 0
    assert "inner/m.py: it is a device, not a file; the file is left out" in done.stderr


def test_a_file_that_is_imported(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(f"import m\n{PROGRAM}y = m.f()\n")
    mypy_cache.begin(tmp_path / ".mypy_cache", config=mypy_cache.OF_CHECK)
    large(tmp_path / "m.py")
    done = run(tmp_path, "show", "program.py", "--output-format", "json")
    assert done.returncode == 0
    assert '"float32"' in done.stdout
    assert (
        "m.py: 5.8 GB is too large to be read; the limit is 16 MB; nothing in this file is known"
        in done.stderr
    )


@pytest.mark.parametrize("name", ["pyproject.toml", "mypy.ini", "setup.cfg"])
@pytest.mark.parametrize("kind", ["device", "pipe"])
def test_a_configuration(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    make, reason = MAKE[kind]
    make(tmp_path / name)
    for command in ("show", "check"):
        done = run(tmp_path, command, "program.py")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{name}: {reason}" in done.stderr


def test_a_package_without_a_file(tmp_path: Path) -> None:
    """mypy is given its folder, which is no file that is too strange to be read."""
    (tmp_path / "package" / "inner").mkdir(parents=True)
    (tmp_path / "package" / "inner" / "m.py").write_text(PROGRAM)
    mypy_cache.begin(tmp_path / ".mypy_cache", config=mypy_cache.OF_CHECK)
    assert run(tmp_path, "check", "--mypy", "-p", "package").returncode == 0
