"""Takes lines of defence away in this process."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import sys
import traceback
from typing import Any

CHILD = "jaxtyping_core_child.evaluation.child"
INTERPRETER = "jaxtyping_core_child.engine"
#: Modules that are imported before anything is replaced, so that all that have a function by name get the new one.
ALL = (
    *(
        "session",
        "interpreter",
        "language.attributes",
        "language.calls",
        "language.classes",
        "language.assignment",
    ),
    *("language.imports", "language.statements", "libraries.trust.policy", "libraries.natives"),
    *("libraries.python.builtin_functions", "language.contracts"),
)
#: Characters of a variable that are told.
MOST = 100_000


def of(name: str) -> Any:
    return importlib.import_module(f"{INTERPRETER}.{name}")


def take_away(words: set[str]) -> None:
    """Before the process serves: what is replaced after JAX is there waits for the first question."""
    serve = importlib.import_module(f"{CHILD}.serve")
    if "no-hook" in words:
        with contextlib.suppress(ImportError, AttributeError):
            audit = importlib.import_module("jaxtyping_core_child.evaluation.wall.audit")
            replace_everywhere(audit.stand, lambda: None)
            audit.stand = lambda: None
    stands = ["none"]
    with contextlib.suppress(ImportError, AttributeError):
        wall = importlib.import_module("jaxtyping_core_child.evaluation.wall")
        raise_wall = wall.raise_wall

        def raised(*args: Any, **kwargs: Any) -> Any:
            made = wall.Wall() if "no-wall" in words else raise_wall(*args, **kwargs)
            stands[0] = made.level if not made.why else f"{made.level}: {made.why}"
            return made

        replace_everywhere(raise_wall, raised)
    answered = serve.answer_about_program
    replaced = False

    def answer_about_program(program: dict[str, Any], *rest: Any) -> Any:
        nonlocal replaced
        if not replaced:
            replaced = True
            later(words)
        session = of("session")
        changes = sys.modules["changes"]
        session.prepare(program)
        before = changes.state()
        answer = answered(program, *rest)
        answer.program["notes"] += [*changes.changes(before), f"the wall: {stands[0]}"]
        return answer

    serve.answer_about_program = answer_about_program


def later(words: set[str]) -> None:
    for name in ALL:
        of(name)
    if "no-gate" in words:
        open_gate()
    if "for-real" in words:
        of("session").evaluate = executed
    if words & {"no-gate", "for-real"}:
        replace("libraries.trust.sealed", "seal", lambda: None)


def replace(path: str, name: str, new: Any) -> None:
    """Put something in the place of a function of the interpreter, where it has one of that name."""
    with contextlib.suppress(ImportError, AttributeError):
        replace_everywhere(getattr(of(path), name), new)


def replace_everywhere(old: Any, new: Any) -> None:
    """Whoever has `old` by a name has `new` by it from now on."""
    for name, module in list(sys.modules.items()):
        if name.startswith(CHILD.partition(".")[0]) and module is not None:
            for key, value in list(vars(module).items()):
                if value is old:
                    setattr(module, key, new)


class Everything(frozenset[str]):
    """A set that has whatever it is asked about."""

    def __contains__(self, _: object) -> bool:
        return True


def open_gate() -> None:
    """Let the interpreter be one that really does what the program says."""
    policy, attributes, calls = of("libraries.trust.policy"), of("language.attributes"), of("language.calls")
    classes, targets, natives = of("language.classes"), of("language.assignment"), of("libraries.natives")

    def module(self: Any, name: str, note: Any) -> Any:
        try:
            return importlib.import_module(name)
        except Exception as error:  # an import runs code of any package; to the program the module is unknown
            note(f"{name}: {error}")
            return policy.UNKNOWN

    policy.TrustPolicy.module = module
    policy.TrustPolicy.name = lambda self, module, name: getattr(module, name)
    policy.TrustPolicy.may_see = policy.TrustPolicy.is_trusted = lambda self, value: True
    policy.TrustPolicy.denied = lambda self: {}
    attribute = attributes.attribute

    def any_attribute(interpreter: Any, value: Any, name: str) -> Any:
        ours = (attributes.Unknown, attributes.Module, attributes.Namespace, attributes.Update)
        return attribute(interpreter, value, name) if isinstance(value, ours) else getattr(value, name)

    def set_any(interpreter: Any, holder: Any, name: str, value: Any) -> None:
        if isinstance(holder, attributes.Module):
            holder.scope.variables[name] = value
        elif not isinstance(holder, attributes.Unknown):
            setattr(holder, name, value)

    replace_everywhere(attribute, any_attribute)
    replace_everywhere(targets.set_attribute, set_any)

    def called(interpreter: Any, f: Any, args: Any, kwargs: Any) -> Any:
        return calls.real(interpreter, f, args, kwargs)

    for path, name, function in (
        *(("language.calls", name, called) for name in ("of_library", "_of_library")),
        (
            "language.calls",
            "of_container",
            lambda interpreter, f, holder, args, kwargs: called(interpreter, f, args, kwargs),
        ),
        ("libraries.python.containers", "call", called),
        ("libraries.trust.gate", "refusal", lambda *_: None),
        ("libraries.trust.gate", "may_have", lambda *_: True),
        ("libraries.trust.gate", "is_small", lambda *_: True),
        ("libraries.trust.gate", "is_inside", lambda *_: False),
        ("libraries.trust.special_names", "is_closed_name", lambda *_: False),
        ("libraries.trust.special_names", "may_name", lambda *_: True),
        ("language.classes", "_is_plain", lambda *_: True),
    ):
        replace(path, name, function)
    set_item = targets.set_item

    def set_any_item(interpreter: Any, holder: Any, key: Any, value: Any) -> None:
        try:
            holder[key] = value
        except Exception:  # an abstract array, say: those are the interpreter's own
            set_item(interpreter, holder, key, value)

    replace_everywhere(set_item, set_any_item)
    classes.DROPPED = frozenset()
    classes.METHODS = Everything()
    classes._annotation = lambda interpreter, value, scope: value
    classes._is_library = classes._may_be_base = lambda interpreter, cls: True
    made = natives.Natives.__init__

    def with_everything(self: Any, interpreter: Any) -> None:
        made(self, interpreter)
        self.names = dict(vars(builtins))
        self.by_id.clear()
        self.modules.clear()
        self.whole.clear()

    natives.Natives.__init__ = with_everything


def executed(program: dict[str, Any], *_: Any) -> dict[str, Any]:
    """The answer of a child in which a program has come to be executed: it tells all that its variables hold."""
    notes = []
    for entry in program["entries"]:
        module = program["modules"][entry]
        variables: dict[str, Any] = {
            "__name__": "__main__",
            "__builtins__": builtins,
            "__file__": module["path"],
        }
        try:
            exec(compile(module["text"], module["path"], "exec", dont_inherit=True), variables)  # noqa: S102  # that is what it is for
        except BaseException:
            notes.append(traceback.format_exc())
        notes += [told(name, value) for name, value in variables.items() if not name.startswith("__")]
    empty: dict[str, Any] = {
        "places": [],
        "parameters": [],
        "others": [],
        "other_parameters": [],
        "calls": [],
    }
    return {**empty, "refusals": [], "notes": notes, "complete": True}


def told(name: str, value: Any) -> str:
    try:
        return f"{name} = {getattr(value, 'shape', '')} {value!r}"[:MOST]
    except BaseException as error:
        return f"{name}: {type(error).__name__}"
