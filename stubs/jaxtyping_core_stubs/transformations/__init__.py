"""The stub of the transformations of functions: ``jax/_transformations.pyi``."""

from __future__ import annotations

from . import classes, control, custom, differentiation, functions, jit, trees

FUNCTIONS = (
    *differentiation.FUNCTIONS,
    *functions.FUNCTIONS,
    *control.FUNCTIONS,
    *custom.FUNCTIONS,
    *trees.FUNCTIONS,
)

#: Every public name, and the name in the stub of what it stands for.
EXPORTS: dict[str, str] = {
    **jit.EXPORTS,
    **custom.EXPORTS,
    **{public: function.name for function in FUNCTIONS for public in function.public},
}


def render() -> str:
    """The text of the stub."""
    return "".join(
        (
            classes.HEAD,
            classes.render(),
            differentiation.classes(),
            jit.render(),
            custom.render(),
            *(function.render() for function in FUNCTIONS),
        )
    )
