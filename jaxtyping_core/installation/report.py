"""Says what the Python that runs this has installed, in JSON on standard output.

Doctor runs the text of this file under the Python that it examines, which may lack this package and may be an older
one: standard library only.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.metadata
import json
import sys
import sysconfig
from pathlib import Path

PACKAGE = "jax-stubs"


def version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def owners() -> dict[str, list[str]]:
    """The distributions with files in the stub package, and which of these files have changed since."""
    changed = {}
    for distribution in importlib.metadata.distributions():
        # Not `files`, which leaves out those that are gone.
        rows = list(csv.reader((distribution.read_text("RECORD") or "").splitlines()))
        files = {
            Path(str(distribution.locate_file(row[0]))): row[1]
            for row in rows
            if row[0].startswith(PACKAGE + "/")
        }
        if files:
            name = distribution.metadata["Name"].lower().replace("_", "-")
            changed[name] = [str(path) for path, digest in files.items() if not unchanged(path, digest)]
    return changed


def unchanged(path: Path, digest: str) -> bool:
    """Whether a file is the one that was installed."""
    kind, _, expected = digest.partition("=")
    try:
        actual = hashlib.new(kind or "sha256", path.read_bytes()).digest()
    except OSError:
        return False
    return not digest or base64.urlsafe_b64encode(actual).rstrip(b"=").decode() == expected


answer = {
    "version": sys.version.partition(" ")[0],
    "site": sysconfig.get_path("purelib"),
    "jax": version("jax"),
    "ours": version("jaxtyping-core"),
    "stubs": [
        str(path)
        for path in dict.fromkeys(Path(entry).absolute() / PACKAGE for entry in sys.path)
        if path.is_dir()
    ],
    "owners": owners(),
}
print(json.dumps(answer))
