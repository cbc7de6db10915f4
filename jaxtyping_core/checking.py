"""Runs mypy with the plugin switched on, under the user's own mypy configuration.

mypy takes plugins from its configuration file only. The user's file is therefore copied, with the plugin
added, into a temporary folder for the time of the run; everything in it keeps its meaning.
"""

from __future__ import annotations

import configparser
import io
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from jaxtyping_core.errors import CommandError

PLUGIN = "jaxtyping_core.mypy"
#: mypy's options that say what to check; without one of them and without a path it is the current folder.
TARGET_OPTIONS = ("-p", "--package", "-m", "--module", "-c", "--command")


def run_mypy(arguments: Sequence[str], config_file: Path | None = None) -> int:
    """Run mypy with the plugin; its messages go to standard output and error as they are.

    Args:
        arguments: paths and options for mypy; without a path, the current folder is checked.
        config_file: the mypy configuration; None for the one that mypy itself would find.

    Returns:
        mypy's exit status: 0 clean, 1 errors found, 2 mypy could not run.

    Raises:
        CommandError: mypy is not installed, or its configuration cannot be read.
    """
    found = find_config(config_file)
    with tempfile.TemporaryDirectory(prefix="jaxtyping-core-") as folder:
        config = write_config(found, Path(folder))
        # -P: a file of the checked project called like a module of ours or of mypy's must not be imported.
        command = [sys.executable, "-P", "-m", "mypy", "--config-file", str(config)]
        return subprocess.run([*command, *with_target(arguments)], check=False).returncode


def with_target(arguments: Sequence[str]) -> list[str]:
    """`arguments`, and the current folder if they name nothing to check."""
    named = any(not a.startswith("-") or a.partition("=")[0] in TARGET_OPTIONS for a in arguments)
    return [*arguments] if named else [*arguments, "."]


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
    if options.config_file:
        return Path(options.config_file)
    if silent.getvalue():  # a file that mypy found but cannot parse: its run under ours would not say so
        raise CommandError(silent.getvalue().strip())
    return None


def write_config(source: Path | None, folder: Path) -> Path:
    """Write the configuration of `source` with the plugin added into `folder`; the path of the copy.

    Raises:
        CommandError: `source` cannot be read.
    """
    if source is None:
        target = folder / "mypy.ini"
        target.write_text(f"[mypy]\nplugins = {PLUGIN}\n")
        return target
    base = source.resolve().parent
    # mypy takes this variable to mean the folder of the file it reads, which is now ours.
    text = _read(source).replace("$MYPY_CONFIG_FILE_DIR", str(base))
    text = text.replace("${MYPY_CONFIG_FILE_DIR}", str(base))
    add: Callable[[str, Path], str] = _add_to_toml if source.suffix == ".toml" else _add_to_ini
    target = folder / source.name
    try:
        target.write_text(add(text, base))
    except (ValueError, configparser.Error) as error:
        raise CommandError(f"{source}: mypy's configuration cannot be read: {error}") from error
    return target


def _read(source: Path) -> str:
    try:
        return source.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{source}: mypy's configuration cannot be read: {error}") from error


def _plugins(listed: Sequence[str], base: Path) -> list[str]:
    """The user's plugins and ours; those given as files are found from where the configuration was."""
    names = [str(base / name.strip()) if name.strip().endswith(".py") else name.strip() for name in listed]
    return [name for name in names if name and name != PLUGIN] + [PLUGIN]


def _add_to_toml(text: str, base: Path) -> str:
    import tomlkit

    document = tomlkit.parse(text)
    section = document.setdefault("tool", tomlkit.table()).setdefault("mypy", tomlkit.table())
    listed = section.get("plugins", [])
    section["plugins"] = _plugins([listed] if isinstance(listed, str) else list(listed), base)
    return tomlkit.dumps(document)


def _add_to_ini(text: str, base: Path) -> str:
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    if not parser.has_section("mypy"):
        parser.add_section("mypy")
    listed = parser.get("mypy", "plugins", fallback="").replace("\n", ",").split(",")
    parser.set("mypy", "plugins", ", ".join(_plugins(listed, base)))
    written = io.StringIO()
    parser.write(written)
    return written.getvalue()
