"""What an exception of a library says of the call that it is raised in."""

from __future__ import annotations

from typing import Any

from jaxtyping_core.sampling.errors import Refused, Undecided, verdict

#: As Haiku has it: a function that is called first by all that needs a transformation around it.
OF_HAIKU = """
def {name}(symbol):
    raise ValueError(f"`{{symbol}}` must be used as part of an `hk.transform`")

def set_state():
    {name}("hk.set_state")
"""


def raised(name: str) -> Exception:
    module: dict[str, Any] = {"__name__": "haiku._src.base"}
    exec(compile(OF_HAIKU.format(name=name), "base.py", "exec"), module)
    try:
        module["set_state"]()
    except ValueError as error:
        return error
    raise AssertionError("nothing is raised")


def test_call_without_a_transformation_is_not_refused_for_its_arguments() -> None:
    assert isinstance(verdict(raised("assert_context"), False), Undecided)


def test_other_errors_of_the_library_are_refusals() -> None:
    assert isinstance(verdict(raised("check_shape"), False), Refused)
