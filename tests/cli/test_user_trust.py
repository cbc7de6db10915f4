"""Packages that an evaluation calls because somebody trusts them: that somebody is the user, and not the project."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import mypy_cache
from jaxtyping_core import settings, trust
from jaxtyping_core.errors import SettingsError
from jaxtyping_core.settings import TRUSTED, Settings

pytestmark = pytest.mark.one_python

#: A package that is installed, and tells when it is imported.
PACKAGE = """\
import pathlib
import jax.numpy as jnp

print("imported")


def layer(x):
    return jnp.tanh(x)
"""
PROGRAM = """\
import jax.numpy as jnp
import layers

y = layers.layer(jnp.ones((3, 4)))
jnp.ones(3) + jnp.ones(4)
"""
WISH = '[tool.jaxtyping_core]\ntrust = ["layers"]\n'
NOTE = "the project's settings trust layers, but only you can trust a package: use --trust layers, "


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's settings file, which is not there yet."""
    monkeypatch.setattr("jaxtyping_core.user.sys.platform", "linux")  # the same places everywhere
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv(trust.VARIABLE, raising=False)
    monkeypatch.setattr(trust._Folder, "is_trusted", False)
    file = tmp_path / "config" / "jaxtyping_core" / "config.toml"
    file.parent.mkdir(parents=True)
    return file


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that trusts a package."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(WISH)
    (folder / "program.py").write_text(PROGRAM)
    mypy_cache.begin(folder / ".mypy_cache", config=mypy_cache.OF_CHECK)
    return folder


def test_what_a_project_trusts_is_a_wish(project: Path, config: Path) -> None:
    loaded = settings.load(project)
    assert (loaded.trust, loaded.ignored, loaded.trusted) == ((), ("layers",), [*TRUSTED])
    (note,) = loaded.notes
    assert note.startswith(NOTE)
    assert note.endswith(f'JAXTYPING_CORE_TRUST=layers, or trust = ["layers"] in {config}')


def test_a_package_of_ours_needs_no_consent(project: Path, config: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.jaxtyping_core]\ntrust = ["optax"]\n')
    assert settings.load(project) == Settings()


def test_in_an_ini_file_too(tmp_path: Path, config: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "mypy.ini").write_text("[mypy]\n[jaxtyping_core]\ntrust = layers\n")
    assert settings.load(tmp_path, tmp_path / "mypy.ini").ignored == ("layers",)


@pytest.mark.parametrize("text", ['trust = ["layers"]', 'trusted_projects = ["{project}"]'])
def test_settings_of_the_user(project: Path, config: Path, text: str) -> None:
    config.write_text(text.format(project=project))
    loaded = settings.load(project)
    assert (loaded.trust, loaded.notes) == (("layers",), [])
    other = project.parent / "other"
    other.mkdir()
    (other / "pyproject.toml").write_text(WISH)
    assert settings.load(other).trust == (("layers",) if text.startswith("trust ") else ())
    (other / "pyproject.toml").unlink()
    assert settings.load(other).trust == (("layers",) if text.startswith("trust ") else ())


def test_a_project_below_a_trusted_one_is_another(project: Path, config: Path) -> None:
    config.write_text(f'trusted_projects = ["{project.parent}"]')
    assert settings.load(project).trust == ()


def test_the_variable(project: Path, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(trust.VARIABLE, "layers, others")
    assert settings.load(project).trust == ("layers", "others")
    trust.add(["more"])
    assert settings.load(project).trust == ("layers", "others", "more")


def test_a_trusted_folder(project: Path, config: Path) -> None:
    trust.trust_project()
    assert settings.load(project).trust == ("layers",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("trust = 3", "trust must be a list of packages"),
        ("trusts = []", "unknown setting 'trusts'"),
        ('trusted_projects = ["here"]', "must name folders by absolute paths, not 'here'"),
        ("trusted_projects = 3", "must be a list of folders"),
        ("trust = [", "cannot read the file"),
        ('trust = ["os"]', "trust must not name 'os': it is a module of Python's standard library"),
    ],
)
def test_settings_of_the_user_that_mean_nothing(project: Path, config: Path, text: str, words: str) -> None:
    config.write_text(text)
    with pytest.raises(SettingsError) as caught:
        settings.load(project)
    assert words in str(caught.value) and str(config) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        *((name, "Python's standard library") for name in ("runpy", "os", "sys", "builtins", "__main__")),
        ("pip", "it installs packages"),
        ("_pytest", "it imports and runs the files of a folder"),
        ("IPython", "it runs strings as code"),
        ("cloudpickle", "it unpickles"),
        ("cffi", "machine code"),
    ],
)
def test_what_runs_code_is_never_trusted(
    project: Path, config: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str
) -> None:
    assert name not in Settings(trust=(name,)).trusted
    (project / "pyproject.toml").write_text(f'[tool.jaxtyping_core]\ntrust = ["{name}"]\n')
    with pytest.raises(SettingsError, match=f"trust must not name '{name}': .*{reason}"):
        settings.load(project)
    with pytest.raises(SettingsError, match=f"--trust: PACKAGE must not name '{name}'"):
        trust.add([name])
    (project / "pyproject.toml").unlink()
    monkeypatch.setenv(trust.VARIABLE, name)
    with pytest.raises(SettingsError, match=f"{trust.VARIABLE} must not name '{name}'"):
        settings.load(project)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The Python of an environment with a package, beside all that is installed here."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    (site / "layers.py").write_text(PACKAGE)
    others = [path for path in sys.path if path.endswith("site-packages")]
    sources = Path(__file__).parents[2]
    ours = [sources, sources / "mypy_plugin", sources / "stubs"]
    (site / "others.pth").write_text("\n".join(map(str, [*others, *ours])))
    return tmp_path / "venv" / "bin" / "python"


def run(python: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(python), "-P", "-m", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="an environment of POSIX")
def test_show_and_check(project: Path, config: Path, installed: Path) -> None:
    untrusted = run(installed, project, "jaxtyping_core", "show", "--output-format", "json", "program.py")
    assert '"places": []' in untrusted.stdout, untrusted.stderr
    assert untrusted.stderr.count(NOTE) == 1
    trusted = run(
        installed,
        project,
        "jaxtyping_core",
        "show",
        "--output-format",
        "json",
        "program.py",
        "--trust",
        "layers",
    )
    assert '"name": "y", "dtype": "float32"' in trusted.stdout, trusted.stderr
    assert NOTE not in trusted.stderr
    refused = run(installed, project, "jaxtyping_core", "show", "program.py", "--trust", "runpy")
    assert refused.returncode == 2
    assert refused.stderr.startswith("jaxtyping-core: --trust: PACKAGE must not name 'runpy': ")
    checked = run(installed, project, "jaxtyping_core", "check", "program.py", "--output-format", "json")
    assert (checked.returncode, checked.stderr.count(NOTE)) == (1, 1), checked.stderr
    checked = run(installed, project, "jaxtyping_core", "check", "--trust", "layers", "program.py")
    assert (checked.returncode, checked.stderr) == (1, "")


def test_mypy_with_the_plugin(project: Path, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (project / "pyproject.toml").open("a") as file:
        file.write('[tool.mypy]\nplugins = ["jaxtyping_core.mypy"]\nignore_missing_imports = true\n')
    done = run(Path(sys.executable), project, "mypy", "program.py")
    assert (done.returncode, done.stderr.count(NOTE), done.stderr.count("\n")) == (1, 1, 1), done.stderr
    monkeypatch.setenv(trust.VARIABLE, "layers")
    done = run(Path(sys.executable), project, "mypy", "program.py")
    assert (done.returncode, done.stderr) == (1, "")
    (project / "pyproject.toml").write_text(WISH.replace("layers", "runpy"))
    done = run(Path(sys.executable), project, "jaxtyping_core", "check", "program.py")
    assert done.returncode == 2
    assert (
        "trust must not name 'runpy': it is a module of Python's standard library"
        in done.stdout + done.stderr
    )
