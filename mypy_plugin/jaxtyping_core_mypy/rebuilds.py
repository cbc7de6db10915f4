"""Builds of mypy that go on from the last one in this process: only the modules that are given are checked again.

All other modules, which are the libraries and what is saved of a project, stay as mypy's cache had them, with
everything that the last build has loaded; the modules that are given are read and checked as in any build. mypy's daemon
goes further, and updates the modules themselves; what it says is then not always what a run from the cache says. Whatever might
make a difference, such as another file, another setting or another import, has mypy build anew.
"""

from __future__ import annotations

import copy
import gc
import io
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mypy.build import (
    PRI_INDIRECT,
    BuildManager,
    BuildResult,
    State,
    load_graph,
    load_plugins,
    process_stale_scc,
)
from mypy.build import build as build_anew
from mypy.errors import CompileError
from mypy.modulefinder import BuildSource
from mypy.options import Options
from mypy.plugin import ChainedPlugin

from jaxtyping_core_mypy import settings
from jaxtyping_core_mypy.convert.state import forget_types, has_modules

#: Options that are the sources' own, at least in part.
OF_THE_GIVEN = ("shadow_file", "per_module_options")
#: What mypy says, by the file that it says it of.
Lines = dict[str | None, list[str]]


class _Last(NamedTuple):
    """The last build, with all that it depends on."""

    result: BuildResult
    lines: Lines
    asked: Any
    files: Mapping[str, Any]


#: None if there was none, or it is none to go on from.
_last: _Last | None = None
_times_anew = 0


def times_anew() -> int:
    """How many builds of this process did not go on from the one before."""
    return _times_anew


def build(sources: list[BuildSource], options: Options) -> BuildResult:
    """mypy's `build`, of sources that are not written to its cache.

    Raises:
        CompileError, SystemExit: mypy cannot check them.
    """
    global _last, _times_anew
    last, _last = _last, None
    asked = _asked(sources, options)
    if last is not None and _serves(last, asked, sources):
        try:
            result = _again(last, sources, options)
        except (Exception, SystemExit):  # noqa: BLE001 # a new build says what is the program's fault
            result = None
        if result is not None:
            _last = last._replace(result=result)
            return result
    if last is not None:
        del last
        gc.unfreeze()
    _times_anew += 1
    start = time.time_ns()
    result, lines = _anew(sources, options)
    files = _files(result, sources)
    is_read = all(not isinstance(version, tuple) or version[0] < start for version in files.values())
    if is_read and _is_whole(result, sources):  # what has changed since may have been read before that
        _last = _Last(result, lines, asked, files)
        gc.freeze()  # what stays for long need not be looked through for what is no more
    return result


def _serves(last: _Last, asked: Any, sources: Sequence[BuildSource]) -> bool:
    """Whether nothing but the sources is another now."""
    is_current = has_modules(last.result.manager.modules)  # there was no other build meanwhile
    return is_current and last.asked == asked and last.files == _files(last.result, sources)


def _asked(sources: Iterable[BuildSource], options: Options) -> Any:
    """What a build is asked for, but for the texts and the options of the sources."""
    targets = [(source.module, source.path, source.base_dir) for source in sources]
    modules = {module for module, *_ in targets}
    of_others = {name: dict(own) for name, own in options.per_module_options.items() if name not in modules}
    rest = {name: copy.copy(value) for name, value in options.snapshot().items() if name not in OF_THE_GIVEN}
    config = Path(options.config_file) if options.config_file else None
    return targets, of_others, rest, settings.load(Path.cwd(), config)


def _anew(sources: list[BuildSource], options: Options) -> tuple[BuildResult, Lines]:
    lines: Lines = {}

    def flush(file: str | None, messages: list[str], _: bool) -> None:
        lines.setdefault(file, []).extend(messages)

    said = io.StringIO()
    try:
        result = build_anew(sources, options, flush_errors=flush, stdout=said, stderr=said)
    except CompileError as error:
        error.messages = _all(lines)
        raise
    result.errors = _all(lines)
    return result, lines


def _again(last: _Last, sources: list[BuildSource], options: Options) -> BuildResult | None:
    """What a new build would say, and None if that is not known: the sources import other modules than before."""
    manager, graph = last.result.manager, last.result.graph
    own = {source.module: graph.pop(source.module) for source in sources}
    modules = graph.keys() | own.keys()
    for module, state in own.items():
        last.lines.pop(manager.errors.simplify_path(state.xpath), None)
        del manager.modules[module]
        manager.ast_cache.pop(module, None)
    _begin(manager, options)
    load_graph(sources, manager, graph)
    if graph.keys() != modules or any(_imports(graph[module]) != _imports(own[module]) for module in own):
        return None
    for module in own:
        manager.import_map[module] = graph[module].dependencies_set
    for number in manager.top_order:
        if not own.keys().isdisjoint(manager.scc_by_id[number].mod_ids):
            process_stale_scc(graph, manager.scc_by_id[number], manager)
    forget_types()
    result = BuildResult(manager, graph)
    result.errors = _all(last.lines)
    return result


def _begin(manager: BuildManager, options: Options) -> None:
    """Make a manager that has built ready for another build."""
    forget_types()
    manager.errors.reset()
    manager.fscache.flush()
    manager.options = manager.errors.options = options
    said = io.StringIO()
    plugin, _ = load_plugins(options, manager.errors, said, [])
    chained = plugin if isinstance(plugin, ChainedPlugin) else ChainedPlugin(options, [plugin])
    manager.plugin = manager.semantic_analyzer.plugin = chained
    options.process_error_codes(error_callback=_fail)
    manager.all_types = {}
    manager.indirection_detector = type(manager.indirection_detector)()
    manager.shadow_map = dict(options.shadow_file or ())
    manager.shadow_equivalence_map = {}


def _fail(message: str) -> None:
    raise CompileError([message])


def _is_whole(result: BuildResult, sources: Sequence[BuildSource]) -> bool:
    """Whether all but the sources came from the cache, and does not change with them."""
    targets = {source.module for source in sources}
    others = [state for name, state in result.graph.items() if name not in targets]
    return result.manager.rechecked_modules <= targets and all(
        targets.isdisjoint(state.dependencies) and targets.isdisjoint(state.ancestors or ())
        for state in others
    )


def _imports(state: State) -> set[str]:
    """The modules that a module imports, whether they are found or not."""
    return {
        name
        for name in (*state.dependencies, *state.suppressed)
        if state.priorities.get(name) != PRI_INDIRECT
    }


def _files(result: BuildResult, sources: Sequence[BuildSource]) -> dict[str, Any]:
    """What the disk has of all that a build has read, but for its sources; and which modules there are to be found."""
    targets = {source.module for source in sources}
    paths = {state.abspath: name for name, state in result.graph.items() if state.abspath}
    files = {path: _version(path) for path, name in paths.items() if name not in targets}
    search = result.manager.search_paths
    searched = {*search.python_path, *search.mypy_path, *search.package_path}
    own = (*search.python_path, *search.mypy_path)
    inside = {str(Path(path).parent) for path in paths if path.startswith(own)}
    return files | {folder: sorted(_modules_in(folder)) for folder in searched | inside}


def _version(path: str) -> Any:
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _modules_in(folder: str) -> Iterator[str]:
    """The names of what may be modules or packages."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return
    yield from (name for name in names if name.endswith((".py", ".pyi")) or "." not in name)


def _all(lines: Lines) -> list[str]:
    return [line for of_file in lines.values() for line in of_file]
