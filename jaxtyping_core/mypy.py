"""The name under which mypy is told of the plugin: ``plugins = ["jaxtyping_core.mypy"]``."""

from jaxtyping_core_mypy import plugin as plugin
