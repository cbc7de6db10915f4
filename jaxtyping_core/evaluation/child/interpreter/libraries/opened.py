"""The packages that are called for real, and what of them is.

Only what a program may reach by public names, and what does nothing but compute: whatever works on files, the network,
processes, clocks or the state of the process is left out, by the tables below.
"""

from __future__ import annotations

import builtins
import enum
import importlib
import importlib.util
import sys
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any

from ..values.unknowns import ONLOOKER, UNKNOWN

#: Packages of Python's own that only compute.
STANDARD = frozenset(
    {
        *(
            "math",
            "cmath",
            "functools",
            "itertools",
            "operator",
            "collections",
            "dataclasses",
            "typing",
            "abc",
            "enum",
        ),
        *(
            "numbers",
            "fractions",
            "statistics",
            "string",
            "types",
            "contextlib",
            "copy",
            "typing_extensions",
            "warnings",
        ),
        *("bisect", "heapq", "textwrap"),
    }
)
#: Packages that are called where they are installed, unless the settings say otherwise.
TRUSTED = (
    *(
        "jax",
        "numpy",
        "einops",
        "equinox",
        "flax",
        "optax",
        "chex",
        "jaxtyping",
        "numpyro",
        "distrax",
        "beartype",
    ),
    *("ml_dtypes", "opt_einsum", "jaxtyping_core"),
)
#: Names that are not called or seen, though they are public: by the module or class that has them.
DENIED: dict[str, frozenset[str]] = {
    "jax": frozenset(
        {
            *(
                "profiler",
                "monitoring",
                "distributed",
                "collect_profile",
                "tools",
                "ffi",
                "dlpack",
                "interop",
                "extend",
            ),
            *(
                "lib",
                "export",
                "config",
                "clear_caches",
                "clear_backends",
                "live_arrays",
                "print_environment_info",
            ),
            *(
                "devices",
                "local_devices",
                "process_index",
                "make_array_from_callback",
                "pure_callback",
                "debug",
            ),
            *(
                "make_array_from_process_local_data",
                "make_array_from_single_device_arrays",
                "stages",
                "default_device",
            ),
            *(
                "set_mesh",
                "reshard",
                "log_compiles",
                "debug_infs",
                "debug_nans",
                "transfer_guard",
                "ensure_compile_time_eval",
            ),
            *("no_execution", "explain_cache_misses", "default_prng_impl", "numpy_rank_promotion"),
        }
    ),
    "jax.numpy": frozenset(
        {
            "load",
            "save",
            "savez",
            "savetxt",
            "loadtxt",
            "fromfile",
            "set_printoptions",
            "printoptions",
            "from_dlpack",
        }
    ),
    "jax.experimental": frozenset(
        {
            *(
                "compilation_cache",
                "serialize_executable",
                "jax2tf",
                "host_callback",
                "io_callback",
                "multihost_utils",
            ),
            *(
                "profiler",
                "colocated_python",
                "transfer",
                "topologies",
                "array_serialization",
                "source_mapper",
                "buffer_callback",
            ),
            *("pallas", "mosaic", "roofline", "scheduling_groups", "rnn", "export", "mesh_utils"),
        }
    ),
    "jax.tree_util": frozenset({"default_registry"}),
    "numpy": frozenset(
        {
            *(
                "load",
                "loadtxt",
                "genfromtxt",
                "fromfile",
                "fromregex",
                "memmap",
                "save",
                "savez",
                "savez_compressed",
            ),
            *(
                "savetxt",
                "lib",
                "ctypeslib",
                "testing",
                "f2py",
                "distutils",
                "show_config",
                "show_runtime",
                "info",
                "test",
            ),
            *(
                "get_include",
                "set_printoptions",
                "seterr",
                "seterrcall",
                "setbufsize",
                "core",
                "random",
                "rec",
                "char",
            ),
            *(
                "typing",
                "strings",
                "emath",
                "polynomial",
                "frombuffer",
                "from_dlpack",
                "frompyfunc",
                "vectorize",
            ),
            *(
                "fromfunction",
                "apply_along_axis",
                "apply_over_axes",
                "piecewise",
                "nditer",
                "fromiter",
                "fromstring",
            ),
            *(
                "set_string_function",
                "array2string",
                "array_str",
                "array_repr",
                "format_float_positional",
                "savetext",
            ),
        }
    ),
    "operator": frozenset(
        {
            "attrgetter",
            "methodcaller",
            "itemgetter",
            "call",
            "mul",
            "imul",
            "mod",
            "imod",
            "pow",
            "ipow",
            "lshift",
            "ilshift",
            "concat",
            "repeat",
        }
    ),
    "functools": frozenset({"cached_property", "singledispatch", "singledispatchmethod"}),
    "itertools": frozenset({"tee"}),
    "types": frozenset(
        {
            "FunctionType",
            "LambdaType",
            "CodeType",
            "new_class",
            "prepare_class",
            "ModuleType",
            "coroutine",
            "resolve_bases",
            "FrameType",
            "TracebackType",
            "CellType",
            "BuiltinFunctionType",
            "GetSetDescriptorType",
        }
    ),
    "typing": frozenset({"get_type_hints", "ForwardRef", "evaluate_forward_ref", "get_overloads", "NewType"}),
    "typing_extensions": frozenset(
        {"get_type_hints", "ForwardRef", "evaluate_forward_ref", "get_annotations"}
    ),
    "dataclasses": frozenset({"make_dataclass"}),
    "collections": frozenset(),
    "string": frozenset({"Formatter", "Template"}),
    "contextlib": frozenset(
        {"redirect_stdout", "redirect_stderr", "chdir", "ExitStack", "closing", "AsyncExitStack"}
    ),
    "copy": frozenset({"copyreg", "dispatch_table"}),
    "warnings": frozenset({"showwarning", "formatwarning"}),
    "equinox": frozenset(
        {
            *("tree_serialise_leaves", "tree_deserialise_leaves", "default_serialise_filter_spec", "debug"),
            *("default_deserialise_filter_spec", "internal", "tree_pprint", "tree_pformat", "tree_pp"),
        }
    ),
    "flax": frozenset({"io", "serialization", "config", "jax_utils", "metrics"}),
    "flax.training": frozenset(
        {"checkpoints", "orbax_utils", "prefetch_iterator", "common_utils", "lr_schedule"}
    ),
    "chex": frozenset(
        {"TestCase", "variants", "set_n_cpu_devices", "fake_jit", "fake_pmap", "fake_pmap_and_jit"}
    ),
    "einops": frozenset(),
    "numpyro": frozenset(
        {"set_host_device_count", "set_platform", "enable_x64", "render_model", "infer", "util"}
    ),
    "ml_dtypes": frozenset(),
    "beartype": frozenset({"claw", "door", "roar", "peps"}),
}
#: Attributes of any object that lead to files, memory or frames.
CLOSED = frozenset(
    {
        *(
            "tofile",
            "dump",
            "dumps",
            "ctypes",
            "data",
            "setflags",
            "gi_frame",
            "gi_code",
            "cr_frame",
            "ag_frame",
        ),
        *(
            "f_globals",
            "f_locals",
            "f_builtins",
            "f_back",
            "f_code",
            "tb_frame",
            "tb_next",
            "func_globals",
            "mro",
        ),
        *(
            "lower",
            "trace",
            "clear_cache",
            "unsafe_buffer_pointer",
            "on_device_size_in_bytes",
            "addressable_data",
        ),
        *("format_map", "register_module", "sow_to_file"),
    }
)
#: Classes of Python's own from which the program's may be derived.
BASES = frozenset(
    {
        *(
            object,
            dict,
            list,
            tuple,
            Exception,
            ValueError,
            TypeError,
            RuntimeError,
            KeyError,
            ArithmeticError,
        ),
        *(
            NotImplementedError,
            AttributeError,
            IndexError,
            StopIteration,
            enum.Enum,
            enum.IntEnum,
            enum.StrEnum,
            enum.Flag,
        ),
        *(int, float, str),
    }
)
#: Packages whose functions keep nothing of what they are passed, and change nothing of it.
ONLOOKERS = frozenset(
    {
        *(
            "matplotlib",
            "seaborn",
            "logging",
            "wandb",
            "tensorboardX",
            "tensorboard",
            "json",
            "pickle",
            "time",
            "datetime",
            "os",
        ),
        *(
            "sys",
            "pathlib",
            "pprint",
            "rich",
            "absl",
            "mlflow",
            "plotly",
            "PIL",
            "imageio",
            "tqdm",
            "io",
            "csv",
            "gc",
            "timeit",
        ),
        *(
            "pandas",
            "sklearn",
            "torch",
            "torchvision",
            "tensorflow",
            "tensorflow_datasets",
            "datasets",
            "orbax",
            "requests",
        ),
        *(
            "urllib",
            "gzip",
            "struct",
            "array",
            "argparse",
            "random",
            "scipy",
            "inspect",
            "traceback",
            "threading",
            "psutil",
        ),
    }
)


class Libraries:
    """The packages that are called.

    Args:
        trust: their names.
    """

    BASES = BASES

    def __init__(self, trust: Iterable[str]) -> None:
        self.roots = STANDARD | {name for name in trust if name.partition(".")[0] == name}
        self._denied: dict[int, Any] | None = None

    def module(self, name: str, note: Callable[[str], None]) -> Any:
        """The module of this name if it is one of a trusted package; unknown otherwise."""
        parts = name.split(".")
        if parts[0] not in self.roots:
            note(f"{parts[0]} is no trusted package: what it gives is unknown")
            return ONLOOKER if parts[0] in ONLOOKERS else UNKNOWN
        if any(part.startswith("_") for part in parts):
            return UNKNOWN
        if any(part in DENIED.get(".".join(parts[:i]), ()) for i, part in enumerate(parts) if i):
            return UNKNOWN
        try:
            found = importlib.import_module(name)
        except ModuleNotFoundError:
            note(f"{name} is not installed: what it gives is unknown")
            return UNKNOWN
        except Exception as error:
            note(f"{name} cannot be imported: {type(error).__name__}")
            return UNKNOWN
        return found

    def name(self, module: types.ModuleType, name: str) -> Any:
        """A public name of a trusted module; unknown if it is not to be seen.

        Raises:
            AttributeError: there is none.
        """
        path = public(module.__name__)
        if name in DENIED.get(path, ()) or (name.startswith("_") and name != "__version__"):
            return UNKNOWN
        try:
            value = getattr(module, name)
        except AttributeError:
            return self.module(f"{module.__name__}.{name}", lambda _: None)
        if isinstance(value, types.ModuleType):
            return value if self._is_open(value) else UNKNOWN
        return value if self.may_see(value) else UNKNOWN

    def _is_open(self, module: types.ModuleType) -> bool:
        parts = public(module.__name__).split(".")
        if parts[0] not in self.roots or any(part.startswith("_") for part in parts[1:]):
            return False
        return not any(part in DENIED.get(".".join(parts[:i]), ()) for i, part in enumerate(parts) if i)

    def may_see(self, value: Any) -> bool:
        """Whether an object that was found under a public name is to be seen: no function of another package."""
        if id(value) in self.denied():
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
        return root in _WITHIN or root.lstrip("_") in self.roots

    def denied(self) -> dict[int, Any]:
        """The objects of the tables, whatever name they are found under."""
        if self._denied is None:
            self._denied = {}
            for path, names in DENIED.items():
                module = sys.modules.get(path)
                for name in names if module else ():
                    value = vars(module).get(name)
                    if callable(value) and not isinstance(value, types.ModuleType):
                        self._denied[id(value)] = value
            for name in (
                "open",
                "exec",
                "eval",
                "compile",
                "input",
                "__import__",
                "breakpoint",
                "globals",
                "locals",
                "vars",
                "getattr",
                "setattr",
                "delattr",
                "hasattr",
                "dir",
                "type",
                "object",
                "super",
                "memoryview",
                "exit",
            ):
                value = getattr(builtins, name, None)
                if value is not None and value not in (type, object):
                    self._denied[id(value)] = value
        return self._denied


#: Roots under which the packages have what they make public.
_WITHIN = frozenset(
    {
        "jaxlib",
        "jax",
        "numpy",
        "collections",
        "_functools",
        "_operator",
        "_collections",
        "functools",
        "operator",
        "__program__",
        "contextlib",
        "ml_dtypes",
        "wadler_lindig",
        "treescope",
    }
)
SAFE_BUILTINS = frozenset(
    {
        *(
            bool,
            int,
            float,
            complex,
            str,
            bytes,
            list,
            tuple,
            dict,
            set,
            frozenset,
            range,
            slice,
            enumerate,
            zip,
            map,
            filter,
        ),
        *(
            reversed,
            type,
            object,
            property,
            staticmethod,
            classmethod,
            abs,
            min,
            max,
            sum,
            len,
            round,
            pow,
            divmod,
            all,
            any,
        ),
        *(
            sorted,
            repr,
            hash,
            id,
            isinstance,
            issubclass,
            callable,
            iter,
            next,
            print,
            chr,
            ord,
            hex,
            bin,
            oct,
            ascii,
            format,
        ),
        *(
            value
            for value in vars(builtins).values()
            if isinstance(value, type) and issubclass(value, BaseException)
        ),
    }
)


def public(name: str) -> str:
    """The name of a module without its private parts: where the package shows it."""
    return ".".join(part for part in name.split(".") if not part.startswith("_"))


__all__ = ["ONLOOKERS", "TRUSTED", "Libraries", "typing"]
