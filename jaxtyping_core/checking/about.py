"""Which of mypy's messages are about arrays: the others are for whoever runs mypy itself."""

from __future__ import annotations

import re

from jaxtyping_core.checking.lines import Line
from jaxtyping_core.checking.messages import ERROR, Message
from jaxtyping_core.checking.notation import Notation, brackets, split
from jaxtyping_core.checking.short import is_array, types_in
from jaxtyping_core.evaluation.protocol import OWN_CODES

#: Our own codes.
OURS = re.compile("|".join(rf"\b{code}\b" for code in sorted(OWN_CODES)))
#: The codes of mypy's errors that contradict what an array is declared to be, or is.
CONTRADICTIONS = frozenset(
    {
        *("arg-type", "return-value", "assignment", "call-overload", "override", "type-var", "misc"),
        *("operator", "attr-defined", "list-item", "dict-item", "typeddict-item"),
    }
)
#: The codes of errors that are about arrays where the line calls what takes some, or where it declares some.
OF_CALLS, OF_ANNOTATIONS = ("call-arg",), ("valid-type", "type-arg")
#: The codes of errors that end mypy's run, and of comments that ignore nothing.
BLOCKING, UNUSED = (None, "syntax"), "unused-ignore"
#: The code of mypy's notes that it does not look into a function, which is evaluated.
UNCHECKED = "annotation-unchecked"
#: How mypy says that something belongs to a package of arrays.
OF_PACKAGE = re.compile(r'(?:\bModule|defined in) "(?:jax|jaxtyping_core)\b')
#: What mypy says of an attribute that a module lacks; it does not say which module.
NO_ATTRIBUTE = re.compile(r'Module has no attribute "(\w+)"')
LEFT_OUT = "mypy also found {count} {errors} not about arrays; use --mypy to print {them}"


class Selection:
    """Leaves out errors that are not about arrays, with their notes, unless everything is asked for."""

    def __init__(self, everything: bool = True) -> None:
        self._everything = everything
        #: How many errors were left out, and whether that or a note was.
        self.left_out, self.has_left_out = 0, False

    def takes(self, message: Message) -> bool:
        """Whether a message is shown."""
        if self._everything or _is_shown(message):
            return True
        self.has_left_out = True
        self.left_out += message.severity == ERROR
        return False

    @property
    def note(self) -> str | None:
        """What is to be said of the errors that were left out."""
        if not self.left_out:
            return None
        errors, them = ("error that is", "it") if self.left_out == 1 else ("errors that are", "them")
        return LEFT_OUT.format(count=self.left_out, errors=errors, them=them)


def _is_shown(message: Message) -> bool:
    if message.severity != ERROR:
        return message.code != UNCHECKED
    return message.code in BLOCKING or is_about_arrays(message)


def is_about_arrays(error: Message) -> bool:
    """Whether an error of mypy's, in its own spelling, is one of ours or says that an array is not what is expected."""
    if error.code == UNUSED:
        return bool(OURS.search(Line(error.place[0], error.line).text))
    if OURS.match(error.code or "") or "jaxtyping_core" in error.text:
        return True
    if any(map(OF_PACKAGE.search, (error.text, *error.notes))):
        return True
    if missing := NO_ATTRIBUTE.search(error.text):
        return Line(error.place[0], error.line).reads(missing[1])
    if error.code in OF_CALLS:
        return Line(error.place[0], error.line).calls_with_arrays()
    if error.code in OF_ANNOTATIONS:
        return Line(error.place[0], error.line).annotates()
    if error.code not in CONTRADICTIONS:
        return False
    types = [typ for *_, typ in types_in(error.text)]
    if any(map(_is_array, types)) or sum(map(_mentions_array, types)) > 1:
        return True
    variants = error.notes if error.code == "call-overload" else ()
    return any(_mentions_array(typ) for note in variants for *_, typ in types_in(note))


def _is_array(typ: Notation) -> bool:
    """Whether a value of a type may be an array."""
    return any(len(member) == 1 and is_array(member[0]) for member in split(typ, "|"))


def _mentions_array(typ: Notation) -> bool:
    return any(map(is_array, brackets(typ)))
