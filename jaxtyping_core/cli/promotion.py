"""The commands about promotion: ``promote``, ``table`` and ``lattice``."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import click
from rich.text import Text

from jaxtyping_core import dtypes, systems
from jaxtyping_core.cli import picture
from jaxtyping_core.cli.command import Argument, command
from jaxtyping_core.cli.consoles import make_console
from jaxtyping_core.cli.options import PATH, option
from jaxtyping_core.promotion import find, join, resolve, x64_enabled

#: The dtypes of the tables and pictures of JAX's documentation, with their codes there.
CODES = {
    "bool": "b",
    **{f"uint{bits}": f"u{bits}" for bits in (8, 16, 32, 64)},
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    "bfloat16": "bf16",
    **{f"float{bits}": f"f{bits}" for bits in (16, 32, 64)},
    **{f"complex{bits}": f"c{bits}" for bits in (64, 128)},
    **{node: f"{kind}*" for node, kind in dtypes.WEAK.items()},
}

SYSTEM = option(
    "--system",
    metavar="NAME",
    default="jax",
    help=f"The promotion system: {', '.join(systems.SYSTEMS)}.",
)
X64 = option(
    "--x64/--no-x64",
    default=None,
    show_default=False,
    help="Turn 64-bit types on or off. [default: JAX_ENABLE_X64, else off]",
)


@command(
    Argument(
        "dtype",
        metavar="DTYPE...",
        nargs=-1,
        required=True,
        help="Dtypes such as int8, or weak_int, weak_float, weak_complex.",
    ),
    SYSTEM,
    X64,
)
def promote(dtype: Sequence[str], system: str, x64: bool | None) -> None:
    """`weak_int`, `weak_float` and `weak_complex` stand for Python scalars and weakly typed arrays.

    \b
    Exit status:
      0  success
      1  the dtypes have no common dtype in this system
      2  a name is unknown
    """
    on = x64_enabled() if x64 is None else x64
    node = join(*dtype, system=system, x64=on)
    click.echo(resolve(node, on) + (" (weak)" if node in dtypes.WEAK else ""))


@command(
    SYSTEM,
    X64,
    option("--diff", metavar="NAME", help="Mark the cells where this other system differs."),
)
def table(system: str, x64: bool | None, diff: str | None) -> None:
    """The table has a row for each left operand and a column for each right operand.

    \b
    Exit status:
      0  success
      2  a name is unknown
    """
    on = x64_enabled() if x64 is None else x64
    answers = _answers(system, on)
    marked = (
        set()
        if diff is None
        else {pair for pair, node in _answers(diff, on).items() if _differ(node, answers[pair], on)}
    )
    console = make_console(soft_wrap=True)
    console.print(Text("     " + "".join(f" {code:4}" for code in CODES.values()).rstrip(), style="bold"))
    for left, code in CODES.items():
        row = Text(f"{code:5}", style="bold")
        for right in CODES:
            answer = answers[left, right]
            mark, style = (
                ("!", "bold red") if (left, right) in marked else (" ", "dim" if answer is None else "none")
            )
            row.append(f"{mark}{CODES[answer] if answer else '-':4}", style=style)
        row.rstrip()
        console.print(row)
    console.print()
    for line in _legend(system, on, diff, len(marked)):
        console.print(line)


@command(
    option("--output", metavar="FILE", type=PATH, required=True, help="The picture to write, .svg or .png."),
    SYSTEM,
    X64,
)
def lattice(output: Path, system: str, x64: bool | None) -> None:
    """An arrow leads from each dtype to the dtypes that it promotes to.

    \b
    Exit status:
      0  success
      2  a name is unknown, or the picture could not be written
    """
    order = systems.get(system).orders[x64_enabled() if x64 is None else x64]
    edges = {
        CODES[node]: [CODES[up] for up in above if up in CODES]
        for node, above in order.edges.items()
        if node in CODES
    }
    picture.save(edges, output)


def _answers(system: str, x64: bool) -> dict[tuple[str, str], str | None]:
    return {pair: find(pair, system, x64) for pair in itertools.product(CODES, CODES)}


def _differ(a: str | None, b: str | None, x64: bool) -> bool:
    """Whether two results have different dtypes; a weak result counts as the dtype that it has."""
    return (a and resolve(a, x64)) != (b and resolve(b, x64))


def _legend(system: str, x64: bool, diff: str | None, marked: int) -> list[str]:
    lines = [f"{system}: row + column; - is an error; i*, f*, c* are Python scalars and weak arrays."]
    if diff is not None:
        lines.append(f"! marks the {marked} of {len(CODES) ** 2} cells where {diff} has another dtype.")
    if systems.get(system).follows_x64 and not x64:
        lines.append("64-bit types are off, the default of JAX; --x64 turns them on.")
    return lines
