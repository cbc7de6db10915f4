"""What is right and what is wrong with an installation, and what to do."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from jaxtyping_core.evaluation.support import oldest_jax, release
from jaxtyping_core.evaluation.wall import FULL, NO_READ_WALL, NONE, Wall
from jaxtyping_core.installation import project
from jaxtyping_core.installation.checkers import Sight
from jaxtyping_core.installation.environment import Environment
from jaxtyping_core.installation.settings import SWITCH, Settings
from jaxtyping_core.installation.x64 import Project, names
from jaxtyping_core.pages import page
from jaxtyping_core.settings import x64_of_environment

#: The page about settings of type checkers.
CHECKERS = page("how-to/checkers")

#: Folders in which projects keep stubs, for checkers that are configured to look there.
PROJECT_STUBS = ("typings", "stubs")
#: The checkers that are told about 64-bit types, each with the setting; the others see what the stubs say.
SWITCHES: Mapping[str, str] = {
    "mypy": f'always_true = ["{SWITCH}"]',
    "zuban": f'always_true = ["{SWITCH}"]',
    "pyright": f'defineConstant = {{ "{SWITCH}": true }}',
    "basedpyright": f'defineConstant = {{ "{SWITCH}": true }}',
}
WITHOUT_SWITCH = ("pyrefly", "ty")
#: What is missing where not all of the wall stands.
LEVELS: Mapping[str, str] = {
    NO_READ_WALL: "evaluated programs cannot change anything, but the operating system lets them read files",
    NONE: "the operating system does not isolate evaluated programs",
}


class Verdict(enum.Enum):
    """What a finding amounts to."""

    GOOD = "ok"
    NOTE = "note"
    BAD = "problem"


class Finding(NamedTuple):
    """A fact, and what to do about it."""

    verdict: Verdict
    subject: str
    fact: str
    remedy: str = ""


def diagnose(
    environment: Environment,
    sights: Sequence[Sight],
    settings: Sequence[Settings],
    folder: Path,
    wall: Wall | None = None,
    x64: Project | None = None,
) -> list[Finding]:
    """All there is to say about an environment, the checkers that look at it, and the project in `folder`.

    `wall` is what isolates the evaluation of programs; None if nothing is evaluated. `x64` is what the project has of 64-bit
    types; None if that was not looked at.
    """
    return [
        *_packages(environment),
        *_wall(wall),
        *_for_checkers(_stubs(environment), sights),
        *_sights(environment, sights),
        *_settings(settings),
        *_x64_of_project(x64),
        *_x64(sights, settings, x64),
        *_project(environment, folder),
    ]


def of_other(examined: str, used: str, unused: Sequence[str]) -> list[Finding]:
    """What there is to say of other environments: that which commands use, and those that they do not."""
    notes = [Finding(Verdict.NOTE, "environment", note) for note in unused]
    if Path(used).parent == Path(examined).parent:
        return notes
    fact = f"check and show use the packages of {used}, because it is active"
    return [Finding(Verdict.NOTE, "environment", fact, f"jaxtyping-core doctor --python {used}"), *notes]


def _packages(environment: Environment) -> Iterator[Finding]:
    install = f"{environment.python} -m pip install"
    yield Finding(Verdict.GOOD, "Python", f"{environment.version}, {environment.python}")
    if environment.jax is None:
        yield Finding(Verdict.BAD, "JAX", "is not installed for this Python", f"{install} jax")
    elif release(environment.jax) < release(oldest_jax()):
        remedy = f"{install} 'jax>={oldest_jax()}'"
        yield Finding(
            Verdict.BAD,
            "JAX",
            f"{environment.jax} is too old; the oldest supported JAX is {oldest_jax()}",
            remedy,
        )
    else:
        yield Finding(Verdict.GOOD, "JAX", environment.jax)
    if environment.ours is None:
        yield Finding(
            Verdict.BAD, "jaxtyping-core", "is not installed for this Python", f"{install} jaxtyping-core"
        )
    else:
        yield Finding(Verdict.GOOD, "jaxtyping-core", environment.ours)


def _wall(wall: Wall | None) -> Iterator[Finding]:
    """Whether the operating system isolates the process that evaluates programs."""
    if wall is None:
        return
    if wall.level == FULL:
        fact = "evaluated programs cannot reach files, processes, sockets or secrets"
        yield Finding(Verdict.GOOD, "isolation", fact)
    else:
        fact = f"{LEVELS[wall.level]} ({wall.why})"
        remedy = (
            "evaluate only programs that you trust, or use Linux 5.13 or newer with Landlock; "
            f"see {page('explanation/what-never-runs')}"
        )
        yield Finding(Verdict.NOTE, "isolation", fact, remedy)


def _stubs(environment: Environment) -> Iterator[Finding]:
    again = f"{environment.python} -m pip install --force-reinstall --no-deps jaxtyping-core"
    others = sorted(set(environment.owners) - {"jaxtyping-core"})
    if others:
        names = ", ".join(others)
        remedy = f"{environment.python} -m pip uninstall {' '.join(others)}; then {again}"
        yield Finding(
            Verdict.BAD,
            "jax-stubs",
            f"is also installed by {names}, which overwrites the stubs of jaxtyping-core",
            remedy,
        )
    if not environment.stubs:
        if environment.ours is not None:
            yield Finding(Verdict.BAD, "jax-stubs", "is not installed", again)
        return
    first, *hidden = environment.stubs
    for path in hidden:
        yield Finding(Verdict.BAD, "jax-stubs", f"{path} is hidden by {first}", "remove one of them")
    if not others:
        yield _stub_package(environment, first, again)


def _for_checkers(findings: Iterable[Finding], sights: Sequence[Sight]) -> Iterator[Finding]:
    """What only type checkers read is no problem where there is none."""
    for finding in findings:
        is_grave = sights or finding.verdict is not Verdict.BAD
        yield finding if is_grave else finding._replace(verdict=Verdict.NOTE)


def _stub_package(environment: Environment, folder: Path, again: str) -> Finding:
    from jaxtyping_core_stubs import files

    changed = [Path(path) for path in environment.owners.get("jaxtyping-core", [])]
    for path in changed:
        if not path.exists():
            return Finding(Verdict.BAD, "jax-stubs", f"{path} is missing", again)
    if foreign := files.foreign(folder):
        return Finding(Verdict.BAD, "jax-stubs", f"{foreign[0]} is not a stub of jaxtyping-core", again)
    by_command = f"{environment.python} -m jaxtyping_core stubs --output {folder.parent}"
    by = " (written by `jaxtyping-core stubs`)" if changed else ""
    return _match(environment, folder, by, by_command)


def _match(environment: Environment, folder: Path, by: str, remedy: str) -> Finding:
    """Whether the stubs in `folder` are those of the installed JAX."""
    releases = stub_releases(folder)
    fact = f"{folder} describes JAX {' and '.join(sorted(releases)) or '(unknown)'}{by}"
    if environment.jax is None:
        return Finding(Verdict.NOTE, "jax-stubs", fact)
    if {release(version) for version in releases} == {release(environment.jax)}:
        return Finding(Verdict.GOOD, "jax-stubs", fact)
    return Finding(Verdict.BAD, "jax-stubs", f"{fact}, but JAX {environment.jax} is installed", remedy)


def stub_releases(folder: Path) -> set[str]:
    """The versions of JAX that the stubs in `folder` say they are from."""
    from jaxtyping_core_stubs import files

    return {version for path in folder.rglob("*.pyi") if (version := files.source(path))}


def _sights(environment: Environment, sights: Sequence[Sight]) -> Iterator[Finding]:
    if not sights:
        remedy = f"{environment.python} -m pip install 'jaxtyping-core[mypy]' for mypy, or install pyright"
        fact = "no type checker is installed next to this Python or on PATH; check and the editor need none"
        yield Finding(Verdict.NOTE, "checkers", fact, remedy)
    for sight in sights:
        subject = f"{sight.checker} {sight.version}"
        if sight.sees_ours:
            fact = f"sees the stubs: jnp.zeros(3) is {sight.revealed[1]}"
            yield Finding(Verdict.GOOD, subject, fact)
        elif not sight.revealed:
            yield Finding(Verdict.BAD, subject, f"failed: {sight.said}", f"run {sight.path} to see why")
        else:
            single, zeros, array = sight.revealed
            fact = f"does not see the stubs: jnp.float32(1) is {single}, jnp.zeros(3) is {zeros}, jax.Array is {array}"
            yield Finding(Verdict.BAD, subject, fact, f"fix the other problems first; see {CHECKERS}")


def _settings(files: Iterable[Settings]) -> Iterator[Finding]:
    for settings in files:
        name = settings.file.name
        if settings.problem:
            yield Finding(Verdict.BAD, name, f"cannot be read: {settings.problem}")
        elif settings.plugin is False:
            yield Finding(
                Verdict.NOTE, name, "mypy runs without the plugin", 'add plugins = ["jaxtyping_core.mypy"]'
            )
        elif settings.plugin:
            yield Finding(Verdict.GOOD, name, "mypy runs with the plugin")


def _x64_of_project(x64: Project | None) -> Iterator[Finding]:
    """Whether the programs of the project have 64-bit types, and what says so."""
    if x64 is None:
        return
    subject, source = "64-bit types", x64.source
    if x64.differs:
        remedy = f"each program is checked with its own setting; see {page('how-to/x64')}"
        fact = f"are on in {names(x64.on)} ({source}), and off in {names(x64.off)}"
        yield Finding(Verdict.NOTE, subject, fact, remedy)
    elif x64.is_on:
        yield Finding(Verdict.GOOD, subject, f"are on, because of {source}")
    else:
        because = f"because of {source}" if source else "as nothing turns them on"
        yield Finding(Verdict.GOOD, subject, f"are off, {because}")


def _x64(sights: Sequence[Sight], files: Sequence[Settings], x64: Project | None) -> Iterator[Finding]:
    """Whether all checkers agree on 64-bit types, once anything turns them on."""
    told = {
        name: settings.x64 for settings in files for name in settings.checkers if settings.x64 is not None
    }
    on = [name for name, is_on in told.items() if is_on]
    source = x64.source if x64 is not None and x64.is_on and not x64.differs else None
    if x64_of_environment():
        source = f"the environment variable {SWITCH}"
    elif on and source is None:
        source = f"the setting of {' and '.join(on)}"
    if source is None:
        return
    # The plugin reads the program and the settings.
    knowing = {name for settings in files if settings.plugin for name in settings.checkers if name == "mypy"}
    used = dict.fromkeys([*(sight.checker for sight in sights), *told])
    for name in used:
        if name in SWITCHES and name not in on and name not in knowing:
            fact = f"sees 32-bit types, but {source} turns 64-bit types on"
            yield Finding(Verdict.BAD, name, fact, SWITCHES[name])
        elif name in WITHOUT_SWITCH:
            fact = "has no setting for 64-bit types; it follows the stubs"
            yield Finding(
                Verdict.NOTE, name, fact, f"jaxtyping-core stubs --x64 --output typings; see {CHECKERS}"
            )
    if not x64_of_environment() and (x64 is None or not x64.is_on):
        fact = f"{SWITCH} is not set, so the program must turn 64-bit types on itself"
        yield Finding(Verdict.NOTE, "JAX", fact)


def _project(environment: Environment, folder: Path) -> Iterator[Finding]:
    """The stubs that the project keeps itself."""
    for name in PROJECT_STUBS:
        path = folder / name / project.PACKAGE
        if path.is_dir() and path.resolve() not in [stubs.resolve() for stubs in environment.stubs]:
            yield _match(environment, path, "", f"jaxtyping-core stubs --output {name}")
