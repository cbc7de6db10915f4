"""Independent work side by side: one lane for each processor, each with an evaluation child of its own."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TypeVar

#: More lanes than these wait for memory, and for the file of answers.
MOST = 16
#: Bytes of memory that a child may need besides what it shares with the others.
OF_A_CHILD = 1 << 30

Item = TypeVar("Item")
Result = TypeVar("Result")


def count(items: int) -> int:
    """How many lanes there are for so many items."""
    return max(1, min(items, MOST, _processors(), _children()))


def _processors() -> int:
    """The processors that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _children() -> int:
    """How many children the memory that is free suffices for, where the system says."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        (free,) = (int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError):
        return MOST
    return free // OF_A_CHILD


def each(
    items: Sequence[Item],
    lanes: int,
    work: Callable[[int, int, Item], Result],
    stop: threading.Event,
    begins: Callable[[int, Item], None] = lambda _, __: None,
) -> list[Result]:
    """The results of some work on each item, in the order of the items. The items are begun in their order.

    Args:
        items: what to work on.
        lanes: how many are worked on at once. One lane is that of the caller's thread.
        work: is called with the number of a lane, that of an item, and the item. It is never called twice at once for one lane.
        stop: is set when a call raises, or the program is interrupted: then no further item is begun, and `work` should end.
        begins: is called with the number of an item and the item before that is worked on, in the order of the items.

    Raises:
        Exception: whatever `work` raises first.
    """
    numbers = iter(range(len(items)))
    taking = threading.Lock()
    results: dict[int, Result] = {}

    def run(lane: int) -> None:
        while not stop.is_set():
            with taking:
                number = next(numbers, None)
                if number is None:
                    return
                begins(number, items[number])
            results[number] = work(lane, number, items[number])

    if lanes == 1:
        run(0)
        return [*results.values()]
    with ThreadPoolExecutor(lanes, thread_name_prefix="evaluation") as pool:
        try:
            ended, _ = wait([pool.submit(run, lane) for lane in range(lanes)], return_when=FIRST_EXCEPTION)
        finally:  # all have ended, one has failed, or this thread got a Ctrl-C
            stop.set()
    for future in ended:
        future.result()
    return [results[number] for number in range(len(items))]
