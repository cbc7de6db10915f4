"""The mypy plugin: add ``plugins = ["jaxtyping_core.mypy"]`` to the configuration of mypy."""

from jaxtyping_core_mypy import plugin as plugin
