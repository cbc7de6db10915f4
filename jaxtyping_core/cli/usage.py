"""How the help of a command shows its arguments."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand


class PlainUsage(TyperCommand):
    """A command whose help shows arguments by their metavar, without brackets or types of Python around it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for parameter in self.params:
            if parameter.param_type_name == "argument":
                usage = [str(parameter.metavar)]
                vars(parameter).update(
                    get_usage_pieces=lambda ctx, usage=usage: usage, display_type_rich=lambda ctx: ""
                )
