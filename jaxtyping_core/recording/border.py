"""What came into a program from outside: what calls of libraries that are not trusted gave, and what was read from files.

The files of a project are compiled with probes, which tell of each call, attribute and item what it gave and of whom it was asked.
Dtypes, shapes and ints that may be sizes are kept, joined for each place. When some dozens of values in a row add nothing new, the
recorder stops looking at that place.
"""

from __future__ import annotations

import ast
import functools
import sys
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import decode_source
from typing import Any

from jaxtyping_core.programs.sites import Site, Sites
from jaxtyping_core.recording import probes
from jaxtyping_core.recording.instrument import Probe, compiled
from jaxtyping_core.recording.joining import compact, has_content, join
from jaxtyping_core.recording.observe import Observer, class_name, mro, names_of
from jaxtyping_core.recording.observed import Computed, Cut, Dict, Observed
from jaxtyping_core.recording.sources import Project, Source
from jaxtyping_core.settings import TRUSTED

#: Values of a place that are looked at after the last one that showed something new, and in all.
PATIENCE, MOST = 32, 1000
#: The same for trees of what the program itself computes: a look at one takes longer.
PATIENCE_OF_TREES = 4
#: Packages that the engine knows, besides those that it trusts.
KNOWN = frozenset({*TRUSTED, "jax", "jaxlib", "numpy", "ml_dtypes", "jaxtyping_core", "jaxtyping_core_mypy"})
#: The last names of functions and classes of known packages that read what is outside of the program.
READERS = frozenset(
    {"load", "loads", "loadtxt", "loadmat", "genfromtxt", "fromfile", "fromregex", "memmap", "read", "imread"}
)
#: The modules of the types of functions and methods that compilers of Python make, and what such a function holds that is no object.
COMPILED = ("nanobind", "_cython", "cython")
NO_HOLDERS = frozenset({"module", "builtins.module", "PyCapsule", "builtins.PyCapsule"})
READING_CLASSES = frozenset({"NpzFile"})
_CUT = Cut()


class _Place:
    """What is known of the place of a probe."""

    __slots__ = ("is_foreign", "kept", "left", "looks", "passes_foreign", "probe", "site", "source")

    def __init__(self, source: Source, probe: Probe) -> None:
        self.source, self.probe = source, probe
        #: Whether the owner of the last value, or what was passed to it, is of a library that is not trusted.
        self.is_foreign = self.passes_foreign = False
        self.looks = 0
        #: How many more trees of the program's own are looked at.
        self.left = PATIENCE_OF_TREES
        self.kept: Observed | None = None
        self.site: Site | None = None

    @property
    def came_from_outside(self) -> bool:
        """Whether the last value did."""
        return self.is_foreign or self.passes_foreign


class _Whole(Observer):
    """Does not look into a dict of which it would leave out some keys."""

    def _dict(self, name: str | None, obj: dict[Any, Any], walk: Any) -> Observed:
        seen = super()._dict(name, obj, walk)
        is_whole = not isinstance(seen, Dict) or len(seen.keys) == dict.__len__(obj)
        return seen if is_whole else _CUT


class Border:
    """Compiles the files of a project with probes, and keeps what these tell.

    Args:
        project: the project.
        write: keeps what is known of a place from now on.
        failed: is told what could not be looked at.
    """

    def __init__(
        self,
        project: Project,
        write: Callable[[Source, Site, Observed], Observed],
        failed: Callable[[Exception], None],
    ) -> None:
        self._project, self._write, self._failed = project, write, failed
        self._observer = _Whole()
        self._places: list[_Place] = []
        self._sites: dict[str, Sites] = {}
        self._owned: dict[str, bool] = {}
        self._lock = threading.RLock()
        #: The code of files that has probes in it.
        self.compiled: set[types.CodeType] = set()

    @property
    def count(self) -> int:
        """The number of places at which something came from outside."""
        return sum(place.kept is not None for place in self._places) - self.computed

    @property
    def computed(self) -> int:
        """The number of places of which what the program computed is kept."""
        return sum(isinstance(place.kept, Computed) for place in self._places)

    def start(self) -> None:
        """From now on, files of the project are imported with probes."""
        probes.begin(self)
        sys.meta_path.insert(0, self)

    def stop(self) -> None:
        """No more is looked at."""
        probes.end()
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module is, as Python's own finders say; a file of the project is loaded with probes."""
        finders = (getattr(each, "find_spec", None) for each in [*sys.meta_path] if each is not self)
        specs: Iterator[ModuleSpec | None] = (
            find(name, path, target) for find in finders if find is not None
        )
        spec = next((spec for spec in specs if spec is not None), None)
        loader = None if spec is None else spec.loader
        if type(loader) is SourceFileLoader:  # others change the source themselves
            code = self.code(loader.path)
            if code is not None:
                vars(loader)["get_code"] = lambda fullname: code
        return spec

    def code(self, file: str) -> types.CodeType | None:
        """The code of a file with probes; None for one that is not the project's, or cannot be given any."""
        source = self._project.look_up(file)
        if source is None:
            return None
        try:
            with self._lock:
                code, new = compiled(source.text, file, len(self._places))
                self._places += [_Place(source, probe) for probe in new]
                probes.left += [PATIENCE] * len(new)
                self.compiled.add(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        return code

    # What the probes tell

    def owner(self, number: int, owner: object) -> None:
        """What is called, or asked for an attribute, an item or items."""
        place = self._places[number]
        try:
            place.passes_foreign = False
            place.is_foreign = self._is_foreign(owner)
        except RecursionError:  # the program is about to have it as well
            return
        except Exception as error:  # the program must not see that recording failed
            self._failed(error)

    def argument(self, number: int, argument: object) -> None:
        """What a call passes."""
        place = self._places[number]
        try:
            place.passes_foreign = place.passes_foreign or self._holds_foreign(argument)
        except RecursionError:  # the program is about to raise it, too
            return
        except Exception as error:  # the program must not see that recording failed
            self._failed(error)

    def value(self, number: int, value: object) -> None:
        """What an expression has given, or what was bound."""
        place = self._places[number]
        tracing = sys.gettrace()  # a debugger of the program, say, which would stop in our code
        if tracing is not None:
            sys.settrace(None)
        try:
            place.looks += 1
            probes.left[number] = probes.left[number] - 1 if place.looks < MOST else 0
            if place.came_from_outside or self._is_foreign_source(place.probe.via):
                self._see(number, place, compact(self._observer.observe(value)))
            else:
                self._see_computed(number, place, value)
        except RecursionError:  # the program is about to raise it, too
            return
        except Exception as error:  # the program must not see that recording failed
            self._failed(error)
        finally:
            if tracing is not None:
                sys.settrace(tracing)

    def _see_computed(self, number: int, place: _Place, value: object) -> None:
        """Look at a value that the program computed: an array, an int that may be a size, or a tree of these."""
        kind = type(value)
        if kind is tuple or kind is list or kind is dict:
            is_rare = (
                place.looks & (place.looks - 1) == 0
            )  # the 8th value, the 16th, the 32nd: sizes may change late
            if place.left <= 0 and not is_rare:
                return
            place.left -= 1
        elif kind is not int and not self._observer.is_array(value):
            return
        kept = place.kept
        self._see(number, place, Computed(compact(self._observer.observe(value))))
        if place.kept is not kept:
            place.left = PATIENCE_OF_TREES

    def _is_foreign_source(self, via: int | None) -> bool:
        """Whether what a loop goes over is made by a call of a library that is not trusted, or of what comes from one."""
        return via is not None and self._places[via].came_from_outside

    def _see(self, number: int, place: _Place, seen: Observed) -> None:
        if place.kept is None and not has_content(seen):
            return
        joined = seen if place.kept is None else join(place.kept, seen)
        if joined == place.kept:
            return
        with self._lock:
            if self._observer.full:
                self._observer = _Whole()
            place.kept = joined
            if not isinstance(joined, Computed):
                self._project.source(str(place.source.path))
            place.site = place.site or self._site(place)
            if place.site is not None:
                place.kept = self._write(place.source, place.site, joined)
        probes.left[number] = PATIENCE

    def _site(self, place: _Place) -> Site | None:
        return self.sites(place.source).site(place.probe.span)

    def sites(self, source: Source) -> Sites:
        """The statements of a file."""
        if source.digest not in self._sites:
            self._sites[source.digest] = Sites(decode_source(source.text), ast.parse(source.text))
        return self._sites[source.digest]

    # What is foreign

    def _is_foreign(self, owner: Any) -> bool:
        kind = type(owner)
        if kind is types.ModuleType:
            return self._is_foreign_module(owner.__name__)
        if kind is types.MethodType:
            return self._is_foreign(owner.__func__) or self._is_foreign_class(_class_of(owner.__self__))
        if kind is functools.partial:
            return self._is_foreign(owner.func)
        if kind is types.FunctionType:
            is_own = self._project.look_up(owner.__code__.co_filename) is not None
            return not is_own and self._is_foreign_function(owner)
        if kind is types.BuiltinFunctionType or names_of(kind)[0].startswith(COMPILED):
            holder = getattr(owner, "__self__", None)
            is_method = holder is not None and class_name(type(holder)) not in NO_HOLDERS
            return (
                self._is_foreign_class(_class_of(holder)) if is_method else self._is_foreign_function(owner)
            )
        if kind is types.GeneratorType:
            return self._is_foreign_generator(owner)
        if _is_class(owner):
            return self._is_foreign_class(owner) or names_of(owner)[1] in READERS
        return self._is_foreign_class(kind)

    def _is_foreign_function(self, function: Any) -> bool:
        return self._is_foreign_module(function.__module__) or function.__name__ in READERS

    def _holds_foreign(self, value: Any) -> bool:
        kind = type(value)
        if (kind is list or kind is tuple) and value:
            value = value[0]
        elif kind is dict and value:
            value = next(iter(value.values()))
        if type(value) is types.GeneratorType:
            return self._is_foreign_generator(value)
        return type(value) is not types.ModuleType and self._is_foreign_class(type(value))

    def _is_foreign_generator(self, value: Any) -> bool:
        return value.gi_frame is not None and self._is_foreign_module(
            value.gi_frame.f_globals.get("__name__")
        )

    def _is_foreign_class(self, cls: type) -> bool:
        module, name = names_of(cls)
        return name in READING_CLASSES or self._is_foreign_module(module)

    def _is_foreign_module(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        known = self._owned.get(name)
        if known is None:
            root = name.partition(".")[0]
            file = getattr(sys.modules.get(name), "__file__", None)
            is_own = root == "__main__" or (isinstance(file, str) and self._project.look_up(file) is not None)
            is_known = (
                root in KNOWN
                or root in sys.stdlib_module_names
                or root.lstrip("_") in sys.stdlib_module_names
            )
            known = self._owned[name] = bool(root) and not (is_own or is_known)
        return known


def _is_class(value: Any) -> bool:
    """Whether an object is a class, without asking it."""
    return any(base is type for base in mro(type(value)))


def _class_of(value: Any) -> type:
    """A class itself, and the class of any other object."""
    made: type = value if _is_class(value) else type(value)
    return made
