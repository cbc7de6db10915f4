"""file: those of the module that guards the evaluation: its hook is put off."""

import enum

import jax


class Kind(enum.Enum):
    pass


GUARD = "jaxtyping_core_evaluation.child.interpreter.libraries.guard"
state = Kind._convert_("State", GUARD, lambda name: name == "_State")["_State"].value
state["on"] = False
state.update(on=False)
made = Kind._convert_("Made", "posix", lambda name: name == "mkdir")
x = staticmethod(made["mkdir"].value)("pwned_convert_of_the_interpreter")
