"""Which files imports read: those of the Python environment, and of the system's libraries. None of the checked project's."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable

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
    paths = sysconfig.get_paths()
    whole = [paths["stdlib"], paths["platstdlib"], paths["purelib"], paths["platlib"], *packages]
    whole += [os.path.join(sys.base_prefix, "lib"), os.path.join(sys.prefix, "pyvenv.cfg"), *OF_THE_SYSTEM]
    entries = [entry for entry in sys.path if entry]
    whole += [entry for entry in entries if os.path.basename(entry) in OF_PACKAGES]
    names = [entry for entry in entries if os.path.isdir(entry)]
    closed = {
        "/",
        *map(os.path.realpath, (os.path.expanduser("~"), os.path.dirname(os.path.expanduser("~")))),
    }
    found = {os.path.realpath(path): True for path in whole}
    found = {**{os.path.realpath(path): False for path in names}, **found}
    return {path: files for path, files in found.items() if os.path.exists(path) and path not in closed}
