"""macOS' sandbox (``sandbox_init``, deprecated for years and what browsers and build tools use).

No machine of this project's tests runs macOS. `raise_wall` therefore tries afterwards what must be refused, and says what stands.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping

LIBRARY = "/usr/lib/libsandbox.1.dylib"
#: The system's own libraries, as the linker reads them.
OF_THE_SYSTEM = ("/usr/lib", "/System", "/Library/Frameworks", "/private/var/db/dyld", "/dev")
PROFILE = """(version 1)
(allow default)
(deny file-write*)
(deny network*)
(deny process-exec*)
(deny process-fork)
(deny signal (target others))
(deny file-read-data)
(allow file-read-data {allowed})
"""


def restrict(paths: Mapping[str, bool]) -> None:
    """Read beneath `paths` alone from now on, and write nowhere; no sockets and no processes.

    Raises:
        OSError: the system does not take the profile.
    """
    try:
        library = ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise OSError(f"sandbox: {error}") from error
    told = ctypes.c_char_p()
    if library.sandbox_init(profile(paths).encode(), ctypes.c_uint64(0), ctypes.byref(told)):
        raise OSError(f"sandbox: {(told.value or b'').decode(errors='replace')}")


def profile(paths: Mapping[str, bool]) -> str:
    """The profile: folders of which only the names are seen may be listed, but no file in them is read."""
    whole = [*(path for path, files in paths.items() if files), *OF_THE_SYSTEM]
    listed = [path for path, files in paths.items() if not files]
    return PROFILE.format(
        allowed=" ".join(
            [
                *(f"(subpath {_quoted(path)})" for path in whole),
                *(f"(literal {_quoted(path)})" for path in listed),
            ]
        )
    )


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
