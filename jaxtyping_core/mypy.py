"""The mypy plugin: add ``plugins = ["jaxtyping_core.mypy"]`` to the configuration of mypy."""

from __future__ import annotations

import sys

from mypy.plugin import Plugin

from jaxtyping_core.telling import tell
from jaxtyping_core_mypy import versions


def plugin(version: str) -> type[Plugin]:
    """Return the plugin for mypy of this version.

    An older mypy than the plugin needs ends with a message and status 2. A newer one than the tested ones gets a note.
    """
    if problem := versions.too_old(version):
        print(f"jaxtyping-core: {problem}", file=sys.stderr)
        raise SystemExit(2)
    if note := versions.untested(version):
        tell(note)
    from jaxtyping_core_mypy.plugin import JaxPlugin  # an older mypy doesn't have all that this imports

    return JaxPlugin
