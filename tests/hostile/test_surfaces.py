"""Hostile programs in a folder, and each way to have it checked: nothing happens, and no secret is told.

The programs of a cause are imported by one, so that they are evaluated in one go; a last line of that shows that it was come to.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attacks import COSTLY, Scene, attacks
from commands import COMMAND, LONGEST, Done, Folder, assert_quiet, hearing

import sweeps

sys.path.insert(0, str(Path(__file__).parents[1] / "lsp"))
from editor import Editor

pytestmark = pytest.mark.one_python  # the same under every Python, and long
#: Those that end the child, or have their limits reached, would keep the others of their cause from being evaluated.
ATTACKS = sweeps.some("wall", [attack for attack in attacks() if attack.kind not in (*COSTLY, "end")])
CAUSES = sorted({attack.cause for attack in ATTACKS})
#: mypy would read all of the libraries that have types, each time anew.
CONFIGURATION = """\
[mypy]
plugins = jaxtyping_core.mypy
[mypy-attr.*,beartype.*,chex.*,einops.*,equinox.*,etils.*,flax.*,numpyro.*,opt_einsum.*,optax.*,orbax.*]
follow_imports = skip
"""


class Project(Folder):
    """A folder of all programs, at a scene."""

    def __init__(self, folder: Path) -> None:
        super().__init__(Scene(folder))
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


LAST = "import jax.numpy as jnp\n\nlast_line = jnp.ones((5, 7)) @ jnp.ones((7, 6))\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    made = Project(tmp_path_factory.mktemp("surfaces"))
    yield made
    made.scene.close()


def test_show(project: Project) -> None:
    done = project.run(str(COMMAND), "show", "--output-format", "json", ".")
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


def test_language_server(project: Project) -> None:
    files = [project.folder / f"all_{cause}.py" for cause in CAUSES]
    with hearing() as came:
        editor = Editor(project.folder, **project.scene.variables)
        for file in files:
            editor.open(file)
        said = ""
        for file in files:
            hints = editor.until(
                # Of a program that may have switched 64-bit types on, the dtype is not known.
                lambda file=file: editor.hints(file),
                lambda hints: "[5, 6]" in str(hints),
                LONGEST,
            )
            said += str(hints) + str(editor.diagnostics(file)) + editor.hover(file, len(hints), 0)
        editor.rest(2.0)
        said += "\n".join(message.message for message in editor.client.messages)
        status = editor.close()
    assert came == []
    assert_quiet(project, Done(said, status, 0), (0,))
