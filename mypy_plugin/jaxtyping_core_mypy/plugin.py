"""The mypy plugin: tables from names to callbacks, and the hooks that look up in them."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import FunctionSigContext, Plugin, ReportConfigContext

import jaxtyping_core
import jaxtyping_core_mypy
from jaxtyping_core_mypy import (
    calls,
    containers,
    displays,
    force_display_hooks,
    instance_checks,
    names,
    numpy_dtypes,
    numpy_scalars,
    operator_table,
    operators,
    sizes,
    tree_maps,
    user_calls,
    weak_dtype_promotion,
)
from jaxtyping_core_mypy import transformations as transforms
from jaxtyping_core_mypy.annotations import Annotations
from jaxtyping_core_mypy.contract_checks import Bodies
from jaxtyping_core_mypy.convert import gives_back_type, without_type_variable
from jaxtyping_core_mypy.convert.annotations import is_plain
from jaxtyping_core_mypy.convert.dim_strings import DimStrings, keep_texts, open_pytrees
from jaxtyping_core_mypy.convert.dim_strings.written import ANNOTATED
from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.guard import Guard
from jaxtyping_core_mypy.site import Callback
from jaxtyping_core_mypy.trees import imported_modules, statements_of

#: Packages whose functions take no named dims: the hook for the user's functions passes them over.
FOREIGN = names.FOREIGN_TYPES
OF_JAX = "jax."
Hook = Callable[[Any], Any]


def _each(callback: Callable[..., Any], parameter: str, values: Any) -> dict[str, Callback]:
    """A table from values of a parameter to the callback for each."""
    return {value: functools.partial(callback, **{parameter: value}) for value in values}


#: Functions, by their full names.
FUNCTIONS: dict[str, Callback] = {
    **dict.fromkeys(names.BATCHING, transforms.batching),
    names.SHARD_MAP: transforms.sharding,
    "builtins.isinstance": instance_checks.callback,
    "builtins.max": calls.one_of,
    "builtins.min": calls.one_of,
    "builtins.zip": calls.zipped,
    "<dict>": displays.dict_display,
    "<list>": displays.list_display,
    **{
        f"builtins.{name}": functools.partial(calls.builtin, name=name)
        for name in ("abs", "divmod", "pow", "round", *calls.ITERATES, *calls.ROWS)
    },
}
#: Functions of JAX that are more than evaluated, by their public paths.
PATHS: dict[str, Callback] = {
    **dict.fromkeys(tree_maps.MAPS, tree_maps.tree_map),
    **dict.fromkeys(tree_maps.LEAVES, tree_maps.tree_leaves),
}
#: Methods of arrays; the others are evaluated.
ARRAY_METHODS: dict[str, Callback] = {
    **_each(operators.of_array, "method", operator_table.METHODS),
    "__iter__": calls.iteration,
    "__reversed__": calls.iteration,
}
#: Attributes of arrays whose type depends on the dtype or the shape.
ARRAY_ATTRIBUTES: dict[str, Callback] = {
    "shape": sizes.shape,
    **_each(calls.attribute, "name", ("T", "mT", "real", "imag")),
}
#: Methods of a value that is one of several arrays, as mypy names them.
OF_UNIONS: dict[str, Callback] = {
    f"{method} of {names.ARRAY_MEMBERS.rpartition('.')[2]}": functools.partial(
        operators.by_union, method=method
    )
    for method in operators.REFLECTED
}
#: Methods of Python's own classes.
OF_PYTHON: dict[str, Callback] = {
    **dict.fromkeys(containers.READER_METHODS, containers.read),
    "builtins.float.__rpow__": sizes.power,
    **{f"builtins.{cls}.{name}": sizes.compared for cls in ("int", "tuple") for name in ("__eq__", "__ne__")},
}
SIGNATURES: dict[str, Callback] = {
    **{
        name: functools.partial(containers.mutate, method=name.rpartition(".")[2])
        for name in containers.MUTATOR_METHODS
    },
    names.IS_ARRAY: instance_checks.signature,
    numpy_dtypes.IINFO: numpy_dtypes.signature,
}


def function_callback(fullname: str) -> Callback | None:
    """What answers calls of a function."""
    if fullname in FUNCTIONS:
        return FUNCTIONS[fullname]
    path = evaluated_path(fullname)
    if path is not None:
        return PATHS.get(path) or functools.partial(calls.function, path=path)
    if fullname.startswith("numpy."):
        return numpy_dtypes.call
    return None if fullname.startswith(FOREIGN) else user_calls.call


def method_callback(fullname: str) -> Callback | None:
    """What answers calls of a method."""
    cls, _, method = fullname.rpartition(".")
    if cls in names.ARRAYS:
        return ARRAY_METHODS.get(method) or functools.partial(calls.method, name=method)
    if cls == names.UPDATE_REF:
        return functools.partial(calls.update, name=method)
    if cls == names.NDARRAY and method in operators.OF_NUMPY:
        return functools.partial(operators.of_numpy, method=method)
    if fullname == numpy_scalars.CALL:
        return numpy_scalars.call
    if cls.startswith("numpy.") and method in operators.REFLECTED:
        return functools.partial(operators.of_numpy, method=method)
    if cls.startswith("numpy."):
        return numpy_dtypes.call
    if fullname in OF_PYTHON:
        return OF_PYTHON[fullname]
    if fullname in OF_UNIONS:
        return OF_UNIONS[fullname]
    if cls.startswith(("jax.", *names.UFUNC_PREFIXES)):
        return _method_of_jax(cls, method)
    return None if fullname.startswith(FOREIGN) else user_calls.method


def _method_of_jax(cls: str, method: str) -> Callback | None:
    """What answers calls of a method of JAX's objects that are no arrays."""
    if cls.startswith(names.UFUNC_PREFIXES) and method == "__call__":
        return functools.partial(calls.function, path=cls.replace("._ufunc_", "."))
    if cls.startswith((*names.UFUNC_PREFIXES, names.UFUNC, names.INDEX_TRICKS)):
        return calls.made
    if method == "__call__":
        if f"{cls}.{method}" == transforms.DECORATOR_CALL:
            return transforms.decorated
        return transforms.called if cls.startswith(f"{names.TRANSFORMATIONS}.") else calls.made
    return None


def attribute_callback(fullname: str) -> Callback | None:
    """What answers reads of an attribute, and assignments to it."""
    cls, _, attribute = fullname.rpartition(".")
    if cls in (names.ARRAY_MEMBERS, names.LAYER_ARRAY):
        return ARRAY_ATTRIBUTES.get(attribute)
    if fullname.startswith(OF_JAX):  # such as the arrays in what a solver gives
        return calls.made
    return None if fullname.startswith(FOREIGN) else containers.attribute


def class_attribute_callback(fullname: str) -> Callback | None:
    """What answers reads of a class's attribute; a hook for a dunder would switch off mypy's look at the metaclass."""
    dunder = fullname.rpartition(".")[2].startswith("__")
    return None if dunder or fullname.startswith(FOREIGN) else containers.attribute


def _open_signature(ctx: FunctionSigContext) -> Any:
    """The hook of a function of which only its result tells the shape, such as ``einops.rearrange``."""
    return without_type_variable(ctx.default_signature)


class JaxPlugin(Plugin):
    """Exact dtypes and shapes for JAX's arrays."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.engine = Engine(options, self.lookup_fully_qualified)
        self._annotations = Annotations(self.lookup_fully_qualified, options)
        self._dim_strings = DimStrings(self.lookup_fully_qualified, options)
        self.bodies = Bodies()
        self._guard = Guard(self.engine, self.bodies.look)
        self._hooks: dict[tuple[object, str], Hook | None] = {}
        #: Names of types that are no arrays: mypy asks about them most often.
        self._plain_types: set[str] = set()
        # Under the plugin the shape parameter is covariant: see `named_dims`. A variable may take an array
        # of another shape or dtype (``x = x.reshape(12)``), as in every JAX program.
        true, false = ["JAXTYPING_CORE_PLUGIN"], list[str]()
        (true if self.engine.switches.any else false).append("JAX_ENABLE_X64")
        # Each once, however often the plugin is made for these options: mypy's cache is for them as they are then.
        options.always_true = [*dict.fromkeys([*options.always_true, *true])]
        options.always_false = [*dict.fromkeys([*options.always_false, *false])]
        options.allow_redefinition = True

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        return [*self.engine.data(ctx.path, ctx.is_check), sources_digest()]

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """Called when a module has been parsed: the classes of what calls give are needed where there are arrays."""
        self.engine.known.forget()
        self.bodies.forget()
        imported = [name for node in file.imports for name in imported_modules(node)]
        if file.fullname.startswith(FOREIGN) or file.is_stub:
            return []
        statements = statements_of(file)
        keep_texts(statements, file.imports)
        open_pytrees(statements, file.imports)
        if not any(name.split(".")[0] == "jax" for name in imported):
            return []
        force_display_hooks.mark(statements)
        return [(10, names.OF_RESULTS, -1)]

    def get_type_analyze_hook(self, fullname: str) -> Hook | None:
        if fullname in self._plain_types:
            return None
        hook = self._dim_strings.hook(fullname) or self._annotations.hook(fullname)
        if hook is None and fullname not in ANNOTATED and is_plain(fullname):
            self._plain_types.add(fullname)
        return hook

    def get_function_hook(self, fullname: str) -> Hook | None:
        return self._hook(function_callback, fullname)

    def get_function_signature_hook(self, fullname: str) -> Hook | None:
        path = names.public_path(fullname) or fullname
        if path in SIGNATURES:
            return self._hook(SIGNATURES.get, path)
        if fullname.startswith(FOREIGN) or self._modules is None:
            return None
        if (gives_back_type, fullname) not in self._hooks:
            symbol = self.lookup_fully_qualified(fullname)
            is_such = gives_back_type(symbol.node if symbol else None, self._modules)
            self._hooks[gives_back_type, fullname] = _open_signature if is_such else None
        return self._hooks[gives_back_type, fullname]

    def get_method_hook(self, fullname: str) -> Hook | None:
        if fullname == transforms.PARTIAL_CALL:
            return transforms.partial_call(self._guard.wrap)
        return self._hook(method_callback, fullname)

    def get_customize_class_mro_hook(self, fullname: str) -> Hook | None:
        return weak_dtype_promotion.promote if fullname in weak_dtype_promotion.CLASSES else None

    def get_attribute_hook(self, fullname: str) -> Hook | None:
        return self._hook(attribute_callback, fullname)

    def get_class_attribute_hook(self, fullname: str) -> Hook | None:
        return self._hook(class_attribute_callback, fullname)

    def get_method_signature_hook(self, fullname: str) -> Hook | None:
        return self._hook(SIGNATURES.get, fullname)

    def _hook(self, find: Callable[[str], Callback | None], fullname: str) -> Hook | None:
        """The hook for a name, found once: mypy asks at each of its uses."""
        if (find, fullname) not in self._hooks:
            callback = find(fullname)
            self._hooks[find, fullname] = (
                None if callback is None else self._guard.wrap(callback, fullname.rpartition(".")[2])
            )
        return self._hooks[find, fullname]


@functools.cache
def sources_digest() -> str:
    """A digest of our own sources, stubs aside: mypy follows those itself."""
    digest = hashlib.sha256()
    for package in (jaxtyping_core, jaxtyping_core_mypy):
        for path in sorted(Path(package.__path__[0]).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def evaluated_path(fullname: str) -> str | None:
    """The public path of a function that is evaluated; a dtype class called as a function is one."""
    path = names.public_path(fullname)
    if path is not None:
        return path
    module, _, name = fullname.rpartition(".")
    return f"jax.numpy.{name}" if module == names.SCALAR_TYPES and not name.startswith("_") else None
