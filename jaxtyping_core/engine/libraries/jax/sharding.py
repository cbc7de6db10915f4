"""Meshes, which a walk has none of: how an array is laid out over devices changes neither its dtype nor its shape."""

from __future__ import annotations

from typing import Any

from jax.sharding import NamedSharding, PartitionSpec


def is_of_mesh(error: Exception) -> bool:
    """Whether an error says that there is no mesh, or another one than a program would have made."""
    return isinstance(error, ValueError) and "mesh" in str(error)


def without(args: list[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]] | None:
    """Arguments without the layouts among them; None where there is none."""
    layouts = (PartitionSpec, NamedSharding)
    plain = [None if isinstance(arg, layouts) else arg for arg in args]
    named = {key: value for key, value in kwargs.items() if not isinstance(value, layouts)}
    changed = len(named) < len(kwargs) or any(a is not b for a, b in zip(plain, args, strict=True))
    return (plain, named) if changed else None
