"""Whether an evaluation has changed what the next one in the same child meets: modules, options, tables."""

from __future__ import annotations

import sys
from typing import Any

#: How a note about a change begins.
CHANGED = "pwned_state:"
MODULES = (
    *("abc", "builtins", "collections", "contextlib", "copy", "dataclasses", "enum", "functools", "inspect"),
    *("itertools", "json", "math", "operator", "os", "sys", "types", "typing", "warnings"),
    *("einops", "equinox", "flax.linen", "jax", "jax.lax", "jax.nn", "jax.numpy", "jax.tree_util", "jaxtyping"),
    *("ml_dtypes", "numpy", "numpyro", "optax"),
)
#: The child's own modules, by the end of their names.
OWN = ("guard", "tables", "opened", "gate", "serve", "session", "attributes", "calls", "machine", "wall")
#: Names of modules that change by themselves.
RESTLESS = frozenset({"last_exc", "last_type", "last_value", "last_traceback", "ps1", "ps2"})
CLASSES = (
    *("equinox:Module", "flax.linen:Dense", "flax.linen:Module", "jax:Array", "enum:Enum", "numpy:ndarray"),
    *("optax:GradientTransformation", "dataclasses:Field", "equinox.nn:Linear"),
)


def state() -> dict[str, dict[str, Any]]:
    """What there is to be changed, by where it is."""
    found: dict[str, dict[str, Any]] = {}
    for name, module in list(sys.modules.items()):
        if name in MODULES or (name.startswith("jaxtyping_core_evaluation") and name.endswith(OWN)):
            found[name] = dict(vars(module))
    for path in CLASSES:
        name, _, cls = path.partition(":")
        if name in sys.modules:
            found[path] = dict(vars(getattr(sys.modules[name], cls)))
    for name, module in list(sys.modules.items()):
        if name.startswith("jaxtyping_core_evaluation") and name.endswith(OWN):
            for key, value in list(vars(module).items()):
                if isinstance(value, dict) and key.lstrip("_")[:1].isupper():
                    found[f"{name}.{key}"] = dict(value)
    found["os.environ"] = dict(sys.modules["os"].environ)
    found["sys.path"] = dict(enumerate(sys.path))
    if "jax" in sys.modules:
        found["jax.config"] = dict(sys.modules["jax"].config.values)
    if "numpy" in sys.modules:
        found["numpy.geterr"] = sys.modules["numpy"].geterr()
    return found


def changes(before: dict[str, dict[str, Any]]) -> list[str]:
    """What is no longer as it was before; a module may have loaded more of its names."""
    after, found = state(), []
    for where, names in before.items():
        now = after.get(where, {})
        for name, value in names.items():
            if name in RESTLESS:
                continue
            if name not in now or not _same(now[name], value, where):
                found.append(f"{CHANGED} {where}.{name}")
        found += [f"{CHANGED} {where}.{name}" for name in now.keys() - names.keys() if "pwned" in str(name)]
    return found


def _same(new: Any, old: Any, where: str) -> bool:
    if new is old:
        return True
    plain = (str, int, float, bool, tuple, type(None))
    return type(new) is type(old) and isinstance(new, plain) and new == old
