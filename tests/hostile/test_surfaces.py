"""Hostile programs in a folder, and each way to have it checked: nothing happens, and no secret is told.

The programs of a cause are imported by one, so that they are evaluated in one go; a last line of that shows that it was come to.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from attacks import COSTLY, FOLDER, Scene, attacks

sys.path.insert(0, str(Path(__file__).parents[1] / "lsp"))
from editor import Editor

pytestmark = pytest.mark.one_python  # the same under every Python, and long
HERE = Path(__file__).parent
#: The installed command: ``python -m`` would put the current folder on the path.
COMMAND = Path(sys.executable).with_name("jaxtyping-core")
#: Whether the interpreter has its gate: before that, programs of some causes have effects.
STANDS = (FOLDER / "child" / "interpreter" / "libraries" / "gate.py").exists()
#: Those that end the child, or have their limits reached, would keep the others of their cause from being evaluated.
ATTACKS = [attack for attack in attacks() if attack.kind not in (*COSTLY, "end")]
CAUSES = sorted({attack.cause for attack in ATTACKS})
#: Seconds of a clock for one command over all programs.
LONGEST = 500.0
#: What the commands themselves leave in a folder.
CACHES = (".mypy_cache", ".jaxtyping_core")


#: mypy would read all of the libraries that have types, each time anew.
CONFIGURATION = """\
[mypy]
plugins = jaxtyping_core.mypy
[mypy-attr.*,beartype.*,chex.*,einops.*,equinox.*,etils.*,flax.*,numpyro.*,opt_einsum.*,optax.*,orbax.*]
follow_imports = skip
"""


@dataclass
class Done:
    """What a command has said, and how it ended."""

    said: str
    status: int | None
    left: int


class Project:
    """A folder of all programs, at a scene."""

    def __init__(self, folder: Path) -> None:
        self.scene = Scene(folder)
        self.folder = self.scene.work
        for cause in CAUSES:
            package = self.folder / cause
            package.mkdir()
            (package / "__init__.py").touch()  # all are modules of one program
            names = [attack.name for attack in ATTACKS if attack.cause == cause]
            for attack in ATTACKS:
                if attack.cause == cause:
                    (package / f"{attack.name}.py").write_text(self.scene.set(attack.text))
            imports = "".join(f"from {cause} import {name} as hostile_{i}\n" for i, name in enumerate(names))
            (self.folder / f"all_{cause}.py").write_text(f"{imports}{LAST}")
        (self.folder / "mypy.ini").write_text(CONFIGURATION)
        self.scene.look()

    def run(self, *command: str) -> Done:
        """Run a command in the folder, among the secrets."""
        variables = {**os.environ, **self.scene.variables, "PYTHONDONTWRITEBYTECODE": "1", "TERM": "dumb"}
        done = subprocess.run(
            [sys.executable, "-P", str(HERE / "reaper.py"), str(LONGEST), *command],
            check=False,
            cwd=self.folder,
            env=variables,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LONGEST + 30,
            start_new_session=True,
        )
        errors, _, last = done.stderr.rstrip().rpartition("\n")
        ending = json.loads(last)
        return Done(done.stdout + errors, ending["status"], ending["left"])

    def effects(self, said: str) -> list[str]:
        return self.scene.happened(said, CACHES)


LAST = "import jax.numpy as jnp\n\nlast_line = jnp.ones((5, 7)) @ jnp.ones((7, 6))\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    made = Project(tmp_path_factory.mktemp("surfaces"))
    yield made
    made.scene.close()


def assert_quiet(project: Project, done: Done, statuses: tuple[int, ...]) -> None:
    effects = project.effects(done.said)
    if (effects or done.status not in statuses) and not STANDS:
        pytest.xfail(f"there is no gate yet: {effects}")
    assert effects == []
    assert done.left == 0
    assert done.status in statuses, done.said[-2000:]
    assert "Traceback (most recent call last)" not in done.said


def test_show(project: Project) -> None:
    done = project.run(str(COMMAND), "show", "--json", ".")
    assert_quiet(project, done, (0,))
    records = map(json.loads, filter(lambda line: line.startswith("{"), done.said.splitlines()))
    places = [(record["file"], place) for record in records for place in record.get("places", ())]
    ends = {file for file, place in places if place["name"] == "last_line" and place["shape"] == [5, 6]}
    assert {Path(file).stem for file in ends} == {f"all_{cause}" for cause in CAUSES}


def test_check(project: Project) -> None:
    done = project.run(str(COMMAND), "check", *(f"all_{cause}.py" for cause in CAUSES))
    assert_quiet(project, done, (0, 1))


def test_mypy(project: Project) -> None:
    files = [f"all_{cause}.py" for cause in CAUSES]
    done = project.run(sys.executable, "-P", "-m", "mypy", "--check-untyped-defs", *files)
    assert_quiet(project, done, (0, 1))


@contextlib.contextmanager
def hearing() -> Iterator[list[int]]:
    """Signals that would end this process are heard instead: the server is its child."""
    came: list[int] = []
    numbers = (signal.SIGUSR1, signal.SIGUSR2)
    before = [signal.signal(number, lambda number, _: came.append(number)) for number in numbers]
    try:
        yield came
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def test_language_server(project: Project) -> None:
    if not STANDS:
        pytest.xfail("there is no gate yet")
    files = [project.folder / f"all_{cause}.py" for cause in CAUSES]
    with hearing() as came:
        editor = Editor(project.folder, **project.scene.variables)
        for file in files:
            editor.open(file)
        said = ""
        for file in files:
            hints = editor.until(
                lambda file=file: editor.hints(file), lambda hints: "float32[5, 6]" in str(hints), LONGEST
            )
            said += str(hints) + str(editor.diagnostics(file)) + editor.hover(file, len(hints), 0)
        editor.rest(2.0)
        said += "\n".join(message.message for message in editor.client.messages)
        status = editor.close()
    assert came == []
    assert_quiet(project, Done(said, status, 0), (0,))
