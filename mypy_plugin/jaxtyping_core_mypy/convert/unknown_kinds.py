"""What an argument may be of which mypy knows nothing, by the function and the name of the parameter."""

from __future__ import annotations

Kinds = tuple[str, ...]

SHAPE, AXES, NUMBERS = ("int", "ints"), ("none", "int", "ints"), ("int", "float")
BY_NAME: dict[str, Kinds] = {
    **dict.fromkeys(("shape", "newshape", "new_shape", "sample_shape", "reps"), SHAPE),
    **dict.fromkeys(("axis", "axes"), AXES),
    **dict.fromkeys(("dtype", "preferred_element_type"), ("dtype", "none")),
    **dict.fromkeys(("num_classes", "N", "M"), ("int",)),
}
#: ... of single functions and methods.
BY_FUNCTION: dict[str, Kinds] = {
    "jax.numpy.arange": NUMBERS,
    "method:reshape": SHAPE,
    "method:transpose": AXES,
}
#: Where other parameters are for arrays, and for no trees.
OF_ARRAYS = ("jax.numpy.", "jax.nn.", "jax.scipy.", "jax.random.")
#: What a part of a tuple or a list may be, for each kind of the whole.
PARTS: dict[str, Kinds] = {"ints": ("int",), "array": ("array",)}


def kinds_for(function: str, parameter: str | None) -> Kinds:
    """What may be passed to a function of JAX for a parameter of this name; none where that is not known."""
    kinds = BY_NAME.get(parameter or "") or BY_FUNCTION.get(function)
    return kinds or (("array",) if function.startswith(OF_ARRAYS) else ())


def kinds_of_parts(kinds: Kinds | None) -> Kinds | None:
    """What the items of a tuple or a list may be that is of one of `kinds`."""
    return kinds and tuple(dict.fromkeys(part for kind in kinds for part in PARTS.get(kind, ())))
