"""What mypy says of an expression, asked for without a word to the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from mypy.nodes import Expression
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

if TYPE_CHECKING:
    from mypy.checker import TypeChecker


def type_of(api: CheckerPluginInterface, expr: Expression) -> Type:
    """The type that an expression has where it stands.

    mypy has said so where it has come to it. To check it once more would take names for what they hold here, outside
    of the condition that it stands in (``x.a if isinstance(x, A) else x.b``) and after they got another value.
    """
    return cast("TypeChecker", api).lookup_type_or_none(expr) or type_alone(api, expr)


def type_alone(api: CheckerPluginInterface, expr: Expression) -> Type:
    """The type that an expression of the present place has whatever is expected there.

    What is wrong with it is told when mypy comes to it by itself.
    """
    with cast("TypeChecker", api).msg.filter_errors():
        return api.get_expression_type(expr)
