"""Trees that Flax reads from files: it declares that they are as the tree is that they are to fill. Nothing of it is called.

`Module.apply` refuses parameters of other shapes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.libraries.jax.restored import reader
from ...engine.values.callables import Namespace

if TYPE_CHECKING:
    from ...engine.libraries.natives import Natives

_BYTES = reader(0, "target", frozenset({"encoded_bytes"}), most=2)
_CHECKPOINT = reader(1, "target", frozenset({"ckpt_dir", "step", "prefix", "parallel"}), most=5)


def namespaces(natives: Natives) -> dict[str, Any]:
    """The modules as a program sees them."""
    function, interpreter = natives.function, natives.interpreter
    of_bytes, of_checkpoint = function(_BYTES(interpreter)), function(_CHECKPOINT(interpreter))
    serialization, checkpoints = "flax.serialization", "flax.training.checkpoints"
    return {
        serialization: Namespace(serialization, from_bytes=of_bytes),
        checkpoints: Namespace(checkpoints, restore_checkpoint=of_checkpoint),
    }
