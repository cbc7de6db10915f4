"""``jax/_jaxlib.pyi``: the compiled classes that JAX's API shows. Their library has no stubs."""

from __future__ import annotations

from . import classes
from .surface import surface

HEAD = "\nfrom typing import Any\n"


def render() -> str:
    """The text of the stub."""
    found = surface().compiled
    blocks = ["\n".join(classes.compiled(name, cls, set(found))) for name, cls in found.items()]
    return "\n".join([HEAD, *blocks, ""])
