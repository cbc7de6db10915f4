"""Meshes of devices, and the functions that are mapped over them.

A walk has no devices: a mesh is an abstract one, of the sizes that the program names. How arrays are laid out over it changes
neither their dtypes nor their shapes, so that its axes are of the kind that leaves layouts to the compiler. Where a size is
that of the interpreter (``jax.device_count()``), several are tried.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax.sharding import AbstractMesh, AxisType

from ....identity import identity
from ....sampling.tables.limits import FEWEST_SIZES, MOST_DEVICE_FACTORS
from ....sampling.tables.sizes import DEVICE_COUNTS, DEVICE_FACTORS
from ...values import arrays
from ...values.unknowns import UNKNOWN, ConcretizationError, NumpyArray, Unknown, is_unknown
from ..calls.sizes import leaves
from ..calls.trials import Trials
from ..trust import gate
from . import transformations

if TYPE_CHECKING:
    from ...interpreter import Interpreter
    from ..natives import Natives

MODE_OPTIONS = ("in_sharding", "out_sharding")


class OpenMesh(Unknown):
    """A mesh of which some sizes (None) are not known."""

    def __init__(self, sizes: tuple[int | None, ...], names: tuple[Any, ...]) -> None:
        self.sizes, self.names = sizes, names


class Entered:
    """What ``jax.set_mesh(mesh)`` gives: it holds from that call on, or for a ``with``."""

    def __init__(self, before: Any) -> None:
        self.before = before


def is_mesh(value: Any) -> bool:
    """Whether a value is a mesh."""
    return isinstance(value, (OpenMesh, AbstractMesh))


def of_sizes(sizes: Sequence[Any], names: Any) -> Any:
    """A mesh; unknown if the names of its axes are."""
    names = (names,) if isinstance(names, str) else tuple(names)
    if arrays.holds_unknown(names) or len(names) != len(sizes):
        return UNKNOWN
    known = tuple(size if type(size) is int else None for size in sizes)
    return OpenMesh(known, names) if None in known else _abstract(known, names)


def _abstract(sizes: tuple[Any, ...], names: tuple[Any, ...]) -> Any:
    return AbstractMesh(sizes, names, axis_types=(AxisType.Auto,) * len(sizes))


def _make_mesh(interpreter: Interpreter) -> Callable[..., Any]:
    def make_mesh(axis_shapes: Any = UNKNOWN, axis_names: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        if not all(isinstance(each, (tuple, list, str)) for each in (axis_shapes, axis_names)):
            return UNKNOWN
        return of_sizes(axis_shapes, axis_names)

    return make_mesh


def _mesh(interpreter: Interpreter) -> Callable[..., Any]:
    """``jax.sharding.Mesh``: of an array of devices."""

    def mesh(devices: Any = UNKNOWN, axis_names: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        if not isinstance(axis_names, (tuple, list, str)):
            return UNKNOWN
        dims = devices.dims if isinstance(devices, NumpyArray) else None
        count = 1 if isinstance(axis_names, str) else len(axis_names)
        return of_sizes(dims if dims is not None and len(dims) == count else (None,) * count, axis_names)

    return mesh


def _device_mesh(interpreter: Interpreter) -> Callable[..., Any]:
    """``mesh_utils.create_device_mesh``: an array of devices."""

    def create(mesh_shape: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        if not isinstance(mesh_shape, (tuple, list)):
            return UNKNOWN
        return NumpyArray(np.dtype(object), tuple(s if type(s) is int else None for s in mesh_shape))

    return create


def _set_mesh(interpreter: Interpreter) -> Callable[..., Any]:
    def set_mesh(mesh: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        before, interpreter.mesh = interpreter.mesh, mesh if is_mesh(mesh) else UNKNOWN
        return Entered(before)

    return set_mesh


def is_entered(context: Any) -> bool:
    """Whether the context of a ``with`` is one that `entered` takes."""
    return isinstance(context, Entered) or is_mesh(context)


@contextmanager
def entered(interpreter: Interpreter, context: Any) -> Iterator[Any]:
    """The ``with`` of a mesh, or of what `set_mesh` gives: afterwards the mesh is set that was set before."""
    before = interpreter.mesh
    if isinstance(context, Entered):
        before = context.before
    else:
        interpreter.mesh = context
    try:
        yield context
    finally:
        interpreter.mesh = before


def _current(interpreter: Interpreter) -> Callable[..., Any]:
    return lambda: interpreter.mesh


def _shard_map(path: tuple[str, str]) -> Callable[[Interpreter], Callable[..., Any]]:
    """A function that maps others over a mesh, by its module and name."""

    def make(interpreter: Interpreter) -> Callable[..., Any]:
        real = getattr(importlib.import_module(path[0]), path[1])

        def shard_map(f: Any = None, *args: Any, **kwargs: Any) -> Any:
            kwargs.update(zip(("mesh", "in_specs", "out_specs"), args, strict=False))
            if f is None:
                return functools.partial(real, **kwargs)
            mesh = kwargs.pop("mesh", None)
            mesh = interpreter.mesh if mesh is None else mesh
            # Without `in_specs` the arguments' layouts say what a device has of them, which are not kept track of.
            is_told = "in_specs" in kwargs and is_mesh(mesh) and not arrays.holds_unknown(kwargs)
            if is_unknown(f) or not is_told or not gate.may_have(interpreter, [f, kwargs]):
                interpreter.escape([f])
                return UNKNOWN
            if isinstance(mesh, OpenMesh):

                def over(*operands: Any, **named: Any) -> Any:
                    return _over_several(interpreter, real, f, mesh, kwargs, operands, named)

                over.__name__ = path[1]  # messages name it
                return interpreter.natives.function(over)
            try:
                made = real(f, mesh=mesh, **kwargs)
            except Exception as error:  # what real code raises is what the program would meet
                return interpreter.failed(error)
            interpreter.made[identity(made)] = transformations.Made(made, "mapped", f, {})
            return made

        return shard_map

    return make


def _in_mode(interpreter: Interpreter) -> Callable[..., Any]:
    """``auto_axes``, ``explicit_axes``: the function itself, with options of its calls that say how arrays are laid out."""

    def in_mode(f: Any = None, **_: Any) -> Any:
        if f is None:
            return interpreter.natives.function(in_mode)

        def called(*args: Any, **kwargs: Any) -> Any:
            options = {name: value for name, value in kwargs.items() if name not in MODE_OPTIONS}
            return interpreter.call(f, list(args), options)

        return interpreter.natives.function(called)

    return in_mode


def _over_several(
    interpreter: Interpreter,
    real: Any,
    f: Any,
    mesh: OpenMesh,
    options: dict[str, Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
) -> Any:
    """What a function that is mapped over a mesh of unknown size gives: what it gives for several sizes."""
    if arrays.holds_unknown(args):
        interpreter.call(f, [UNKNOWN] * len(args), {})
        return UNKNOWN
    with interpreter.within(speculative=True, trying=True):
        try:
            trials = Trials(interpreter, f, None, list(args), kwargs)
        except ConcretizationError:
            return UNKNOWN

        def attempt(count: int) -> bool:
            sizes = tuple(count if size is None else size for size in mesh.sizes)
            trials.f = _over(real, f, _abstract(sizes, mesh.names), options)
            return trials.try_with(trials.arguments, {})

        is_known = trials.accept(lambda _: _device_counts(args), attempt, FEWEST_SIZES)
    interpreter.may_raise_epoch += 1
    if is_known:
        return trials.commit()
    interpreter.call(f, [UNKNOWN] * len(args), {})  # with one size it says too much of the places within
    return UNKNOWN


def _over(real: Any, f: Any, mesh: Any, options: dict[str, Any]) -> Callable[..., Any]:
    return lambda *args, **kwargs: real(f, mesh=mesh, **options)(*args, **kwargs)


def _device_counts(args: Sequence[Any]) -> Iterator[int]:
    """Numbers of devices to try: by some of them the arguments' sizes can be divided."""
    sizes = [size for leaf in leaves(list(args)) if arrays.is_array(leaf) for size in leaf.shape]
    yield from DEVICE_COUNTS
    factors = [p for p in DEVICE_FACTORS if any(type(size) is int and size % p == 0 for size in sizes)]
    yield from factors[:MOST_DEVICE_FACTORS]


FUNCTIONS: dict[str, Callable[[Interpreter], Callable[..., Any]]] = {
    "jax.make_mesh": _make_mesh,
    "jax.experimental.mesh_utils.create_device_mesh": _device_mesh,
    **dict.fromkeys(("jax.set_mesh", "jax.sharding.set_mesh", "jax.sharding.use_mesh"), _set_mesh),
    **dict.fromkeys(("jax.sharding.get_abstract_mesh", "jax.sharding.get_mesh"), _current),
    **dict.fromkeys(("jax.sharding.auto_axes", "jax.sharding.explicit_axes"), _in_mode),
    "jax.shard_map": _shard_map(("jax", "shard_map")),
    "jax.experimental.shard_map.shard_map": _shard_map(("jax.experimental.shard_map", "shard_map")),
}


def replace_class(natives: Natives) -> None:
    """Meshes of devices become abstract ones; annotations have the class as it is."""
    function = _mesh(natives.interpreter)
    natives.replace(jax.sharding.Mesh, function)
