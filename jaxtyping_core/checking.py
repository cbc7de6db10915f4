"""Runs mypy with the plugin switched on, under the user's own mypy configuration.

mypy takes plugins from its configuration file only. The user's file is therefore copied, with the plugin
added, into a temporary folder for the time of the run; everything in it keeps its meaning.
"""

from __future__ import annotations

import configparser
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from jaxtyping_core.errors import CommandError

PLUGIN = "jaxtyping_core.mypy"
#: The keys of mypy's configuration that say what to check where the command line does not.
TARGETS = ("files", "packages", "modules")


def run_mypy(arguments: Sequence[str], config_file: Path | None = None) -> int:
    """Run mypy with the plugin; its messages go to standard output and error as they are.

    Args:
        arguments: paths and options for mypy; where neither they nor the configuration say what to check,
            it is the current folder.
        config_file: the mypy configuration; None for the one that mypy itself would find.

    Returns:
        mypy's exit status: 0 clean, 1 errors found, 2 mypy could not run.

    Raises:
        CommandError: mypy is not installed, or its configuration or a folder cannot be read.
    """
    for argument in arguments:
        if Path(argument).is_dir() and not os.access(argument, os.R_OK | os.X_OK):
            raise CommandError(f"{argument}: no permission to read this folder")  # mypy ends in a traceback
    found = find_config(config_file)
    with tempfile.TemporaryDirectory(prefix="jaxtyping-core-") as folder:
        config = write_config(found, Path(folder), with_targets=not is_program_text(arguments))
        # -P: a file of the checked project called like a module of ours or of mypy's must not be imported.
        command = [sys.executable, "-P", "-m", "mypy", "--config-file", str(config), *arguments]
        colors = {"MYPY_FORCE_COLOR": "1"} if sys.stdout.isatty() and sys.stderr.isatty() else {}
        done = subprocess.run(
            command, stderr=subprocess.PIPE, text=True, check=False, env={**colors, **os.environ}
        )
    # What mypy says of its configuration is about the user's file, not about our copy.
    sys.stderr.write(done.stderr.replace(str(config), str(found or "mypy.ini")))
    return done.returncode


def is_program_text(arguments: Sequence[str]) -> bool:
    """Whether the program to check is itself an argument; mypy then accepts no other target."""
    return any(argument.partition("=")[0] in ("-c", "--command") for argument in arguments)


def find_config(config_file: Path | None) -> Path | None:
    """The configuration file that mypy would read here, if there is one."""
    try:
        from mypy.config_parser import parse_config_file
        from mypy.options import Options
    except ModuleNotFoundError:
        raise CommandError("checking needs mypy; pip install 'jaxtyping-core[check]'") from None
    options, silent = Options(), io.StringIO()
    wanted = str(config_file) if config_file else None
    if config_file and not config_file.is_file():
        raise CommandError(f"{config_file}: there is no such configuration file")
    try:
        parse_config_file(options, lambda: None, wanted, stdout=silent, stderr=silent)
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from error
    except UnicodeDecodeError as error:  # mypy does not say in which of the files that it looks at
        raise CommandError(f"{wanted or 'the mypy configuration found here'}: not UTF-8: {error}") from error
    found, problems = options.config_file, silent.getvalue()
    # A file that mypy cannot parse, and passes over: its run under ours would not say so.
    if problems and not (found and problems.startswith(f"{found}:")):
        raise CommandError(" ".join(problems.split()))
    return Path(found) if found else None


def write_config(source: Path | None, folder: Path, with_targets: bool = True) -> Path:
    """Write the configuration of `source` with the plugin added into `folder`; the path of the copy.

    The copy says what to check; without `with_targets`, only if `source` does.

    Raises:
        CommandError: `source` cannot be read.
    """
    default = {"files": "."} if with_targets else {}
    if source is None:
        target = folder / "mypy.ini"
        target.write_text(_add_to_ini("", folder, default))
        return target
    base = source.resolve().parent
    # mypy takes this variable to mean the folder of the file it reads, which is now ours.
    text = _read(source).replace("$MYPY_CONFIG_FILE_DIR", str(base))
    text = text.replace("${MYPY_CONFIG_FILE_DIR}", str(base))
    add = _add_to_toml if source.suffix == ".toml" else _add_to_ini
    target = folder / source.name
    try:
        target.write_text(add(text, base, default), encoding="utf-8")
    except (TypeError, ValueError, configparser.Error) as error:
        raise CommandError(f"{source}: mypy's configuration cannot be read: {error}") from error
    return target


def _read(source: Path) -> str:
    try:
        return source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{source}: mypy's configuration cannot be read: {error}") from error


def _plugins(listed: Sequence[str], base: Path) -> list[str]:
    """The user's plugins and ours; those given as files are found from where the configuration was."""
    names = []
    for name in map(str.strip, listed):
        path, colon, entry = name.partition(":")
        if path and path != PLUGIN:
            names.append((str(base / path) if path.endswith(".py") else path) + colon + entry)
    return [*names, PLUGIN]


def _add_to_toml(text: str, base: Path, default: Mapping[str, str]) -> str:
    try:
        import tomlkit
    except ModuleNotFoundError:
        raise CommandError(
            "checking under a pyproject.toml needs tomlkit; pip install 'jaxtyping-core[check]'"
        ) from None
    document = tomlkit.parse(text)
    section = document.setdefault("tool", tomlkit.table()).setdefault("mypy", tomlkit.table())
    listed = section.get("plugins", [])
    section["plugins"] = _plugins(listed.split(",") if isinstance(listed, str) else list(listed), base)
    if not any(key in section for key in TARGETS):
        section.update(default)
    return tomlkit.dumps(document)


def _add_to_ini(text: str, base: Path, default: Mapping[str, str]) -> str:
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    if not parser.has_section("mypy"):
        parser.add_section("mypy")
    listed = parser.get("mypy", "plugins", fallback="").replace("\n", ",").split(",")
    parser.set("mypy", "plugins", ", ".join(_plugins(listed, base)))
    if not any(parser.has_option("mypy", key) for key in TARGETS):
        parser["mypy"].update(default)
    written = io.StringIO()
    parser.write(written)
    return written.getvalue()
