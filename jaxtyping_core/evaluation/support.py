"""Which versions of JAX are supported."""

from __future__ import annotations

import contextlib
import re

from jaxtyping_core.evaluation.versions import jax_version

#: The newest JAX that the stubs describe and the evaluation is tested with.
NEWEST = "0.12"
NEWER = (
    "JAX {version} is newer than {newest}, which the stubs describe, so some types may be wrong;"
    " `jaxtyping-core stubs` writes stubs for the installed JAX"
)


def oldest_jax() -> str:
    """The oldest JAX that this project supports: the bound of its own requirement."""
    import importlib.metadata  # which takes long, and is not needed for the newest JAX

    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        for requirement in importlib.metadata.requires("jaxtyping-core") or ():
            if match := re.match(r"jax\s*>=\s*([\d.]+)", requirement):
                return match[1]
    return "0"


def release(version: str) -> tuple[int, ...]:
    """The first two numbers of a version of JAX, between which its interface may change."""
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


def is_untested(version: str) -> bool:
    """Whether a JAX is newer than any that the stubs and the evaluation are tested with."""
    return release(version) > release(NEWEST)


def reason_against(python: str) -> str:
    """Why the JAX of an interpreter is not asked; empty if it is."""
    version = jax_version(python)
    if version == "none":
        return f"{python} has no JAX; run pip install jax"
    if release(version) >= release(NEWEST):
        return ""
    oldest = oldest_jax()
    if release(version) < release(oldest):
        return f"JAX {version} is older than {oldest}, the oldest supported version; run pip install 'jax>={oldest}'"
    return ""


def warning(python: str) -> str:
    """What is to be said of the JAX of an interpreter that is asked; empty if nothing is."""
    version = jax_version(python)
    return NEWER.format(version=version, newest=NEWEST) if version != "none" and is_untested(version) else ""
