"""mypy's caches, which begin with what a run of the tests has already found of the stubs of JAX and NumPy.

Without them mypy reads those stubs for each test that has a cache of its own, which takes it longer than most programs. Which options,
plugins and settings a cache is for is mypy's to say, and it looks itself whether it may use what it finds: a wrong layer costs time.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from mypy.build import BuildSource, build
from mypy.errors import CompileError
from mypy.main import process_options
from mypy.options import Options

import shared
from jaxtyping_core_mypy import settings
from mypy_cache import PROGRAM

#: The file in a cache that names its layer; a cache without it is none of ours.
NAME = "layer"


def begin(arguments: Sequence[str]) -> None:
    """Fill the cache of a run of mypy with these arguments, if it has none, or one that began with other options."""
    said = io.StringIO()
    with contextlib.suppress(SystemExit, CompileError):  # which the run itself tells of
        _, options = process_options([*arguments], stdout=said, stderr=said, require_targets=False)
        begin_with(options)


def begin_with(options: Options) -> None:
    """The same for options that have been read.

    Raises:
        CompileError: ours cannot be read.
    """
    cache = Path(options.cache_dir)
    if options.cache_dir == os.devnull or not options.incremental:
        return
    name = _name(options)
    begun = (cache / NAME).read_text() if (cache / NAME).exists() else None
    if begun == name or (begun is None and cache.exists() and any(cache.iterdir())):
        return
    shutil.rmtree(cache, ignore_errors=True)
    shutil.copytree(shared.folder(f"layer_{name}", lambda made: _make(made, options)) / "cache", cache)
    (cache / NAME).write_text(name)


def _name(options: Options) -> str:
    """What is the same for runs that may share a cache."""
    ours = settings.load(Path.cwd(), Path(options.config_file) if options.config_file else None)
    depends_on = (
        options.python_version,
        options.select_options_affecting_cache(),
        sorted(options.plugins),
        sorted((name, sorted(map(str, its.items()))) for name, its in options.per_module_options.items()),
        ours,
    )
    return hashlib.sha256(repr(depends_on).encode()).hexdigest()[:16]


def _make(folder: Path, options: Options) -> None:
    """Fill a layer, in a process that ends afterwards: mypy keeps what it has read in memory."""
    if pid := os.fork():
        os.waitpid(pid, 0)
        (folder / "cache").mkdir(exist_ok=True)
        return
    with contextlib.suppress(BaseException):
        options.cache_dir = str(folder / "cache")
        file = folder / "program.py"
        file.write_text(PROGRAM, encoding="utf-8")
        sys.stdout = sys.stderr = io.StringIO()
        build([BuildSource(str(file), "program", None)], options, stdout=sys.stdout, stderr=sys.stderr)
    os._exit(0)
