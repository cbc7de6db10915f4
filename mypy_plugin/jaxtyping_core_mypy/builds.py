"""One build of mypy in this process, of files whose texts are given."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from mypy.build import BuildResult, build
from mypy.find_sources import create_source_list
from mypy.main import process_options
from mypy.modulefinder import BuildSource
from mypy.nodes import MypyFile
from mypy.options import Options

from jaxtyping_core_mypy import run_files
from jaxtyping_core_mypy.plugin import JaxPlugin

#: An option of the modules that are given: what is found of texts that no file may have is not kept.
UNKEPT = {"cache_dir": os.devnull}


def build_texts(
    texts: Mapping[str, str],
    arguments: Sequence[str],
    own: Mapping[str, Any],
    watch: Callable[[MypyFile], None],
) -> BuildResult:
    """Have mypy check some files; its cache is read, and what is found of other modules is kept there.

    Args:
        texts: those of the files, by their paths.
        arguments: of mypy's command line.
        own: options of these modules, besides those of the configuration.
        watch: is given each module that has been parsed.

    Raises:
        CompileError, InvalidSourceList, SystemExit: mypy cannot check them.
    """
    said = io.StringIO()
    _, options = process_options(list(arguments), stdout=said, stderr=said, require_targets=False)
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
            return build(sources, options, stdout=said, stderr=said)
    finally:
        JaxPlugin.watchers.remove(watch)


def _sources(path: str, options: Options) -> Iterator[BuildSource]:
    """What mypy checks a file as; it changes how the path is written."""
    for source in create_source_list([path], options):
        yield BuildSource(path, source.module, None, source.base_dir)
