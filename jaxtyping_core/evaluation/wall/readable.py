"""Which files imports read: those of the Python environment, and of the system's libraries. None of the checked project's."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

#: Shared libraries, time zones, and facts about the machine that NumPy and XLA ask for.
OF_THE_SYSTEM = (
    *(
        "/usr/lib",
        "/usr/lib64",
        "/lib",
        "/lib64",
        "/etc/ld.so.cache",
        "/usr/share/zoneinfo",
        "/etc/localtime",
    ),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/self", "/sys/devices/system"),
    *("/sys/kernel/mm/transparent_hugepage", "/dev/null", "/dev/urandom", "/nix/store", "/gnu/store"),
)
#: Folders of Python's own packages among the entries of `sys.path`, by their names.
OF_PACKAGES = ("site-packages", "dist-packages")


def readable(packages: Iterable[str]) -> dict[str, bool]:
    """The real paths that may be read, each with whether its files may be read, or only the names of those.

    An entry of `sys.path` that is no folder of packages belongs to a project that is installed in place: only its names are
    seen, by which Python finds modules; `packages` are what of it may be imported.
    """
    home = Path("~").expanduser()
    closed = {Path("/"), home.resolve(), home.resolve().parent}
    paths = sysconfig.get_paths()
    entries = [Path(entry) for entry in sys.path if entry]
    whole = [
        *(Path(paths[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        *(Path(sys.base_prefix, "lib"), Path(sys.prefix, "pyvenv.cfg")),
        *(entry for entry in entries if entry.name in OF_PACKAGES),
        *map(Path, (*packages, *OF_THE_SYSTEM)),
    ]
    allowed = {
        **{entry.resolve(): False for entry in entries if entry.is_dir()},
        **{path.resolve(): True for path in whole},
    }
    return {str(path): files for path, files in allowed.items() if path.exists() and path not in closed}
