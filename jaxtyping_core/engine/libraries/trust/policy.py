"""The packages that are called for real, and what of them is.

Only what a program may reach by public names, and what does nothing but compute: whatever works on files, the network,
processes, clocks or the state of the process is left out, by the tables below.
"""

from __future__ import annotations

import builtins
import contextlib
import enum
import importlib
import importlib.util
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .... import libraries
from ....identity import identity
from ...values.unknowns import PURE_EXTERNAL, UNKNOWN
from .. import registry
from .tables import BASES_OF_BUILTINS, BUILTINS_CALLED, BUILTINS_DENIED, DENIED, ONLOOKERS, STANDARD, WITHIN

#: What is said of a package that is not called.
NOT_TRUSTED = "{} is not a trusted package: its results are unknown"
#: Packages that trusted ones import if they are there, for what no evaluation asks of them.
UNNEEDED = tuple(dict.fromkeys(name for row in libraries.LIBRARIES.values() for name in row.unneeded))
#: Classes of Python's own from which the program's may be derived.
BASES = frozenset(
    {*map(vars(builtins).get, BASES_OF_BUILTINS), enum.Enum, enum.IntEnum, enum.StrEnum, enum.Flag}
)


def _not_there(name: str, missing: str) -> str:
    """What is told of a module that cannot be imported, because a module is missing: it, or another one."""
    library, _, inner = missing.partition(".")
    whose = "its results" if missing == name else f"the results of {name}"
    fact = f"is not in the installed {library}" if inner and library in sys.modules else "is not installed"
    return f"{missing} {fact}: {whose} are unknown"


@contextlib.contextmanager
def _left_out(names: set[str]) -> Iterator[None]:
    """Have modules that are imported meanwhile not find these packages, but for those that have been imported."""
    modules: dict[str, Any] = (
        sys.modules
    )  # None in it says that there is no such module, which its type leaves out
    names = {name for name in names if name not in modules}
    modules.update(dict.fromkeys(names))
    try:
        yield
    finally:
        for name in names:  # whoever asks what has been imported finds no such name
            modules.pop(name, None)


class TrustPolicy:
    """The packages that are called.

    Args:
        trust: their names.
    """

    BASES = BASES

    def __init__(self, trust: Iterable[str]) -> None:
        self.roots = STANDARD | {name for name in trust if name.partition(".")[0] == name}
        self._denied: dict[int, Any] | None = None
        #: How many overlays were loaded when that was made.
        self._overlays = 0
        registry.load()

    def untrusted(self, name: str) -> str:
        """The package of a module, if it could be trusted and is not; else ""."""
        package = name.partition(".")[0]
        # Nobody can trust more of Python.
        return "" if package in self.roots or package in sys.stdlib_module_names else package

    def module(self, name: str, note: Callable[[str], None]) -> Any:
        """The module of this name if it is one of a trusted package; unknown otherwise."""
        parts = name.split(".")
        if parts[0] not in self.roots:
            return PURE_EXTERNAL if parts[0] in ONLOOKERS or registry.is_onlooker(parts[0]) else UNKNOWN
        is_private = any(part.startswith("_") for part in parts)
        if is_private or any(part in denied_in(".".join(parts[:i])) for i, part in enumerate(parts) if i):
            note(f"{name} is not evaluated: its results are unknown")
            return UNKNOWN
        try:
            with _left_out({*UNNEEDED} - self.roots):
                module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            note(_not_there(name, error.name or name))
            return UNKNOWN
        except Exception as error:  # real code may raise anything, which is told
            note(f"{name} cannot be imported: {type(error).__name__}")
            return UNKNOWN
        finally:
            registry.load()
        return module

    def name(self, module: types.ModuleType, name: str) -> Any:
        """A public name of a trusted module; unknown if it is not to be seen.

        Raises:
            AttributeError: there is none.
        """
        path = public(module.__name__)
        if name in denied_in(path) or (name.startswith("_") and name != "__version__"):
            return UNKNOWN
        try:
            value = getattr(module, name)
        except AttributeError:
            if is_absent(module, name):
                raise
            return self.module(f"{module.__name__}.{name}", lambda _: None)
        if isinstance(value, types.ModuleType):
            return value if self.is_open(value) else UNKNOWN
        return value if self.may_see(value) else UNKNOWN

    def is_open(self, module: types.ModuleType) -> bool:
        """Whether a module is one of a trusted package's public ones."""
        parts = public(module.__name__).split(".")
        if parts[0] not in self.roots or any(part.startswith("_") for part in parts[1:]):
            return False
        return not any(part in denied_in(".".join(parts[:i])) for i, part in enumerate(parts) if i)

    def may_see(self, value: Any) -> bool:
        """Whether an object that was found under a public name is to be seen: no function of another package."""
        if identity(value) in self.denied():
            return False
        if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, type)):
            return self.is_trusted(value)
        return True

    def is_trusted(self, value: Any) -> bool:
        """Whether a function or a class is of one of the packages."""
        module = getattr(value, "__module__", None)
        if module is None or module == "builtins":
            return value in SAFE_BUILTINS if isinstance(value, (type, types.BuiltinFunctionType)) else True
        root = str(module).partition(".")[0]
        return root in WITHIN or root in registry.within() or root.lstrip("_") in self.roots

    def denied(self) -> dict[int, Any]:
        """The objects of the tables, whatever name they are found under."""
        if self._denied is None or self._overlays != registry.count():
            self._denied, self._overlays = {}, registry.count()
            for path, names in (*DENIED.items(), *registry.denied().items()):
                module = sys.modules.get(path)
                for name in names if module else ():
                    value = vars(module).get(name)
                    if callable(value) and not isinstance(value, types.ModuleType):
                        self._denied[identity(value)] = value
            for name in BUILTINS_DENIED:
                value = getattr(builtins, name, None)
                if value is not None and value not in (type, object):
                    self._denied[identity(value)] = value
        return self._denied


def denied_in(path: str) -> frozenset[str]:
    """The public names of a module that are not seen."""
    return DENIED.get(path) or registry.denied().get(path) or frozenset()


SAFE_BUILTINS = frozenset(
    {
        *(getattr(builtins, name) for name in BUILTINS_CALLED),
        *(
            kind
            for kind in vars(builtins).values()
            if isinstance(kind, type) and issubclass(kind, BaseException)
        ),
    }
)


def is_absent(module: types.ModuleType, name: str) -> bool:
    """Whether a module that has no such name has no such submodule either."""
    if not name.isidentifier():  # nothing is looked for in other packages
        return False
    if not hasattr(module, "__path__"):
        return True
    try:
        return importlib.util.find_spec(f"{module.__name__}.{name}") is None
    except (ImportError, ValueError, AttributeError):
        return False


def public(name: str) -> str:
    """The name of a module without its private parts: where the package shows it."""
    return ".".join(part for part in name.split(".") if not part.startswith("_"))
