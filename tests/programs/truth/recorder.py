"""Runs a program and records what its places hold: `recorder.py FACTS SECONDS FOLDER MAIN [ARGUMENT ...]`.

It is run by the Python of the program, which has JAX and perhaps nothing else; it writes the facts when the program ends,
however it ends, and when its time is up.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import json
import os
import sys
import threading
import traceback
import types
from importlib.abc import Loader
from importlib.machinery import FileFinder, SourceFileLoader
from pathlib import Path
from typing import Any

if __package__:
    from truth.probes import PROBE, AllProbes, Place
else:  # run as a script, by a Python that knows nothing of the tests
    from probes import PROBE, AllProbes, Place

#: What is written of one place at most: different dtypes and shapes, and types of what is no array.
MOST = 500
#: How a program ended whose time was up.
TIMED_OUT = "timed out"


class Recorder:
    """What was seen at the places of the files of a program."""

    def __init__(self) -> None:
        self._array: type | tuple[()] = ()
        self._places: list[tuple[str, Place]] = []
        self._arrays: list[dict[tuple[str, bool, tuple[int | str, ...]], int]] = []
        self._others: list[set[str]] = []
        self.sources: dict[str, str] = {}

    def compiled(self, source: bytes, file: str) -> types.CodeType:
        """A module of the program with its probes; lines and columns stay those of the file."""
        self.sources[file] = hashlib.sha256(source).hexdigest()
        probes = AllProbes(len(self._places))
        tree = ast.fix_missing_locations(probes.visit(ast.parse(source, file)))
        self._places += [(file, place) for place in probes.places]
        self._arrays += [{} for _ in probes.places]
        self._others += [set() for _ in probes.places]
        return compile(tree, file, "exec", dont_inherit=True)

    def probe(self, place: int, value: Any) -> Any:
        """Note a value."""
        if isinstance(value, self._array or self._imported_array()):
            arrays = self._arrays[place]
            seen = (
                str(value.dtype),
                bool(getattr(value, "weak_type", False)),
                tuple(map(_size, value.shape)),
            )
            if seen in arrays or len(arrays) < MOST:
                arrays[seen] = arrays.get(seen, 0) + 1
        elif len(self._others[place]) < MOST:
            self._others[place].add(type(value).__name__)
        return value

    def _imported_array(self) -> type | tuple[()]:
        """JAX's type of arrays once the program has imported JAX: before that it has none, and may choose JAX's options."""
        self._array = getattr(sys.modules.get("jax"), "Array", ())
        return self._array

    def facts(self) -> dict[str, Any]:
        """The files of the program that were run, by their digests, and the places that were reached."""
        places = [
            {
                "file": file,
                "line": place.line,
                "column": place.column,
                "name": place.name,
                "parameter": place.is_parameter,
                "arrays": [
                    {"dtype": dtype, "weak": weak, "shape": list(shape), "times": times}
                    for (dtype, weak, shape), times in list(arrays.items())
                ],
                "others": sorted(others.copy()),
            }
            for (file, place), arrays, others in zip(self._places, self._arrays, self._others, strict=False)
            if arrays or others
        ]
        return {"sources": self.sources.copy(), "places": places}


def _size(size: Any) -> int | str:
    """A size as JSON holds it: a symbolic one, of an exported function, as text."""
    return size if isinstance(size, int) else str(size)


def import_with_probes(recorder: Recorder, folder: Path) -> None:
    """Have the modules below a folder imported with their probes, and nothing else."""

    class Probing(SourceFileLoader):
        def get_code(self, fullname: str) -> types.CodeType:
            file = self.get_filename(fullname)
            return recorder.compiled(self.get_data(file), file)

    def finder(path: str) -> FileFinder:
        if folder not in (Path(path).resolve(), *Path(path).resolve().parents):
            raise ImportError
        loader: type[Loader] = Probing
        return FileFinder(path, (loader, [".py"]))

    sys.path_hooks.insert(0, finder)
    sys.path_importer_cache.clear()


def run(recorder: Recorder, main: Path, arguments: list[str]) -> str | None:
    """Run a program as Python runs a script; how it failed, if it did."""
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=str(main), __builtins__=builtins)
    sys.argv = [str(main), *arguments]
    sys.modules["__main__"] = module
    try:
        exec(recorder.compiled(main.read_bytes(), str(main)), module.__dict__)  # noqa: S102 - it is what is asked for
    except SystemExit as error:
        return f"exit {error.code}" if error.code else None
    except BaseException as error:  # whatever a program raises ends it
        traceback.print_exc()
        return _failure(error, main.parent)
    return None


def _failure(error: BaseException, folder: Path) -> str:
    """An error on one line, and the last line of the program that led to it."""
    lines = [
        f" at {Path(frame.filename).name}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if folder in Path(frame.filename).parents
    ]
    said = str(error).strip().split("\n")[0]
    return "".join((type(error).__name__, *lines[-1:], f": {said}" if said else ""))


def _main() -> None:
    facts, seconds, folder, main, *arguments = sys.argv[1:]
    sys.dont_write_bytecode = True
    sys.path[0] = str(Path(main).parent)
    recorder = Recorder()
    vars(builtins)[PROBE] = recorder.probe
    import_with_probes(recorder, Path(folder).resolve())

    def write(failure: str | None) -> None:
        Path(facts).write_text(json.dumps(recorder.facts() | {"failure": failure}))

    def give_up() -> None:
        write(TIMED_OUT)
        os._exit(1)

    timer = threading.Timer(float(seconds), give_up)
    timer.daemon = True
    timer.start()
    failure = run(recorder, Path(main), arguments)
    timer.cancel()
    write(failure)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # threads and hooks of the program would keep it


if __name__ == "__main__":
    _main()
