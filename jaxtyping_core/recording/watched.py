"""A function that is watched while a program runs."""

from __future__ import annotations

from types import CodeType

from jaxtyping_core.recording.definitions import MODULE, Definition
from jaxtyping_core.recording.kept import Kept
from jaxtyping_core.recording.observed import Call, Object, Observed
from jaxtyping_core.recording.sources import Source, parameters

#: What functions with these flags give: a generator, a coroutine, an asynchronous generator.
_GIVEN = {0x20: "builtins.generator", 0x80: "builtins.coroutine", 0x200: "builtins.async_generator"}


class Watched:
    """A function whose calls are recorded.

    `variables` are those of its parameters; `ends` says whether it is to be told when a call ends. The methods `__init__` of
    dataclasses have no `definition`: only their instances are looked at.
    """

    def __init__(
        self,
        code: CodeType,
        source: Source | None,
        definition: Definition | None,
        with_places: bool = False,
    ) -> None:
        self.code = code
        self.source = source
        self.definition = definition
        places = parameters(code)
        in_order = definition.parameters if definition else ()
        self.names = tuple(name for name, _ in in_order)
        self.variables = tuple(places[place] for _, place in in_order)
        flag = next((flag for flag in _GIVEN if code.co_flags & flag), None)
        self.returned: Observed | None = Object(_GIVEN[flag]) if flag else None
        self.ends = flag is None
        #: Whether an instance has new attributes after it.
        self.sets = definition is None or definition.makes or bool(definition.owner and definition.stores)
        #: By the identities of what a call got and gave, which are kept so that they stay its own.
        self.counts: dict[tuple[int, ...], Count] = {}
        #: The calls that are kept; None until the first one begins.
        self.kept: Kept | None = None
        #: The parameters, and None for the result, of which ints are kept without their values by now.
        self.varying: frozenset[str | None] = frozenset()
        #: The assignments that are recorded.
        self.places = definition.places if definition and with_places else ()
        #: Whether it is a file's own code, of which the variables alone are recorded.
        self.is_module = definition is not None and definition.function.qualname == MODULE
        #: Whether variables are looked at when a call ends.
        self.looks = self.sets or bool(self.places)
        #: Whether one look at all variables costs less than one at each parameter, the others being unbound.
        self.has_few_locals = len(code.co_varnames) - len(self.variables) <= 2 * len(self.variables)
        self.total = 0


class Count:
    """How often a call was seen since that was last written."""

    __slots__ = ("call", "identities", "unwritten")

    def __init__(self, call: Call, identities: tuple[object, ...], unwritten: int) -> None:
        self.call, self.identities, self.unwritten = call, identities, unwritten
