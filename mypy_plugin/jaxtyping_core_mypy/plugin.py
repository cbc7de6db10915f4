"""The mypy plugin: hooks look up and dispatch, nothing else."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mypy.options import Options
from mypy.plugin import (
    AnalyzeTypeContext,
    AttributeContext,
    FunctionContext,
    MethodContext,
    MethodSigContext,
    Plugin,
    ReportConfigContext,
)
from mypy.types import CallableType, Type

import jaxtyping_core
import jaxtyping_core_mypy
from jaxtyping_core_mypy import (
    aliases,
    batching,
    calls,
    control_flow,
    gradients,
    instance_checks,
    names,
    operators,
    rows,
    sizes,
    trees,
    widening,
)
from jaxtyping_core_mypy.annotations import Annotations
from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.guard import Guard
from jaxtyping_core_mypy.named_dims import check_call

#: Attributes of an array whose type depends on its dtype or shape.
ATTRIBUTES = frozenset({"T", "mT", "real", "imag"})
#: Functions of Python that arrays answer.
BUILTINS = frozenset({"abs", "divmod", "pow", "round", *calls.ITERATES, *calls.ROWS})
#: Packages whose functions take no named dims: the hook for the user's functions passes them over.
FOREIGN = ("builtins.", "typing.", "typing_extensions.", "numpy.", "jax.", "functools.", "collections.")


class JaxPlugin(Plugin):
    """Exact dtypes and shapes for JAX's arrays."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.engine = Engine(options, self.lookup_fully_qualified)
        self._guard = Guard(self.engine)
        self._annotations = Annotations(self.lookup_fully_qualified)
        # mypy asks for the hooks of a name at each of its uses.
        self._function_hooks: dict[str, Callable[[FunctionContext], Type] | None] = {}
        self._method_hooks: dict[str, Callable[[MethodContext], Type] | None] = {}
        self._attribute_hooks: dict[str, Callable[[AttributeContext], Type] | None] = {}
        # Under the plugin the shape parameter is covariant: see `named_dims`. A variable may take an array
        # of another shape or dtype (``x = x.reshape(12)``), as in every JAX program.
        options.always_true = [*options.always_true, "JAXTYPING_CORE_PLUGIN"]
        options.always_false = [*options.always_false]
        (options.always_true if self.engine.x64 else options.always_false).append("JAX_ENABLE_X64")
        options.allow_redefinition = True

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        return [*self.engine.data(ctx.id, ctx.is_check), sources_digest()]

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        return self._annotations.hook(fullname)

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        if fullname not in self._function_hooks:
            self._function_hooks[fullname] = self._function_hook(fullname)
        return self._function_hooks[fullname]

    def _function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        if fullname in names.BATCHING:
            return self._guard.wrap(batching.batching_callback(self.engine, fullname))
        path = evaluated_path(fullname)
        if path in control_flow.FUNCTIONS:
            return self._guard.wrap(control_flow.control_flow_callback(self.engine, path))
        if path in gradients.FUNCTIONS:
            return self._guard.wrap(gradients.gradient_callback(self.engine, path))
        if path in trees.MAP:
            return self._guard.wrap(trees.map_callback(self.engine, path))
        if path is not None:
            return self._guard.wrap(calls.function_callback(self.engine, path))
        module, _, name = fullname.rpartition(".")
        if fullname == "builtins.len":
            return self._guard.wrap(sizes.len_callback(self.engine))
        if fullname == "builtins.zip":
            return self._guard.wrap(rows.zip_callback(self.engine))
        if fullname == "builtins.isinstance":
            return self._guard.wrap(instance_checks.isinstance_callback)
        if module == "builtins" and name in BUILTINS:
            return self._guard.wrap(calls.builtin_callback(self.engine, name))
        if fullname.startswith(FOREIGN):
            return None
        return self._guard.wrap(aliases.call_callback(self.engine))

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        if fullname not in self._method_hooks:
            self._method_hooks[fullname] = self._method_hook(fullname)
        return self._method_hooks[fullname]

    def _method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        cls, _, method = fullname.rpartition(".")
        if cls in names.ARRAYS:
            return self._guard.wrap(self._array_method(method))
        if cls == names.NDARRAY and method in operators.OF_NUMPY:
            return self._guard.wrap(operators.numpy_callback(self.engine, method))
        if cls == names.UPDATE_REF:
            return self._guard.wrap(calls.update_callback(self.engine, method))
        if method == "__call__" and cls.startswith(names.UFUNC_PREFIX):
            path = f"jax.numpy.{cls.removeprefix(names.UFUNC_PREFIX)}"
            return self._guard.wrap(calls.function_callback(self.engine, path))
        if cls.startswith(names.UFUNC_PREFIX) or cls == names.UFUNC:
            return self._guard.wrap(calls.ufunc_method_callback(self.engine, method))
        if method == "__getitem__" and cls.startswith("jax._src.numpy.index_tricks."):
            return self._guard.wrap(calls.index_callback(self.engine))
        if method == "__call__" and cls.startswith("jax."):
            return self._guard.wrap(calls.value_callback(self.engine))
        if method in operators.REFLECTED and cls.startswith("numpy."):
            return self._guard.wrap(operators.numpy_callback(self.engine, method))
        if fullname == batching.PARTIAL_CALL:
            return batching.partial_callback(self._guard.wrap)
        if fullname in widening.READER_METHODS:
            return self._guard.wrap(widening.reader_callback)
        return None if fullname.startswith(FOREIGN) else self._guard.wrap(check_call)

    def _array_method(self, method: str) -> Callable[[MethodContext], Type]:
        if method in operators.ELEMENTWISE:
            return operators.operator_callback(self.engine, method)
        if method in operators.MATMUL:
            return operators.matmul_callback(self.engine, method)
        if method in ("__iter__", "__reversed__"):
            return calls.iteration_callback(self.engine)
        return calls.method_callback(self.engine, method)

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        if fullname not in self._attribute_hooks:
            self._attribute_hooks[fullname] = self._attribute_hook(fullname)
        return self._attribute_hooks[fullname]

    def _attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        cls, _, attribute = fullname.rpartition(".")
        if cls in (names.ARRAY_MEMBERS, names.LAYER_ARRAY):
            if attribute == "shape":
                return self._guard.wrap(sizes.shape_callback(self.engine))
            if attribute in sizes.ATTRIBUTES:
                return self._guard.wrap(sizes.attribute_callback(self.engine, attribute))
            if attribute not in ATTRIBUTES:
                return None
            return self._guard.wrap(calls.attribute_callback(self.engine, attribute))
        return None if fullname.startswith(FOREIGN) else self._guard.wrap(widening.attribute_callback)

    def get_class_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        # A hook here switches off mypy's look at the metaclass first, which dunders need.
        dunder = fullname.rpartition(".")[2].startswith("__")
        if dunder or fullname.startswith(FOREIGN):
            return None
        return self._guard.wrap(widening.attribute_callback)

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], CallableType] | None:
        if fullname not in widening.MUTATOR_METHODS:
            return None
        return self._guard.wrap(widening.mutator_callback)


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
