"""What options of a command line are if nobody gives them: "this, unless told otherwise".

A walk for all runs takes any values for options. If some of these have defaults, a second one assumes them. What it sees is of the run
without options alone: it is kept apart, and no error in it counts.
"""

from __future__ import annotations

from typing import Any


class OptionDefaults:
    """The defaults of one walk.

    Attributes:
        are_assumed: whether the walk assumes them.
        are_there: whether it has met one.
    """

    def __init__(self, are_assumed: bool) -> None:
        self.are_assumed = are_assumed
        self.are_there = False

    def value(self, default: Any, any_value: Any) -> Any:
        """The value of an option that has a default: that, or any of its values."""
        self.are_there = True
        return default if self.are_assumed else any_value
