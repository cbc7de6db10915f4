"""The user's own mypy configuration, with the plugin switched on, and the settings of ours that it may hold.

mypy takes plugins from its configuration file only. The user's file is therefore copied, with the plugin
added, into a temporary folder for the time of the run; everything in it keeps its meaning.
"""

from __future__ import annotations

import configparser
import contextlib
import io
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from jaxtyping_core import reading, settings
from jaxtyping_core.errors import CommandError
from jaxtyping_core.settings import Settings

PLUGIN = "jaxtyping_core.mypy"
#: Where nobody has configured mypy, that a library such as Optax has no types of its own is no mistake of the program.
UNCONFIGURED = {"disable_error_code": "import-untyped"}
#: The names of files that mypy looks for: those of its own, and those that hold the configurations of other tools too.
OWN_NAMES, SHARED_NAMES = ("mypy.ini", ".mypy.ini"), ("pyproject.toml", "setup.cfg")
#: The keys of mypy's configuration that say what to check where the command line does not.
TARGETS = ("files", "packages", "modules")


def find_config(config_file: Path | None) -> Path | None:
    """The configuration file that mypy would read here, if there is one.

    Raises:
        CommandError: mypy is not installed, or a configuration cannot be read.
    """
    try:
        from mypy.config_parser import parse_config_file
        from mypy.options import Options
    except ModuleNotFoundError:
        raise CommandError("this needs mypy; pip install 'jaxtyping-core[mypy]'") from None
    options, silent = Options(), io.StringIO()
    wanted = str(config_file) if config_file else None
    _refuse_unreadable(config_file)
    try:
        parse_config_file(options, lambda: None, wanted, stdout=silent, stderr=silent)
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from error
    except UnicodeDecodeError as error:  # mypy does not say in which of the files that it looks at
        raise CommandError(f"{wanted or 'the mypy configuration found here'}: not UTF-8: {error}") from error
    file, problems = options.config_file, silent.getvalue()
    # mypy skips a file that it cannot parse; run with our copy, it would not report that.
    if problems and not (file and problems.startswith(f"{file}:")):
        raise CommandError(" ".join(problems.split()))
    return Path(file) if file else None


def settings_here(config_file: Path | None) -> Settings:
    """The settings of the current folder, as all commands have them.

    Raises:
        CommandError: a configuration cannot be read, or says what no setting means.
    """
    return settings.load(Path.cwd(), config_here(config_file))


def config_here(config_file: Path | None = None) -> Path | None:
    """The configuration file of mypy that the settings of the current folder may be in, without mypy.

    Raises:
        CommandError: it cannot be read.
    """
    _refuse_unreadable(config_file)
    if config_file is not None:
        return config_file
    return next(filter(_is_configuration, (*_of_project(), *_of_user())), None)


def _refuse_unreadable(config_file: Path | None) -> None:
    """Refuse files that are looked at for a configuration, and are none that can be read.

    Raises:
        CommandError: there is such a file.
    """
    if config_file and not config_file.is_file():
        raise CommandError(f"{config_file}: no such configuration file")
    for looked_at in [config_file] if config_file else _of_project():
        if reason := reading.unreadable(looked_at):  # mypy reads whatever it is
            raise CommandError(f"{looked_at}: {reason}")


def _of_project() -> Iterator[Path]:
    """The files of the project that mypy looks at for its configuration, until one has it."""
    for folder in (Path.cwd(), *Path.cwd().parents):
        yield from (folder / name for name in (*OWN_NAMES, *SHARED_NAMES))
        if any((folder / mark).exists() for mark in (".git", ".hg")):
            return


def _of_user() -> Iterator[Path]:
    """The files of the user that mypy looks at where the project has no configuration."""
    if folder := os.environ.get("XDG_CONFIG_HOME"):
        yield Path(folder, "mypy", "config")
    with contextlib.suppress(RuntimeError):  # there is no home
        yield from (Path.home() / ".config" / "mypy" / "config", Path.home() / ".mypy.ini")


def _is_configuration(file: Path) -> bool:
    """Whether mypy takes its configuration from a file: from one that others use as well only if it is named there.

    Raises:
        CommandError: the file cannot be read.
    """
    if not file.is_file():
        return False
    text = _read(file)
    try:
        if file.suffix == ".toml":
            tools = tomllib.loads(text).get("tool")
            return isinstance(tools, dict) and "mypy" in tools
        parser = configparser.RawConfigParser()
        parser.read_string(text)
    except (ValueError, configparser.Error) as error:
        raise CommandError(
            f"{file}: mypy's configuration cannot be read: {' '.join(str(error).split())}"
        ) from error
    return file.name not in SHARED_NAMES or parser.has_section("mypy")


def write_config(source: Path | None, folder: Path, with_targets: bool = True) -> Path:
    """Write the configuration of `source` with the plugin added into `folder`; the path of the copy.

    The copy says what to check; without `with_targets`, only if `source` does.

    Raises:
        CommandError: `source` cannot be read.
    """
    default = {"files": "."} if with_targets else {}
    if source is None:
        target = folder / "mypy.ini"
        target.write_text(_add_to_ini("", folder, {**default, **UNCONFIGURED}))
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
        return reading.read_text(source)
    except reading.UnreadableError as error:
        raise CommandError(f"{source}: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{source}: mypy's configuration cannot be read: {error}") from error


def _plugins(listed: Sequence[str], base: Path) -> list[str]:
    """The user's plugins and ours; paths of files are relative to the folder of the configuration."""
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
            "checking under a pyproject.toml needs tomlkit; pip install 'jaxtyping-core[mypy]'"
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
