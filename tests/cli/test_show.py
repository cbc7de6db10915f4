"""``jaxtyping-core show``: what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from jaxtyping_core.cli.app import app
from jaxtyping_core.programs.places import Place
from jaxtyping_core.programs.report import Origin, Refusal, Report, Step
from jaxtyping_core.settings import Settings
from jaxtyping_core.showing import terminal
from jaxtyping_core.showing.listing import listings
from jaxtyping_core.showing.page import page

PROGRAM = """\
import jax.numpy as jnp


def predict(weights, inputs):
    # a comment that is longer than all of the code, and so does not move what stands beside that
    hidden, skipped = jnp.tanh(inputs @ weights), inputs
    return hidden


logits = predict(jnp.ones((784, 10)), jnp.ones((8, 28)))
"""
MESSAGE = "dot_general requires contracting dimensions to have the same shape, got (28,) and (784,)."
PLACES = [
    Place.of("train.py", 6, 4, "hidden", "float32", False, ("B", 10), 2),
    Place.of("train.py", 6, 12, "skipped", "float32", False, ("B", None), 2),
    Place.of("train.py", 7, 11, "return", "float32", False, ("B", 10), 2),
    Place.of("train.py", 10, 0, "logits"),
    Place.of("other.py", 1, 0, "x", "float32", True, (), 1),
]
TRAIL = (Step("train.py", 10, "weights: float32[784, 10], inputs: float32[8, 28]"),)
ORIGINS = (Origin("train.py", 5, "bias: float32[10]", "assigned"),)
REPORT = Report(
    PLACES, [Refusal("train.py", 6, 31, "shape", MESSAGE, TRAIL, ORIGINS)], ["np.load works on files"]
)

WIDE = """\
train.py
 1  import jax.numpy as jnp
 2
 3
 4  def predict(weights, inputs):
 5      # a comment that is longer than all of the code, and so does not move what stands beside that
 6      hidden, skipped = jnp.tanh(inputs @ weights), inputs  hidden: float32[B, 10]  skipped: float32[B, ?]
                                   ^ dot_general requires contracting dimensions to have the same shape, got (28,) and
                                     (784,).
                                     bias: float32[10], assigned at train.py:5
                                     called from train.py:10 with weights: float32[784, 10], inputs: float32[8, 28]
 7      return hidden                                         return: float32[B, 10]
 8
 9
10  logits = predict(jnp.ones((784, 10)), jnp.ones((8, 28)))  logits: ?

4 places: dtype known at 3, rank at 3, shape at 2; 1 error
note: np.load works on files
"""
NARROW = """\
 6      hidden, skipped = jnp.tanh(inputs @ weights), inputs
                                                          hidden: float32[B, 10]
                                                          skipped: float32[B, ?]
                                   ^ dot_general requires contracting dimensions
                                     to have the same shape, got (28,) and
                                     (784,).
                                     bias: float32[10], assigned at train.py:5
                                     called from train.py:10 with weights:
                                     float32[784, 10], inputs: float32[8, 28]
 7      return hidden                                     return: float32[B, 10]
"""


#: Writes a page into the file that follows.
PAGE = ("--output-format", "html", "--output")


def run(*arguments: object, columns: int = 120) -> Result:
    env = {"NO_COLOR": None, "COLUMNS": str(columns)}
    return CliRunner().invoke(app, ["show", *map(str, arguments)], env=env)


def assert_refused(result: Result, *parts: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("jaxtyping-core: ")
    assert result.stderr.count("\n") == 1
    assert all(part in result.stderr for part in parts), result.stderr


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(PROGRAM)
    return tmp_path


@pytest.fixture
def told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known is `REPORT`, at once."""
    monkeypatch.setattr("jaxtyping_core.cli.show.known", lambda *_: REPORT)


@pytest.mark.usefixtures("told")
def test_terminal() -> None:
    result = run("train.py")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\n".join(line.rstrip() for line in result.stdout.split("\n")) == WIDE


@pytest.mark.usefixtures("told")
def test_narrow_terminal() -> None:
    result = run("train.py", columns=80)
    assert NARROW in "\n".join(line.rstrip() for line in result.stdout.split("\n"))


def rendered(text: str, places: Sequence[Place] = (), width: int = 80) -> str:
    console = Console(force_terminal=True, width=width, record=True, color_system="truecolor")
    with console.capture() as capture:
        terminal.show(console, listings({"a.py": text}, Report(list(places))), [])
    return capture.get()


def test_colours_only_on_a_terminal(told: None) -> None:
    assert "\x1b[" not in run("train.py").stdout
    assert "\x1b[2m1  \x1b[0mx = y\n" in rendered("x = y\n")  # only the number is dim


def test_what_a_terminal_would_obey_is_not_printed() -> None:
    text = rendered("x = '\x1b]0;title\x07\x9b31m'\n\x0cy = 1\r\n")
    assert "\x1b]" not in text and "\x07" not in text and "\x9b" not in text and "\x0c" not in text
    assert text.count("\N{REPLACEMENT CHARACTER}") >= 4


def test_wide_characters_and_tabs_are_counted() -> None:
    places = [
        Place.of("a.py", 1, 0, "x", "int32", False, ()),
        Place.of("a.py", 3, 1, "y", "int32", False, ()),
    ]
    lines = re.sub(r"\x1b\[[0-9;]*m", "", rendered("x = '日本'\nif x:\n\ty = 1\n", places)).split("\n")
    assert lines[1] == "1  x = '日本'  x: int32[]"
    assert lines[3] == "3      y = 1   y: int32[]"


@pytest.mark.usefixtures("told")
def test_json() -> None:
    Path("other.py").write_text("x = 1\n")
    result = run("train.py", "other.py", "--output-format", "json")
    assert result.exit_code == 0
    train, other = map(json.loads, result.stdout.splitlines())
    assert (train["file"], other["file"]) == ("train.py", "other.py")
    assert train["places"][0] == {
        "line": 6,
        "column": 4,
        "name": "hidden",
        "dtype": "float32",
        "weak": False,
        "shape": ["B", 10],
        "calls": 2,
    }
    assert [place["name"] for place in train["places"]] == ["hidden", "skipped", "return", "logits"]
    assert train["places"][3]["dtype"] is train["places"][3]["shape"] is None
    assert [place["shape"] for place in other["places"]] == [[]]
    (refusal,) = train["refusals"]
    assert (refusal["line"], refusal["kind"], refusal["trail"][0]["line"]) == (6, "shape", 10)
    assert result.stderr == "jaxtyping-core: np.load works on files\n"


@pytest.mark.usefixtures("told")
def test_errors_in_other_files_are_told() -> None:
    Path("other.py").write_text("x = 1\n")
    assert f"note: train.py:6: {MESSAGE}\n" in run("other.py", columns=200).stdout


VOID = {"meta", "link", "br", "img", "hr", "input"}


class Outline(HTMLParser):
    """The elements of a page, which must be closed in their order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def outline(text: str) -> Outline:
    """The elements of a page that needs nothing else and runs nothing."""
    page = Outline(text)
    ids = [attributes["id"] for _, attributes in page.seen if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.seen:
        assert tag not in ("script", "link", "img", "iframe", "object")
        assert not any(name.startswith("on") or name == "src" for name in attributes)
        href = attributes.get("href")
        assert href is None or (href.startswith("#") and href[1:] in ids)
    assert "url(" not in text and "@import" not in text
    return page


def test_page(told: None, project: Path) -> None:
    (project / "other.py").write_text("x = 1\n")
    result = run("train.py", "other.py", *PAGE, "out.html")
    assert (result.exit_code, result.stdout) == (0, "")
    text = (project / "out.html").read_text()
    page = outline(text)
    for words in (
        MESSAGE,
        "float32[B, 10]",
        "bias: float32[10], assigned at train.py:5",
        "called from train.py:10",
        "np.load works on files",
        "weak float32[]",
    ):
        assert words in page.text, words
    for line in PROGRAM.splitlines():
        assert line in page.text
    titles = [attributes.get("title") for _, attributes in page.seen]
    assert "hidden: float32[B, 10], in 2 evaluated calls" in titles and "logits: not known" in titles
    assert "prefers-color-scheme: dark" in text
    assert sorted(path.name for path in project.iterdir()) == ["other.py", "out.html", "train.py"]


def test_everything_on_a_page_is_escaped() -> None:
    evil = "<script>alert('&amp;\"')</script>"
    places = [Place.of(evil, 1, 0, evil, evil, False, (evil,))]
    refusals = [Refusal(evil, 1, 0, "shape", evil, (Step(evil, 1, evil, evil), Step("b", 2, evil)))]
    text = page(listings({evil: f"{evil} # {evil}\n", "b.py": ""}, Report(places, refusals)), [evil])
    assert "<script" not in text
    assert outline(text).text.count(evil) >= 9


def test_a_page_is_printed_where_no_file_is_named(told: None, project: Path) -> None:
    result = run("train.py", "--output-format", "html")
    assert result.exit_code == 0
    assert MESSAGE in outline(result.stdout).text
    assert [path.name for path in project.iterdir()] == ["train.py"]


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize(("comment", "status"), [("", 1), ("  # jaxtyping: ignore[array-shape]", 0)])
def test_the_exit_status_where_it_is_asked_for(project: Path, comment: str, status: int) -> None:
    lines = PROGRAM.splitlines()
    lines[5] += comment
    (project / "train.py").write_text("\n".join(lines) + "\n")
    assert run("train.py").exit_code == 0
    assert run("train.py", "--exit-status").exit_code == status


def test_a_page_is_written_whole_or_not_at_all(
    told: None, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "out.html").write_text("earlier")

    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    assert_refused(run("train.py", *PAGE, "out.html"), "cannot write 'out.html': No space left on device")
    assert (project / "out.html").read_text() == "earlier"
    assert sorted(path.name for path in project.iterdir()) == ["out.html", "train.py"]
    assert_refused(run("train.py", *PAGE, "nowhere/out.html"), "cannot write", "there is no folder 'nowhere'")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["nope.py"], ["nope.py: no such file"]),
        (["train.py", "nope.py"], ["nope.py: no such file"]),
        (["broken.py"], ["broken.py: line 1: not valid Python"]),
        (["empty"], ["empty: the folder has no .py and no .ipynb files"]),
        (["train.py", "--output-format", "xml"], ["unknown format 'xml'; expected text, json or html"]),
        (["train.py", "--python", "nowhere/python"], ["there is no Python 'nowhere/python'"]),
        (["train.py", "--config-file", "nope.ini"], ["nope.ini: no such configuration file"]),
    ],
)
def test_refused(project: Path, arguments: list[str], parts: list[str]) -> None:
    (project / "broken.py").write_text("(")
    (project / "empty").mkdir()
    assert_refused(run(*arguments), *parts)


def test_without_jax(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaxtyping_core.cli.show.jax_version", lambda python: "none")
    assert_refused(run("train.py"), "has no JAX; run pip install jax")


def test_settings_that_mean_nothing(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.jaxtyping_core]\ntrust = 3\n")
    assert_refused(run("train.py"), "trust must be a list of packages")


def test_settings_in_mypys_configuration(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Settings] = []
    monkeypatch.setattr(
        "jaxtyping_core.cli.show.known", lambda _, configured, *rest: [seen.append(configured), REPORT][1]
    )
    (project / "mypy.ini").write_text("[mypy]\n[jaxtyping_core]\nx64 = true\n")
    assert run("train.py").exit_code == 0
    assert seen[0].x64


def test_a_program(project: Path) -> None:
    """For real: nothing in the program is annotated, and nothing of it runs."""
    (project / "train.py").write_text(
        "import pathlib\n" + PROGRAM.replace("28)", "784)") + "pathlib.Path('ran').touch()\n"
    )
    result = run("train.py", "--output-format", "json")
    assert result.exit_code == 0, result.stderr
    places = {place["name"]: place for place in json.loads(result.stdout)["places"]}
    assert (places["logits"]["dtype"], places["logits"]["shape"]) == ("float32", [8, 10])
    assert (places["hidden"]["dtype"], places["hidden"]["shape"]) == ("float32", [8, 10])
    assert (places["return"]["shape"], places["skipped"]["shape"]) == ([8, 10], [8, 784])
    assert not (project / "ran").exists()
