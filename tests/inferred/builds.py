"""One build of mypy in this process, of files whose texts are given."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from unittest import mock

from mypy.build import BuildResult, build
from mypy.find_sources import create_source_list
from mypy.main import process_options
from mypy.modulefinder import BuildSource
from mypy.nodes import MypyFile
from mypy.options import Options

from forking import layers
from jaxtyping_core_mypy.plugin import JaxPlugin

#: The options of the files: functions without annotations are checked as well, and what is said of the files is not kept.
OWN = {"check_untyped_defs": True, "ignore_errors": False, "cache_dir": os.devnull}


def build_texts(
    texts: Mapping[str, str], arguments: Sequence[str], watch: Callable[[MypyFile], None]
) -> BuildResult:
    """Have mypy check some files; its cache is read, and what it says of other modules is kept there.

    Args:
        texts: those of the files, by their paths.
        arguments: of mypy's command line.
        watch: is given each module as it was parsed; later mypy takes parts of it away, such as the body behind overloads.

    Raises:
        CompileError, InvalidSourceList, SystemExit: mypy cannot check them.
    """
    said = io.StringIO()
    _, options = process_options(list(arguments), stdout=said, stderr=said, require_targets=False)
    layers.begin_with(options)
    sources = [
        BuildSource(source.path, source.module, texts[str(source.path)], source.base_dir)
        for path in texts
        for source in _sources(path, options)
    ]
    for source in sources:
        options.per_module_options.setdefault(source.module, {}).update(OWN)
    options.export_types, options.num_workers, options.report_dirs = True, 0, {}
    parsed = JaxPlugin.get_additional_deps

    def watched(plugin: JaxPlugin, file: MypyFile) -> list[tuple[int, str, int]]:
        watch(file)
        return parsed(plugin, file)

    with (
        mock.patch.object(JaxPlugin, "get_additional_deps", watched),
        mock.patch.object(sys, "argv", ["mypy", *texts]),  # where the plugin looks for the files of a run
    ):
        return build(sources, options, stdout=said, stderr=said)


def _sources(path: str, options: Options) -> Iterator[BuildSource]:
    """What mypy checks a file as; it changes how the path is written."""
    for source in create_source_list([path], options):
        yield BuildSource(path, source.module, None, source.base_dir)
