"""The walk through a program: what all parts of it share."""

from __future__ import annotations

import ast
import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Unpack

from ..domain.values import Own
from ..identity import identity
from . import called
from .budget import Budget
from .cases import Cases
from .context import Changes, EvalContext
from .control import Break, Continue, Frame, RaisedException, Return, Unreachable
from .cut_off import CutOff
from .diagnostics import Diagnostics
from .error_policy import ErrorPolicy
from .facts import AT_TOP_LEVEL, EXPRESSIONS, Entry, Facts, expression
from .kept_parts import KeptParts
from .language import (
    assignment,
    attributes,
    calls,
    escapes,
    expressions,
    operate,
    statements,
)
from .libraries.calls import abstract_calls, size_trials
from .libraries.jax import buffers, transformations
from .libraries.natives import Natives
from .libraries.python.option_defaults import OptionDefaults
from .libraries.python.project_files import ProjectFiles
from .libraries.trust.policy import TrustPolicy
from .observed import ObservedBorder
from .rules.registry import Rules
from .scopes import Module, Scope
from .statement_progress import StatementProgress
from .top_levels import TopLevelProgress
from .units import Units
from .unresolved import Unresolved
from .unseen import Unseen
from .values import aliases, heap
from .values.callables import Function
from .values.heap import HeapSnapshot
from .values.joins import of_all_ways
from .values.records import Record
from .values.states import Replaced, merge, spread, spread_changes, substitute
from .values.traces import Traces
from .values.unknowns import UNKNOWN


class Interpreter(ErrorPolicy):
    """Walks the modules of one program.

    Args:
        texts: the modules of the program by name, each with its path, its syntax tree and whether it is a package.
        libraries: the packages that are called for real.
        seconds: the processor time that the walk may take.
        compares: whether annotations are compared with what they are about. Where sizes are tried, another one may fit.
        assumes_defaults: whether the program is run without options on its command line.
    """

    def __init__(
        self,
        texts: Mapping[str, tuple[str, ast.Module, bool]],
        libraries: TrustPolicy,
        seconds: float,
        compares: bool = True,
        assumes_defaults: bool = False,
    ) -> None:
        #: Which arrays are traced in the program; it says nothing before a walk begins.
        self.traces = Traces(None)
        self.texts = texts
        self.libraries = libraries
        self.budget = Budget(seconds)
        self.facts = Facts()
        self.diagnostics = Diagnostics()
        self.modules: dict[str, Module] = {}
        #: The files of data that the program may read.
        self.files = ProjectFiles({})
        #: What a run of it got from outside.
        self.observed = ObservedBorder({})
        self.units = Units({})
        self.functions: dict[int, Function] = {}
        self.classes: dict[type, ast.ClassDef] = {}
        #: The bodies of classes, and what their fields are declared to be.
        self.scopes: dict[type, Scope] = {}
        self.fields: dict[type, dict[str, Any]] = {}
        #: The bodies that were read for that.
        self.readings: dict[type, set[int]] = {}
        self.frames: list[Frame] = []
        #: How the walk came to where it is; only `within` changes it.
        self.context = EvalContext(compares=compares)
        #: Counters that only grow: two readings differ if in between something happened that may raise anything, or a function
        #: of the program returned something unknown to a library.
        self.may_raise_epoch = 0
        #: The states in which ways have raised an error while others went on, if a ``try`` is walked.
        self.raised: list[HeapSnapshot] | None = None
        self.returned_top = 0
        #: The mesh that is set.
        self.mesh: Any = UNKNOWN
        self.made: dict[int, transformations.Made] = {}
        #: The arrays that the program has donated to jitted functions, by their ids.
        self.donated: dict[int, buffers.Donated] = {}
        #: What calls of the program's functions with unknown parts have given.
        self.drawn: dict[Any, Any] = {}
        self.kept: list[Any] = []
        #: The functions that some walk has got to.
        self.called: set[int] = set()
        self.unresolved = Unresolved(self)
        #: What the text of each module may call when it is imported, and what it calls, by the module's identity. A module is a value
        #: of the program, which states of the heap go into: it must not hold this.
        self.of_modules: dict[int, Unresolved] = {}
        #: The modules that the entry has imported which is walked.
        self.imported: set[str] = set()
        #: Whether 64-bit types are switched on where the program switches them and it is not known whether it does, or which way.
        self.x64_choice = False
        self.has_x64_choice = False
        #: How many contexts are around that switch 64-bit types.
        self.width_contexts = 0
        #: The function of which calls are kept, and these.
        self.watched = called.Watched()
        #: The functions that something unknown has had, each with the kind of the entry.
        self.escaped_functions: set[tuple[int, str]] = set()
        self.node: ast.AST | None = None
        #: Numbers for conditions of unknown outcome: each time that the walk comes to one it is another one.
        self.numbers = itertools.count(1)
        #: Whether the program imports what may keep its objects, and call their methods from there.
        self.has_unknown_libraries = False
        #: The files that are ported from other libraries, by these.
        self.ports: Mapping[str, frozenset[str]] = {}
        #: The files whose functions that nothing calls are looked at in another evaluation.
        self.elsewhere: frozenset[str] = frozenset()
        #: Whether nobody asks for facts, but for errors.
        self.wants_errors_alone = False
        #: What test runners pass to functions.
        self.cases = Cases()
        #: Whether functions without annotations matter only where the program calls them.
        self.wants_annotated_alone = False
        #: Whether a function was left out for that.
        self.left_out = False
        self.unseen = Unseen(self)
        self.rules = Rules(self)
        #: Scripts and tests that an earlier evaluation has walked; none before a walk begins.
        self.parts = KeptParts(self)
        #: Has the parent see where the walk is, and leaves out statements; None if nobody looks.
        self.progress: StatementProgress | None = None
        self.top_levels = TopLevelProgress()
        #: The programs that were not walked to their end.
        self.cut_off = CutOff({})
        #: The entries that were not walked to their end.
        self.not_ended: list[str] = []
        self.option_defaults = OptionDefaults(assumes_defaults)
        self.natives: Natives = Natives(self)
        #: The objects of libraries that the program has seen as they are, by their ids: it changes none of them.
        self.foreign: dict[int, Any] = {}
        #: The names that the program gives to modules of libraries, which do not get them here.
        self.patched: set[tuple[str, str]] = set()

    # What a walk tells.

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @property
    def entry(self) -> Entry:
        """How the function was entered in which the walk is."""
        return self.frames[-1].entry if self.frames else AT_TOP_LEVEL

    def record(self, scope: Scope, node: ast.expr | ast.arg, name: str, value: Any) -> None:
        """The walk has come to a place with a value."""
        path, is_certain = scope.module.path, self.context.is_certain
        if not self.wants_errors_alone:
            self.facts.record(self.entry, path, node, name, value, is_certain, self.own_class)
        if name.isidentifier():
            self.observed.bound(path, node, name, value)

    def own_class(self, cls: type) -> Own | None:
        """The class of the program, at the top level of a module, that a class is."""
        body = self.scopes.get(cls)
        if body is None or body.parent is not body.module.scope:
            return None
        return Own(body.module.path, self.classes[cls].name)

    def see_expression(self, scope: Scope, node: ast.expr, value: Any) -> None:
        """The walk has evaluated an expression."""
        if isinstance(node, EXPRESSIONS) and not self.wants_errors_alone:
            self.record(scope, node, expression(node), value)

    def opaque(self, name: str) -> Any:
        """Unknown, for what is never called or looked at; that is told."""
        self.diagnostics.note(f"{name} is not evaluated: its result is unknown")
        return UNKNOWN

    def too_much(self) -> Any:
        """Unknown, for what would be larger than any program needs, or take longer; that is told."""
        self.diagnostics.note("a number, string or list of the program is too large, so it is unknown")
        return UNKNOWN

    # Walking.

    def block(self, body: Sequence[ast.stmt], scope: Scope) -> None:
        """Walk statements."""
        for statement in body:
            self.budget.step()
            self.node = statement
            start = time.process_time()
            try:
                if self.progress is None or self.progress.begins(scope.module.path, statement):
                    statements.walk(self, statement, scope)
                else:
                    statements.leave_out(self, statement, scope)
            finally:
                if aliases.is_changing():
                    self._put_in_place(spread_changes())
                seconds = time.process_time() - start
                self.top_levels.seconds[scope.module.path, statement.lineno] += seconds

    def top_level(self, body: Sequence[ast.stmt], scope: Scope) -> None:
        """Walk the statements of a module."""
        for statement in body:
            self.block([statement], scope)
            self.top_levels.finish(scope.module.path, statement)

    def value(self, node: ast.expr, scope: Scope) -> Any:
        """What an expression gives."""
        return expressions.value(self, node, scope)

    def call(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What a call gives."""
        return calls.call(self, function, list(args), dict(kwargs))

    # What the families of values and of libraries ask for: they know the interpreter alone, and not each other.

    def of_library(self, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """What a call of a trusted library gives."""
        return calls.of_library(self, f, args, kwargs)

    def real(self, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """What a call of something real gives, which the gate has let pass."""
        return calls.real(self, f, args, kwargs)

    def refused(self, f: Any, values: list[Any], error: Exception, sure: bool) -> Any:
        """What the program goes on with after real code has raised an error."""
        return calls.refused(self, f, values, error, sure)

    def call_abstractly(self, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """What is certain of a call that has unknown arguments."""
        return abstract_calls.call_abstractly(self, f, args, kwargs)

    def with_sizes(self, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """What a call gives whose arguments have symbolic sizes."""
        return size_trials.with_sizes(self, f, args, kwargs)

    def item(self, holder: Any, key: Any) -> Any:
        """What ``holder[key]`` gives."""
        return operate.item(self, holder, key)

    def attribute(self, holder: Any, name: str) -> Any:
        """What an attribute gives."""
        return attributes.attribute(self, holder, name)

    def set_attribute(self, holder: Any, name: str, value: Any) -> None:
        """Assign to an attribute."""
        assignment.set_attribute(self, holder, name, value)

    def set_plainly(self, holder: Any, name: Any, value: Any) -> None:
        """Assign to an attribute as ``object.__setattr__`` does."""
        assignment.set_plainly(self, holder, name, value)

    # States.

    def scope_of(self, value: Any) -> Iterable[Any]:
        """The scopes that a function of the program sees, and its defaults."""
        function = self.functions.get(identity(value))
        return () if function is None else (function.scope, *function.defaults)

    def merge(self, states: list[HeapSnapshot], scope: Scope) -> Replaced:
        """Go on from what all states have in common."""
        with of_all_ways():
            replaced = merge(states)
        self._put_in_place(replaced, scope)
        return replaced

    def replace(self, replaced: Replaced, *scopes: Scope) -> None:
        """Put others in the place of some values, wherever `scopes` and the functions that are walked see them.

        What may be one of these is put in the place of what may be the same object.
        """
        self._put_in_place({**spread([*replaced.values()]), **replaced}, *scopes)

    def _put_in_place(self, replaced: Replaced, *scopes: Scope) -> None:
        substitute([*scopes, *(frame.scope for frame in self.frames)], replaced, self.scope_of)

    def havoc(self, values: Iterable[Any]) -> None:
        """Something unknown has had these values: what it could have changed is unknown from now on."""
        self.may_raise_epoch += 1
        values = list(values)
        self.escape(values, calls_methods=False)
        held = {}
        for value in values:
            self.unresolved.reads(value)
            if isinstance(value, (list, dict, set, Record)) or type(value) in self.classes:
                held[identity(value)] = (value, UNKNOWN)
        self.replace(held)

    def escape(self, values: Iterable[Any], calls_methods: bool = True) -> None:
        """Functions of the program get to where they may be called with anything: what they do then is seen, too.

        Args:
            calls_methods: whether the methods of objects among `values` are surely called as well. Whatever merely has an
                object may call none of them.
        """
        escapes.walk(self, values, calls_methods)

    def join_branches(self, scope: Scope, sides: Sequence[Callable[[], None]]) -> None:
        """Walk each of `sides`, of which one happens, and go on from what they have in common."""
        before = heap.now()
        ended: list[HeapSnapshot] = []
        raised: RaisedException | None = None
        left = False
        frame = self.frame
        for i, side in enumerate(sides):
            with self.under_condition():
                if i:
                    before.restore()
                try:
                    side()
                except Return as returned:
                    frame.returned.append((returned.value, heap.now()))
                    left = True
                except Break:
                    frame.loops[-1].breaks.append(heap.now())
                    left = True
                except Continue:
                    frame.loops[-1].continues.append(heap.now())
                    left = True
                except Unreachable:
                    left = True
                except RaisedException as error:
                    raised = error
                    self.may_raise()
                else:
                    if i + 1 == len(sides) and not ended:
                        return  # nothing else has ended: what is, is what there is in common
                    ended.append(heap.now())
        if not ended:
            before.restore()
            if left or raised is None:
                raise Unreachable
            raise raised
        self.merge(ended, scope)

    @contextmanager
    def within(self, **changes: Unpack[Changes]) -> Iterator[None]:
        """Walk a block under another context, which `EvalContext.changed` describes."""
        outer = self.context
        self.context = outer.changed(**changes)
        try:
            yield
        finally:
            self.context = outer

    def under_condition(self) -> AbstractContextManager[None]:
        """Walk a block that may never happen: it is under a condition of unknown outcome."""
        return self.within(speculative=True, condition=next(self.numbers))

    @contextmanager
    def seeing(self, facts: Facts) -> Iterator[None]:
        """What is known of places within is kept in `facts`."""
        outer, self.facts = self.facts, facts
        try:
            yield
        finally:
            self.facts = outer
