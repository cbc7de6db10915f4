"""The environment of the project: which one is taken, and what is told of one that does not serve."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from editor import Editor
from jaxtyping_core.installation.interpreter import IN_EDITOR, python_of
from jaxtyping_core.lsp.analysis import Analyst
from jaxtyping_core.lsp.records import Request

pytestmark = pytest.mark.one_python


def test_environment_without_jax_is_told_once(tmp_path: Path) -> None:
    venv(tmp_path / "bare")
    (tmp_path / "program.py").write_text("import jax\n")
    editor = Editor(tmp_path, settings={"python": "bare"})
    editor.open(tmp_path / "program.py")
    editor.until(lambda: [*editor.client.messages], bool)
    editor.edit(tmp_path / "program.py", "import jax.numpy\n")
    editor.rest(2)
    (message,) = editor.client.messages
    assert message.message.startswith("jaxtyping-core: bare has no JAX")
    assert "Traceback" not in message.message
    editor.close()


def test_environment_is_that_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    bare = venv(tmp_path / "bare")
    (site,) = bare.glob("lib/*/site-packages")
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if entry.suffix != ".pth" and not entry.name.startswith(("jaxtyping_core", "jax-stubs")):
            (site / entry.name).symlink_to(entry)
    assert python_of(tmp_path, "bare", False, IN_EDITOR) == (str(bare / "bin" / "python"), [])
    # Found without being named where projects have it, if the folder is trusted; and another where it has no JAX.
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    (tmp_path / "bare").rename(tmp_path / ".venv")
    assert python_of(tmp_path, None, trusted=True)[0] == str(tmp_path / ".venv" / "bin" / "python")
    assert python_of(tmp_path / ".venv", None, trusted=True) == (None, [])
    python, (complaint,) = python_of(tmp_path, None, False, IN_EDITOR)
    assert python is None
    assert 'set jaxtyping-core.python to ".venv"' in complaint
    # The environment that the user has activated is no choice of the folder.
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / ".venv"))
    assert python_of(tmp_path, None, False, IN_EDITOR)[0] == str(tmp_path / ".venv" / "bin" / "python")


def venv(folder: Path) -> Path:
    """An environment without packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return folder


def test_environment_that_is_deleted_meanwhile_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = str(tmp_path / "program.py")
    analyst = Analyst(None, "evaluate")  # what "yes" and "no" change would last for the tests after this one
    analyst._python, analyst._has_python = str(tmp_path / "gone"), True
    (answer,) = analyst.answers(Request(1, file, {file: "x = 1\n"}))
    assert (answer.is_known, len(answer.complaints)) == (False, 1)
    assert "no longer exists" in answer.complaints[0]


#: Looks at a file without mypy, and prints the hints.
WITHOUT_MYPY = """\
import sys
sys.modules["mypy"] = sys.modules["tomlkit"] = None
from jaxtyping_core.lsp.analysis import Analyst
from jaxtyping_core.lsp.records import Request
text = "import jax.numpy as jnp\\nx = jnp.ones(3)\\n"
(answer,) = Analyst(None, "evaluate").answers(Request(1, sys.argv[1], {sys.argv[1]: text}))
print([hint.target for hint in answer.hints], answer.complaints)
"""


@pytest.mark.own_processes
def test_mypy_is_not_needed(tmp_path: Path) -> None:
    (tmp_path / "mypy.ini").write_text("[mypy]\n[jaxtyping_core]\nx64 = true\n")
    command = [sys.executable, "-P", "-c", WITHOUT_MYPY, str(tmp_path / "program.py")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "['x'] ()\n", done.stderr
