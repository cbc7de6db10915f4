"""beartype: its checks are made by the engine, without its code.

Where it makes code of texts, as `engine.libraries.trust.sealed` has it:

| library | what | why nothing of the program gets there |
| --- | --- | --- |
| `beartype` | `exec` of checks, `eval` of annotations | `beartype` is never called; its other modules are denied |
"""

from __future__ import annotations

from ..engine.language.contracts import checker
from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(
    library="beartype",
    denied={"beartype": words("abby bite_func cave claw conf door meta peps plug roar vale")},
    checkers=words("beartype"),
    functions={"beartype.beartype": checker},
)
