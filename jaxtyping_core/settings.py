"""What a project says to this package about its programs.

It is the table ``[tool.jaxtyping_core]`` of the project's pyproject.toml or, where there is none, the section
``[jaxtyping_core]`` of mypy's own configuration file.
"""

from __future__ import annotations

import configparser
import fnmatch
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from jaxtyping_core import libraries, reading, trust
from jaxtyping_core.errors import SettingsError, unknown
from jaxtyping_core.evaluation.client import TIME_LIMIT
from jaxtyping_core.rules import PORTS
from jaxtyping_core.severities import DEFAULTS, SEVERITIES
from jaxtyping_core.systems import SYSTEMS


class Settings(NamedTuple):
    """How a program runs JAX, and how much may be done to find out what that gives."""

    #: ``jax_enable_x64``: whether 64-bit dtypes are on.
    x64: bool = False
    #: ``jax_numpy_dtype_promotion``: "standard" or "strict"; or the promotion system that is in force in
    #: ``jaxtyping_core.numpy``, where that is not "jax".
    promotion: str = "standard"
    #: Whether JAX is asked; if not, there are the stubs and the promotion lattice.
    evaluate: bool = True
    #: Seconds that one call may take to evaluate.
    time_limit: float = TIME_LIMIT
    #: Whether the program's own functions are evaluated, from their source.
    programs: bool = True
    #: Whether what recorded runs got from outside of the program counts as what it gets.
    observed: bool = True
    #: Whether `check` shows mypy's errors that are not about arrays.
    mypy: bool = False
    #: The packages, besides `TRUSTED`, whose public functions such an evaluation may call: the user trusts them.
    trust: tuple[str, ...] = ()
    #: The severities of codes that are not those of `severities.DEFAULTS`.
    rules: tuple[tuple[str, str], ...] = ()
    #: The files and folders whose arrays are to keep dtypes of few bits: `widening` is a warning there.
    low_precision: tuple[str, ...] = ()
    #: The files that are ported from other libraries: the name of a library, and a path or a pattern of paths.
    port: tuple[tuple[str, str], ...] = ()
    #: The file of the findings that `check` leaves out; "" for none.
    baseline: str = ""
    #: Those that only the project trusts, which does not count.
    ignored: tuple[str, ...] = ()

    def ported(self, path: Path) -> list[str]:
        """The libraries that a file is ported from."""
        whole = str(path.resolve())
        each = (name for name, pattern in self.port if _is_of_pattern(whole, pattern))
        return [*dict.fromkeys(each)]

    @property
    def trusted(self) -> list[str]:
        """All packages whose public functions an evaluation of a program may call."""
        own = (name for name in self.trust if not trust.reason_against(name))
        return [*dict.fromkeys((*TRUSTED, *own))]

    @property
    def notes(self) -> list[str]:
        """What is to be said of the settings: at most that the project trusts more than the user does."""
        return [trust.ignored(self.ignored)] if self.ignored else []


#: The packages that an evaluation of a program calls where the program does, if they are installed.
TRUSTED = libraries.names("trusted")
#: The accepted values of each key; any positive number is one of `NUMBERS`, names of `LISTS`.
CHOICES: dict[str, tuple[Any, ...]] = {
    "x64": (False, True),
    "promotion": ("standard", "strict", *SYSTEMS),
    "evaluate": (False, True),
    "programs": (False, True),
    "observed": (False, True),
    "mypy": (False, True),
}
#: The environment variable of JAX that switches 64-bit types on, for programs whose settings say nothing.
X64_VARIABLE = "JAX_ENABLE_X64"
NUMBERS = ("time_limit",)
LISTS = ("trust",)
FILES = ("baseline",)
PATHS = ("low-precision",)
#: The table of severities, within the table of settings.
RULES = "rules"
#: The table of files that are ported from other libraries.
PORT = "port"
SECTION = "jaxtyping_core"


class Said(NamedTuple):
    """What a project says in its own words, and where."""

    values: Mapping[str, Any]
    file: Path
    #: How messages name the part of the file.
    place: str


def load(folder: Path, config_file: Path | None = None) -> Settings:
    """The settings of the project that `folder` belongs to; the defaults where it has none.

    Raises:
        SettingsError: a key or a value is not one of those above.
    """
    said = read(folder, config_file)
    if said is None:
        return _granted(Settings(x64=x64_of_environment()), folder)
    settings = _checked(said.values, said.place)
    settings = settings._replace(low_precision=_there(said, settings.low_precision))
    if settings.baseline:
        settings = settings._replace(baseline=str(said.file.parent / settings.baseline))
    if settings.port:
        folder_of_file = said.file.parent.resolve()
        port = tuple((library, str(folder_of_file / pattern)) for library, pattern in settings.port)
        settings = settings._replace(port=port)
    return _granted(settings, said.file.parent)


def _there(said: Said, paths: Sequence[str]) -> tuple[str, ...]:
    """Paths of the project, from the folder of its settings on."""
    folder = said.file.parent
    for path in paths:
        if not (folder / path).exists():
            _refuse(said.place, f"{PATHS[0]}: {folder / path}: no such file or folder")
    return tuple(str(folder / path) for path in paths)


def read(folder: Path, config_file: Path | None = None) -> Said | None:
    """What the project that `folder` belongs to says, unchecked; None where it has no such file.

    A file of TOML with the table comes first if it is named, and another one if no ``pyproject.toml`` has the table.

    Raises:
        SettingsError: a file cannot be read.
    """
    if config_file is not None and config_file.suffix == ".toml":
        named = _table(config_file)
        if named is not None:
            return Said(named, config_file, f"{config_file}: [tool.{SECTION}]")
    for directory in (folder, *folder.parents):
        file = directory / "pyproject.toml"
        table = _table(file)
        if table is not None:
            return Said(table, file, f"{file}: [tool.{SECTION}]")
        if any((directory / root).exists() for root in (".git", ".hg")):
            break
    if config_file is not None and config_file.suffix != ".toml":
        return Said(_section(config_file), config_file, f"{config_file}: [{SECTION}]")
    return None


def x64_of_environment() -> bool:
    """Whether the environment switches JAX's 64-bit types on."""
    return is_true(os.environ.get(X64_VARIABLE, ""))


def is_true(text: str) -> bool:
    """Whether a text stands for true where JAX reads it from a variable (``jax._src.config.bool_env``)."""
    return text.lower() in ("y", "yes", "t", "true", "on", "1")


def _granted(wanted: Settings, project: Path) -> Settings:
    """The settings, with the packages that the user trusts; those that the settings themselves name are a wish."""
    user = trust.of_user()
    more = [name for name in wanted.trust if name not in (*TRUSTED, *user.packages)]
    if trust.counts(project, user):
        return wanted._replace(trust=tuple(dict.fromkeys((*user.packages, *more))))
    return wanted._replace(trust=user.packages, ignored=tuple(dict.fromkeys(more)))


def _table(file: Path) -> dict[str, Any] | None:
    try:
        document = tomllib.loads(reading.read_text(file))
    except reading.UnreadableError as error:
        raise SettingsError(f"{file}: {error}") from None
    except OSError:
        return None
    except ValueError as error:  # the defaults in place of what it says would be silently wrong
        _refuse(f"{file}: [tool.{SECTION}]", f"cannot read the file: {error}")
    tool = document.get("tool")
    table = tool.get(SECTION) if isinstance(tool, dict) else None
    if not isinstance(table, dict | None):
        _refuse(f"{file}: [tool.{SECTION}]", f"must be a table, not {table!r}")
    return table


def _section(file: Path) -> dict[str, Any]:
    """The section of an ini file, with its texts as the values that they write."""
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(reading.read_text(file))
    except reading.UnreadableError as error:
        raise SettingsError(f"{file}: {error}") from None
    except (OSError, ValueError, configparser.Error):  # mypy says what is wrong with its own file
        return {}
    values = {key: _value(text) for key, text in parser[SECTION].items()} if SECTION in parser else {}
    rules, port = f"{SECTION}.{RULES}", f"{SECTION}.{PORT}"
    if rules in parser:
        values[RULES] = {code: _value(text) for code, text in parser[rules].items()}
    if port in parser:
        values[PORT] = {library: text.split() for library, text in parser[port].items()}
    return values


def _value(text: str) -> Any:
    words = {"true": True, "false": False}
    try:
        return words[text.lower()] if text.lower() in words else float(text)
    except ValueError:
        return text.strip("\"'")


def _checked(table: Mapping[str, Any], place: str) -> Settings:
    values: dict[str, Any] = {"x64": x64_of_environment()}
    for key, value in table.items():
        if key not in KEYS:
            _refuse(place, unknown("setting", key, KEYS))
        values[key.replace("-", "_")] = KEYS[key](place, key, value)
    return Settings(**values)


def _number(place: str, key: str, value: Any) -> float:
    if type(value) not in (int, float) or not 0 < value < float("inf"):
        _refuse(place, f"{key} must be a positive number of seconds, not {value!r}")
    number: float = value
    return number


def _choice(place: str, key: str, value: Any) -> Any:
    # A comparison alone would take 1 for true.
    if not any(value == choice and type(value) is type(choice) for choice in CHOICES[key]):
        _refuse(place, unknown(f"value of {key}:", str(value), [str(c).lower() for c in CHOICES[key]]))
    return value


def _file(place: str, key: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        _refuse(place, f"{key} must be the path of a file, not {value!r}")
    return value


def _paths(place: str, key: str, value: Any) -> tuple[str, ...]:
    paths = [part.strip() for part in value.split(",")] if type(value) is str else value
    if type(paths) is not list or not all(type(path) is str and path for path in paths):
        _refuse(place, f'{key} must be a list of files and folders, such as ["src/model"], not {value!r}')
    return tuple(paths)


def _rules(place: str, key: str, value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, Mapping):
        _refuse(
            place,
            f'{key} must be a table of codes and severities, such as array-shape = "warning", not {value!r}',
        )
    for code, severity in value.items():
        if code not in DEFAULTS:
            _refuse(place, unknown(f"code in {key}:", code, DEFAULTS))
        if severity not in SEVERITIES:
            _refuse(place, unknown(f"severity of {code}:", str(severity), SEVERITIES))
    return tuple(sorted(value.items()))


def _port(place: str, key: str, value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, Mapping):
        _refuse(
            place, f'{key} must be a table of libraries and paths, such as numpy = ["src"], not {value!r}'
        )
    for library, paths in value.items():
        if library not in PORTS:
            _refuse(place, unknown(f"library in {key}:", library, PORTS))
        if not isinstance(paths, list) or not all(isinstance(path, str) and path for path in paths):
            _refuse(place, f"{key}.{library} must be a list of paths, not {paths!r}")
    return tuple((library, path) for library, paths in sorted(value.items()) for path in paths)


def _is_of_pattern(path: str, pattern: str) -> bool:
    """Whether a file is the one of a path, in a folder of it, or one of a pattern."""
    return fnmatch.fnmatchcase(path, pattern) or path.startswith(pattern.rstrip("/") + "/")


#: How the value of each key is read.
KEYS: dict[str, Callable[[str, str, Any], Any]] = {
    **dict.fromkeys(CHOICES, _choice),
    **dict.fromkeys(NUMBERS, _number),
    **dict.fromkeys(LISTS, trust.packages),
    **dict.fromkeys(FILES, _file),
    **dict.fromkeys(PATHS, _paths),
    RULES: _rules,
    PORT: _port,
}


def _refuse(place: str, problem: str) -> NoReturn:
    raise SettingsError(f"{place}: {problem}")
