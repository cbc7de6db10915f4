"""What the source calls sizes: ``b, t, d = x.shape``, an einsum's letters, a parameter `batch_size`, a constant."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from jaxtyping_core.annotating.dim_positions import at_place
from jaxtyping_core.annotating.sizes import Sizes
from jaxtyping_core.annotating.source import Definition, Source, own_nodes
from jaxtyping_core.annotating.walking import Slot
from jaxtyping_core.recording import observed
from jaxtyping_core.recording.observed import Call, Observed

#: What parameters are called that hold images, and the letters of custom for their axes.
IMAGE = re.compile(r"(?:^|_)(image|img|picture|photo|frame|pixel)(s?)(?:$|_|\d)")
IMAGES = {2: "hw", 3: "hwc", 4: "bhwc"}
#: What tables of embeddings are called.
EMBEDDING = re.compile(r"^(token_|word_|char_)?(embed|embedding|embeddings)(_table)?$")
#: What sequences of tokens are called.
TOKENS = re.compile(r"^(tokens|token_ids|input_ids)$")
#: How many channels images have.
CHANNELS = (1, 3, 4)
#: Parameters whose numbers are no sizes although they may be equal to one.
NO_SIZES = ("axis", "seed", "step", "i", "j", "index", "idx", "epoch", "n_iter", "num_iters", "iterations")


def hints(
    source: Source,
    definition: Definition,
    sizes: Sizes,
    call: Call,
    attributes: Mapping[str, Mapping[str, frozenset[Observed]]],
) -> dict[int, list[str]]:
    """Names for the named sizes of a function, the best first."""
    of_slot = {slot: of for of, slots in enumerate(sizes.slots) for slot in slots}
    suggested: dict[int, list[str]] = {}
    arguments = dict(call.arguments)
    ranks = {slot[0]: 0 for slot in of_slot}
    for name, value in arguments.items():
        if isinstance(value, observed.Array):
            ranks[(name,)] = len(value.dims)
    written = [*_shapes(definition, ranks), *_einsums(definition, ranks)]
    for slot, name in written:
        if (of := of_slot.get(slot)) is not None:
            suggested.setdefault(of, []).append(name)
    for of, slots in enumerate(sizes.slots):
        for place, _ in slots:
            held = at_place(arguments.get(str(place[0])), place[1:])
            name = str(place[-1])
            if isinstance(held, observed.Scalar) and held.kind == "int" and name not in NO_SIZES:
                suggested.setdefault(of, []).append(name)
        suggested.setdefault(of, []).extend(_constants(source, definition, sizes.seen[of], attributes))
    for name, value in arguments.items():
        if isinstance(value, observed.Array):
            for axis, letter in enumerate(_axes_of_custom(name, value.dims)):
                if (of := of_slot.get(((name,), axis))) is not None:
                    suggested.setdefault(of, []).append(letter)
    return {of: list(dict.fromkeys(names)) for of, names in suggested.items() if names}


def _axes_of_custom(name: str, dims: Sequence[int | None]) -> str:
    """The letters for the axes of images, tables of embeddings and tokens, by their names or sizes; nothing for others."""
    named = IMAGE.search(name.lower())
    rank = len(dims)
    if rank == 2 and EMBEDDING.match(name.lower()):
        return "vd"
    if rank == 2 and TOKENS.match(name.lower()):
        return "bt"
    if rank == 4 and (named or dims[1] == dims[2] != dims[3] or dims[3] in CHANNELS):
        is_first = dims[1] in CHANNELS and dims[3] not in CHANNELS
        return "bchw" if is_first else IMAGES[4]
    if named is None:
        return ""
    if named[2] and rank == 3 and dims[2] not in CHANNELS:
        return "bhw"
    return "" if named[2] and rank == 2 else IMAGES.get(rank, "")


def _shapes(definition: Definition, ranks: Mapping[tuple[str | int, ...], int]) -> Iterator[tuple[Slot, str]]:
    """``b, t, d = x.shape``; ``n = x.shape[0]``; ``n = len(x)``; also ``(..), d = x.shape[:-1], x.shape[-1]``."""
    for node in own_nodes(definition.node):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        for target, value in _pairs(node.targets[0], node.value):
            match target, value:
                case ast.Tuple(elts=items), ast.Attribute(value=ast.Name(id=array), attr="shape"):
                    yield from _unpacked(items, array, 0, ranks)
                case ast.Tuple(elts=items), ast.Subscript(
                    value=ast.Attribute(value=ast.Name(id=array), attr="shape"),
                    slice=ast.Slice(lower=None | ast.Constant() as lower, upper=None | ast.Constant()),
                ):
                    first = lower.value if isinstance(lower, ast.Constant) else 0
                    if isinstance(first, int) and first >= 0:
                        yield from _unpacked(items, array, first, ranks)
                case ast.Name(id=name), ast.Subscript(
                    value=ast.Attribute(value=ast.Name(id=array), attr="shape"), slice=index
                ):
                    axis = _number(index)
                    if axis is not None and (array,) in ranks:
                        yield ((array,), axis % max(ranks[array,], 1)), name
                case ast.Name(id=name), ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=array)]):
                    yield ((array,), 0), name


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    both = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
    if both and len(target.elts) == len(value.elts):  # type: ignore[attr-defined]
        yield from zip(target.elts, value.elts, strict=True)  # type: ignore[attr-defined]
    else:
        yield target, value


def _unpacked(
    items: list[ast.expr], array: str, first: int, ranks: Mapping[tuple[str | int, ...], int]
) -> Iterator[tuple[Slot, str]]:
    stars = [at for at, item in enumerate(items) if isinstance(item, ast.Starred)]
    rank = ranks.get((array,), 0)
    for at, item in enumerate(items):
        if isinstance(item, ast.Name) and item.id != "_":
            axis = at if not stars or at < stars[0] else rank - len(items) + at
            yield ((array,), first + axis), item.id


def _number(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if type(value) is int else None


def _einsums(
    definition: Definition, ranks: Mapping[tuple[str | int, ...], int]
) -> Iterator[tuple[Slot, str]]:
    """The letters of an einsum that is given parameters as they are."""
    for node in ast.walk(definition.node):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="einsum") | ast.Name(id="einsum"),
                args=[ast.Constant(value=str(text)), *operands],
            ):
                terms = text.replace(" ", "").partition("->")[0].split(",")
                if "." in text:
                    continue
                for term, operand in zip(terms, operands, strict=False):
                    if isinstance(operand, ast.Name) and ranks.get((operand.id,)) == len(term):
                        for axis, letter in enumerate(term):
                            yield ((operand.id,), axis), letter


def _constants(
    source: Source,
    definition: Definition,
    seen: frozenset[int],
    attributes: Mapping[str, Mapping[str, frozenset[Observed]]],
) -> Iterator[str]:
    """Names of constants that the function reads, and of attributes of its object, whose value the size was."""
    if len(seen) != 1:
        return
    (value,) = seen
    if value < 3:
        return
    constants = source.constants
    named = [name for name in constants.keys() & definition.names if constants[name] == value]
    if len(named) == 1:
        yield named[0]
    if definition.of_class is not None:
        held = attributes.get(definition.of_class.name, {})
        names = [name for name, kinds in held.items() if kinds == {observed.Scalar("int", value)}]
        if len(names) == 1:
            yield names[0]
