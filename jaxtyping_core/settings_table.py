"""The table of settings as ``jaxtyping-core init`` writes it: each key with its default, and what it means."""

from __future__ import annotations

import tomllib

from jaxtyping_core.errors import SettingsError
from jaxtyping_core.evaluation.client import TIME_LIMIT
from jaxtyping_core.pages import page
from jaxtyping_core.settings import SECTION

#: Each key of the table: its default as TOML writes it ("" for none), and its meaning. The reference has the same.
MEANINGS: dict[str, tuple[str, str]] = {
    "x64": ("false", "whether programs that do not say so themselves have 64-bit types"),
    "promotion": ('"standard"', "the rule for mixed dtypes"),
    "evaluate": ("true", "whether JAX is asked about calls"),
    "time_limit": (f"{TIME_LIMIT:g}", "processor time for one call"),
    "programs": ("true", "whether your own functions are evaluated from their source"),
    "observed": ("true", "whether recorded runs say what files and other libraries give"),
    "mypy": ("false", "whether `check` runs mypy too"),
    "trust": ("[]", "more packages whose functions are called"),
    "baseline": ("", "a file of known findings, which `check` leaves out"),
    "low-precision": ("[]", "files and folders in which `widening` is a warning"),
    "port": ("{}", "the files that are ported from NumPy or PyTorch"),
    "rules": ("{}", "the severity of each error code"),
}
#: What a key without a default may be.
EXAMPLES = {"baseline": '"baseline.json"'}


def table() -> str:
    """The table, with every key in a comment: so the defaults of later versions count."""
    lines = [f"# Each key has its default here: {page('reference/settings')}", f"[tool.{SECTION}]"]
    settings = {key: f"# {key} = {default or EXAMPLES[key]}" for key, (default, _) in MEANINGS.items()}
    width = max(map(len, settings.values()))
    lines += [f"{text:{width}}  # {MEANINGS[key][1]}" for key, text in settings.items()]
    return "\n".join(lines) + "\n"


def added(text: str, file: str) -> str:
    """The text of a ``pyproject.toml`` with the table at its end.

    Raises:
        SettingsError: it has the table already, or it is not valid TOML.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    before = text.rstrip() + newline * 2 if text.strip() else ""
    whole = before + table().replace("\n", newline)
    try:
        tool = tomllib.loads(text).get("tool")
        if isinstance(tool, dict) and SECTION in tool:
            raise SettingsError(f"{file}: [tool.{SECTION}] is there already, so nothing was written")
        tomllib.loads(whole)
    except ValueError as error:
        raise SettingsError(f"{file}: cannot add [tool.{SECTION}]: {error}") from None
    return whole
