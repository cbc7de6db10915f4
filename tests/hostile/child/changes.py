"""Whether an evaluation has changed what the next one in the same child meets: modules, options, tables."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

#: How a note about a change begins.
CHANGED = "pwned_state:"
MODULES = (
    *("abc", "builtins", "collections", "contextlib", "copy", "dataclasses", "enum", "functools", "inspect"),
    *("itertools", "json", "math", "operator", "os", "sys", "types", "typing", "warnings"),
    *(
        "einops",
        "equinox",
        "flax.linen",
        "jax",
        "jax.lax",
        "jax.nn",
        "jax.numpy",
        "jax.tree_util",
        "jaxtyping",
    ),
    *("ml_dtypes", "numpy", "numpyro", "optax"),
)
#: The child's own modules, by the end of their names.
OWN = (
    *(
        "tables",
        "trust.policy",
        "gate",
        "serve",
        "session",
        "attributes",
        "calls",
        "interpreter",
        "wall",
    ),
)
#: Names that change by themselves; the hook is installed once.
RESTLESS = frozenset({"installed", "last_exc", "last_type", "last_value", "last_traceback", "ps1", "ps2"})
CLASSES = (
    *("equinox:Module", "flax.linen:Dense", "flax.linen:Module", "jax:Array", "enum:Enum", "numpy:ndarray"),
    *("optax:GradientTransformation", "dataclasses:Field", "equinox.nn:Linear"),
)


Held = dict[str, tuple[Any, dict[Any, Any]]]


def state() -> Held:
    """What there is to be changed, by where it is: what holds it, and the names in that."""
    noticed: Held = {}
    for name, module in list(sys.modules.items()):
        own = name.startswith("jaxtyping_core_child") and name.endswith(OWN)
        if name in MODULES or own:
            noticed[name] = (module, _names(module))
        if own:
            for key, value in _names(module).items():
                if isinstance(value, dict) and key.lstrip("_")[:1].isupper():
                    noticed[f"{name}.{key}"] = (value, dict(value))
    for path in CLASSES:
        name, _, cls = path.partition(":")
        if name in sys.modules:
            noticed[path] = (held := getattr(sys.modules[name], cls, None), _names(held))
    environ = sys.modules["os"].environ
    noticed["os.environ"] = (environ, dict(environ))
    noticed["sys.path"] = (sys.path, dict(enumerate(sys.path)))
    if "jax" in sys.modules:
        config = sys.modules["jax"].config
        noticed["jax.config"] = (config, dict(config.values))
    if "numpy" in sys.modules:
        noticed["numpy.geterr"] = (sys.modules["numpy"], sys.modules["numpy"].geterr())
    return noticed


def _names(holder: Any) -> dict[Any, Any]:
    """The names of a module or a class; a program may have put something else in its place."""
    return dict(getattr(holder, "__dict__", {}))


def changes(before: Held) -> list[str]:
    """What is no longer as it was before, and is put back; a module may have loaded more of its names."""
    after, noticed = state(), []
    for where, (holder, names) in before.items():
        _, now = after.get(where, (None, {}))
        changed = [name for name, value in names.items() if not _same(now.get(name, changes), value)]
        # Libraries change private names of each other's modules.
        changed = [
            name
            for name in changed
            if not ((where in MODULES and str(name).startswith("_")) or name in RESTLESS)
        ]
        added = [name for name in now.keys() - names.keys() if "pwned" in str(name) or where == "builtins"]
        noticed += [f"{CHANGED} {where}.{name}" for name in [*changed, *added]]
        for name in [*changed, *added]:
            with contextlib.suppress(Exception):
                _put_back(where, holder, name, names)
    return noticed


def _put_back(where: str, holder: Any, name: Any, names: dict[Any, Any]) -> None:
    if where == "jax.config":
        holder.update(name, names[name])
    elif where == "numpy.geterr":
        holder.seterr(**names)
    elif where == "sys.path":
        holder[:] = names.values()
    elif isinstance(holder, (dict, type(sys.modules["os"].environ))):
        holder.pop(name) if name not in names else holder.__setitem__(name, names[name])
    elif name in names:
        type.__setattr__(holder, name, names[name]) if isinstance(holder, type) else setattr(
            holder, name, names[name]
        )
    else:
        delattr(holder, name)


def _same(new: Any, old: Any) -> bool:
    if new is old:
        return True
    plain = (str, int, float, bool, tuple, type(None))
    return type(new) is type(old) and isinstance(new, plain) and new == old
