"""The mypy plugin of jaxtyping_core; use it as ``plugins = ["jaxtyping_core.mypy"]``."""

from __future__ import annotations

from mypy.plugin import Plugin

from jaxtyping_core_mypy.plugin import JaxPlugin


def plugin(version: str) -> type[Plugin]:
    """mypy's entry point; `version` is mypy's own."""
    return JaxPlugin
