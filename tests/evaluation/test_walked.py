"""Programs share the modules that they have in common, whose top levels are walked once, each statement within its limit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import pytest

from jaxtyping_core.engine.libraries import sealed
from jaxtyping_core.engine.values.unknowns import UNKNOWN
from jaxtyping_core.evaluation.child.functions import walked
from jaxtyping_core.evaluation.child.functions.steady import ModuleMutability
from jaxtyping_core.evaluation.child.functions.walked import Walked
from jaxtyping_core.programs.functions import Reading

TRUSTED = ["jax", "numpy"]


@pytest.fixture(autouse=True)
def open_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of the tests is not sealed for good, as a child is: other tests need what that closes."""
    monkeypatch.setattr(sealed, "seal", lambda: None)


def sources(folder: Path, texts: dict[str, str], file: str) -> dict[str, Any]:
    """What the child is sent of the program of a file."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    read = Reading(TRUSTED).sources_of([folder / file], None)
    assert read is not None
    taken: dict[str, Any] = read.request["sources"]
    return taken


def walk(walked: Walked, taken: dict[str, Any], name: str) -> dict[str, Any]:
    """What the variables of a module hold."""
    steady = ModuleMutability(walked.interpreter, taken)

    def whole() -> None:
        walked.walk(name, steady)
        walked.settle(steady, taken["modules"])

    jax.eval_shape(whole)
    return walked.interpreter.modules[name].scope.variables


BASE = "SIZE = 3\nSIZES = [1, 2]\n"


def test_programs_share_modules(tmp_path: Path) -> None:
    first = sources(tmp_path, {"base.py": BASE, "first.py": "import base\nA = base.SIZE\n"}, "first.py")
    second = sources(tmp_path, {"second.py": "import base\nB = base.SIZE + 1\n"}, "second.py")
    shared = Walked(TRUSTED)
    shared.add(first)
    assert walk(shared, first, "first")["A"] == 3
    base = shared.interpreter.modules["base"]
    assert shared.takes(second)
    shared.add(second)
    assert walk(shared, second, "second")["B"] == 4
    assert shared.interpreter.modules["base"] is base


def test_another_text_is_another_module(tmp_path: Path) -> None:
    first = sources(tmp_path, {"base.py": BASE, "first.py": "import base\n"}, "first.py")
    second = sources(tmp_path, {"base.py": "SIZE = 5\n", "second.py": "import base\n"}, "second.py")
    shared = Walked(TRUSTED)
    shared.add(first)
    assert not shared.takes(second)


def test_what_a_module_changes_in_others_is_of_its_programs_alone(tmp_path: Path) -> None:
    texts = {"base.py": BASE, "user.py": "import base\nN = len(base.SIZES)\n"}
    changing = sources(
        tmp_path,
        texts | {"changing.py": "import base\nbase.SIZES.append(3)\n"},
        "changing.py",
    )
    using = sources(tmp_path, texts, "user.py")
    shared = Walked(TRUSTED)
    shared.add(changing)
    walk(shared, changing, "base")
    walk(shared, changing, "changing")
    assert not shared.takes(using)


REGISTRY = "KINDS = {}\ndef register(kind, rule):\n    KINDS[kind] = rule\n"


def test_a_registry_that_programs_do_not_know_anyway_is_no_reason_to_walk_again(tmp_path: Path) -> None:
    texts = {"base.py": REGISTRY, "user.py": "import base\nN = len(base.KINDS)\n"}
    adding = "import base\nfor kind in open('kinds'):\n    base.register(kind, 1)\n"
    adding_program = sources(tmp_path, texts | {"adding.py": adding}, "adding.py")
    using = sources(tmp_path, texts, "user.py")
    shared = Walked(TRUSTED)
    shared.add(adding_program)
    walk(shared, adding_program, "base")
    walk(shared, adding_program, "adding")
    base = shared.interpreter.modules["base"]
    assert shared.takes(using)
    assert shared.shares(using) == 1
    shared.add(using)
    assert not isinstance(walk(shared, using, "user")["N"], int)
    assert shared.interpreter.modules["base"] is base


def test_a_program_makes_unknown_what_it_changes_and_no_more(tmp_path: Path) -> None:
    changing = sources(
        tmp_path,
        {"base.py": BASE, "changing.py": "import base\ndef grow():\n    base.SIZES[0] = 3\n"},
        "changing.py",
    )
    using = sources(tmp_path, {"user.py": "import base\nN = len(base.SIZES)\n"}, "user.py")
    shared = Walked(TRUSTED)
    for taken in (using, changing):
        assert shared.takes(taken)
        shared.add(taken)
    assert walk(shared, using, "base")["SIZES"] == [1, 2]
    assert walk(shared, changing, "base")["SIZES"] is UNKNOWN
    assert walk(shared, using, "base")["SIZES"] == [1, 2]


def test_a_statement_that_takes_too_long_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walked, "OF_STATEMENT", 50)
    text = (
        "SIZE = 3\nLIST = []\ndef fill():\n    for i in range(100):\n        LIST.append(i)\n    return 1\n"
    )
    text += "RESULT = fill()\nLENGTH = len(LIST)\nLAST = 4\n"
    taken = sources(tmp_path, {"long.py": text}, "long.py")
    shared = Walked(TRUSTED)
    shared.add(taken)
    known = walk(shared, taken, "long")
    assert (known["SIZE"], known["LAST"]) == (3, 4)
    assert known["RESULT"] is UNKNOWN
    assert not isinstance(known["LENGTH"], int)


def test_what_such_a_statement_names_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walked, "OF_STATEMENT", 50)
    text = "import base\nOTHER = [1]\nfor i in range(100):\n    base.SIZES.append(i)\n"
    text += "LENGTH, OTHERS = len(base.SIZES), len(OTHER)\n"
    taken = sources(tmp_path, {"base.py": BASE, "long.py": text}, "long.py")
    shared = Walked(TRUSTED)
    shared.add(taken)
    known = walk(shared, taken, "long")
    assert not isinstance(known["LENGTH"], int)
    assert known["OTHERS"] == 1
