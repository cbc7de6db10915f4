"""What the process may use at most. The memory is limited before JAX is imported, see `serve`."""

from __future__ import annotations

import resource

#: Processor seconds after which a child ends, whatever its parent does. A parent starts another one.
PROCESSOR_SECONDS = 3600
#: Open files: imports need few at a time.
FILES = 256
LIMITS = {
    "RLIMIT_FSIZE": 0,  # pipes are no files: answers are still written
    "RLIMIT_CORE": 0,
    "RLIMIT_NOFILE": FILES,
    "RLIMIT_MSGQUEUE": 0,
    "RLIMIT_CPU": PROCESSOR_SECONDS,
    # Not RLIMIT_NPROC, which counts the user's threads: 0 keeps XLA from starting its own. Not RLIMIT_AS: XLA reserves
    # addresses that it never uses.
}


def lower() -> None:
    """Lower the limits for good.

    Raises:
        OSError: the system refuses one.
    """
    for name, value in LIMITS.items():
        which = getattr(resource, name, None)
        if which is None:  # macOS has no message queues
            continue
        _, hard = resource.getrlimit(which)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(which, (most, most))
        except ValueError as error:
            raise OSError(f"{name}: {error}") from error
