"""One build of mypy in this process, of files whose texts are given."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mypy.build import BuildResult, build
from mypy.find_sources import create_source_list
from mypy.main import process_options
from mypy.modulefinder import BuildSource
from mypy.nodes import MypyFile
from mypy.options import Options

from jaxtyping_core_mypy import rebuilds, run_files
from jaxtyping_core_mypy.plugin import JaxPlugin

#: An option of the modules that are given: what is found of texts that no file may have is not kept.
UNKEPT = {"cache_dir": os.devnull}
#: The folder in mypy's cache for builds without some of the configured plugins.
WITHOUT = "without_plugins"


class Built(NamedTuple):
    """What mypy found, of what it was given, and how it was asked."""

    result: BuildResult
    sources: list[BuildSource]
    options: Options


def build_texts(
    texts: Mapping[str, str],
    arguments: Sequence[str],
    own: Mapping[str, Any],
    watch: Callable[[MypyFile], None],
    plugins: Sequence[str] | None = None,
    *,
    again: bool = False,
) -> Built:
    """Have mypy check some files; its cache is read, and what is found of other modules is kept there.

    Args:
        texts: those of the files, by their paths.
        arguments: of mypy's command line.
        own: options of these modules, besides those of the configuration.
        watch: is given each module that has been parsed.
        plugins: those of the configuration that are loaded; None for all.
        again: whether what the last build has loaded serves, where that says the same.

    Raises:
        CompileError, InvalidSourceList, SystemExit: mypy cannot check them.
    """
    said = io.StringIO()
    _, options = process_options(list(arguments), stdout=said, stderr=said, require_targets=False)
    if plugins is not None and plugins != options.plugins:
        options.plugins = [*plugins]
        # A cache is for the plugins that it was written with: another run would find nothing in it.
        if options.cache_dir != os.devnull:
            options.cache_dir = str(Path(options.cache_dir) / WITHOUT)
    sources = [
        BuildSource(source.path, source.module, texts[str(source.path)], source.base_dir)
        for path in texts
        for source in _sources(path, options)
    ]
    for source in sources:
        options.per_module_options.setdefault(source.module, {}).update({**own, **UNKEPT})
    options.export_types, options.num_workers, options.report_dirs = True, 0, {}
    JaxPlugin.watchers.append(watch)
    try:
        with run_files.building(texts):
            if again:
                return Built(rebuilds.build(sources, options), sources, options)
            return Built(build(sources, options, stdout=said, stderr=said), sources, options)
    finally:
        JaxPlugin.watchers.remove(watch)


def _sources(path: str, options: Options) -> Iterator[BuildSource]:
    """What mypy checks a file as; it changes how the path is written."""
    for source in create_source_list([path], options):
        yield BuildSource(path, source.module, None, source.base_dir)
