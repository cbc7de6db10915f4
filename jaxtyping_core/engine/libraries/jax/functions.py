"""Functions of JAX and of Python's libraries that do more than compute, or that unknown values need help with."""

from __future__ import annotations

import ast
import collections
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from ...control import RaisedException
from ...language import contexts, operators
from ...language.operators import get_item
from ...language.sequences import items_of
from ...values import arrays
from ...values.callables import Namespace
from ...values.conversions import as_array
from ...values.joins import join_all
from ...values.trees import branches_in, is_branch, leaves, map_tree
from ...values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence, NumpyArray, is_anything, is_unknown
from ..calls.memo import OPTIONS, X64
from ..numpy import array_files
from ..python import copies, dispatchers, iterators, math_functions
from ..trust import inert, writers
from . import branches as branches_of_jax
from . import collectives, kernels, lowering, meshes, solvers
from . import loops as loops_of_jax
from . import maps as maps_of_jax
from .told_shapes import as_told

if TYPE_CHECKING:
    from ...interpreter import Interpreter
    from ..natives import Natives

Maker = Callable[["Interpreter"], Callable[..., Any]]

#: What programs take from `sys` that says nothing of arrays.
OF_SYS = (
    "exit",
    "executable",
    "modules",
    "path",
    "platform",
    "stderr",
    "stdin",
    "stdout",
    "version",
    "version_info",
)


#: Functions of Python's library that give seconds.
CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "default_timer")
CLOCKS_OF_INTS = ("time_ns", "perf_counter_ns", "monotonic_ns", "process_time_ns")


def _tree_map(interpreter: Interpreter) -> Callable[..., Any]:
    def tree_map(f: Any, tree: Any, *rest: Any, is_leaf: Any = None) -> Any:
        def each(*leaves: Any) -> Any:
            result = interpreter.call(f, list(leaves), {})
            return UNKNOWN if any(map(is_anything, leaves)) else result

        def stop(value: Any) -> bool:
            return is_leaf is not None and bool(interpreter.call(is_leaf, [value], {}))

        open_ended = any(map(branches_in, (tree, *rest)))
        if _is_no_tree(tree) or (open_ended and is_leaf is not None):
            interpreter.call(f, [UNKNOWN] * (1 + len(rest)), {})
            return UNKNOWN
        rest = tuple(map_tree(lambda _: UNKNOWN, tree) if _is_no_tree(other) else other for other in rest)
        try:
            return map_tree(each, tree, *rest, stop=stop)
        except RaisedException:
            raise
        except Exception as error:  # what real code raises is what the program would meet
            return UNKNOWN if open_ended else interpreter.refused(jax.tree.map, [tree, *rest], error, True)

    return tree_map


def _is_no_tree(value: Any) -> bool:
    """Whether nothing is known of how a value is put together."""
    return is_anything(value) and not is_branch(value)


def _tree_leaves(interpreter: Interpreter) -> Callable[..., Any]:
    def tree_leaves(tree: Any, is_leaf: Any = None) -> Any:
        if is_leaf is not None:
            known = not arrays.holds_unknown(tree)
            return interpreter.of_library(jax.tree.leaves, [tree], {"is_leaf": is_leaf}) if known else UNKNOWN
        pairs = list(leaves(tree))
        items = [leaf for leaf, _ in pairs]
        if not any(any_number or is_anything(leaf) for leaf, any_number in pairs):
            return items
        return AbstractSequence(
            join_all(items), not all(any_number or is_anything(leaf) for leaf, any_number in pairs)
        )

    return tree_leaves


def _reduce(interpreter: Interpreter) -> Callable[..., Any]:
    def reduced(f: Any, iterable: Any, *initial: Any) -> Any:
        items = items_of(interpreter, iterable)
        if items.listed is None:
            interpreter.call(f, [UNKNOWN, items.item], {})
            return UNKNOWN
        values = [*initial, *items.listed]
        if not values:
            return UNKNOWN
        total = values[0]
        for value in values[1:]:
            total = interpreter.call(f, [total, value], {})
        return total

    return reduced


def _fetched(interpreter: Interpreter) -> Callable[..., Any]:
    """``jax.device_get``: arrays of NumPy."""

    def of_leaf(leaf: Any) -> Any:
        if (
            arrays.is_array(leaf)
            and all(type(dim) is int for dim in leaf.shape)
            and not str(leaf.dtype).startswith("key")
        ):
            return NumpyArray(np.dtype(leaf.dtype), tuple(leaf.shape))
        return leaf if isinstance(leaf, (NumpyArray, np.ndarray, int, float)) else UNKNOWN

    return lambda tree: map_tree(of_leaf, tree)


def _put(interpreter: Interpreter) -> Callable[..., Any]:
    """``jax.device_put``: the same arrays, of JAX."""

    def of_leaf(leaf: Any) -> Any:
        return as_array(leaf) if is_unknown(leaf) or arrays.is_array(leaf) else jnp.asarray(leaf)

    return lambda tree, *_, **__: UNKNOWN if _is_no_tree(tree) else map_tree(of_leaf, tree)


def sharded(interpreter: Interpreter) -> Callable[..., Any]:
    """``with_sharding_constraint`` and the like: the same tree, whatever the sharding is."""

    def of_leaf(leaf: Any) -> Any:
        return as_array(leaf) if type(leaf) is NumpyArray else leaf

    return lambda tree, *_, **__: UNKNOWN if _is_no_tree(tree) else map_tree(of_leaf, tree)


def _called_back(interpreter: Interpreter) -> Callable[..., Any]:
    """``jax.pure_callback``: arrays as it is told; the function is never called."""
    return lambda f, shapes, *args, **kwargs: as_told(shapes)


def same(interpreter: Interpreter) -> Callable[..., Any]:
    return lambda x=UNKNOWN, *_, **__: x


def _count(interpreter: Interpreter) -> Callable[..., Any]:
    return lambda *_, **__: AbstractScalar(int)


def _operator(name: str) -> Maker:
    real = {
        "mul": operators.times,
        "pow": operators.power,
        "mod": operators.remainder,
        "lshift": operators.shift,
    }[name]

    def make(interpreter: Interpreter) -> Callable[..., Any]:
        return lambda a, b: interpreter.call(real, [a, b], {})

    return make


def _getter(interpreter: Interpreter) -> Callable[..., Any]:

    def itemgetter(*keys: Any) -> Any:
        def get(holder: Any) -> Any:
            items = [interpreter.call(get_item, [holder, key], {}) for key in keys]
            return items[0] if len(items) == 1 else tuple(items)

        return interpreter.natives.function(get)

    return itemgetter


def _attribute_getter(interpreter: Interpreter) -> Callable[..., Any]:
    """``operator.attrgetter``."""

    def attrgetter(*names: Any) -> Any:
        if not all(type(name) is str for name in names):
            return UNKNOWN

        def get(holder: Any) -> Any:
            members = [functools.reduce(interpreter.attribute, name.split("."), holder) for name in names]
            return members[0] if len(members) == 1 else tuple(members)

        return interpreter.natives.function(get)

    return attrgetter


def _method_caller(interpreter: Interpreter) -> Callable[..., Any]:
    """``operator.methodcaller``."""

    def methodcaller(name: Any, *args: Any, **kwargs: Any) -> Any:
        if type(name) is not str:
            return UNKNOWN
        return interpreter.natives.function(
            lambda holder: interpreter.call(interpreter.attribute(holder, name), args, kwargs)
        )

    return methodcaller


def _namedtuple(interpreter: Interpreter) -> Callable[..., Any]:
    """``collections.namedtuple``: a class of the program's."""
    make: Any = collections.namedtuple
    (node,) = ast.parse("class Named: pass").body

    def namedtuple(typename: Any = UNKNOWN, field_names: Any = UNKNOWN, **options: Any) -> Any:
        chosen = {name: options[name] for name in ("rename", "defaults") if name in options}
        if arrays.holds_unknown([typename, field_names, options.get("rename")]) or is_anything(
            chosen.get("defaults")
        ):
            return UNKNOWN
        try:
            cls = make(typename, field_names, module="__program__", **chosen)
        except Exception as error:  # what real code raises is what the program would meet
            return interpreter.failed(error)
        if isinstance(node, ast.ClassDef):
            interpreter.classes[cls] = node
        return cls

    return namedtuple


FUNCTIONS: dict[str, Maker] = {
    **dict.fromkeys(("jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map"), _tree_map),
    **dict.fromkeys(("jax.tree.leaves", "jax.tree_util.tree_leaves"), _tree_leaves),
    **loops_of_jax.FUNCTIONS,
    **maps_of_jax.FUNCTIONS,
    **branches_of_jax.FUNCTIONS,
    **collectives.FUNCTIONS,
    "functools.reduce": _reduce,
    "jax.device_get": _fetched,
    "jax.device_put": _put,
    **dict.fromkeys(
        (*("jax.lax.with_sharding_constraint", "jax.reshard", "jax.sharding.reshard"),),
        sharded,
    ),
    **meshes.FUNCTIONS,
    **kernels.FUNCTIONS,
    **solvers.FUNCTIONS,
    **iterators.FUNCTIONS,
    **writers.FUNCTIONS,
    **inert.FUNCTIONS,
    **dispatchers.FUNCTIONS,
    **dict.fromkeys(("jax.disable_jit", "jax.ensure_compile_time_eval"), contexts.at_once),
    "jax.pure_callback": _called_back,
    "jax.experimental.io_callback": _called_back,
    "jax.block_until_ready": same,
    **dict.fromkeys(
        ("functools.lru_cache", "functools.cache"),
        lambda interpreter: _cached(interpreter),
    ),
    **dict.fromkeys(
        ("jax.device_count", "jax.local_device_count", "jax.process_count", "jax.process_index"), _count
    ),
    **math_functions.FUNCTIONS,
    **{f"operator.{name}": _operator(name) for name in ("mul", "pow", "mod", "lshift")},
    "operator.itemgetter": _getter,
    "operator.attrgetter": _attribute_getter,
    "operator.methodcaller": _method_caller,
    "typing.NewType": lambda interpreter: lambda *_: interpreter.natives.function(same(interpreter)),
    "collections.namedtuple": _namedtuple,
    "contextlib.contextmanager": contexts.manager,
    **array_files.FUNCTIONS,
    "copy.copy": copies.copier(is_deep=False),
    "copy.deepcopy": copies.copier(is_deep=True),
}


def _cached(interpreter: Interpreter) -> Callable[..., Any]:
    """``functools.cache``: the function itself, with options or without."""

    def cached(*args: Any, **_: Any) -> Any:
        return args[0] if args and callable(args[0]) else interpreter.natives.function(lambda f: f)

    return cached


def namespaces(natives: Natives) -> dict[str, Any]:
    """Modules of which only harmless names are seen."""
    nothing = natives.function(lambda *_, **__: None)
    seconds = natives.function(lambda *_, **__: AbstractScalar(float))
    clocks = Namespace(
        **dict.fromkeys(CLOCKS, seconds),
        **dict.fromkeys(CLOCKS_OF_INTS, natives.function(lambda *_, **__: AbstractScalar(int))),
        sleep=nothing,
        strftime=natives.function(lambda *_: AbstractScalar(str)),
    )
    return {
        "jax.debug": Namespace(print=nothing, callback=nothing, breakpoint=nothing),
        "jax.config": Namespace(update=natives.function(_update(natives)), read=nothing),
        "sys": Namespace(
            "sys", argv=AbstractSequence(AbstractScalar(str), True), **dict.fromkeys(OF_SYS, UNKNOWN)
        ),
        **inert.namespaces(natives),
        **lowering.namespaces(natives),
        "time": clocks,
        "timeit": clocks,
    }


def _update(natives: Natives) -> Callable[..., Any]:
    """``jax.config.update``: the options that change what a program computes; no other."""

    def update(name: Any, value: Any) -> None:
        if name == X64:
            _switch(natives.interpreter, value)
        elif isinstance(name, str) and name in OPTIONS and isinstance(value, (bool, str)):
            try:
                jax.config.update(name, value)
            except Exception:  # code of objects may raise anything: then no more is known
                return
        elif name == "jax_disable_jit":
            natives.interpreter.traces.is_disabled = value is not False
        elif is_unknown(name) or (name in OPTIONS and is_unknown(value)):
            natives.interpreter.diagnostics.note("an option of JAX is set to an unknown value")

    return update


def _switch(interpreter: Interpreter, value: Any) -> None:
    """64-bit types are switched on or off, perhaps: where that is not known, the program is walked once for each way."""
    context = interpreter.context
    known = value if isinstance(value, bool) else interpreter.x64_choice
    if context.is_made_up:  # no program does it, for all that is known
        jax.config.update(X64, known)
        return
    if known is not value or (context.is_speculative and known != jax.config.jax_enable_x64):
        interpreter.has_x64_choice = True
    if known is value and context.is_speculative and not interpreter.x64_choice:
        return
    if known != jax.config.jax_enable_x64:  # what was seen before says nothing of what follows
        interpreter.escaped_functions, interpreter.drawn = set(), {}
    jax.config.update(X64, known)
    interpreter.unresolved.switches.append(known)
