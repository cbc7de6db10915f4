"""What `jaxtyping-core show --output-format json` claims of the places of a program."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .programs import Key


class Claim(NamedTuple):
    """What is said to be known; None for what is not."""

    dtype: str | None
    weak: bool | None
    shape: tuple[int | str | None, ...] | None

    def __str__(self) -> str:
        dims = (
            "..." if self.shape is None else ", ".join("?" if dim is None else str(dim) for dim in self.shape)
        )
        return f"{'weak ' * bool(self.weak)}{self.dtype or '?'}[{dims}]"


#: Nothing is known.
OPEN = Claim(None, None, None)


class Shown(NamedTuple):
    """What was claimed, what was refused, and why there is no more, if the command failed."""

    claims: Mapping[Key, Claim]
    refusals: tuple[str, ...] = ()
    failure: str | None = None


def shown(command: Sequence[str], files: Sequence[Path], folder: Path, seconds: float) -> Shown:
    """What the command says of files, the main one first."""
    try:
        ended = subprocess.run(
            [*command, *(str(file.relative_to(folder)) for file in files), "--output-format", "json"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Shown({}, failure=f"it took more than {seconds:.0f} s")
    failure = None if ended.returncode == 0 else f"exit {ended.returncode}: {ended.stderr.strip()[-500:]}"
    claims: dict[Key, Claim] = {}
    refusals: list[str] = []
    for record in map(json.loads, filter(None, ended.stdout.splitlines())):
        file = (folder / record["file"]).resolve()
        for place in record["places"]:
            key = Key(file, place["line"], place["column"], place["name"])
            told = place | place.get("observed", {})  # with `--no-observed`, nothing is
            shape = told["shape"]
            claims[key] = Claim(told["dtype"], told["weak"], None if shape is None else tuple(shape))
        refusals += [f"{file}:{said['line']}: {said['message']}" for said in record.get("refusals", ())]
    return Shown(claims, tuple(refusals), failure)
