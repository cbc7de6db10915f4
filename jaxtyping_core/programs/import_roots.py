"""Where Python looks for the modules of a program: the folders of the project."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from jaxtyping_core.programs import source_folders

#: What stands at the top of a project.
MARKS = (".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg")
#: The same of one that is not under version control: a folder within a project may have such a file, too.
LESSER_MARKS = (".gitignore",)
#: Folders of installed packages, which are no part of a program.
INSTALLED = ("site-packages", "dist-packages")
INIT = "__init__.py"


class Found(NamedTuple):
    """A module: its file, or the folder of a package that has no file of its own."""

    path: Path
    is_package: bool

    @property
    def folder(self) -> Path:
        """Where the modules of a package are."""
        return self.path.parent if self.path.name == INIT else self.path


def root_of(file: Path) -> Path:
    """The folder that the module of `file` is imported from: the first one above it that is no package."""
    folder = file.parent
    while (folder / INIT).is_file() and folder.name:
        folder = _above(folder)
    return folder


def package_around(folder: Path) -> Path | None:
    """The package of the same project that a folder is in which is none itself; None if it is in none."""
    if is_installed(folder):
        return None
    top, above = project_of(folder), folder
    while above.resolve() != top and above.resolve() != above.resolve().parent:
        above = _above(above)
        if (above / INIT).is_file():
            return above
    return None


def module_name(file: Path, root: Path) -> str:
    """What the module of `file` is called where `root` is on the path."""
    inside = file.resolve().relative_to(root.resolve())
    parts = list(inside.parent.parts)
    if inside.name != INIT or not parts:
        parts.append(inside.stem if inside.suffix == ".py" else inside.name)
    return ".".join(parts)


class Roots:
    """The folders that the modules of a program are found in, in their order.

    Args:
        root: the folder that the program's own files are imported from.
        folders: the folders of these files, which are on the path where one of them is run as a script.
        foreign: the packages that are libraries: only a module in `root` itself stands before one of them.
    """

    def __init__(self, root: Path, folders: list[Path], foreign: frozenset[str]) -> None:
        self._root = root
        self._others = [folder for folder in _around(root) if not _same(folder, root)]
        self._scripts = [folder for folder in folders if not _same(folder, root)]
        self._foreign = foreign | sys.stdlib_module_names

    def find(self, name: str, parent: Found | None) -> Found | None:
        """The module `name` below the package `parent`, or at the top; None if the program has none."""
        last = name.rpartition(".")[2]
        if parent is not None:
            return _inside(parent.folder, last)
        if last in sys.builtin_module_names:
            return None
        is_foreign = last in self._foreign
        folders = [self._root] if is_foreign else [self._root, *self._others]
        candidates = [module for folder in folders if (module := _inside(folder, last))]
        # A folder without a file of its own is a package only where there is no other module of its name.
        regular = [module for module in candidates if module.path.is_file()]
        if regular or is_foreign:
            return next(iter(regular), None)
        return self._beside_scripts(last) or next(iter(candidates), None)

    def _beside_scripts(self, name: str) -> Found | None:
        """A module in the folder of a script, if there is no other of its name."""
        places = list(filter(None, (_inside(folder, name) for folder in self._scripts)))
        return places[0] if len(places) == 1 else None


def _inside(folder: Path, name: str) -> Found | None:
    """What ``import name`` finds in a folder."""
    if (folder / name / INIT).is_file():
        return Found(folder / name / INIT, True)
    if (folder / f"{name}.py").is_file():
        return Found(folder / f"{name}.py", False)
    return Found(folder / name, True) if (folder / name).is_dir() else None


def _around(root: Path) -> list[Path]:
    """Other folders that modules of the project are imported from."""
    if is_installed(root):
        return []
    here, resolved = Path.cwd(), root.resolve()
    tops = [Path()] if resolved.is_relative_to(here) else []
    project = project_of(root)
    near = not root.is_absolute() and project.is_relative_to(here)
    tops.append(project.relative_to(here) if near else project)
    usual = [folder for top in tops for folder in (top, top / "src") if folder.is_dir()]
    declared = source_folders.declared(project)
    return usual + [
        folder.relative_to(here) if near and folder.is_relative_to(here) else folder for folder in declared
    ]


def project_of(root: Path) -> Path:
    """The folder of the project that a folder is in, resolved: the first one that is marked as one, or the folder itself."""
    resolved = root.resolve()
    for marks in (MARKS, LESSER_MARKS):
        for top in (resolved, *resolved.parents):
            if any((top / mark).exists() for mark in marks):
                return top
    return resolved


def is_installed(folder: Path) -> bool:
    """Whether a folder is one that packages are installed in."""
    return folder.resolve().name in INSTALLED


def _above(folder: Path) -> Path:
    """The parent of a folder, in the spelling of the user where that has one."""
    return (
        folder.parent
        if folder.name not in ("", "..") and folder.parent != folder
        else folder.resolve().parent
    )


def _same(path: Path, other: Path) -> bool:
    return path.resolve() == other.resolve()
