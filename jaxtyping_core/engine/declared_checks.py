"""Checks of functions that declare arrays and that the program does not call: what JAX refuses in their bodies, and what they return.

An annotation is a contract: the body must work for all sizes that it allows. So each body is walked with several draws of sizes. What
is wrong in every draw is an error; what is wrong in some may be of sizes for which the function is not meant, and is not reported.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..domain.arrays import AbstractArray
from ..evaluation.protocol import EXAMPLE
from ..sampling.tables.sizes import BODY_SAMPLES, BodySample
from .language import assumptions
from .language.comparable import contracts
from .language.declarations import parameters
from .outside_calls import MISMATCH, Error, Place, forms_of_call, walks
from .values import arrays
from .values.callables import Function
from .values.unknowns import UNKNOWN, NumpyArray

if TYPE_CHECKING:
    from .interpreter import Interpreter

#: How it is said that an array has another length than there are targets: one with a name may have that length.
UNPACKED = re.compile("is unpacked into")
#: How it is said that a value is not as declared; such a message names the arguments itself.
CONTRACT = re.compile("; expected ")
#: What stands before the value that is not as declared; and the sizes in a message.
ACTUAL, NUMBERS = re.compile(" is | returns | yields "), re.compile(r"\d+")
#: How annotations name an int that is passed.
VALUE = re.compile(r"\{\s*([A-Za-z_]\w*)\s*\}", re.ASCII)
#: What functions are called that check arguments: ``assert_equal_shape``, ``check_consistent_length``.
CHECKING = re.compile(r"\b_?(?:assert|check|validate|ensure)\w*$")
#: The random keys of the draws: the new ones and the raw ones of JAX.
KEYS = (AbstractArray.of("key<fry>", False, ()), AbstractArray.of("uint32", False, (2,)))


class Draw(NamedTuple):
    """What is passed in one walk: forms of the parameters, and what is drawn for what they leave open."""

    forms: dict[str, Any]
    sample: BodySample
    key: AbstractArray


def check(interpreter: Interpreter, function: Function) -> bool:
    """Report what is wrong in the body of a function for all arguments that it declares; whether that is anything.

    Raises:
        Exhausted: it takes too long, or the evaluation was cancelled.
    """
    if not assumptions.declares_arrays(interpreter, function) or _asserts(function):
        return False
    forms = forms_of_call(interpreter, function)
    wrong: dict[Place, Error] | None = None
    depending: set[Place] = set()
    for number, sample in enumerate(BODY_SAMPLES):
        draw = Draw(forms, sample, KEYS[number % len(KEYS)])
        for refused in walks(interpreter, function, _calls(interpreter, function, draw)):
            wrong = refused if wrong is None else _in_both(wrong, refused)
            depending |= {place for place in wrong if _reason(wrong[place]) != _reason(refused[place])}
            if not wrong:
                return False
    if wrong and _names(forms)[1]:
        # A field may have the size of an argument whatever their names are: what is returned is as declared or not.
        wrong = {place: error for place, error in wrong.items() if CONTRACT.search(error["message"])}
    if not wrong or _is_right_otherwise(interpreter, function, forms):
        return False
    for place, error in wrong.items():
        if place not in depending:  # then the sizes of the draw have nothing to do with it
            error = {**error, "message": _reason(error)}
        file, line, column, _ = place
        interpreter.diagnostics.refusals[file, line, column, error["message"]] = error
    return True


def _is_right_otherwise(interpreter: Interpreter, function: Function, forms: dict[str, Any]) -> bool:
    """Whether nothing is wrong where a name in the fields of objects is another size than the function's of that name.

    The names of a class are its own: the function may have another name for a size, and another size of that name.
    """
    named, of_fields = _names(forms)
    for own, shared in itertools.product(sorted(of_fields - named), sorted(of_fields & named)):
        names = {own: shared, shared: own}
        exchanged = {
            name: contracts("forms").with_names_in_fields(form, names) for name, form in forms.items()
        }
        calls = _calls(interpreter, function, Draw(exchanged, BODY_SAMPLES[0], KEYS[0]))
        if not any(walks(interpreter, function, calls)):
            return True
    return False


def _names(forms: dict[str, Any]) -> tuple[set[str], set[str]]:
    """The names of sizes in arguments, and those in fields of objects among them."""
    named: set[str] = set()
    of_fields: set[str] = set()
    for form in forms.values():
        inside = list(contracts("forms").inside(form))
        objects = [part for part in inside if type(part).__name__ == "Object"]
        held = {name for part in objects for name in contracts("reading").names_in(part)}
        of_fields |= held
        named |= set() if objects else contracts("reading").names_in(form)
    return named, of_fields


def _asserts(function: Function) -> bool:
    """Whether a function has something check its arguments, which may not allow all sizes that are declared."""
    return any(
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and CHECKING.search(ast.unparse(node.value.func))
        for node in ast.walk(function.node)
    )


def _sizes(draw: Draw) -> assumptions.Sizes:
    """The sizes of a draw. What has a name and a number (``rows=4``) does not say what the name is elsewhere."""
    labels = {
        axis.label
        for form in draw.forms.values()
        for part in contracts("forms").inside(form)
        if type(part).__name__ == "ArrayForm"
        for axis in part.axes or ()
        if axis.label is not None
    }
    return assumptions.Sizes(itertools.cycle(draw.sample.sizes), draw.sample.dtype, labels)


def _in_both(wrong: dict[Place, Error], refused: dict[Place, Error]) -> dict[Place, Error]:
    """The errors that are in both of two draws; of those that are of no mismatch, the ones in the same words."""
    return {
        place: error
        for place, error in wrong.items()
        if place in refused and _words(error) == _words(refused[place])
    }


def _reason(error: Error) -> str:
    """A message without the arguments of its draw."""
    return str(error["message"]).partition(EXAMPLE)[0]


def _words(error: Error) -> str:
    """The part of a message that is the same for all sizes if the error is: what is not as declared, or what JAX says."""
    message: str = error["message"]
    if CONTRACT.search(message):
        return ACTUAL.split(message, 1)[0]
    is_of_any_sizes = MISMATCH.search(message) and not UNPACKED.search(message)
    return NUMBERS.sub("", message.partition(EXAMPLE)[0]) if is_of_any_sizes else message


def _calls(interpreter: Interpreter, function: Function, draw: Draw) -> Iterator[dict[str, Any]]:
    """The arguments of these calls."""
    reading, fixed = contracts("reading"), dict[str, Any]()
    for name, form in draw.forms.items():
        is_bare = type(form).__name__ == "ArrayForm" and form.axes is None and form.library == "jax"
        if is_bare and reading.KEY_NAME.fullmatch(name):
            fixed[name] = arrays.of_known(draw.key)
        elif reading.is_open(form):  # several arrays: a draw gives them the same shape
            fixed[name] = UNKNOWN
    fixed |= _values(function, draw)
    calls = [
        {**arguments, **fixed}
        for arguments in assumptions.calls(interpreter, function, _sizes(draw), forms=draw.forms)
    ]
    of_jax = [call for call in calls if not any(isinstance(value, NumpyArray) for value in call.values())]
    # An example of several axes says more than one of none, where any number is allowed.
    middle = len(of_jax) // 2
    yield from [*of_jax[middle:], *of_jax[:middle]]


def _values(function: Function, draw: Draw) -> dict[str, int]:
    """Numbers for the ints that annotations name: ``{width}``."""
    node = function.node
    annotations = [arg.annotation for arg in parameters(node)] + [getattr(node, "returns", None)]
    texts = [ast.unparse(each) for each in annotations if each is not None]
    named = [name for text in texts for name in VALUE.findall(text)]
    ints = [
        name
        for name in dict.fromkeys(named)
        if type(draw.forms.get(name)).__name__ == "Scalar" and draw.forms[name].kind is int
    ]
    return {name: draw.sample.value * number for number, name in enumerate(ints, 1)}
