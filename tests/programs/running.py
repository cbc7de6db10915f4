"""Runs programs for real, each in its folder, to see what arrays their variables hold in the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

#: What one process does with every program: JAX is imported once, and each program has a process of its own after that.
DRIVER = """
import json, os, sys, types
import jax.numpy as jnp

def held(path):
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__file__ = path
    os.chdir(os.path.dirname(path))
    sys.argv, sys.path[0] = [path], os.path.dirname(path)
    try:
        exec(compile(open(path).read(), path, "exec"), vars(main))
    except SystemExit:
        pass
    return {
        name: f"{value.dtype}[{', '.join(map(str, value.shape))}]"
        for name, value in vars(main).items()
        if isinstance(value, jnp.ndarray)
    }

for path in json.loads(sys.stdin.read()):
    if os.fork() == 0:
        with open(path + ".held", "w") as file:
            json.dump(held(path), file)
        os._exit(0)
    assert os.wait()[1] == 0, path
"""


def held(programs: Sequence[Path]) -> Mapping[Path, Mapping[str, str]]:
    """The arrays that the variables of each program's main module hold after its run."""
    subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=json.dumps([str(path) for path in programs]),
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        text=True,
        check=True,
        timeout=300,
    )
    return {path: json.loads(path.with_name(f"{path.name}.held").read_text()) for path in programs}


def agrees(shown: str, really: str) -> bool:
    """Whether what is shown of an array is true of one that was held: an unknown size is of any number."""
    said, is_ = (
        text.removesuffix(" by default").removeprefix("weak ").rstrip("]").split("[")
        for text in (shown, really)
    )
    sizes, numbers = said[1].split(", "), is_[1].split(", ")
    return said[0] in ("?", is_[0]) and (
        sizes == ["..."]
        or (len(sizes) == len(numbers) and all(a in ("?", b) for a, b in zip(sizes, numbers, strict=True)))
    )
