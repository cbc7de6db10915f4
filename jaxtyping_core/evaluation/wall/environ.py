"""What the child sees of its parent's environment variables: what Python and JAX need, and no secret.

``/proc/self/environ`` shows what a process was started with as long as it lives, so that the parent must leave out the rest.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...libraries import LIBRARIES

#: Variables by which Python, the dynamic linker and the system's own functions find their files.
NAMES = frozenset(
    [
        "PATH",
        "HOME",
        "LANG",
        "LANGUAGE",
        "TZ",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "DYLD_FALLBACK_LIBRARY_PATH",
        "CONDA_PREFIX",
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "TEMP",
        "TMP",
        "TMPDIR",
        "USERPROFILE",
        "APPDATA",
        "LOCALAPPDATA",
        "PROGRAMDATA",
        "NUMBER_OF_PROCESSORS",
        "PROCESSOR_ARCHITECTURE",
    ]
)
#: Options of JAX and of the libraries that it is built on.
PREFIXES = ("LC_", "JAX_", "XLA_", "OMP_", "OPENBLAS_", "MKL_", "NIX_LD")
#: A program is evaluated on the CPU. One thread: the wall holds only for threads that start after it. Libraries look for no screen.
SET = {
    "JAX_PLATFORMS": "cpu",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    **{name: value for library in LIBRARIES.values() for name, value in library.environ.items()},
}


def scrubbed(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that a child is started with."""
    kept = {name: value for name, value in environ.items() if _is_kept(name.upper())}
    return {**kept, **SET}


def _is_kept(name: str) -> bool:
    return name in NAMES or name.startswith(PREFIXES)
