"""Public names of classes of installed packages, whose modules are often private ones."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping

from jaxtyping_core.settings import TRUSTED

#: What people write for some classes.
WRITTEN = {
    "optax._src.base.GradientTransformationExtraArgs": "optax.GradientTransformation",
    "numpy.random._generator.Generator": "numpy.random.Generator",
    "numpy.random.mtrand.RandomState": "numpy.random.RandomState",
    "pathlib.PosixPath": "pathlib.Path",
    "pathlib._local.PosixPath": "pathlib.Path",
    "flax.core.frozen_dict.FrozenDict": "flax.core.FrozenDict",
}


def public_path(path: str, imports: Mapping[str, str]) -> Iterator[str]:
    """The dotted paths under which a class may be known to a module with these imports, the likeliest first."""
    if path in WRITTEN:
        yield WRITTEN[path]
    name = path.rpartition(".")[2]
    package = path.partition(".")[0]
    for root in imports.values():
        if root == path or (root.partition(".")[0] == package and root.rpartition(".")[2] == name):
            yield root
        elif root.partition(".")[0] == package and _has(root, path):
            yield f"{root}.{name}"
            # and of the packages inside that people reach as attributes, such as ``eqx.nn``
    for root in imports.values():
        for inner in ("nn",):
            if root == package and _has(f"{root}.{inner}", path):
                yield f"{root}.{inner}.{name}"
    if not path.startswith(("_", "__main__")) and "._" not in path and package not in TRUSTED:
        yield path


def _has(module: str, path: str) -> bool:
    """Whether a module of a trusted package has the class of this path as an attribute."""
    if module.partition(".")[0] not in TRUSTED:
        return False
    try:
        member = getattr(importlib.import_module(module), path.rpartition(".")[2], None)
    except Exception:  # noqa: BLE001  # a package that cannot be imported has no names
        return False
    return isinstance(member, type) and f"{member.__module__}.{member.__qualname__}" == path
