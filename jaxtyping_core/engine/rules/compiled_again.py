"""What is said of a function that JAX compiles for several signatures: which arguments differ, and what can be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...domain.arrays import AbstractArray
from .signatures import Part, Signature

#: Arguments that are told, and values of each.
MOST_ARGUMENTS, MOST_VALUES = 3, 4
LEFT_OUT = Part("left out")


def message(name: str, signatures: Sequence[Signature], may_be_more: bool) -> str:
    """What is said of some signatures of a function; `may_be_more` if others are not known."""
    each = _differing(signatures)
    told = [f"{path} is {_listed(parts)}" for path, parts in each.items()]
    if len(told) > MOST_ARGUMENTS:
        told[MOST_ARGUMENTS:] = [f"{len(told) - MOST_ARGUMENTS} more differ"]
    path, parts = next(iter(each.items()))
    often = f"{len(signatures)} times{' or more' if may_be_more else ''}"
    return f"{name} is compiled {often}: {'; '.join(told)}; {_remedy(path, parts)}"


def _differing(signatures: Sequence[Signature]) -> Mapping[str, list[Part]]:
    """The parts of the arguments that are not always the same, each with what it is."""
    paths = dict.fromkeys(path for signature in signatures for path in signature)
    each = {
        path: [*dict.fromkeys(signature.get(path, LEFT_OUT) for signature in signatures)] for path in paths
    }
    return {path: parts for path, parts in each.items() if len(parts) > 1}


def _listed(parts: Sequence[Part]) -> str:
    told = [part.told + " by name" * part.by_name for part in parts]
    if len({*told}) == 1:  # classes of one name, say
        return f"{told[0]} of {len(told)} kinds"
    if len(told) > MOST_VALUES:
        told[MOST_VALUES:] = ["..."]
    return ", ".join(told)


def _remedy(path: str, parts: Sequence[Part]) -> str:
    known = [part.array for part in parts if part.array is not None]
    if len({part._replace(by_name=False) for part in parts}) == 1:
        return "pass it in the same way in each call"
    if len(known) == len(parts):
        return _of_arrays(path, known)
    if known or LEFT_OUT in parts or any(part.told.startswith("a ") for part in parts):
        return "pass arguments of the same structure in each call"
    return "pass it as an array that is not static, if the function only computes with it"


def _of_arrays(path: str, known: Sequence[AbstractArray]) -> str:
    shapes = [*dict.fromkeys(array.shape or () for array in known)]
    dtypes = [*dict.fromkeys(array.dtype for array in known if not array.weak)]
    if len(shapes) > 1:
        if len({*map(len, shapes)}) > 1:
            return "give it one shape, as with padding or jnp.reshape"
        axes = [axis for axis, sizes in enumerate(zip(*shapes, strict=True)) if len({*sizes}) > 1]
        where = (
            f"axis {axes[0]}" if len(axes) == 1 else f"axes {', '.join(map(str, axes[:-1]))} and {axes[-1]}"
        )
        return f"pad {where} to one size"
    if len(dtypes) == 1 and len(known) > 1:
        is_scalar = shapes == [()]
        strong = f"jnp.{dtypes[0]}(...)" if is_scalar else f"x.astype(jnp.{dtypes[0]})"
        return f"give it one dtype that is not weak, as with {strong}"
    return "give it one dtype"
