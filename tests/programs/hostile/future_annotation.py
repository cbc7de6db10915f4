"""file: annotations that are strings by a future import, evaluated by inspect."""

from __future__ import annotations

import inspect


def f(x: open("pwned_future_annotation", "w")):
    return x


signature = inspect.signature(f, eval_str=True)
