"""The modules that a module may import, by its syntax tree alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtyping_core import libraries

#: How a file says that it has to do with arrays; several statements may share a line, and several modules a statement.
OF_ARRAYS = re.compile(
    rf"(?:^|;)\s*(?:from\s+|import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*)(?:{'|'.join(libraries.names('arrays'))})\b",
    re.MULTILINE,
)

#: An import statement, as far as a text shows it that is not parsed.
IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]*import[ \t]*(?:\([^)]*\)|.*)|import[ \t].*)", re.MULTILINE
)


#: Functions that read a file of Python by its path, and how a text names such a file; what follows a colon is for the file.
READERS = re.compile(
    r"\b(?:{})\b".format("|".join(name for row in libraries.LIBRARIES.values() for name in row.modules))
)
NAMED_FILE = re.compile(r"""(["'])(?:\./)?((?:\w+/)*\w+)\.py(?::[^"'\n]*)?\1""")


def words_of_imports(text: str) -> set[str]:
    """The words in the import statements of a text: the names of the modules that it imports are among them."""
    return {word for statement in IMPORT.findall(text) for word in re.findall(r"\w+", statement)}


def imported(tree: ast.AST, package: str) -> Iterator[str]:
    """The dotted names that may be modules: each comes after the packages that it is in.

    ``from a import b`` gives ``a`` and ``a.b``, for ``b`` may be a module. `package` is the package of the module, which
    relative imports start from.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from prefixes(alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, package)
            if base is not None:
                yield from prefixes(base)
                yield from (f"{base}.{alias.name}" for alias in node.names if alias.name != "*")


def named_files(text: str) -> Iterator[str]:
    """The dotted names of what may be modules that a text has read by their paths, each after the packages that it is in."""
    if READERS.search(text):
        for _, path in NAMED_FILE.findall(text):
            yield from prefixes(path.replace("/", "."))


def prefixes(name: str) -> Iterator[str]:
    """The packages that a module is in, outermost first, and the module."""
    parts = name.split(".")
    yield from (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def _base(node: ast.ImportFrom, package: str) -> str | None:
    """The full name of what stands after ``from``; None for a relative import beyond the outermost package."""
    if not node.level:
        return node.module
    parts = package.split(".") if package else []
    kept = parts[: len(parts) - node.level + 1]
    if not kept or node.level > len(parts):
        return None
    return ".".join([*kept, *([node.module] if node.module else [])])
