"""docs/how-to/ci.md: its lines, pasted and run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs.pages import blocks

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "ci.md").read_text()
BINARIES = Path(sys.executable).parent
PRE_COMMIT = BINARIES / "pre-commit"
HOOK = "jaxtyping-core-check"

#: The texts to paste, by the files that they are for.
BLOCKS = [block for block in blocks(PAGE) if block.language == "yaml" and block.title]
PASTED = {block.title: block.text for block in BLOCKS}
LOCAL, REPOSITORY = (block.text for block in BLOCKS if block.title == ".pre-commit-config.yaml")

PROGRAM = """\
import jax.numpy as jnp
x = jnp.zeros((3, 4)) + jnp.ones((3, 5))
"""
MESSAGE = "+ got incompatible shapes for broadcasting: (3, 4), (3, 5)."


def run(
    *command: str | Path, folder: Path, status: int = 0, **environment: str
) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PATH": f"{BINARIES}{os.pathsep}{os.environ['PATH']}", **environment}
    done = subprocess.run(
        [*map(str, command)], cwd=folder, capture_output=True, text=True, check=False, env=env
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


def commit(folder: Path) -> str:
    """Make a repository of a folder; its commit."""
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    run("git", "init", "--quiet", folder=folder)
    run("git", "add", "--all", folder=folder)
    run("git", *identity, "commit", "--quiet", "--no-verify", "--message", "all", folder=folder)
    return run("git", "rev-parse", "HEAD", folder=folder).stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a mistake in its program."""
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "program.py").write_text(PROGRAM)
    (folder / "notes.txt").write_text("no program\n")
    commit(folder)
    return folder


def test_the_hooks_that_this_repository_offers() -> None:
    run(PRE_COMMIT, "validate-manifest", ".pre-commit-hooks.yaml", folder=ROOT)
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (local,) = yaml.safe_load(LOCAL)["repos"][0]["hooks"]
    same = local.keys() - {"language"}
    assert {key: hook[key] for key in same} == {key: local[key] for key in same}
    assert hook["id"] == yaml.safe_load(REPOSITORY)["repos"][0]["hooks"][0]["id"] == HOOK


@pytest.mark.one_python
def test_the_hook_of_the_environment(project: Path, tmp_path: Path) -> None:
    (project / ".pre-commit-config.yaml").write_text(LOCAL)
    home = {"PRE_COMMIT_HOME": str(tmp_path / "home")}
    run(PRE_COMMIT, "validate-config", folder=project)
    done = run(PRE_COMMIT, "run", HOOK, "--all-files", folder=project, status=1, **home)
    assert f"program.py:2: error: {MESSAGE}" in done.stdout
    done = run(PRE_COMMIT, "run", HOOK, "--files", "notes.txt", folder=project, **home)
    assert "(no files to check)Skipped" in done.stdout
    (project / "program.py").write_text(PROGRAM.replace("5", "4"))
    done = run(PRE_COMMIT, "run", HOOK, "--all-files", folder=project, **home)
    assert "Passed" in done.stdout


@pytest.mark.one_python
def test_the_hook_of_this_repository(project: Path, tmp_path: Path) -> None:
    """pre-commit installs the hook and what it needs, which takes half a minute."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", folder=ROOT)
    clone = tmp_path / "clone"
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, clone / name)
    config: Any = yaml.safe_load(REPOSITORY)
    config["repos"][0] |= {"repo": str(clone), "rev": commit(clone)}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (project / "program.py").write_text(f"import optax\n{PROGRAM}def untyped(x): ...\n")
    # What is installed runs once: pip need not compile all of it, and takes "0" for the option --no-compile.
    environment = {"PRE_COMMIT_HOME": str(tmp_path / "home"), "JAX_PLATFORMS": "cpu", "PIP_NO_COMPILE": "0"}
    done = run(PRE_COMMIT, "run", "--all-files", folder=project, status=1, **environment)
    assert f"program.py:3: error: {MESSAGE}" in done.stdout
    assert "Found 1 error in 1 file (checked 1 source file)" in done.stdout


@pytest.mark.one_python
def test_the_workflow_of_github(project: Path) -> None:
    job = yaml.safe_load(PASTED[".github/workflows/types.yml"])["jobs"]["check"]
    *_, install, check = [step["run"] for step in job["steps"] if "run" in step]
    assert install == "pip install . 'jaxtyping-core[check]'"
    done = run("bash", "-e", "-c", check, folder=project, status=1, GITHUB_WORKSPACE=str(project))
    assert done.stdout.startswith(
        "::error file=program.py,line=2,col=5,endLine=2,endColumn=40,title=array-shape::"
    )
    assert MESSAGE in done.stdout


@pytest.mark.one_python
def test_the_job_of_gitlab(project: Path) -> None:
    install, check = yaml.safe_load(PASTED[".gitlab-ci.yml"])["types"]["script"]
    assert install == "pip install . 'jaxtyping-core[check]'"
    run("bash", "-e", "-c", check, folder=project, status=1)
    report = yaml.safe_load(PASTED[".gitlab-ci.yml"])["types"]["artifacts"]["reports"]["codequality"]
    (entry,) = json.loads((project / report).read_text())
    assert (entry["description"].splitlines()[0], entry["location"]["path"]) == (MESSAGE, "program.py")
