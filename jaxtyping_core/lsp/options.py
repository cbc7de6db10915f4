"""The options of mypy that a folder may set which the user does not trust: those that change what mypy says, and no more.

Others name a file or a folder that mypy writes to, or a file that it reads in the place of its own, or start processes. What
is not known to be harmless is left out, so that a later version of mypy cannot bring one that is not.
"""

from __future__ import annotations

import configparser
import hashlib
import os
from collections.abc import Iterator, MutableMapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

import tomlkit
from mypy.config_parser import ini_config_types
from mypy.options import PER_MODULE_OPTIONS, Options

from jaxtyping_core import user

#: Those of single modules.
OF_MODULES = frozenset(PER_MODULE_OPTIONS) - {"debug_cache", "mypyc"}
#: Those of the whole run. `lsp.trust` looks at plugins and at the interpreter.
OF_ALL = OF_MODULES | {
    *(
        "plugins",
        "python_executable",
        "python_version",
        "platform",
        "mypy_path",
        "files",
        "packages",
        "modules",
    ),
    *("exclude", "exclude_gitignore", "namespace_packages", "explicit_package_bases", "scripts_are_modules"),
    *("ignore_missing_imports_per_module", "no_site_packages", "no_silence_site_packages", "incremental"),
    *("strict", "strict_bytes", "enable_incomplete_feature", "old_type_inference", "native_parser"),
    *("disable_bytearray_promotion", "disable_memoryview_promotion", "allow_empty_bodies"),
    *("untyped_calls_exclude", "deprecated_calls_exclude", "report_deprecated_as_note"),
    *("warn_incomplete_stub", "warn_redundant_casts", "warn_unused_configs", "many_errors_threshold"),
    *(
        "show_error_context",
        "show_column_numbers",
        "show_error_end",
        "show_absolute_path",
        "reveal_verbose_types",
    ),
    *("show_error_code_links", "hide_error_codes", "color_output", "error_summary", "pretty", "output"),
}
_SECTION = "mypy"


def restrict(config: Path, folder: Path) -> list[str]:
    """Leave out of a copy of a folder's configuration what the folder may not say; the names of these options.

    mypy's cache becomes one among the user's own files.
    """
    text = config.read_text(encoding="utf-8")
    left_out: list[str] = []
    if config.suffix == ".toml":
        document = tomlkit.parse(text)
        table: Any = document["tool"]
        table = table[_SECTION]  # which the copy has
        left_out += _without(table, {*OF_ALL, "overrides"})
        for override in table.get("overrides", []):
            left_out += _without(override, {*OF_MODULES, "module"})
        table["cache_dir"] = cache_of(folder)
        config.write_text(tomlkit.dumps(document), encoding="utf-8")
    else:
        parser = configparser.RawConfigParser()
        parser.read_string(text)
        defaults: Any = parser.defaults()  # they hold for every section
        left_out += _without(defaults, OF_MODULES)
        for name in parser.sections():
            if name == _SECTION or name.startswith(f"{_SECTION}-"):
                left_out += _without(parser[name], OF_ALL if name == _SECTION else OF_MODULES)
        parser[_SECTION]["cache_dir"] = cache_of(folder)
        with config.open("w", encoding="utf-8") as file:
            parser.write(file)
    return sorted(dict.fromkeys(filter(_means_something, left_out)))


def cache_of(folder: Path) -> str:
    """Where mypy's cache of a folder is, among the user's own files."""
    own = user.cache_folder()
    if own is None:
        return os.devnull
    try:
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return os.devnull
    return str(own / _SECTION / hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16])


def _without(table: MutableMapping[str, Any], allowed: AbstractSet[str]) -> Iterator[str]:
    """Delete what is not allowed from a table, and name it."""
    for key in [*table]:
        if allowed.isdisjoint(_meanings(key)):
            del table[key]
            yield key


def _meanings(key: str) -> set[str]:
    """The options that a key of mypy's configuration may mean: some have another name when they are switched off."""
    return {
        key,
        key.removeprefix("no_"),
        f"dis{key}",
        key.removeprefix("dis"),
        f"hide_{key.removeprefix('show_')}",
    }


def _means_something(key: str) -> bool:
    """Whether mypy knows an option: what is misspelt, or of an old version, is no news."""
    options = Options()
    return key.endswith("_report") or any(
        name in ini_config_types or hasattr(options, name) for name in _meanings(key)
    )
