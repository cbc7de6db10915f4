"""What was generated, by which generator: so that whether it is current can be told without minutes of probing.

The files are a function of the generator's source and of the versions of JAX, NumPy and ml_dtypes. The manifest keeps
digests of both sides.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from pathlib import Path
from typing import Any

import jaxtyping_core.dtypes

LIBRARIES = ("jax", "numpy", "ml_dtypes")


def render(files: dict[Path, str], root: Path) -> str:
    """The manifest for the text of files, which are named from `root` on."""
    written = {path.relative_to(root).as_posix(): _digest(text) for path, text in sorted(files.items())}
    versions = {name: importlib.metadata.version(name) for name in LIBRARIES}
    return json.dumps({"versions": versions, "generator": generator(), "files": written}, indent=1) + "\n"


def differences(manifest: Path, folders: list[Path], root: Path) -> list[str]:
    """What is not as the manifest says: the generator, a file, or one that is not in it (in `folders`)."""
    try:
        said: dict[str, Any] = json.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return [f"{manifest}: cannot be read ({error})"]
    wrong = (
        [] if said["generator"] == generator() else ["the generator has changed since the files were written"]
    )
    for name, digest in said["files"].items():
        path = root / name
        if not path.exists():
            wrong.append(f"{path}: is missing")
        elif _digest(path.read_text(encoding="utf-8")) != digest:
            wrong.append(f"{path}: differs")
    known = {root / name for name in said["files"]}
    strays = (
        path for folder in folders for path in folder.rglob("*") if path.is_file() and path not in known
    )
    return wrong + [f"{path}: is not generated" for path in sorted(strays)]


def generator() -> str:
    """A digest of the source that the files come from."""
    digest = hashlib.sha256(Path(jaxtyping_core.dtypes.__file__).read_bytes())
    folder = Path(__file__).parent
    for path in sorted(path for kind in ("py", "txt", "json") for path in folder.rglob(f"*.{kind}")):
        digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
