"""Processes that end with the one that has started them, however that ends: nobody waits for what they find."""

from __future__ import annotations

import os
import threading
import time

#: Seconds from one look to the next.
STEP = 0.5


def end_with_parent(parent: int | None = None) -> None:
    """End, even in the middle of something long, when the parent is no more; `parent` is its number if it may have ended already."""
    parent = os.getppid() if parent is None else parent

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(STEP)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
