"""Hydra: the configuration that a program is run with if its command line says nothing. Nothing of it is called."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...engine.libraries.overlay import Overlay
from ...engine.values.callables import Namespace
from ...engine.values.paths import text_of
from ...engine.values.records import Lost
from ...engine.values.unknowns import UNKNOWN, AbstractScalar
from ..omegaconf import create
from ..omegaconf.nodes import DictConfig
from .composing import Part, Sources, compose

if TYPE_CHECKING:
    from ...engine.libraries.natives import Natives

NAME = "hydra"


class _Hydra:
    """What the functions of the library share in one program.

    Attributes:
        folder: the folder of configurations that the program has set.
        stored: the configurations that it stores, by their paths.
    """

    def __init__(self, natives: Natives) -> None:
        self.natives, self.interpreter = natives, natives.interpreter
        self.folder: str | None = None
        self.stored: dict[str, Part] = {}

    def folder_of(self, path: Any) -> str | None:
        """A folder of configurations, which is told relative to the file that the walk is in.

        Raises:
            Lost: it is not known.
        """
        path = text_of(path)
        if path is None:
            return None
        if type(path) is not str or path.startswith("pkg:"):
            raise Lost
        return posixpath.join(posixpath.dirname(self.interpreter.frame.scope.module.path), path)

    def composed(self, folder: str | None, name: Any, overrides: Any = ()) -> Any:
        """A configuration; unknown where some of it is."""
        try:
            is_known = type(name) is str and isinstance(overrides, (list, tuple))
            if not is_known or not all(type(text) is str for text in overrides):
                raise Lost
            sources = Sources(self.interpreter.files.text_of, folder, self.stored)
            return compose(sources, name, overrides)
        except Lost:
            return self.interpreter.opaque(f"the configuration {name}")

    def main(self, config_path: Any = None, config_name: Any = None, version_base: Any = None) -> Any:
        """``hydra.main``: the function gets the configuration that is composed without options, or any."""
        try:
            folder = self.folder_of(config_path)
        except Lost:
            folder, config_name = None, UNKNOWN
        of_run = self.interpreter.option_defaults

        def decorated(function: Any = UNKNOWN) -> Callable[..., Any]:
            def run(config: Any = None) -> None:
                if config is None:
                    usual = self.composed(folder, config_name) if of_run.are_assumed else None
                    config = of_run.value(usual, UNKNOWN)
                self.interpreter.call(function, [config], {})

            return self.natives.function(run)

        return self.natives.function(decorated)

    def initialize(self, config_path: Any = None, *_: Any, **__: Any) -> Namespace:
        """``hydra.initialize``, also as a context."""
        try:
            self.folder = self.folder_of(config_path)
        except Lost:
            self.folder = "\0"  # no file is in it
        return Namespace()

    def initialize_here(self, config_dir: Any = UNKNOWN, *_: Any, **__: Any) -> Namespace:
        """``hydra.initialize_config_dir``."""
        text = text_of(config_dir)
        self.folder = text if type(text) is str else "\0"
        return Namespace()

    def compose(self, config_name: Any = None, overrides: Any = (), *_: Any, **__: Any) -> Any:
        """``hydra.compose``."""
        return self.composed(self.folder, config_name, overrides)

    def store(
        self, name: Any = UNKNOWN, node: Any = UNKNOWN, group: Any = None, package: Any = None, **_: Any
    ) -> None:
        """``ConfigStore.store``."""
        config = create(self.interpreter, node)
        known = type(name) is str and (group is None or type(group) is str) and isinstance(config, DictConfig)
        if known and (package is None or type(package) is str):
            path = posixpath.join(group or "", name.removesuffix(".yaml"))
            self.stored[path] = Part(config, package)


def _namespaces(natives: Natives) -> dict[str, Any]:
    function, hydra = natives.function, _Hydra(natives)
    text = function(lambda *_, **__: AbstractScalar(str))
    utils = Namespace(
        f"{NAME}.utils", get_original_cwd=text, to_absolute_path=function(lambda path=UNKNOWN: path)
    )
    store = Namespace(store=function(hydra.store))
    of_store = Namespace(f"{NAME}.core.config_store", ConfigStore=Namespace(instance=function(lambda: store)))
    core = Namespace(f"{NAME}.core", config_store=of_store)
    return {
        NAME: Namespace(
            NAME,
            main=function(hydra.main),
            initialize=function(hydra.initialize),
            initialize_config_dir=function(hydra.initialize_here),
            compose=function(hydra.compose),
            utils=utils,
            core=core,
        ),
        f"{NAME}.utils": utils,
        f"{NAME}.core": core,
        f"{NAME}.core.config_store": of_store,
    }


OVERLAY = Overlay(library=NAME, is_onlooker=True, instead=_namespaces)
