"""Which packages an evaluation may call besides those that this package knows: those that the *user* trusts.

An evaluation imports a trusted package and calls its functions. What a project says of trust is therefore no more than a
wish: it counts if the user's own settings file names the project, or if the user trusts the folder in an editor.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyping_core import reading, user
from jaxtyping_core.errors import SettingsError, unknown

#: The variable that names trusted packages: mypy has no option for it.
VARIABLE = "JAXTYPING_CORE_TRUST"
#: The keys of the user's own file.
TRUST, PROJECTS = "trust", "trusted_projects"
_INSTALLS = "it installs packages and runs their build scripts"
_TESTS = "it imports and runs the files of a folder"
_SHELL = "it runs strings as code"
_PICKLES = "it unpickles data, which can run any code"
_STARTS = "it starts or ends processes"
_CALLS = "it loads and calls machine code"
#: Packages whose purpose is to run code or to start processes: a call of one gives away everything.
NEVER = {
    **dict.fromkeys(("pip", "setuptools", "pkg_resources", "distutils", "virtualenv"), _INSTALLS),
    **dict.fromkeys(("pytest", "_pytest", "nox", "tox"), _TESTS),
    **dict.fromkeys(("IPython", "ipykernel"), _SHELL),
    **dict.fromkeys(("cloudpickle", "dill", "joblib"), _PICKLES),
    **dict.fromkeys(("sh", "plumbum", "invoke", "fabric", "pexpect", "ptyprocess", "psutil"), _STARTS),
    "cffi": _CALLS,
}
_STANDARD = "it is a module of Python's standard library; of those, only modules that compute are called"


class User(NamedTuple):
    """What the user trusts: packages, and projects whose own settings may name more."""

    packages: tuple[str, ...]
    projects: frozenset[Path]


class _Folder:
    #: Whether the user trusts the project that this process is for.
    is_trusted = False


def trust_project() -> None:
    """From now on, in this process, what a project's settings trust counts: the user trusts its folder."""
    _Folder.is_trusted = True


def add(names: Iterable[str]) -> None:
    """Trust packages in this process and in those that it starts.

    Raises:
        SettingsError: one of them is not to be trusted, or no name of a package.
    """
    wanted = list(names)
    if wanted:
        os.environ[VARIABLE] = ",".join(
            dict.fromkeys([*_of_variable(), *packages("--trust", "PACKAGE", wanted)])
        )


def of_user() -> User:
    """What the user trusts.

    Raises:
        SettingsError: the settings file or the variable says something that means nothing.
    """
    file = user.settings_file()
    table = {} if file is None else _table(file)
    for key in table:
        if key not in (TRUST, PROJECTS):
            raise SettingsError(f"{file}: {unknown('setting', key, (TRUST, PROJECTS))}")
    named = packages(str(file), TRUST, table.get(TRUST, []))
    projects = _projects(str(file), table.get(PROJECTS, []))
    return User(tuple(dict.fromkeys((*named, *_of_variable()))), frozenset(projects))


def counts(project: Path, of: User) -> bool:
    """Whether what a project's settings trust counts; `project` is the folder that these settings are in."""
    return _Folder.is_trusted or project.resolve() in of.projects


def ignored(names: Iterable[str]) -> str:
    """The note that a project trusts packages which the user does not."""
    listed = ",".join(names)
    options = " ".join(f"--trust {name}" for name in listed.split(","))
    array = ", ".join(f'"{name}"' for name in listed.split(","))
    file = user.settings_file()
    own = f", or trust = [{array}] in {file}" if file else ""
    return (
        f"the project's settings trust {listed.replace(',', ', ')}, but only you can trust a package: use"
        f" {options}, {VARIABLE}={listed}{own}"
    )


def packages(place: str, key: str, value: Any) -> tuple[str, ...]:
    """The names of packages in a list, or in one text.

    Raises:
        SettingsError: it is something else, or names what is never trusted.
    """
    names = value.replace(",", " ").split() if type(value) is str else value
    if type(names) is not list or not all(type(name) is str for name in names):
        raise SettingsError(f'{place}: {key} must be a list of packages, such as ["distrax"], not {value!r}')
    for name in names:
        if not name.isidentifier():
            raise SettingsError(
                f"{place}: {key} must name packages as they are imported, such as 'distrax', not {name!r}"
            )
        if reason := reason_against(name):
            raise SettingsError(f"{place}: {key} must not name {name!r}: {reason}")
    return tuple(names)


def reason_against(name: str) -> str | None:
    """Why a package is not trusted, whoever asks for it; None if it may be."""
    if name in NEVER:
        return NEVER[name]
    return _STANDARD if name in sys.stdlib_module_names or name == "__main__" else None


def _table(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(reading.read_text(file))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise SettingsError(f"{file}: cannot read the file: {' '.join(str(error).split())}") from None


def _projects(place: str, value: Any) -> list[Path]:
    if type(value) is not list or not all(type(path) is str for path in value):
        raise SettingsError(f"{place}: {PROJECTS} must be a list of folders, not {value!r}")
    try:
        paths = [Path(path).expanduser() for path in value]
    except RuntimeError as error:  # there is no such user
        raise SettingsError(f"{place}: {PROJECTS}: {error}") from None
    for path in paths:
        if not path.is_absolute():
            raise SettingsError(f"{place}: {PROJECTS} must name folders by absolute paths, not {str(path)!r}")
    return [path.resolve() for path in paths]


def _of_variable() -> tuple[str, ...]:
    return packages("the environment", VARIABLE, os.environ.get(VARIABLE, ""))
