"""What NumPy's files say of their arrays: the dtype and the shape, which stand at the beginning. No number of them is read.

See https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import IO

#: A dtype, as it goes with a program, and the sizes.
Described = tuple[str, list[int]]
SUFFIXES = (".npy", ".npz")
#: How such a file begins, and what it says of the array after that.
MAGIC = b"\x93NUMPY"
HEADER = re.compile(
    rb"\{'descr': '([<|>=])([biufc])(\d{1,2})', 'fortran_order': (?:True|False), "
    rb"'shape': \(((?:\d{1,15}, ?)*\d{0,15})\), \}\s*"
)
#: Bytes that may stand before the numbers, and arrays of one archive.
MOST_BYTES = 4_000
#: How an archive without a comment ends, in so many bytes, and bytes of its list of files, which is read as a whole.
ENDING, LENGTH = b"PK\x05\x06", 22
MOST_LISTED = 64_000
MOST_ARRAYS = 64
#: The names of dtypes without their bits.
KINDS = {b"i": "int", b"u": "uint", b"f": "float", b"c": "complex"}


def described(files: Iterable[Path]) -> dict[Path, dict[str, Described]]:
    """The arrays in files, by their names in an archive; an array that is alone in its file has none."""
    each = {file: _of_archive(file) if file.suffix == ".npz" else _of_file(file) for file in files}
    return {file: arrays for file, arrays in each.items() if arrays}


def _of_file(file: Path) -> dict[str, Described]:
    try:
        with file.open("rb") as opened:
            array = _of_stream(opened)
    except OSError:
        return {}
    return {} if array is None else {"": array}


def _of_archive(file: Path) -> dict[str, Described]:
    """The arrays of an archive; those that are not plain are left out."""
    import zipfile  # which few programs need

    arrays: dict[str, Described] = {}
    try:
        if not _is_listed_shortly(file):
            return {}
        with zipfile.ZipFile(file) as archive:
            for name in archive.namelist()[:MOST_ARRAYS]:
                with archive.open(name) as opened:
                    array = _of_stream(opened)
                if array is not None and name.endswith(".npy") and len(name) > len(".npy"):
                    arrays[name.removesuffix(".npy")] = array
    except Exception:  # noqa: BLE001  # broken files raise many errors
        return {}
    return arrays


def _is_listed_shortly(file: Path) -> bool:
    """Whether the list of files in an archive is short, as the archive says at its end."""
    with file.open("rb") as opened:
        opened.seek(-LENGTH, os.SEEK_END)
        ending = opened.read()
    return ending.startswith(ENDING) and int.from_bytes(ending[12:16], "little") <= MOST_LISTED


def _of_stream(opened: IO[bytes]) -> Described | None:
    """What a file says of its array; None if it is no array of plain numbers."""
    start = opened.read(len(MAGIC) + 2)
    if not start.startswith(MAGIC) or len(start) < len(MAGIC) + 2:
        return None
    length = int.from_bytes(opened.read(2 if start[-2] == 1 else 4), "little")
    match = HEADER.fullmatch(opened.read(length)) if length <= MOST_BYTES else None
    if match is None:
        return None
    _, kind, size, shape = match.groups()
    dtype = "bool" if kind == b"b" else f"{KINDS[kind]}{8 * int(size)}"
    return dtype, [int(each) for each in shape.split(b",") if each.strip()]
